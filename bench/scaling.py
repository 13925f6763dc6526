#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Makes long, wide and fat programs and times the passes on them; run by scaling.sh. It knows the
# passes by name alone, and takes their times from mlir-opt's own clock.

import argparse
import math
import re
import statistics
import subprocess
from pathlib import Path

TYPE = "tensor<64x64xf32>"
HEAD = """#map = affine_map<(i, j) -> (i, j)>
shard.grid @grid(shape = 4)
func.func @main({arguments}) -> {type} {{
  %rows = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {type}
"""


def head(count):
    return HEAD.format(arguments=", ".join(f"%a{i}: {TYPE}" for i in range(count)), type=TYPE)


def generic(name, operands):
    maps = ", ".join(["#map"] * (len(operands) + 1))
    arguments = ", ".join(f"%x{i}: f32" for i in range(len(operands)))
    body, last = [], "%x0"
    for i in range(1, max(len(operands), 2)):
        other = f"%x{i}" if len(operands) > 1 else "%x0"
        body.append(f"    %s{i} = arith.addf {last}, {other} : f32")
        last = f"%s{i}"
    return "\n".join([
        f"  {name} = linalg.generic {{indexing_maps = [{maps}], "
        'iterator_types = ["parallel", "parallel"]}',
        f"      ins({', '.join(operands)} : {', '.join([TYPE] * len(operands))})"
        f" outs(%empty : {TYPE}) {{",
        f"  ^bb0({arguments}, %out: f32):", *body, f"    linalg.yield {last} : f32",
        f"  }} -> {TYPE}", ""])


def tail(name):
    return f"  return {name} : {TYPE}\n}}\n"


def elementwise_chain(count):
    """Each op takes the result of the one before; the input is annotated."""
    text = [head(1), f"  %v0 = shard.shard %a0 to %rows : {TYPE}\n"]
    text += [generic(f"%v{i + 1}", [f"%v{i}"]) for i in range(count)]
    return "".join(text) + tail(f"%v{count}")


def matmul_chain(count):
    """Products of the running value with two weights in turn; the input is annotated."""
    text = [head(3), f"  %v0 = shard.shard %a0 to %rows : {TYPE}\n",
            f"  %init = linalg.fill ins(%zero : f32) outs(%empty : {TYPE}) -> {TYPE}\n"]
    text += [f"  %v{i + 1} = linalg.matmul ins(%v{i}, %a{1 + i % 2} : {TYPE}, {TYPE}) "
             f"outs(%init : {TYPE}) -> {TYPE}\n" for i in range(count)]
    return "".join(text) + tail(f"%v{count}")


def many_uses(count):
    """One value is an operand of every op of a chain."""
    text = [head(2), f"  %u = shard.shard %a0 to %rows : {TYPE}\n",
            f"  %v0 = shard.shard %a1 to %rows : {TYPE}\n"]
    text += [generic(f"%v{i + 1}", [f"%v{i}", "%u"]) for i in range(count)]
    return "".join(text) + tail(f"%v{count}")


def shared_weight(count):
    """One weight, split the other way, of that many products with what is elementwise between."""
    text = [head(2),
            "  %columns = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding\n",
            f"  %w = shard.shard %a1 to %columns : {TYPE}\n",
            f"  %v0 = shard.shard %a0 to %rows : {TYPE}\n",
            f"  %init = linalg.fill ins(%zero : f32) outs(%empty : {TYPE}) -> {TYPE}\n"]
    for i in range(count // 2):
        text.append(generic(f"%e{i}", [f"%v{i}"]))
        text.append(f"  %v{i + 1} = linalg.matmul ins(%e{i}, %w : {TYPE}, {TYPE}) "
                    f"outs(%init : {TYPE}) -> {TYPE}\n")
    return "".join(text) + tail(f"%v{count // 2}")


def tensor_parallel(count):
    """Layers of two products and a residual: the weights are split by columns and by rows, so that
    each layer has an all-reduce."""
    text = [head(3),
            "  %whole = shard.sharding @grid split_axes = [[]] : !shard.sharding\n",
            "  %columns = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding\n",
            f"  %v0 = shard.shard %a0 to %whole : {TYPE}\n",
            f"  %w1 = shard.shard %a1 to %columns : {TYPE}\n",
            f"  %w2 = shard.shard %a2 to %rows : {TYPE}\n",
            f"  %init = linalg.fill ins(%zero : f32) outs(%empty : {TYPE}) -> {TYPE}\n"]
    for i in range(count // 3):
        for result, operand, weight in ("h", "v", 1), ("p", "h", 2):
            text.append(f"  %{result}{i} = linalg.matmul ins(%{operand}{i}, %w{weight} : {TYPE}, "
                        f"{TYPE}) outs(%init : {TYPE}) -> {TYPE}\n")
        text.append(generic(f"%v{i + 1}", [f"%p{i}", f"%v{i}"]))
    return "".join(text) + tail(f"%v{count // 3}")


def many_operands(count):
    """One op with that many operands, all of them annotated."""
    text = [head(count)]
    text += [f"  %b{i} = shard.shard %a{i} to %rows : {TYPE}\n" for i in range(count)]
    text.append(generic("%v", [f"%b{i}" for i in range(count)]))
    return "".join(text) + tail("%v")


MOST_RUNS = 8  # of one size in a round
OURS = "builtin.module(tessera-propagate,tessera-partition,tessera-optimize)"
UPSTREAM = "builtin.module(func.func(sharding-propagation,shard-partition))"
PASSES = {OURS: r"^tessera-(propagate|partition|optimize)$",
          UPSTREAM: r"^(ShardingPropagation|Partition)$"}


def seconds(options, file, pipeline):
    """The time in the passes, without parsing, verifying and printing; None if it does not end."""
    command = [options.mlir_opt, file, "--pass-pipeline=" + pipeline, "-o", "/dev/null",
               "--mlir-timing", "--mlir-timing-display=list", "--mlir-disable-threading"]
    if pipeline == OURS:
        command += ["--load-pass-plugin=" + options.plugin, "--load-dialect-plugin="
                    + options.plugin]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.limit)
    except subprocess.TimeoutExpired:
        return None, f"> {options.limit} s"
    if done.returncode:
        if pipeline == OURS:
            raise SystemExit(f"error: {pipeline} fails on {file}:\n{done.stderr[-2000:]}")
        return None, "crashes" if done.returncode < 0 else "fails"
    times = re.findall(r"^\s*([\d.]+) \([^)]*\)\s+(.*)$", done.stderr, re.M)
    mine = [float(time) for time, name in times if re.match(PASSES[pipeline], name.strip())]
    if not mine:
        raise SystemExit(f"error: no times of the passes in\n{done.stderr[-2000:]}")
    return sum(mine), None


def show(value, reason):
    return f"{value:9.3f} s" if value is not None else f"{reason or '-':>11}"


def exponent(points):
    """The slope of log time over log size, by least squares."""
    points = [(math.log(n), math.log(t)) for n, t in points if t > 0]
    if len(points) < 2:
        return None
    mx = statistics.mean(x for x, _ in points)
    my = statistics.mean(y for _, y in points)
    spread = sum((x - mx) ** 2 for x, _ in points)
    return sum((x - mx) * (y - my) for x, y in points) / spread


def median(times):
    return statistics.median(times) if times else None


def measure(options, title, make, sizes):
    """Every round runs every size, and small ones more often, and has an exponent of its own: a
    machine that gets slower between rounds bends none of them."""
    files = {size: Path(options.folder, f"scaling-{size}.mlir") for size in sizes}
    ours, theirs = {size: [] for size in sizes}, {size: [] for size in sizes}
    reasons, slopes = dict.fromkeys(sizes), []
    for size, file in files.items():
        file.write_text(make(size))
    for _ in range(options.rounds):
        round_times = []
        for size, file in files.items():
            runs = min(MOST_RUNS, max(sizes) // size)
            times = [seconds(options, file, OURS)[0] for _ in range(runs)]
            if None in times:
                raise SystemExit(f"error: {title}, {size}: more than {options.limit} s")
            ours[size] += times
            round_times.append((size, median(times)))
            if reasons[size] is None and len(theirs[size]) < options.upstream_rounds:
                time, reasons[size] = seconds(options, file, UPSTREAM)
                theirs[size] += [] if time is None else [time]
        slopes.append(exponent(round_times))
    print(f"\n{title}\n{'size':>8}  {'tessera':>11}  {'upstream':>11}  upstream / tessera")
    for size in sizes:
        mine = median(ours[size])
        other = median(theirs[size]) if reasons[size] is None else None
        ratio = f"{other / mine:.1f}" if other is not None and mine > 0 else ""
        print(f"{size:>8}  {show(mine, None)}  {show(other, reasons[size])}  {ratio}", flush=True)
    slopes = [slope for slope in slopes if slope is not None]
    if slopes and len(sizes) > 2:
        print(f"tessera's time grows with size to the power of {median(slopes):.2f} "
              f"({min(slopes):.2f} to {max(slopes):.2f} over the rounds)")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--mlir-opt", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--upstream-rounds", type=int, default=3)
    parser.add_argument("--limit", type=int, default=60, help="seconds for one run")
    parser.add_argument("--sizes", default="2048,8192,32768,131072")
    options = parser.parse_args()
    sizes = [int(n) for n in options.sizes.split(",")]
    print(f"propagate + partition + optimize: medians of {options.rounds} interleaved rounds, of "
          f"{options.upstream_rounds} for upstream's passes")
    measure(options, "a chain of element-wise ops", elementwise_chain, sizes)
    measure(options, "a chain of products", matmul_chain, sizes)
    measure(options, "one weight of half as many products", shared_weight, sizes)
    measure(options, "two of three ops are products with split weights, a sum in each layer",
            tensor_parallel, sizes)
    measure(options, "one value with that many uses", many_uses, sizes)
    measure(options, "one op with that many annotated operands", many_operands, [5, 10, 20])


if __name__ == "__main__":
    main()
