# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Functions of f32 in kernels against the host's in f64: arguments of every exponent, infinities, NaN, signed
# zeros and subnormal numbers, and where formulas change; and quotients with one divisor for each row. LARGEST is the error that may be, in units in the
# last place: 4 on a GPU, and less on the driver of test/cuda, where what a GPU approximates is exact.
# usage: functions.py BUILD FOLDER LARGEST; prints PASS or FAIL lines, exits 1 after a FAIL.
import math
import pathlib
import subprocess
import sys

import numpy as np

FUNCTIONS = {
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "tanh": np.tanh,
    "erf": np.vectorize(math.erf, otypes=[np.float64]),
    "rsqrt": lambda x: 1 / np.sqrt(x),
}
POWERS = {f"power_{power}": power for power in (2, 3, 4)}
COUNT = 40960


def arguments():
    random = np.random.default_rng(1)
    bits = (np.arange(512, dtype=np.uint32) << 23)[:, None] | random.integers(0, 1 << 23, (512, 48), np.uint32)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 2, 3, 10, 1000, 1e-45, -1e-45], np.float32)
    changes = [0.25, 0.55, 2 / 3, 0.9, 1, 4 / 3, 4, 2.0**-24, 2.0**-25, 9, 17, 25, 88.7228, 87.3365, 103.972, 126, 128,
               149, 150]
    near = np.array([sign * value * (1 + step * 2.0**-24) for value in changes for sign in (1, -1)
                     for step in range(-8, 9)], np.float32)
    known = np.concatenate([bits.ravel().view(np.float32), special, near])
    spread = random.uniform(-110, 100, COUNT - len(known) - 4096).astype(np.float32)
    return np.concatenate([known, spread, random.uniform(-2, 2, 4096).astype(np.float32)])


def program():
    kind = f"tensor<{COUNT}xf32>"
    lines = [f"  %{name} = math.{name} %x : {kind}" for name in FUNCTIONS]
    for name, power in POWERS.items():
        lines.append(f"  %by_{power} = arith.constant dense<{power}.0> : {kind}")
        lines.append(f"  %{name} = math.powf %x, %by_{power} : {kind}")
    names = [*FUNCTIONS, *POWERS]
    results = ", ".join("%" + name for name in names)
    kinds = ", ".join([kind] * len(names))
    return "\n".join([f"func.func @main(%x: {kind}) -> ({kinds}) {{", *lines, f"  return {results} : {kinds}", "}\n"])


def errors(found, exact):
    """In units in the last place of the exact value's f32; what must be as it is and is not, is infinitely off."""
    rounded = exact.astype(np.float32)
    plain = np.isfinite(rounded) & (rounded != 0) & np.isfinite(found)
    same = (np.isnan(rounded) & np.isnan(found)) | ((rounded == found) & (np.signbit(rounded) == np.signbit(found)))
    exponent = np.maximum(np.frexp(exact)[1], -125)
    distance = np.abs(found.astype(np.float64) - exact) / np.ldexp(1.0, exponent - 24)
    return np.where(plain, distance, np.where(same, 0, np.inf))


def quotients():
    """Numerators and divisors, the same all along a row: every exponent and what has none, and any."""
    random = np.random.default_rng(2)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1, 3, 1e-45, -1e-45], np.float32)
    numbers = random.integers(0, 1 << 32, (512, 64), np.uint32).view(np.float32)
    numbers[:, :9] = special
    numbers[256:, 9:] = random.uniform(-1, 1, (256, 55))
    numbers[::4, 40:] = random.integers(0, 1 << 24, (128, 24), np.uint32).view(np.float32)
    divisors = ((np.arange(512, dtype=np.uint32) << 23) | random.integers(0, 1 << 23, 512, np.uint32)).view(np.float32)
    divisors[:9] = special
    divisors[400:] = random.uniform(0.5, 100, 112)
    return numbers, np.repeat(divisors[:, None], 64, 1)


QUOTIENTS = """#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%x: tensor<512x64xf32>, %s: tensor<512x64xf32>) -> tensor<512x64xf32> {
  %least = arith.constant 0xFF800000 : f32
  %rows = tensor.empty() : tensor<512xf32>
  %all = tensor.empty() : tensor<512x64xf32>
  %start = linalg.fill ins(%least : f32) outs(%rows : tensor<512xf32>) -> tensor<512xf32>
  %most = linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<512x64xf32>) outs(%start : tensor<512xf32>) {
    ^bb0(%a: f32, %b: f32):
      %m = arith.maximumf %a, %b : f32
      linalg.yield %m : f32
  } -> tensor<512xf32>
  %y = linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x, %most : tensor<512x64xf32>, tensor<512xf32>) outs(%all : tensor<512x64xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %q = arith.divf %a, %b : f32
      linalg.yield %q : f32
  } -> tensor<512x64xf32>
  return %y : tensor<512x64xf32>
}
"""


def say(name, off, x, largest):
    """Whether it is as it has to be."""
    worst = np.unravel_index(np.argmax(off), off.shape)
    is_right = off[worst] <= largest
    print("PASS" if is_right else "FAIL", f"{name}: off by up to {off[worst]:.2f} units, at {x[worst]:.9g}")
    return is_right


def compute(tools, folder, name, text, inputs, outputs):
    (folder / f"{name}.mlir").write_text(text)
    for file, value in inputs.items():
        np.save(folder / f"{file}.npy", value)
    subprocess.run([tools / "tesserac", folder / f"{name}.mlir", "--target=cuda", "-o", folder / f"{name}.so"],
                   check=True)
    subprocess.run([tools / "tessera-run", folder / f"{name}.so", "--input", *(folder / f"{i}.npy" for i in inputs),
                    "--output", *outputs], check=True)


def main():
    build, folder, largest = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), float(sys.argv[3])
    x = arguments()
    tools = build / "bin"
    functions = FUNCTIONS | {name: lambda x, power=power: x**power for name, power in POWERS.items()}
    outputs = [folder / f"{name}.npy" for name in functions]
    compute(tools, folder, "functions", program(), {"x": x}, outputs)
    is_right = True
    for (name, function), output in zip(functions.items(), outputs):
        with np.errstate(all="ignore"):
            is_right &= say(name, errors(np.load(output), function(x.astype(np.float64))), x, largest)
    numbers, divisors = quotients()
    compute(tools, folder, "quotients", QUOTIENTS, {"numbers": numbers, "divisors": divisors}, [folder / "q.npy"])
    with np.errstate(all="ignore"):
        off = errors(np.load(folder / "q.npy"), numbers.astype(np.float64) / divisors)
    sys.exit(not (is_right & say("quotients of rows", off, numbers, 1)))


main()
