#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
"""Writes modules that reshard a tensor between every pair of shardings on a grid.

  pairs.py OUT_DIR GRID SHAPE [--chunk N] [--every K] [--factored COUNT | --extras]

Each argument of a module's function is split one way and its result asked for in another. Every
module holds up to N pairs; with K only every K-th pair is written. With COUNT that many random
pairs of shardings with factored dimensions are written instead; with --extras the pairs of
shardings with halos and offsets, known ones and those of the run, whole and partial ones. Prints the
files' names.
"""
import argparse
import os
import random


def shardings(axes, rank):
    """All ways to give each axis to a dimension or to none, in any order within a dimension."""
    if not axes:
        return [tuple(() for _ in range(rank))]
    found = []
    for lists in shardings(axes[:-1], rank):
        found.append(lists)
        for d in range(rank):
            for place in range(len(lists[d]) + 1):
                longer = lists[d][:place] + (axes[-1],) + lists[d][place:]
                found.append(lists[:d] + (longer,) + lists[d + 1:])
    return sorted(set(found))


def cut(size, chance):
    """The size as a random product of factors."""
    for factor in chance.sample(range(2, size), size - 2) if size > 2 else []:
        if size % factor == 0 and chance.random() < 0.6:
            return cut(factor, chance) + [size // factor]
    return [size]


def factored(axes, shape, chance):
    """Dimensions as lists of (size, axes), the axes dealt out at random."""
    dims = [[(size, ()) for size in cut(extent, chance)] for extent in shape]
    for axis in chance.sample(axes, len(axes)):
        if chance.random() < 0.2:
            continue
        dim = chance.choice(dims)
        place = chance.randrange(len(dim))
        dim[place] = (dim[place][0], dim[place][1] + (axis,))
    return dims


def extras(grid, shape):
    """Attributes of shardings with halos and offsets; %a is at most 3, %b at least 3 and at most 6.
    Halos are wider than shards, shards empty."""
    found = ["split_axes = [[]]"]
    for axis in range(len(grid)):
        found.append(f"split_axes = [[]] {{tessera.partial = [[{axis}, #shard<partial sum>]]}}")
    splits = {((0,),), ((), (0,))} | ({((0,), (1,)), ((), (1, 0))} if len(grid) > 1 else set())
    for lists in sorted(splits):
        split = [(d, axes) for d, axes in enumerate(lists) if axes]
        found.append(f"split_axes = {text(lists)}")
        for halo in ("1, 0", "3, 5", "0, %a", "%b, 1", "%b, %a"):
            sizes = ", ".join([halo] * len(split))
            found.append(f"split_axes = {text(lists)} halo_sizes = [{sizes}]")
        for first, last in ((1, 5), (0, 2), ("%a", "%b"), (3, "%b"), ("%a", "%a")):
            offsets = []
            for d, axes in split:
                shards = 1
                for axis in axes:
                    shards *= grid[axis]
                inner = [first] * (shards // 2) + [last] * (shards - 1 - shards // 2)
                offsets += [0, *inner[:shards - 1], shape[d]]
            starts = ", ".join(map(str, offsets))
            found.append(f"split_axes = {text(lists)} sharded_dims_offsets = [{starts}]")
    return found


def text(lists):
    return "[" + ", ".join("[" + ", ".join(map(str, axes)) + "]" for axes in lists) + "]"


def sharding(lists):
    """The attributes of a shard.sharding; `lists` are axes or factors for each dimension."""
    if isinstance(lists, str):
        return lists
    if all(isinstance(axis, int) for axes in lists for axis in axes):
        return f"split_axes = {text(lists)}"
    axes = [[axis for _, axes in dim for axis in axes] for dim in lists]
    factors = ", ".join(
        "[" + ", ".join(f"[{size}, {list(axes)}]" for size, axes in dim) + "]" for dim in lists
    )
    return f"split_axes = {text(axes)} {{tessera.factors = [{factors}]}}"


def module(grid, shape, pairs):
    tensor = "tensor<" + "x".join(map(str, shape)) + "xf32>"
    arguments = ", ".join(f"%x{i}: {tensor}" for i in range(len(pairs)))
    if any("%" in str(lists) for pair in pairs for lists in pair):
        arguments += ", %a: i64 {tessera.range = [0, 4]}, %b: i64 {tessera.range = [3, 7]}"
    types = ", ".join([tensor] * len(pairs))
    lines = [f"shard.grid @g(shape = {grid})", f"func.func @main({arguments}) -> ({types}) {{"]
    for i, (source, target) in enumerate(pairs):
        lines += [
            f"  %s{i} = shard.sharding @g {sharding(source)} : !shard.sharding",
            f"  %y{i} = shard.shard %x{i} to %s{i} : {tensor}",
            f"  %t{i} = shard.sharding @g {sharding(target)} : !shard.sharding",
            f"  %z{i} = shard.shard %y{i} to %t{i} annotate_for_users : {tensor}",
        ]
    results = ", ".join(f"%z{i}" for i in range(len(pairs)))
    return "\n".join(lines + [f"  return {results} : {types}", "}", ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("grid")
    parser.add_argument("shape")
    parser.add_argument("--chunk", type=int, default=32)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--factored", type=int, default=0)
    parser.add_argument("--extras", action="store_true")
    options = parser.parse_args()
    shape = [int(n) for n in options.shape.split("x")]
    grid = [int(n) for n in options.grid.split("x")]
    axes = list(range(len(grid)))
    every = extras(grid, shape) if options.extras else shardings(axes, len(shape))
    pairs = [(a, b) for a in every for b in every][:: options.every]
    if options.factored:
        chance = random.Random(1)
        pairs = [
            (factored(axes, shape, chance), factored(axes, shape, chance))
            for _ in range(options.factored)
        ]
    for first in range(0, len(pairs), options.chunk):
        name = f"{options.shape}-on-{options.grid}-{first // options.chunk:03}.mlir"
        path = os.path.join(options.out, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(module(options.grid, shape, pairs[first : first + options.chunk]))
        print(path)


if __name__ == "__main__":
    main()
