#!/usr/bin/env bash
# release.sh VERSION: makes a release of what is committed. The changelog's [Unreleased] becomes
# [VERSION] with today's date, CMakeLists.txt and CITATION.cff say the version, and the commit is
# tagged vVERSION. Nothing is pushed.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "release.sh: $*" >&2
  exit 1
}

version=${1:-}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "usage: tools/release.sh 1.2.3"
[[ -z $(git status --porcelain) ]] || fail "there are changes that are not committed"
git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null && fail "v$version is there already"
now=$(sed -nE 's/^  VERSION ([0-9.]+)$/\1/p' CMakeLists.txt)
[[ -n $now ]] || fail "CMakeLists.txt has no line 'VERSION 1.2.3'"
[[ $(printf '%s\n' "$now" "$version" | sort -V | tail -n 1) == "$version" && $now != "$version" ]] ||
  fail "$version does not come after $now"
unreleased=$(awk '/^## \[Unreleased\]/ {on = 1; next} /^## / {on = 0} on && NF' CHANGELOG.md)
[[ -n $unreleased ]] || fail "the changelog has nothing under [Unreleased]"

date=$(date -u +%F)
sed -i "s/^## \[Unreleased\]$/## [Unreleased]\n\n## [$version] - $date/" CHANGELOG.md
sed -i "s/^  VERSION $now$/  VERSION $version/" CMakeLists.txt
sed -i -e "s/^version: .*/version: $version/" -e "/^date-released:/d" -e "/^version: /a date-released: $date" CITATION.cff
grep -qx "  VERSION $version" CMakeLists.txt && grep -qx "version: $version" CITATION.cff &&
  grep -qx "## \[$version\] - $date" CHANGELOG.md || fail "the files are not as expected; git checkout . takes all back"
git commit -qam "Release $version"
git tag -a "v$version" -m "Chicane $version"
echo "v$version: $(git rev-parse --short HEAD)"
