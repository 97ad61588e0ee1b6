#!/usr/bin/env bash
# A short tour: one run with a picture. Called by `./dev demo` after the build.
set -euo pipefail
cd "$(dirname "$0")/.."

chicane=build/release/bin/chicane
out=build/demo/pitch-control

rm -rf "$out"
mkdir -p "$(dirname "$out")"
echo "\$ chicane run pitch-control --plot --out $out"
"$chicane" run pitch-control --plot --out "$out"

echo
echo "Files of the run:"
find "$out" -type f | sort | sed 's/^/  /'
picture=$(find "$out" -type f \( -name '*.png' -o -name '*.svg' \) | sort | head -n 1)
if [[ -z $picture ]]; then
  echo "demo: the run left no picture in $out" >&2
  exit 1
fi
echo
echo "Picture: $picture"
