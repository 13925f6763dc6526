# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# What the text of the documents states beside its examples: orders of axes, in-group devices, run-time
# numbers, empty lists and sizes, rings, halos, questions. Knows the documents, not the compiler.
import itertools

import numpy as np

import oracle
from collectives import table
from programs import Case, Module, tensor


def groups():
    """In-group order on 1x3x2x2: [3, 1] is not [1, 3]."""
    grid = [1, 3, 2, 2]
    t = table(grid, [1], "i32")
    for n, value in enumerate(t):
        value[:] = n
    for axes in ([3, 1], [1, 3], [0, 1, 2, 3], [3, 2, 1, 0], [2], [0], [1, 0, 3]):
        count = int(np.prod([grid[a] for a in axes]))
        yield Case(f"order of {axes}", f"""
%r = mesh.all_gather %x on @g mesh_axes = {axes} gather_axis = 0
  : tensor<1xi32> -> tensor<{count}xi32>""",
                   t, "i32", tensor([count], "i32"), oracle.all_gather(grid, axes, list(t), 0))
    # In-group device (i, j) of mesh_axes [1, 3] in the group g of axis 2: (0, i, g, j).
    for axes, root in (([1, 3], [2, 1]), ([3, 1], [1, 2]), ([3, 1], [0, 2])):
        yield Case(f"in-group device {root} of {axes}", f"""
%r = mesh.broadcast %x on @g mesh_axes = {axes} root = {root} : (tensor<1xi32>) -> tensor<1xi32>""",
                   t, "i32", "tensor<1xi32>", oracle.broadcast(grid, axes, list(t), root))


def text_groups():
    """The text's own mesh, 2x3x4x5: devices (1, 0, 2, 3) and (1, 1, 2, 3) share a group of axes
    [0, 1], and (1, 0, 2, 4) is in another; along [3, 1], (i, 1, k, 0) precedes (i, 0, k, 1)."""
    grid = [2, 3, 4, 5]
    t = np.arange(120, dtype="i4").reshape(120, 1)
    asked = [oracle.linear(grid, place) for place in ((1, 0, 2, 3), (1, 1, 2, 3), (1, 0, 2, 4))]
    for axes in ([0, 1], [3, 1]):
        count = int(np.prod([grid[a] for a in axes]))
        gathered = oracle.all_gather(grid, axes, list(t), 0)
        wanted = [gathered[n] if n in asked else None for n in range(120)]
        yield Case(f"groups of {axes}", f"""
%r = mesh.all_gather %x on @g mesh_axes = {axes} gather_axis = 0
  : tensor<1xi32> -> tensor<{count}xi32>""", t, "i32", tensor([count], "i32"), wanted)
    place = oracle.linear(grid, (1, 2, 3, 4))
    yield Case("process_linear_index", """
%r = tensor.from_elements %l : tensor<1xindex>""", t, "i32", "tensor<1xindex>",
               [np.array([place]) if n == place else None for n in range(120)])


def in_group_device():
    """On three axes with mesh_axes [0, 2] the device (i, j) of group g is (i, g, j)."""
    grid, t = [2, 3, 2], np.arange(12, dtype="i4").reshape(12, 1)
    wanted = [t[oracle.linear(grid, (1, g, 0))] for _, g, _ in oracle.coordinates(grid)]
    yield Case("broadcast from (1, g, 0)", """
%r = mesh.broadcast %x on @g mesh_axes = [0, 2] root = [1, 0] : (tensor<1xi32>) -> tensor<1xi32>""",
               t, "i32", "tensor<1xi32>", wanted)


def roots_of_the_run():
    grid = [2, 2]
    t = table(grid, [4, 2], "f32")
    one, zero = [("index", 1)], [("index", 0)]
    index = "(tensor<4x2xf32>, index)"
    yield Case("broadcast root ?", f"""
%r = mesh.broadcast %x on @g mesh_axes = [0, 1] root = [%0, 0] : {index} -> tensor<4x2xf32>""",
               t, "f32", "tensor<4x2xf32>", oracle.broadcast(grid, [0, 1], list(t), [1, 0]), one)
    yield Case("gather root ?", f"""
%r = mesh.gather %x on @g mesh_axes = [1] gather_axis = 0 root = [%0] : {index} -> tensor<8x2xf32>""",
               t, "f32", "tensor<8x2xf32>", oracle.gather(grid, [1], list(t), 0, [1]), one)
    yield Case("scatter root ?", f"""
%r = mesh.scatter %x on @g mesh_axes = [0] scatter_axis = 0 root = [%0] : {index} -> tensor<2x2xf32>""",
               t, "f32", "tensor<2x2xf32>", oracle.scatter(grid, [0], list(t), 0, [0]), zero)
    yield Case("reduce root ?", f"""
%r = mesh.reduce %x on @g mesh_axes = [1, 0] root = [%0, 1] : {index} -> tensor<4x2xf32>""",
               t, "f32", "tensor<4x2xf32>", oracle.reduce(grid, [1, 0], list(t), [1, 1]), one)


def run_time_sizes():
    grid = [2, 2]
    for rows in (10, 3, 1, 0):
        t = table(grid, [rows, 2], "f64")
        local = oracle.all_slice(grid, [1, 0], list(t), 0)
        yield Case(f"all_slice of {rows} ?", """
%r = mesh.all_slice %x on @g mesh_axes = [1, 0] slice_axis = 0 : tensor<?x2xf64> -> tensor<?x2xf64>""",
                   t, "f64", "tensor<?x2xf64>", local, cast=[None, 2])
        yield Case(f"all_gather of {rows} ? pieces", """
%p = mesh.all_slice %x on @g mesh_axes = [1, 0] slice_axis = 0 : tensor<?x2xf64> -> tensor<?x2xf64>
%r = mesh.all_gather %p on @g mesh_axes = [0, 1] gather_axis = 0 : tensor<?x2xf64> -> tensor<?x2xf64>""",
                   t, "f64", "tensor<?x2xf64>", oracle.all_gather(grid, [0, 1], local, 0),
                   cast=[None, 2])
        yield Case(f"gather of {rows} ? pieces", """
%p = mesh.all_slice %x on @g mesh_axes = [1, 0] slice_axis = 0 : tensor<?x2xf64> -> tensor<?x2xf64>
%r = mesh.gather %p on @g mesh_axes = [0] gather_axis = 0 root = [1] : (tensor<?x2xf64>) -> tensor<?x2xf64>""",
                   t, "f64", "tensor<?x2xf64>", oracle.gather(grid, [0], local, 0, [1]),
                   cast=[None, 2])
        yield Case(f"reduce_scatter of {rows} ?", """
%r = mesh.reduce_scatter %x on @g mesh_axes = [0, 1] scatter_axis = 0 : tensor<?x2xf64> -> tensor<?x2xf64>""",
                   t, "f64", "tensor<?x2xf64>",
                   oracle.reduce_scatter(grid, [0, 1], list(t), 0), cast=[None, 2])
        yield Case(f"scatter of {rows} ?", """
%r = mesh.scatter %x on @g mesh_axes = [0, 1] scatter_axis = 0 root = [0, 1] : (tensor<?x2xf64>) -> tensor<?x2xf64>""",
                   t, "f64", "tensor<?x2xf64>",
                   oracle.scatter(grid, [0, 1], list(t), 0, [0, 1]), cast=[None, 2])
        yield Case(f"all_to_all of {rows} ?", """
%r = mesh.all_to_all %x on @g mesh_axes = [0, 1] split_axis = 0 concat_axis = 1 : tensor<?x2xf64> -> tensor<?x?xf64>""",
                   t, "f64", "tensor<?x?xf64>",
                   oracle.all_to_all(grid, [0, 1], list(t), 0, 1), cast=[None, 2])
        yield Case(f"all_to_all of {rows} ? along one axis", """
%r = mesh.all_to_all %x on @g mesh_axes = [1] split_axis = 0 concat_axis = 0 : tensor<?x2xf64> -> tensor<?x2xf64>""",
                   t, "f64", "tensor<?x2xf64>",
                   oracle.all_to_all(grid, [1], list(t), 0, 0), cast=[None, 2])
        yield Case(f"all_reduce of {rows} ?", """
%r = mesh.all_reduce %x on @g mesh_axes = [1] reduction = max : tensor<?x2xf64> -> tensor<?x2xf64>""",
                   t, "f64", "tensor<?x2xf64>", oracle.all_reduce(grid, [1], list(t), "max"),
                   cast=[None, 2])


def sizes_of_their_own():
    """Each device has as many rows as it likes. Of broadcast and scatter the root's tensor alone
    counts; of all_to_all along one axis each device deals its own."""
    grid, rows = [2, 2], [4, 1, 6, 3]
    t = table(grid, [6, 3], "i32")
    own = [t[n, :rows[n], :2 + n // 2] for n in range(4)]
    cut = "\n".join([f"%n{n} = arith.constant {count} : index" for n, count in enumerate(rows)] + """
%sizes = tensor.from_elements %n0, %n1, %n2, %n3 : tensor<4xindex>
%rows = tensor.extract %sizes[%l] : tensor<4xindex>
%c2 = arith.constant 2 : index
%half = arith.divui %l, %c2 : index
%columns = arith.addi %half, %c2 : index
%y = tensor.extract_slice %t[%l, 0, 0] [1, %rows, %columns] [1, 1, 1] : tensor<4x6x3xi32> to tensor<?x?xi32>
""".strip().split("\n"))
    types = "tensor<?x?xi32> -> tensor<?x?xi32>"
    called = types.replace("tensor", "(tensor", 1).replace(" ->", ") ->")
    for axes in ([1], [0, 1]):
        at = [1] * len(axes)
        for op, words, wanted in (
                ("broadcast", f"root = {at}", oracle.broadcast(grid, axes, own, at)),
                ("scatter", f"scatter_axis = 0 root = {at}",
                 oracle.scatter(grid, axes, own, 0, at)),
                ("scatter", f"scatter_axis = 1 root = {at}",
                 oracle.scatter(grid, axes, own, 1, at))):
            yield Case(f"{op} {words} over {axes}", f"""{cut}
%r = mesh.{op} %y on @g mesh_axes = {axes} {words} : {called}""", t, "i32", "tensor<?x?xi32>", wanted)
    for op, words, wanted in (
            ("all_to_all", "split_axis = 0 concat_axis = 0",
             oracle.all_to_all(grid, [1], own, 0, 0)),
            ("all_gather", "gather_axis = 0", oracle.all_gather(grid, [1], own, 0))):
        yield Case(f"{op} {words}", f"""{cut}
%r = mesh.{op} %y on @g mesh_axes = [1] {words} : {types}""", t, "i32", "tensor<?x?xi32>", wanted)
    yield Case("broadcast root of the run", f"""{cut}
%r = mesh.broadcast %y on @g mesh_axes = [1, 0] root = [%0, 1] : (tensor<?x?xi32>, index) -> tensor<?x?xi32>""",
               t, "i32", "tensor<?x?xi32>", oracle.broadcast(grid, [1, 0], own, [0, 1]),
               [("index", 0)])
    flat = [x[:, :2] for x in own]
    yield Case("all_to_all over [1, 0]", f"""{cut}
%z = tensor.extract_slice %y[0, 0] [%rows, 2] [1, 1] : tensor<?x?xi32> to tensor<?x2xi32>
%r = mesh.all_to_all %z on @g mesh_axes = [1, 0] split_axis = 0 concat_axis = 0 : tensor<?x2xi32> -> tensor<?x2xi32>""",
               t, "i32", "tensor<?x2xi32>", oracle.all_to_all(grid, [1, 0], flat, 0, 0))


def devices_of_the_run():
    """Roots, a destination and a source that only the launch knows; the group has two devices."""
    t, types = table([2, 2], [4], "f32"), "(tensor<4xf32>, index) -> tensor"
    for op, words, result in (("broadcast", "root", "<4xf32>"),
                              ("gather", "gather_axis = 0 root", "<8xf32>"),
                              ("scatter", "scatter_axis = 0 root", "<2xf32>"),
                              ("reduce", "root", "<4xf32>"), ("send", "destination", "<4xf32>"),
                              ("recv", "source", "<4xf32>")):
        line = f"%r = mesh.{op} %x on @g mesh_axes = [1] {words} = [%0] : {types}{result}"
        yield Case(f"{op} {words.split()[-1]}", line, t, "f32", "tensor" + result, [None] * 4,
                   [("index", 0)])


def points():
    """send and recv: a ring in which every device first sends, of large messages too; a pair."""
    grid = [4]
    for count in (3, 1 << 20):
        t = table(grid, [count], "f32")
        types = f"(tensor<{count}xf32>, index) -> tensor<{count}xf32>"
        yield Case(f"ring of {count}", f"""
%c1 = arith.constant 1 : index
%c3 = arith.constant 3 : index
%c4 = arith.constant 4 : index
%n = arith.addi %l, %c1 : index
%to = arith.remui %n, %c4 : index
%p = arith.addi %l, %c3 : index
%from = arith.remui %p, %c4 : index
%s = mesh.send %x on @g mesh_axes = [0] destination = [%to] : {types}
%r = mesh.recv %s on @g mesh_axes = [0] source = [%from] : {types}""",
                   t, "f32", tensor([count], "f32"), [t[(n - 1) % 4] for n in range(4)])
    t = table(grid, [5], "i16")
    types = "(tensor<5xi16>) -> tensor<5xi16>"
    yield Case("send and recv on different devices", f"""
%c0 = arith.constant 0 : index
%c3 = arith.constant 3 : index
%first = arith.cmpi eq, %l, %c0 : index
%last = arith.cmpi eq, %l, %c3 : index
%a = scf.if %first -> tensor<5xi16> {{
  %s = mesh.send %x on @g mesh_axes = [0] destination = [3] : {types}
  scf.yield %s : tensor<5xi16>
}} else {{
  scf.yield %x : tensor<5xi16>
}}
%r = scf.if %last -> tensor<5xi16> {{
  %v = mesh.recv %x on @g mesh_axes = [0] source = [0] : {types}
  scf.yield %v : tensor<5xi16>
}} else {{
  scf.yield %a : tensor<5xi16>
}}""", t, "i16", "tensor<5xi16>", [t[0], t[1], t[2], t[0]])


def any_source():
    """recv without a source takes what arrives, from whatever device of the group."""
    t = table([2, 2], [4], "f32")
    types = "(tensor<4xf32>) -> tensor<4xf32>"
    yield Case("recv from any device", f"""
%i = mesh.process_multi_index on @g axes = [1] : index
%c0 = arith.constant 0 : index
%first = arith.cmpi eq, %i, %c0 : index
%r = scf.if %first -> tensor<4xf32> {{
  %v = mesh.recv %x on @g mesh_axes = [1] : {types}
  scf.yield %v : tensor<4xf32>
}} else {{
  %s = mesh.send %x on @g mesh_axes = [1] destination = [0] : {types}
  scf.yield %s : tensor<4xf32>
}}""", t, "f32", "tensor<4xf32>", [t[1], t[1], t[3], t[3]])


def shared_out():
    """Several extents left to the launch: six ranks are three by two."""
    grid = [3, 2]
    t = table(grid, [2], "i32")
    yield Case("all_gather", """
%r = mesh.all_gather %x on @g mesh_axes = [0] gather_axis = 0 : tensor<2xi32> -> tensor<?xi32>""",
               t, "i32", "tensor<?xi32>", oracle.all_gather(grid, [0], list(t), 0))
    yield from questions(grid)


def in_memory(text, shape, element, before=""):
    """The op on a buffer %m of its own, which other ops may have used before."""
    type = tensor(shape, element)
    buffer = type.replace("tensor", "memref")
    return f"""
%b = bufferization.alloc_tensor() copy(%x) : {type}
%m = bufferization.to_buffer %b : {type} to {buffer}{before}
%u = mesh.update_halo %m {text} : {buffer}
%r = bufferization.to_tensor %u restrict : {buffer} to {type}"""


def twice_in_memory(text, shape, element):
    """The op on a buffer, and again after all of it was written: on what is there by then."""
    buffer = tensor(shape, element).replace("tensor", "memref")
    return in_memory(text, shape, element, before=f"""
%zeros = memref.alloc() : {buffer}
%zero = arith.constant 0 : {element}
linalg.fill ins(%zero : {element}) outs(%zeros : {buffer})
%again = memref.alloc() : {buffer}
memref.copy %m, %again : {buffer} to {buffer}
memref.copy %zeros, %m : {buffer} to {buffer}
%first = mesh.update_halo %m {text} : {buffer}
memref.copy %again, %first : {buffer} to {buffer}""")


def unused_in_memory(text, shape, element):
    """The op on a buffer that is read itself, instead of the op's result."""
    return in_memory(text, shape, element).replace("to_tensor %u", "to_tensor %m")


def with_gaps(text, shape, element):
    """The op on every second column of a buffer."""
    type, wide = tensor(shape, element), tensor([shape[0], 2 * shape[1]], element)
    buffer = wide.replace("tensor", "memref")
    part = f"memref<{shape[0]}x{shape[1]}x{element}, strided<[{2 * shape[1]}, 2]>>"
    return f"""
%b = bufferization.alloc_tensor() : {wide}
%w = tensor.insert_slice %x into %b[0, 0] [{shape[0]}, {shape[1]}] [1, 2] : {type} into {wide}
%m = bufferization.to_buffer %w : {wide} to {buffer}
%v = memref.subview %m[0, 0] [{shape[0]}, {shape[1]}] [1, 2] : {buffer} to {part}
%u = mesh.update_halo %v {text} : {part}
%r = bufferization.to_tensor %u restrict : {part} to {type}"""


def halo(name, grid, split, core, sizes, element="i32", halo_text=None, arguments=(),
         memory=None):
    """`sizes`: before and after, for each split dimension in turn. `memory` writes the op on a
    memref."""
    halos, rest = [], list(sizes)
    for axes in split:
        halos.append((rest.pop(0), rest.pop(0)) if axes else (0, 0))
    shape = [n + low + high for n, (low, high) in zip(core, halos)]
    t = table(grid, shape, element)
    type, text = tensor(shape, element), halo_text or str(list(sizes))
    words = f"on @g split_axes = {split} halo_sizes = {text}"
    line = memory(words, shape, element) if memory else f"%r = mesh.update_halo %x {words} : {type}"
    split = split + [[]] * (len(core) - len(split))
    return Case(name, line, t, element, type, oracle.update_halo(grid, split, list(t), halos),
                arguments)


def uneven_halo(grid):
    """Devices of axis 0 hold 0, 1, 2, 0, ... rows: their halos come from whoever has the rows."""
    low, high = 2, 3
    cores = [place[0] % 3 for place in oracle.coordinates(grid)]
    column = [place[1:] for place in oracle.coordinates(grid)]
    t = table(grid, [low + 2 + high], "i32")
    wanted = []
    for device, core in enumerate(cores):
        whole, start = [], 0
        for other in range(len(cores)):
            if column[other] == column[device]:
                start = len(whole) if other == device else start
                whole += list(t[other][low:low + cores[other]])
        own = t[device][:low + core + high].copy()
        for i in range(len(own)):
            if 0 <= start + i - low < len(whole):
                own[i] = whole[start + i - low]
        wanted.append(own)
    return Case("update_halo of uneven and empty shards", """
%c3 = arith.constant 3 : index
%c5 = arith.constant 5 : index
%i = mesh.process_multi_index on @g axes = [0] : index
%core = arith.remui %i, %c3 : index
%n = arith.addi %core, %c5 : index
%own = tensor.extract_slice %x[0] [%n] [1] : tensor<7xi32> to tensor<?xi32>
%r = mesh.update_halo %own on @g split_axes = [[0]] halo_sizes = [2, 3] : tensor<?xi32>""",
                t, "i32", "tensor<?xi32>", wanted)


def halos(grid):
    axes = list(range(len(grid)))
    yield halo("update_halo of rows", grid, [[0]], [4], [1, 1])
    yield halo("update_halo that differs at the ends", grid, [[0], []], [4, 3], [2, 1], "f32")
    yield halo("update_halo of no halo", grid, [[0]], [4, 2], [0, 0])
    yield halo("update_halo wider than a shard", grid, [[], [0]], [2, 2], [2, 2], "i8")
    yield halo("update_halo wider than a neighbour", grid, [[0]], [2, 2], [3, 5], "f64")
    yield halo("update_halo wider than the tensor", grid, [[0]], [1], [9, 9])
    yield uneven_halo(grid)
    yield halo("update_halo of run-time size", grid, [[0]], [4, 2], [2, 1],
               halo_text="[%0, 1]", arguments=[("i64", 2)])
    if len(axes) == 2:
        yield halo("update_halo of two axes on a dimension", grid, [[0, 1]], [3, 2], [1, 2], "f64")
        yield halo("update_halo of two axes in the other order", grid, [[], [1, 0]], [3, 2], [1, 2])
        yield halo("update_halo with corners", grid, [[0], [1]], [3, 4], [1, 2, 2, 1])
        yield halo("update_halo with corners, dimensions swapped", grid, [[1], [0]], [3, 4],
                   [1, 1, 2, 2], "complex<f64>")
    if len(axes) == 3:
        yield halo("update_halo of three dimensions", grid, [[0], [1], [2]], [2, 2, 3],
                   [1, 1, 1, 0, 2, 1])
        yield halo("update_halo of three axes", grid, [[2, 0], [], [1]], [2, 2, 3], [1, 1, 2, 1])
    yield halo("update_halo of nothing", grid, [[0]], [4, 0], [1, 2])
    yield halo("update_halo of memory", grid, [[0]], [4, 2], [1, 1], memory=in_memory)
    yield halo("update_halo of memory, twice", grid, [[0]], [4, 2], [2, 1], memory=twice_in_memory)
    yield halo("update_halo of memory, result unused", grid, [[0]], [4, 2], [1, 2],
               memory=unused_in_memory)
    yield halo("update_halo of memory with gaps", grid, [[], [0]], [3, 4], [2, 1], "f64",
               memory=with_gaps)
    if len(axes) == 2:
        yield halo("update_halo of memory, two dimensions, run-time size", grid, [[1], [0]], [3, 4],
                   [2, 1, 0, 2], "i16", "[%0, 1, 0, %0]", [("i64", 2)], in_memory)
        yield halo("update_halo of memory with gaps, two axes on a dimension", grid,
                   [[1, 0], []], [3, 2], [1, 2], memory=with_gaps)


def questions(grid):
    """One result: everything asked, in a tensor of indices. Every device asks."""
    dummy = np.zeros((int(np.prod(grid)), 1), "i1")
    places = oracle.coordinates(grid)
    rank = len(grid)

    def asked(name, lines, results, wanted):
        lines += f"\n%r = tensor.from_elements {', '.join(results)} : tensor<{len(results)}xindex>"
        return Case(name, lines, dummy, "i8", tensor([len(results)], "index"),
                    [np.array(w, "i8") for w in wanted])

    all_types = ", ".join(["index"] * rank)
    each = [f"%i#{a}" for a in range(rank)] if rank > 1 else ["%i"]
    define = f"%i:{rank} = " if rank > 1 else "%i = "
    yield asked("process_linear_index", "%k = mesh.process_linear_index on @g : index", ["%k"],
                [[oracle.linear(grid, p)] for p in places])
    yield asked("process_multi_index", f"{define}mesh.process_multi_index on @g : {all_types}",
                each, places)
    yield asked("process_multi_index of the last axis", f"""
%i = mesh.process_multi_index on @g axes = [{rank - 1}] : index""", ["%i"],
                [[p[-1]] for p in places])
    yield asked("mesh_shape", f"{define}mesh.mesh_shape @g : {all_types}", each,
                [grid for _ in places])
    yield asked("mesh_shape of the last axis", f"""
%i = mesh.mesh_shape @g axes = [{rank - 1}] : index""", ["%i"], [[grid[-1]] for _ in places])
    yield asked("process_multi_index of an empty list", f"""
{define}mesh.process_multi_index on @g axes = [] : {all_types}""", each, places)
    yield asked("mesh_shape of an empty list", f"""
{define}mesh.mesh_shape @g axes = [] : {all_types}""", each, [grid for _ in places])
    if rank > 1:
        yield asked("process_multi_index backwards", f"""
{define}mesh.process_multi_index on @g axes = {list(range(rank))[::-1]} : {all_types}""", each,
                    [p[::-1] for p in places])
    for count in range(rank + 1):
        for axes in itertools.permutations(range(rank), count):
            yield asked(f"neighbors_linear_indices along {list(axes)}", f"""
{define}mesh.process_multi_index on @g : {all_types}
%n:2 = mesh.neighbors_linear_indices on @g[{', '.join(each)}] split_axes = {list(axes)} : index, index
""", ["%n#0", "%n#1"], [neighbours(grid, axes, p) for p in places])


def neighbours(grid, axes, place):
    members, here = oracle.group(grid, axes, place), oracle.position(grid, axes, place)
    return [members[n] if 0 <= n < len(members) else -1 for n in (here - 1, here + 1)]


def shapes():
    """shard_shape in the words of `mesh`: the device is a linear index."""
    grid = [2, 2]
    dummy = np.zeros((4, 1), "i1")
    places = oracle.coordinates(grid)

    def balanced(n, axes, place):
        return (n + oracle.position(grid, axes, place)) // int(np.prod([grid[a] for a in axes]))

    yield Case("shard_shape of 10x7", """
%s = mesh.sharding @g split_axes = [[1, 0], []] : !mesh.sharding
%d:2 = mesh.shard_shape 10x7 %s %l : index, index
%r = tensor.from_elements %d#0, %d#1 : tensor<2xindex>""", dummy, "i8", "tensor<2xindex>",
               [np.array([balanced(10, [1, 0], p), 7]) for p in places])
    yield Case("shard_shape with offsets", """
%s = mesh.sharding @g split_axes = [[0], [1]] sharded_dims_offsets = [0, 24, 32, 0, 20, 32] : !mesh.sharding
%d:3 = mesh.shard_shape 32x32x32 %s %l : index, index, index
%r = tensor.from_elements %d#0, %d#1, %d#2 : tensor<3xindex>""", dummy, "i8", "tensor<3xindex>",
               [np.array([[24, 8][p[0]], [20, 12][p[1]], 32]) for p in places])
    yield Case("shard_shape does not count halos", """
%s = mesh.sharding @g split_axes = [[0], [1]] halo_sizes = [1, 2, %0, 3] : !mesh.sharding
%d:2 = mesh.shard_shape 7x9 %s %l : index, index
%r = tensor.from_elements %d#0, %d#1 : tensor<2xindex>""", dummy, "i8", "tensor<2xindex>",
               [np.array([[3, 4][p[0]], [4, 5][p[1]]]) for p in places], [("i64", 4)])
    yield Case("shard_shape with offsets of the run", """
%s = mesh.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %0, 32] : !mesh.sharding
%d = mesh.shard_shape 32 %s %l : index
%r = tensor.from_elements %d : tensor<1xindex>""", dummy, "i8", "tensor<1xindex>",
               [np.array([[5, 27][p[0]]]) for p in places], [("i64", 5)])
    yield Case("shard_shape of another device", """
%s = mesh.sharding @g split_axes = [[0, 1]] : !mesh.sharding
%d = mesh.shard_shape 7 %s %0 : index
%r = tensor.from_elements %d : tensor<1xindex>""", dummy, "i8", "tensor<1xindex>",
               [np.array([2])] * 4, [("index", 3)])


def launched():
    """On a grid whose sizes come from the launch."""
    grid = [2, 4]
    t = table(grid, [8, 3], "i32")
    yield Case("all_gather", """
%r = mesh.all_gather %x on @g mesh_axes = [1, 0] gather_axis = 0 : tensor<8x3xi32> -> tensor<?x3xi32>""",
               t, "i32", "tensor<?x3xi32>", oracle.all_gather(grid, [1, 0], list(t), 0))
    yield Case("all_slice", """
%r = mesh.all_slice %x on @g mesh_axes = [0] slice_axis = 0 : tensor<8x3xi32> -> tensor<?x3xi32>""",
               t, "i32", "tensor<?x3xi32>", oracle.all_slice(grid, [0], list(t), 0))
    yield Case("reduce_scatter", """
%r = mesh.reduce_scatter %x on @g mesh_axes = [0, 1] scatter_axis = 0 : tensor<8x3xi32> -> tensor<?x3xi32>""",
               t, "i32", "tensor<?x3xi32>", oracle.reduce_scatter(grid, [0, 1], list(t), 0))
    yield Case("all_reduce", """
%r = mesh.all_reduce %x on @g mesh_axes = [0] : tensor<8x3xi32> -> tensor<8x3xi32>""",
               t, "i32", "tensor<8x3xi32>", oracle.all_reduce(grid, [0], list(t)))
    yield Case("shift", """
%r = mesh.shift %x on @g mesh_axes = [0] shift_axis = 0 offset = 1 rotate : tensor<8x3xi32> -> tensor<8x3xi32>""",
               t, "i32", "tensor<8x3xi32>", oracle.shift(grid, 0, list(t), 1, True))
    yield halo("update_halo", grid, [[0, 1]], [3], [1, 1])
    yield from questions(grid)


def modules():
    for dialect in ("shard", "mesh"):
        yield Module("groups-1x3x2x2", [1, 3, 2, 2], list(groups()), dialect)
        yield Module("points-4", [4], list(points()), dialect)
        yield Module("roots-2x2", [2, 2], list(roots_of_the_run()), dialect)
        yield Module("groups-2x3x2", [2, 3, 2], list(in_group_device()), dialect)
    yield Module("groups-2x3x4x5", [2, 3, 4, 5], list(text_groups()), "mesh")
    yield Module("run-time-2x2", [2, 2], list(run_time_sizes()))
    yield Module("own-sizes-2x2", [2, 2], list(sizes_of_their_own()))
    for grid in ([4], [2, 2], [3, 2], [2, 2, 2]):
        shape = "x".join(map(str, grid))
        yield Module("halos-" + shape, grid, list(halos(grid)), "mesh")
        yield Module("questions-" + shape, grid, list(questions(grid)))
    yield Module("shapes-2x2", [2, 2], list(shapes()), "mesh")
    yield Module("any-source-2x2", [2, 2], list(any_source()))
    yield Module("launched-?x4", [None, 4], list(launched()), "shard", [2, 4])
    yield Module("launched-?x?", [None, None], list(shared_out()), "shard", [3, 2])
