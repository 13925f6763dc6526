# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# What the examples' run.sh share: the build, the MPI launcher, and three checks. Sourced with the
# example's directory in `here`; it knows no example.

source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

build=${1:-$root/build}
[[ -x $build/bin/tesserac ]] || die "no build in $build; run scripts/build.sh"
build=$(cd "$build" && pwd)
export PATH=$build/bin:$PATH
out=$build/examples/$(basename "$here")
mkdir -p "$out"
# Names in messages and records are then those that a user would type.
cd "$root"
here=${here#"$root"/}
launcher=$(command -v mpirun.openmpi || command -v mpirun)

# show COMMAND... prints a command and runs it.
show() {
  printf '+ %s\n' "${*//$root\//}"
  "$@"
}

# on RANKS COMMAND... runs a command on MPI ranks.
on() {
  local ranks=$1
  shift
  show "$launcher" -n "$ranks" "$@"
}

# compare FILE.mlir ENTRY SHAPE... compiles a program, calls it with random inputs of these shapes on
# four MPI ranks and on one device, and compares its result. ENTRY may be empty: the only one.
compare() {
  local name inputs=() entry=() i
  name=$out/$(basename "$1" .mlir)
  [[ -z $2 ]] || entry=(--entry "$2")
  show tesserac "$1" -o "$name.so"
  show tesserac --oracle "$1" -o "$out/single.so"
  shift 2
  random_inputs "$@"
  for ((i = 0; i < $#; i++)); do inputs+=("$out/input$i.npy"); done
  on 4 tessera-run "$name.so" "${entry[@]}" --input "${inputs[@]}" --output "$out/result.npy" \
    --traffic | tee "$name.traffic"
  show tessera-run "$out/single.so" "${entry[@]}" --input "${inputs[@]}" --output "$out/single.npy"
  same_output "$out/result.npy" "$out/single.npy"
}

# random_inputs SHAPE... writes standard normal arrays input0.npy, input1.npy, ... (f32).
random_inputs() {
  python3 - "$out" "$@" <<'PY'
import sys
import numpy as np
generator = np.random.default_rng(1)
for i, shape in enumerate(sys.argv[2:]):
    values = generator.standard_normal([int(n) for n in shape.split("x")])
    np.save(f"{sys.argv[1]}/input{i}.npy", values.astype(np.float32))
PY
}

# same_output A B compares two results of different summation order.
same_output() {
  python3 - "$1" "$2" <<'PY'
import sys
import numpy as np
a, b = (np.load(path) for path in sys.argv[1:])
error = np.abs(a - b).max() / np.abs(b).max()
print(f"largest difference: {error:.1e} of the largest value")
sys.exit(0 if a.shape == b.shape and error <= 1e-4 else 1)
PY
}

# collectives FILE.mlir NAME=COUNT... checks how many of each collective one function has after
# partitioning; those that are not named must not occur.
collectives() {
  local file=$1 text total=0 want count all
  text=$out/$(basename "$1" .mlir).partitioned.mlir
  shift
  show tesserac "$file" --emit=partitioned -o "$text"
  for want in "$@"; do
    count=$(grep -cE "(shard|tessera)\.${want%=*} " "$text" || true)
    say "  ${want%=*}: $count"
    [[ $count == "${want#*=}" ]] || die "expected ${want#*=} ${want%=*}, found $count in $text"
    total=$((total + count))
  done
  all=$(grep -cE '(shard|tessera)\.(all_(gather|reduce|to_all)|reduce_scatter|exchange) ' "$text" ||
    true)
  [[ $all == "$total" ]] || die "expected $total collectives, found $all in $text"
}
