# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Every collective on grids of one to three axes, subsets and orders of axes, element types and tensor
# axes: a fixed sample, against the plain loops of oracle.py. Knows the documents, not the compiler.
import itertools

import numpy as np

import oracle
from programs import TYPES, Case, Module, tensor

random = np.random.default_rng(4)
INTEGERS = ["i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "index"]
FLOATS = ["f16", "f32", "f64"]
COMPLEX = ["complex<f32>", "complex<f64>"]
KINDS = ["sum", "product", "max", "min", "average", "bitwise_and", "bitwise_or", "bitwise_xor"]


def values(shape, element):
    """Small numbers that every type holds exactly, so that any order of adding gives one result."""
    dtype = np.dtype(TYPES[element])
    if element == "i1":
        return random.integers(0, 2, shape).astype(bool)
    low = 0 if dtype.kind == "u" else -4
    whole = random.integers(low, 5, shape).astype(dtype)
    if dtype.kind == "c":
        whole = (whole + 1j * random.integers(-4, 5, shape)).astype(dtype)
    return whole


def table(grid, shape, element):
    return values([int(np.prod(grid))] + list(shape), element)


def size(grid, axes):
    return int(np.prod([grid[a] for a in axes], dtype=int))


def axes_lists(grid):
    """Every subset of the axes in every order, the empty one left out."""
    for count in range(1, len(grid) + 1):
        yield from itertools.permutations(range(len(grid)), count)


def moved(grid, axes, element, op, attributes, before, after, expected):
    t = table(grid, before, element)
    words = ", ".join(map(str, axes))
    functional = "root" in attributes
    types = f"{tensor(before, element)} -> {tensor(after, element)}"
    if functional:
        types = f"({tensor(before, element)}) -> {tensor(after, element)}"
    line = f"%r = mesh.{op} %x on @g mesh_axes = [{words}] {attributes} : {types}"
    name = f"{op} {list(axes)} {attributes} {element}".replace(" = ", " ")
    return Case(name, line, t, element, tensor(after, element), expected(list(t)))


def movements(grid, axes, element):
    n, at = size(grid, axes), [grid[a] - 1 for a in axes]
    root = f"root = [{', '.join(map(str, at))}]"
    yield moved(grid, axes, element, "all_gather", "gather_axis = 1", [2, 3], [2, 3 * n],
                lambda x: oracle.all_gather(grid, axes, x, 1))
    yield moved(grid, axes, element, "all_slice", "slice_axis = 0", [2 * n, 3], [2, 3],
                lambda x: oracle.all_slice(grid, axes, x, 0))
    yield moved(grid, axes, element, "all_to_all", "split_axis = 2 concat_axis = 0", [2, 1, 2 * n],
                [2 * n, 1, 2], lambda x: oracle.all_to_all(grid, axes, x, 2, 0))
    yield moved(grid, axes, element, "broadcast", root, [3, 2], [3, 2],
                lambda x: oracle.broadcast(grid, axes, x, at))
    yield moved(grid, axes, element, "gather", "gather_axis = 0 " + root, [2, 2], [2 * n, 2],
                lambda x: oracle.gather(grid, axes, x, 0, at))
    yield moved(grid, axes, element, "scatter", "scatter_axis = 1 " + root, [2, 2 * n], [2, 2],
                lambda x: oracle.scatter(grid, axes, x, 1, at))


def has_meaning(kind, element):
    if element in COMPLEX:
        return kind in ("sum", "product", "average")
    if element in FLOATS:
        return not kind.startswith("bitwise")
    return element != "i1" or kind != "average"


def wider(element):
    return {"i8": "i32", "i16": "i64", "i32": "i64", "ui8": "ui16", "f16": "f32", "f32": "f64",
            "complex<f32>": "complex<f64>"}.get(element, element)


def averaged(outputs, kind, dtype, count):
    """The average of integers is rounded toward zero."""
    if kind != "average" or dtype.kind not in "iu":
        return outputs
    return [None if x is None else np.trunc(x.astype("f8") / count).astype(dtype) for x in outputs]


def reductions(grid, axes, element, kind, result=None):
    """To a wider type, or to `result`, which may be narrower: then what goes in is first made so."""
    n, at, scale = size(grid, axes), [0 for _ in axes], 77 if result else 1
    result = result or wider(element)
    dtype = np.dtype(TYPES[result])
    oracle_kind = {"sum": "bitwise_xor", "max": "bitwise_and", "min": "bitwise_or",
                   "product": "bitwise_and"}.get(kind, kind) if result == "i1" else kind
    if kind == "average" and dtype.kind in "iu":
        oracle_kind = "sum"
    words, root = ", ".join(map(str, axes)), f"root = [{', '.join(map(str, at))}]"
    shape = [2 * n, 3]
    t = table(grid, shape, element)
    t = (t * t.dtype.type(scale)).astype(t.dtype)
    inputs = list((t & 1).astype(bool) if result == "i1" else t)
    wide, narrow = tensor(shape, element), tensor(shape, result)
    piece = tensor([2, 3], result)
    lists = [
        ("all_reduce", "", f"{wide} -> {narrow}", narrow,
         oracle.all_reduce(grid, axes, inputs, oracle_kind, dtype)),
        ("reduce", root, f"({wide}) -> {narrow}", narrow,
         oracle.reduce(grid, axes, inputs, at, oracle_kind, dtype)),
        ("reduce_scatter", "scatter_axis = 0", f"{wide} -> {piece}", piece,
         oracle.reduce_scatter(grid, axes, inputs, 0, oracle_kind, dtype)),
    ]
    for op, rest, types, out, wanted in lists:
        line = (f"%r = mesh.{op} %x on @g mesh_axes = [{words}] reduction = <{kind}> {rest} : "
                f"{types}")
        yield Case(f"{op} {kind} {list(axes)} {element} to {result}", line, t, element, out,
                   averaged(wanted, kind, dtype, n))


def shifts(grid):
    for axis, extent in enumerate(grid):
        for offset, rotate in [(1, False), (-1, False), (extent, False), (0, False), (1, True),
                               (-2, True), (extent + 1, True), (-1 << 63, False),
                               (-1 << 63, True), ((1 << 63) - 1, True)]:
            t = table(grid, [2, 2], "i16")
            others = [axis] + [a for a in range(len(grid)) if a != axis]
            line = (f"%r = mesh.shift %x on @g mesh_axes = {others} shift_axis = {axis} offset = "
                    f"{offset} {'rotate' if rotate else ''} : tensor<2x2xi16> -> tensor<2x2xi16>")
            yield Case(f"shift axis {axis} by {offset}{' rotate' if rotate else ''}", line, t, "i16",
                       "tensor<2x2xi16>", oracle.shift(grid, axis, list(t), offset, rotate))


def modules():
    elements = itertools.cycle(["i8", "i16", "i32", "i64", "index", "f16", "f32", "f64", "bf16",
                                "complex<f32>", "complex<f64>", "ui8", "ui16", "ui32", "ui64", "i1",
                                "f8E4M3FN"])
    pairs = itertools.cycle([(e, k) for e in ["i1"] + INTEGERS + FLOATS + COMPLEX for k in KINDS
                             if has_meaning(k, e)])
    for grid in ([4], [2, 2], [2, 3], [2, 2, 2]):
        shape = "x".join(map(str, grid))
        cases = [c for axes in axes_lists(grid) for c in movements(grid, axes, next(elements))]
        yield Module("moves-" + shape, grid, cases)
        cases = [c for axes in axes_lists(grid) for _ in range(max(1, 8 // size(grid, range(len(grid)))))
                 for c in reductions(grid, axes, *next(pairs))]
        yield Module("reductions-" + shape, grid, cases)
        yield Module("shifts-" + shape, grid, list(shifts(grid)))


NARROWER = [("i32", "i8"), ("i64", "i16"), ("ui32", "ui8"), ("index", "i32"), ("f32", "f16"),
            ("i8", "i1"), ("f64", "f16"), ("f64", "f32"), ("complex<f64>", "complex<f32>"),
            ("i64", "f32"), ("f64", "complex<f32>")]


def bits(values, element):
    """bf16 as its upper halves of f32, all else as numpy has it."""
    if element == "bf16":
        return (np.array(values, "f4").view("u4") >> 16).astype("u2")
    return np.array(values, TYPES[element])


def accumulators():
    """What four devices hold, and what it comes to: in the result's type, or in a wider one where
    the result's loses digits or wraps on the way."""
    nan, large = float("nan"), 1 << 24
    for kind, element, result, held, wanted in (
            ("sum", "i8", "i32", [100, 100, 100, 101], 401),
            ("sum", "i8", "i8", [100, 100, 100, 101], 401 - 512),
            ("sum", "ui8", "ui16", [200, 200, 200, 201], 801),
            ("product", "i16", "i64", [1000, -1000, 1000, 3], -3000000000),
            ("sum", "f32", "f64", [large, 1, 1, 1], large + 3),
            ("sum", "f16", "f32", [2048, 1, 1, 1], 2051),
            ("sum", "f16", "f16", [2048, 1, 1, 2], 2052),
            ("sum", "bf16", "bf16", [256, 1, 1, 2], 260),
            ("average", "i8", "i8", [100, 100, 100, 103], 100),
            ("average", "i32", "i32", [-1, -1, -1, 0], 0),
            ("average", "i64", "i64", [-5, -5, -5, -4], -4),
            ("average", "i8", "f32", [1, 2, 2, 2], 1.75),
            ("average", "i8", "ui16", [-1, 0, 0, 1], 16384),
            ("average", "ui8", "i8", [200, 100, 100, 100], 61),
            ("sum", "i32", "bf16", [257, 257, 257, 0], 768),
            ("max", "i64", "f32", [(1 << 60) + (1 << 36) + 1, 0, 0, 0], (1 << 60) + (1 << 37)),
            ("max", "i8", "i8", [-1, 1, -128, 0], 1),
            ("max", "ui8", "ui8", [255, 1, 128, 0], 255),
            ("min", "ui32", "ui32", [1 << 31, 7, 1 << 30, 9], 7),
            ("min", "index", "index", [3, -7, 0, 5], -7),
            ("max", "f32", "f32", [1, nan, 3, 2], nan),
            ("sum", "i1", "i1", [True, True, True, False], True),
            ("max", "i1", "i1", [True, False, False, False], False),
            ("min", "i1", "i1", [True, False, False, False], True)):
        t = np.stack([bits([x] * 4, element) for x in held])
        wide, narrow, piece = tensor([4], element), tensor([4], result), tensor([1], result)
        total = bits([wanted] * 4, result)
        name = f"{kind} of {held} {element} to {result}"
        words = f"%x on @g mesh_axes = [0] reduction = <{kind}>"
        yield Case("all_reduce " + name, f"%r = mesh.all_reduce {words} : {wide} -> {narrow}", t,
                   element, narrow, [total] * 4)
        yield Case("reduce " + name, f"%r = mesh.reduce {words} root = [2] : ({wide}) -> {narrow}",
                   t, element, narrow, [None, None, total, None])
        yield Case("reduce_scatter " + name, f"""
%r = mesh.reduce_scatter {words} scatter_axis = 0 : {wide} -> {piece}""", t, element, piece,
                   [total[:1]] * 4)
    for flavour, kind, held, wanted in (("umax", "max", [-1, 1, -128, 0], -1),
                                        ("umin", "min", [-1, 1, -128, 2], 1)):
        t = np.stack([np.full(4, x, "i1") for x in held])
        yield Case(f"{flavour} of {held}", f"""
%r = mesh.all_reduce %x on @g mesh_axes = [0] reduction = <{kind}>
  {{tessera.reduction = "{flavour}"}} : tensor<4xi8> -> tensor<4xi8>""",
                   t, "i8", "tensor<4xi8>", [np.full(4, wanted, "i1")] * 4)


def every_reduction():
    """Each reduction that has a meaning, of each element type, once, and to narrower types."""
    cases = [c for (element, result), kind in zip(NARROWER, itertools.cycle(
                 ["sum", "max", "min", "product"]))
             for c in reductions([2], [0], element, kind if has_meaning(kind, result) else "sum", result)]
    for element in ["i1"] + INTEGERS + FLOATS + COMPLEX:
        for kind in KINDS:
            if has_meaning(kind, element):
                cases.append(next(itertools.islice(reductions([2], [0], element, kind), 1)))
    yield Module("types-2", [2], cases)
    yield Module("accumulators-4", [4], list(accumulators()), "mesh")
