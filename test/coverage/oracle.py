# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# What the dialect documents say of each collective, as plain loops over all devices: lists with one
# numpy array per device in, the same out (None: undefined there). Knows no compiler and no runtime.
import itertools

import numpy as np


def coordinates(grid):
    """The multi-index of every device, in the order of linear indices."""
    return list(itertools.product(*[range(extent) for extent in grid]))


def linear(grid, place):
    index = 0
    for extent, coordinate in zip(grid, place):
        index = index * extent + coordinate
    return index


def group(grid, axes, place):
    """The linear indices of the devices that share a group with `place`, in in-group order: the
    axes as listed, outer to inner."""
    members = []
    for inner in itertools.product(*[range(grid[axis]) for axis in axes]):
        member = list(place)
        for axis, coordinate in zip(axes, inner):
            member[axis] = coordinate
        members.append(linear(grid, member))
    return members


def position(grid, axes, place):
    index = 0
    for axis in axes:
        index = index * grid[axis] + place[axis]
    return index


def at(grid, axes, place, inner):
    """The in-group device `inner` of the group of `place`."""
    member = list(place)
    for axis, coordinate in zip(axes, inner):
        member[axis] = coordinate
    return linear(grid, member)


def pieces(value, axis, count):
    """`count` shards of sizes that differ by at most one, the larger ones last."""
    size = value.shape[axis]
    ends = [0]
    for shard in range(count):
        ends.append(ends[-1] + (size + shard) // count)
    return [np.take(value, range(a, b), axis) for a, b in zip(ends, ends[1:])]


def reduced(kind, values):
    values = list(values)
    total = values[0]
    for value in values[1:]:
        if kind in ("sum", "average"):
            total = total | value if total.dtype == bool else total + value
        elif kind == "product":
            total = total & value if total.dtype == bool else total * value
        elif kind == "max":
            total = np.maximum(total, value)
        elif kind == "min":
            total = np.minimum(total, value)
        elif kind == "bitwise_and":
            total = total & value
        elif kind == "bitwise_or":
            total = total | value
        elif kind == "bitwise_xor":
            total = total ^ value
    return total / total.dtype.type(len(values)) if kind == "average" else total


def each(grid, axes, function):
    """function(group, position in it, place) for every device."""
    return [function(group(grid, axes, place), position(grid, axes, place), place)
            for place in coordinates(grid)]


def all_gather(grid, axes, inputs, axis):
    return each(grid, axes, lambda g, i, c: np.concatenate([inputs[m] for m in g], axis))


def all_reduce(grid, axes, inputs, kind="sum", dtype=None):
    wide = [x.astype(dtype or x.dtype) for x in inputs]
    return each(grid, axes, lambda g, i, c: reduced(kind, [wide[m] for m in g]))


def all_slice(grid, axes, inputs, axis):
    return each(grid, axes,
                lambda g, i, c: pieces(inputs[linear(grid, c)], axis, len(g))[i])


def all_to_all(grid, axes, inputs, split, concat):
    return each(grid, axes, lambda g, i, c: np.concatenate(
        [pieces(inputs[m], split, len(g))[i] for m in g], concat))


def broadcast(grid, axes, inputs, root):
    return each(grid, axes, lambda g, i, c: inputs[at(grid, axes, c, root)])


def at_root(grid, axes, root, values):
    return each(grid, axes, lambda g, i, c: values[linear(grid, c)]
                if linear(grid, c) == at(grid, axes, c, root) else None)


def gather(grid, axes, inputs, axis, root):
    return at_root(grid, axes, root, all_gather(grid, axes, inputs, axis))


def reduce(grid, axes, inputs, root, kind="sum", dtype=None):
    return at_root(grid, axes, root, all_reduce(grid, axes, inputs, kind, dtype))


def reduce_scatter(grid, axes, inputs, axis, kind="sum", dtype=None):
    return all_slice(grid, axes, all_reduce(grid, axes, inputs, kind, dtype), axis)


def scatter(grid, axes, inputs, axis, root):
    return all_slice(grid, axes, broadcast(grid, axes, inputs, root), axis)


def shift(grid, axis, inputs, offset, rotate=False):
    """A positive offset moves data to higher coordinates."""
    def source(g, i, c):
        came_from = c[axis] - offset
        if rotate:
            came_from %= grid[axis]
        if not 0 <= came_from < grid[axis]:
            return None
        return inputs[linear(grid, c[:axis] + (came_from,) + c[axis + 1:])]
    return each(grid, [axis], source)


def update_halo(grid, split, inputs, halos):
    """Each device's piece of what the cores of all make up, with the halos around it. What lies beyond
    an end keeps what it held next to the core, and is undefined (masked) at the corners. `halos`:
    (before, after) for each dimension."""
    outputs = []
    for place in coordinates(grid):
        own = np.ma.array(inputs[linear(grid, place)], copy=True)
        core = [n - low - high for n, (low, high) in zip(own.shape, halos)]
        for index in np.ndindex(*own.shape):
            owner, inner = list(place), []
            for d, i in enumerate(index):
                axes = split[d]
                count = int(np.prod([grid[a] for a in axes], dtype=int))
                where = position(grid, axes, place) * core[d] + i - halos[d][0]
                if not 0 <= where < count * core[d]:
                    if sum(not 0 <= i - low < n for i, n, (low, _) in zip(index, core, halos)) > 1:
                        own[index] = np.ma.masked
                    break
                shard = where // core[d]
                for a in reversed(axes):
                    owner[a], shard = shard % grid[a], shard // grid[a]
                inner.append(where % core[d] + halos[d][0])
            else:
                own[index] = inputs[linear(grid, owner)][tuple(inner)]
        outputs.append(own)
    return outputs
