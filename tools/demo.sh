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

say "A heavy off-road vehicle of 14 bodies enters a double lane change, the driver steering along the track"
show run hmmwv --manoeuvre double-lane-change --plot --out "$out/lane-change"

say "The same at two rates: tires and driveline twice in each step of the mechanism"
show run hmmwv --manoeuvre double-lane-change --scheme multiframe --step 1ms --ratio 2 \
  --output chassis.y --output chassis.roll --out "$out/two-rates"

say "A third of the grip: the driver cannot hold it"
show run hmmwv --manoeuvre double-lane-change --scheme multiframe --step 1ms --ratio 2 \
  --set terrain.friction=0.3 --plot --out "$out/slippery"

say "A step of 35 ms is too large for ab2: the actuator of a jet's elevator grows, and the run says so"
status=0
show run pitch-control --step 35ms --plot --quiet --output theta_deg --output des_deg \
  --out "$out/unstable" || status=$?
if ((status != 3)); then
  echo "demo: the run at 35 ms should have failed with exit code 3, not $status" >&2
  exit 1
fi

say "A fast actuator in a slow loop: error and cost of one rate and of two"
show compare two-scale --schemes single-rate,multiframe --methods ab2,rk4 --ratios 4 --signals x1,x3 \
  --plot --out "$out/compare"

say "A vehicle on ring tires: how large a step, at one rate and with a slow and a fast tableau?"
show limit planar-vehicle --method rk2
show limit planar-vehicle --scheme prk

say "Where to look"
for picture in lane-change/plot slippery/plot unstable/plot compare/compare; do
  if [[ ! -s $out/$picture.png ]]; then
    echo "demo: there is no $out/$picture.png" >&2
    exit 1
  fi
  echo "$out/$picture.png"
done
echo "$out/lane-change/results.csv (and results.h5), echo.yaml to repeat the run"
echo
echo "Next: docs/howto/drive-a-vehicle.md and docs/tutorial.md"
