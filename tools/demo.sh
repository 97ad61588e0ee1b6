#!/usr/bin/env bash
# A short tour in the terminal, with pictures. Called by `./dev demo` after the build.
set -euo pipefail
cd "$(dirname "$0")/.."

chicane=build/release/bin/chicane
out=build/demo
rm -rf "$out"
mkdir -p "$out"

say() { printf '\n== %s\n\n' "$*"; }
show() {
  printf '$ chicane %s\n' "$*"
  "$chicane" "$@"
}

say "A jet is told to pitch up by 0.15 rad; a fast actuator moves its elevator"
show run pitch-control --output theta_deg --output des_deg --output q --output dedot --plot \
  --out "$out/pitch-control"

say "To how many digits is a step of 10 ms good? It depends on the method"
for method in ab2 am2 rk4; do
  printf '%-4s' "$method"
  "$chicane" run pitch-control --method "$method" --check-step --out "$out/check-$method" |
    grep 'half the step'
done

say "A step of 35 ms is too large for ab2: the actuator's mode grows, and the run says so"
status=0
show run pitch-control --step 35ms --plot --quiet --output theta_deg --output des_deg \
  --out "$out/unstable" || status=$?
if ((status != 3)); then
  echo "demo: the run at 35 ms should have failed with exit code 3, not $status" >&2
  exit 1
fi

say "The same step with am2, which has two evaluations a step and a larger stability region"
show run pitch-control --step 35ms --method am2 --output theta_deg --output des_deg \
  --out "$out/am2"

say "A quarter car meets a 10 mm step in the road"
show run quarter-car-b --output road --output z --output z_u --output a_body --until 1.5s --plot \
  --out "$out/quarter-car-b"

say "A vehicle on ring tires: how large a step, at one rate and with a slow and a fast tableau?"
show limit planar-vehicle --method rk2
show limit planar-vehicle --scheme prk

say "A fast actuator in a slow loop: error and cost of one rate and of two"
show compare two-scale --schemes single-rate,multiframe --methods ab2,rk4 --ratios 4 --signals x1,x3 \
  --plot --out "$out/compare"

say "What is behind the fast mode of the vehicle?"
show linearize planar-vehicle --at 2s | head -9

say "Which groups, method and step for an accuracy?"
show advise pitch-control --accuracy 1e-3 --signals theta,des

say "Where methods are stable"
show stability ab2 rk4 prk25c --plot --out "$out/stability" | head -8

say "Pictures"
for picture in pitch-control/plot unstable/plot quarter-car-b/plot compare/compare \
  stability/stability; do
  if [[ ! -s $out/$picture.png ]]; then
    echo "demo: there is no $out/$picture.png" >&2
    exit 1
  fi
  echo "$out/$picture.png"
done
echo
echo "Next: docs/tutorial.md"
