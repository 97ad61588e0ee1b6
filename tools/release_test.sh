#!/usr/bin/env bash
# Makes releases of a small repository in a temporary folder, and sees that release.sh does what it says and
# refuses what it should.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GIT_AUTHOR_NAME=tester GIT_AUTHOR_EMAIL=tester@localhost GIT_COMMITTER_NAME=tester GIT_COMMITTER_EMAIL=tester@localhost
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

fail() {
  echo "release_test.sh: $*" >&2
  exit 1
}
refused() { # VERSION WORDS: no release, no change, and the words say why
  local before said
  before=$(git rev-parse HEAD)
  said=$(tools/release.sh "$1" 2>&1) && fail "release $1 was made"
  [[ $said == *"$2"* ]] || fail "release $1 is refused with '$said', not with '$2'"
  [[ $(git rev-parse HEAD) == "$before" ]] || fail "a refused release has made a commit"
}

git init -q .
mkdir tools
cp "$root/tools/release.sh" tools
cp "$root/CHANGELOG.md" "$root/CMakeLists.txt" "$root/CITATION.cff" .
sed -i 's/^  VERSION .*/  VERSION 0.1.0/' CMakeLists.txt
# Whatever the real one has: something new, above something old.
printf '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2020-01-01\n\n- The first.\n' >CHANGELOG.md
git add . && git commit -qm "Begin"

refused 0.1 usage
refused 0.0.9 "does not come after"
refused 0.1.0 "does not come after"
echo >>CHANGELOG.md
refused 0.2.0 "not committed"
git checkout -q CHANGELOG.md
tools/release.sh 0.2.0 >/dev/null
[[ -z $(git status --porcelain) ]] || fail "a release leaves changes"
[[ $(git cat-file -t v0.2.0) == tag && $(git rev-parse 'v0.2.0^{commit}') == $(git rev-parse HEAD) ]] || fail "the commit has no tag"
grep -qx '  VERSION 0.2.0' CMakeLists.txt || fail "CMakeLists.txt has another version"
grep -qx 'version: 0.2.0' CITATION.cff || fail "CITATION.cff has another version"
[[ $(grep -c '^date-released: [0-9-]*$' CITATION.cff) == 1 ]] || fail "CITATION.cff has not one date"
[[ $(grep '^## ' CHANGELOG.md | sed 's/ - 2.*//' | tr '\n' ' ') == '## [Unreleased] ## [0.2.0] ## [0.1.0] ' ]] || fail "the changelog has other sections"
awk '/^## \[0.2.0\] - / {on = 1} /^## \[0.1.0\]/ {on = 0} on' CHANGELOG.md | grep -qx -- '- A thing.' || fail "what is new is not in the section"
refused 0.2.0 "is there already"
refused 0.3.0 "nothing under"
