#!/usr/bin/env bash
# package_test.sh DIRECTORY: judges a Debian package that was extracted there. The library shows what
# is public and nothing else; the loader takes the libraries that fit the processor; both kinds give
# the same motion.
set -euo pipefail
staged=$1

fail() {
  echo "package_test.sh: $*" >&2
  exit 1
}

mapfile -t libraries < <(find "$staged" -name 'libchicane.so.*.*.*' | sort)
((${#libraries[@]} == 2)) || fail "there are ${#libraries[@]} shared libraries, not one for any machine and one for newer ones"
python3 "$(dirname "$0")/check_symbols.py" "${libraries[@]}" || fail "the libraries do not show the public surface alone"

program=$(find "$staged" -path '*/bin/chicane')
loaded() { # OPTION...: which library of the program the loader takes
  env "$@" LD_DEBUG=files "$program" --version 2>&1 | grep -oE 'calling init: .*libchicane-program[^ ]*' | head -n 1
}
newer=$(loaded CHICANE=1)
older=$(loaded GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2)
if grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo && grep -qw bmi2 /proc/cpuinfo; then
  [[ $newer == *hwcaps/x86-64-v3* ]] || fail "a newer processor gets '$newer'"
fi
[[ $older == *libchicane-program* && $older != *hwcaps* ]] || fail "an older processor gets '$older'"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" run hmmwv --until 1s --quiet --out "$work/newer"
GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2 "$program" run hmmwv --until 1s --quiet --out "$work/older"
python3 - "$work/newer/results.csv" "$work/older/results.csv" <<'PYTHON' || fail "they give different motions"
import csv, sys
rows = [list(csv.reader(open(name)))[2:] for name in sys.argv[1:]]
assert len(rows[0]) == len(rows[1]) > 10
for a, b in zip(*rows):
    for x, y in zip(map(float, a), map(float, b)):
        assert abs(x - y) <= 1e-7 * (1 + abs(x)), (a[0], x, y)
PYTHON
echo "package_test.sh: newer processors take ${newer##*staged/}"
