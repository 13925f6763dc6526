# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Functions of f32 in kernels against the host's in f64: arguments of every exponent, infinities, NaN, signed
# zeros and subnormal numbers, and where formulas change. LARGEST is the error that may be, in units in the
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


def main():
    build, folder, largest = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), float(sys.argv[3])
    x = arguments()
    (folder / "functions.mlir").write_text(program())
    np.save(folder / "x.npy", x)
    tools = build / "bin"
    subprocess.run([tools / "tesserac", folder / "functions.mlir", "--target=cuda", "-o", folder / "functions.so"],
                   check=True)
    functions = FUNCTIONS | {name: lambda x, power=power: x**power for name, power in POWERS.items()}
    outputs = [folder / f"{name}.npy" for name in functions]
    subprocess.run([tools / "tessera-run", folder / "functions.so", "--input", folder / "x.npy", "--output", *outputs],
                   check=True)
    failed = False
    for (name, function), output in zip(functions.items(), outputs):
        with np.errstate(all="ignore"):
            off = errors(np.load(output), function(x.astype(np.float64)))
        worst = int(np.argmax(off))
        is_right = off[worst] <= largest
        failed |= not is_right
        print("PASS" if is_right else "FAIL", f"{name}: off by up to {off[worst]:.2f} units, at {x[worst]:.9g}")
    sys.exit(failed)


main()
