#!/usr/bin/env bash
# Formats every C++ file of the project in place; with --check only reports what is not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."

clang_format=$(command -v clang-format-14 || command -v clang-format) || {
  echo "format.sh: clang-format is not installed" >&2
  exit 2
}

arguments=(-i)
if [[ ${1:-} == --check ]]; then
  arguments=(--dry-run -Werror)
fi

directories=()
for directory in src apps tests benchmarks examples; do
  if [[ -d $directory ]]; then
    directories+=("$directory")
  fi
done

find "${directories[@]}" \( -name '*.cpp' -o -name '*.hpp' \) -print0 |
  xargs -0 --no-run-if-empty "$clang_format" "${arguments[@]}"
