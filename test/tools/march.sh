#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Tests programs compiled for other processors (--march) under QEMU's emulator of such a one, beside the same
# program compiled for this one. usage: march.sh BUILD-DIRECTORY; prints PASS, FAIL or SKIP lines, exits 1 after
# a FAIL.
# shellcheck source=prelude.sh
source "$(dirname "$0")/prelude.sh" "$1"
emulator=$(command -v qemu-x86_64 || command -v qemu-x86_64-static)
if [ "$(uname -m)" != x86_64 ] || [ -z "$emulator" ] || [[ ${flags[*]} == *-fsanitize* ]]; then
  echo "SKIP --march under an emulator: no qemu-x86_64 (package qemu-user), not an x86-64, or sanitizers"
  exit 0
fi

# Products, sums of rows, exponentials, and narrow types: where code for processors differs.
cat >model.mlir <<'END'
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<37x64xf32>, %w: tensor<64x48xf32>) -> (tensor<37x48xf32>, tensor<37x48xbf16>, tensor<37xf64>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<37x64xf32>
  %zero = arith.constant 0.0 : f32
  %zero64 = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<37x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<37x48xf32>) -> tensor<37x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<37x64xf32>, tensor<64x48xf32>) outs(%f : tensor<37x48xf32>) -> tensor<37x48xf32>
  %t = linalg.tanh ins(%p : tensor<37x48xf32>) outs(%e : tensor<37x48xf32>) -> tensor<37x48xf32>
  %s = linalg.softmax dimension(1) ins(%t : tensor<37x48xf32>) outs(%e : tensor<37x48xf32>) -> tensor<37x48xf32>
  %n = arith.truncf %p : tensor<37x48xf32> to tensor<37x48xbf16>
  %d = tensor.empty() : tensor<37xf64>
  %g = linalg.fill ins(%zero64 : f64) outs(%d : tensor<37xf64>) -> tensor<37xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%s : tensor<37x48xf32>) outs(%g : tensor<37xf64>) {
  ^bb0(%a: f32, %b: f64):
    %c = arith.extf %a : f32 to f64
    %l = math.log %c : f64
    %sum = arith.addf %b, %l : f64
    linalg.yield %sum : f64
  } -> tensor<37xf64>
  return %s, %n, %r : tensor<37x48xf32>, tensor<37x48xbf16>, tensor<37xf64>
}
END
cat >arrays.py <<'END'
import sys
import numpy as np
if sys.argv[1] == "make":
    random = np.random.default_rng(3)
    np.save("x.npy", random.standard_normal((37, 64)).astype("f4"))
    np.save("w.npy", random.standard_normal((64, 48)).astype("f4"))
    sys.exit()
for number, tolerance in (0, 1e-5), (1, 1e-2), (2, 1e-4):
    got, want = (np.load(f"{folder}/{number}.npy") for folder in sys.argv[2:])
    if number == 1:  # bits of bf16
        got, want = ((a.view("u2").astype("u4") << 16).view("f4") for a in (got, want))
    error = np.abs(got - want).max() / np.abs(want).max()
    print("result", number, "differs by", error)
    if not error <= tolerance:
        sys.exit(1)
END
"$python" arrays.py make

compile() { "$bin/tesserac" model.mlir --march="$1" -o "$1.so"; } # PROCESSOR

# PROCESSOR OF-QEMU: runs what was compiled for the first on the second, to there/. Of a named model QEMU has
# not every part, and says so each time.
emulate() {
  rm -rf there
  "$emulator" -cpu "$2" "$bin/tessera-run" "$1.so" --input x.npy w.npy --output there/ 2> >(grep -v "TCG doesn't support" >&2)
}

compile native >log 2>&1 && "$bin/tessera-run" native.so --input x.npy w.npy --output here/ >>log 2>&1
report "--march=native" $?
for pair in x86-64=Nehalem nehalem=Nehalem haswell=Haswell; do
  { compile "${pair%=*}" && emulate "${pair%=*}" "${pair#*=}" && "$python" arrays.py compare there here; } >log 2>&1
  report "--march=${pair%=*} on a ${pair#*=}" $?
done
{ compile sapphirerapids && ! emulate sapphirerapids Nehalem; } >log 2>&1 &&
  grep -qF "an instruction that this processor does not have (SIGILL); see tesserac --march" log
report "--march=sapphirerapids on a Nehalem is told" $?
exit $((failures > 0))
