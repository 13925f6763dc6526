#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Compiles programs of more and more equal layers; run by compiling.sh. It knows tesserac's command
# line; it must not know programs. Times are of processors, all cores together, which a busy machine changes
# least.

import argparse
import math
import resource
import statistics
import subprocess
from pathlib import Path

import compiling_programs as programs


def seconds(options, file):
    """CPU seconds of one compilation."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([options.tesserac, file, "-o", f"{file}.so", "--no-cache"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"error: {file}:\n{done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def exponent(points):
    """The slope of log time over log size, by least squares."""
    logs = [(math.log(n), math.log(t)) for n, t in points]
    mx, my = (statistics.mean(axis) for axis in zip(*logs))
    return sum((x - mx) * (y - my) for x, y in logs) / sum((x - mx) ** 2 for x, _ in logs)


def measure(options, title, make):
    medians = []
    print(f"\n{title}\n{'layers':>8}  {'seconds':>9}  {'ms a layer':>10}")
    for count in options.sizes:
        file = Path(options.folder, f"layers-{count}.mlir")
        file.write_text(make(count))
        time = statistics.median(seconds(options, file) for _ in range(options.rounds))
        medians.append((count, time))
        print(f"{count:>8}  {time:>9.2f}  {1e3 * time / count:>10.1f}", flush=True)
    if len(medians) > 1:
        print(f"grows with the layers to the power of {exponent(medians):.2f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tesserac", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--layers", default="100,200,400,800")
    parser.add_argument("--only", default="", help="programs whose function has this text")
    options = parser.parse_args()
    options.sizes = [int(n) for n in options.layers.split(",")]
    print(f"tesserac: CPU seconds, medians of {options.rounds}")
    for title, make in [
            ("layers with weights of their own", programs.layers),
            ("layers with slices of four weights", programs.sliced_layers),
            ("layers with weights of their own: loss, gradients, a step", programs.training)]:
        if options.only in make.__name__:
            measure(options, title, make)


if __name__ == "__main__":
    main()
