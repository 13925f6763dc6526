# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Calls a function of a program in generic form: structured ops as loops, tensors as numpy arrays,
# annotations as nothing. Knows no grids, no layouts and none of our passes.
import itertools
import re

import numpy as np

from generic_form import (DYNAMIC, NoMeaning, affine_map, constant, element_of, rounded, shape_of,
                          storage)
from meanings import elementwise

MOST_OPERATIONS = 2000000
# What gives back an operand, or widens it.
EXACT = {"arith.constant", "arith.select", "arith.extf", "arith.negf", "arith.maximumf",
         "arith.minimumf", "arith.maxnumf", "arith.minnumf", "math.absf"}


def poison(shape, element):
    """What nobody has written: a value that shows wherever it is read."""
    kind = storage(element)
    if np.issubdtype(kind, np.floating):
        return np.full(shape, np.nan, kind)
    return np.full(shape, True if kind is np.bool_ else np.iinfo(kind).max - 7, kind)


def sizes(op, name, values):
    """A list of static sizes, with the next of `values` where one is dynamic."""
    values = iter(values)
    return [int(next(values)) if n == DYNAMIC else n for n in op.integers(name)]


def slices(op, values, tensor):
    """(index, sizes) of a slice op whose dynamic numbers are `values`."""
    values = iter(values)
    offsets, extents, strides = (sizes(op, name, values) for name in
                                 ("static_offsets", "static_sizes", "static_strides"))
    for offset, extent, stride, whole in zip(offsets, extents, strides, tensor.shape):
        if extent and not 0 <= offset + (extent - 1) * stride < whole:
            raise ValueError(f"{op.name} leaves its tensor")
    return tuple(slice(o, o + (n - 1) * s + 1 if n else o, s)
                 for o, n, s in zip(offsets, extents, strides)), extents


def without_ones(op, extents):
    """`extents` less those sizes 1 that the result does not have: each of its extents that its type
    lacks is the next one that is a value."""
    told = (n for n, static in zip(extents, op.integers("static_sizes")) if static == DYNAMIC)
    return [next(told) if n is None else n for n in shape_of(op.result_types[0])]


class Interpreter:
    def __init__(self, module):
        self.functions = {}
        for op in module.regions[0][0].operations:
            if op.name == "func.func":
                self.functions[op.symbol("sym_name")] = op
        self.steps = 0
        self.computed_in = set()  # element types that something was rounded to

    def call(self, name, arguments):
        function = self.functions.get(name)
        if function is None or not function.regions or not function.regions[0]:
            raise NoMeaning(f"a call of {name}, which has no body")
        return self.region(function.regions[0], arguments, {})[1]

    def region(self, blocks, arguments, outer):
        """Runs blocks until one ends the region: (terminator, its operands)."""
        labels = {block.label: block for block in blocks}
        block, env = blocks[0], dict(outer)
        while True:
            env.update(zip([name for name, _ in block.arguments], arguments))
            for op in block.operations[:-1]:
                self.operation(op, env)
            last = block.operations[-1]
            operands = [env[name] for name in last.operands]
            if last.name == "cf.br":
                label, names = last.successors[0]
                block, arguments = labels[label], operands or [env[n] for n in names]
            elif last.name in ("cf.cond_br", "cf.switch"):
                taken, widths = self.taken(last, operands[0])
                first = 1 + sum(widths[:taken])
                arguments = operands[first:first + widths[taken]]
                block = labels[last.successors[taken][0]]
            else:
                return last, operands

    def taken(self, op, told):
        """Which successor a branch takes, and how many operands each gets."""
        segments = op.integers("operandSegmentSizes")
        if op.name == "cf.cond_br":
            return (0 if bool(told) else 1), segments[1:]
        # dense<[0, 1]> : vector<2xi32>; the first successor is that of all other numbers.
        cases = op.integers("case_values")
        taken = 1 + cases.index(int(told)) if int(told) in cases else 0
        return taken, segments[1:2] + op.integers("case_operand_segments")

    def operation(self, op, env):
        self.steps += 1
        if self.steps > MOST_OPERATIONS:
            raise NoMeaning("a program of so many steps")
        operands = [env[name] for name in op.operands]
        with np.errstate(all="ignore"):
            results = self.results(op, operands, env)
        if op.name.startswith(("arith.", "math.")) and op.name not in EXACT:
            self.computed_in.update(element_of(kind) for kind in op.result_types)
        for name, value, kind in zip(op.results, results, op.result_types):
            if isinstance(value, (np.ndarray, np.generic, int, float, bool)):
                value = rounded(value, element_of(kind))
            env[name] = value

    def results(self, op, operands, env):
        if op.name == "arith.constant" or op.name == "tosa.const":
            return [constant(op.attributes["value" if "value" in op.attributes else "values"],
                             op.result_types[0])]
        method = getattr(self, op.name.replace(".", "_"), None)
        if method:
            results = method(op, operands, env)
            return results if isinstance(results, list) else [results]
        value = elementwise(op, operands)
        if value is None:
            raise NoMeaning(op.name)
        return [value]

    # Annotations and calls.
    def shard_sharding(self, op, operands, env):
        return [None]

    def shard_get_sharding(self, op, operands, env):
        return [None]

    def shard_shard(self, op, operands, env):
        return operands[0]

    def func_call(self, op, operands, env):
        return list(self.call(op.symbol("callee"), operands))

    def bufferization_materialize_in_destination(self, op, operands, env):
        return operands[:len(op.results)]

    def arith_bitcast(self, op, operands, env):
        source, target = (element_of(kind) for kind in op.operand_types + op.result_types)
        bits = operands[0]
        if "i1" in (source, target):
            raise NoMeaning("a bitcast of i1")
        if source == "bf16":
            bits = (bits.view(np.uint32) >> 16).astype(np.uint16)
        if target == "bf16":
            return (bits.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        return bits.view(storage(target))

    # Structured ops: the reduction loops one step at a time, in order, the parallel ones as lanes.
    def linalg_generic(self, op, operands, env):
        texts = re.findall(r"affine_map<[^>]*->[^>]*>", op.attributes["indexing_maps"])
        names = affine_map(texts[0])[0]
        ends = [affine_map(text)[1] for text in texts]
        kinds = re.findall(r"iterator_type<(\w+)>", op.attributes["iterator_types"])
        inputs = op.integers("operandSegmentSizes")[0]
        extents = self.extents(names, ends, operands)
        parallel = [d for d, kind in enumerate(kinds) if kind == "parallel"]
        lanes = np.ogrid[tuple(slice(extents[d]) for d in parallel)] if parallel else []
        others = [d for d in range(len(names)) if d not in parallel]
        shape = [extents[d] for d in parallel]
        outputs = [np.array(value) for value in operands[inputs:]]
        if 0 in shape:
            return outputs
        loops = [0] * len(names)
        for d, lane in zip(parallel, lanes):
            loops[d] = lane
        body = op.regions[0]
        for step in itertools.product(*[range(extents[d]) for d in others]):
            for d, i in zip(others, step):
                loops[d] = i
            places = [self.place(end, names, loops) for end in ends]
            values = [value if value.ndim == 0 else value[place]
                      for value, place in zip(operands[:inputs] + outputs, places)]
            inner = dict(env, loops=list(loops))
            _, yielded = self.region(body, values, inner)
            for output, place, value in zip(outputs, places[inputs:], yielded):
                wide = [np.broadcast_to(i, shape) for i in place]
                output[tuple(wide)] = np.broadcast_to(value, shape) if wide else value
        return outputs

    @staticmethod
    def extents(names, ends, operands):
        found = {}
        for end, operand in zip(ends, operands):
            for (text, _), extent in zip(end, np.shape(operand)):
                if text in names and found.setdefault(text, extent) != extent:
                    raise ValueError(f"loop {text} of {found[text]} and {extent}")
        return [found[name] for name in names]

    @staticmethod
    def place(end, names, loops):
        numbers = dict(zip(names, loops))
        return tuple(eval(code, {"__builtins__": {}}, numbers) for _, code in end)

    def linalg_index(self, op, operands, env):
        return env["loops"][op.integer("dim")]

    def affine_apply(self, op, operands, env):
        names, ends = affine_map(op.attributes["map"])
        return self.place(ends, names, operands)[0]

    # Control flow.
    def cf_assert(self, op, operands, env):
        if not np.all(operands[0]):
            raise NoMeaning("what comes behind an assertion that does not hold")
        return []

    def scf_for(self, op, operands, env):
        lower, upper, step = (int(n) for n in operands[:3])
        carried = operands[3:]
        for i in range(lower, upper, step):
            _, carried = self.region(op.regions[0], [np.int64(i)] + carried, env)
        return carried

    def scf_forall(self, op, operands, env):
        """Each trip reads what was there before the loop."""
        values = iter(operands)
        bounds = [sizes(op, name, values)
                  for name in ("staticLowerBound", "staticUpperBound", "staticStep")]
        before = list(values)
        after = [np.array(value) for value in before]
        body, names = op.regions[0][0].operations, [name for name, _ in op.regions[0][0].arguments]
        for at in itertools.product(*[range(*bound) for bound in zip(*bounds)]):
            inner = dict(env, **dict(zip(names, [np.int64(i) for i in at] + before)))
            for step in body[:-1]:
                self.operation(step, inner)
            for end in body[-1].regions[0][0].operations:
                if end.name != "tensor.parallel_insert_slice":
                    raise NoMeaning(end.name)
                whole = after[names.index(end.operands[1]) - len(at)]
                index, extents = slices(end, [inner[name] for name in end.operands[2:]], whole)
                whole[index] = inner[end.operands[0]].reshape(extents)
        return after

    def scf_if(self, op, operands, env):
        condition = operands[0]
        if condition.ndim == 0:
            blocks = op.regions[0 if condition else 1]
            return self.region(blocks, [], env)[1] if blocks else []
        # Lanes differ: both sides are computed, and each lane has its own.
        sides = [self.region(blocks, [], env)[1] for blocks in op.regions]
        return [np.where(condition, a, b) for a, b in zip(*sides)]

    tosa_cond_if = scf_if

    def scf_index_switch(self, op, operands, env):
        cases, told = op.integers("cases"), int(operands[0])
        taken = 1 + cases.index(told) if told in cases else 0
        return self.region(op.regions[taken], [], env)[1]

    def scf_while(self, op, operands, env):
        while True:
            _, (more, *operands) = self.region(op.regions[0], operands, env)
            if not more:
                return operands
            _, operands = self.region(op.regions[1], operands, env)

    def scf_execute_region(self, op, operands, env):
        return self.region(op.regions[0], [], env)[1]

    # Tensors.
    def tensor_empty(self, op, operands, env):
        kind = op.result_types[0]
        values = iter(operands)
        shape = [int(next(values)) if n is None else n for n in shape_of(kind)]
        return poison(shape, element_of(kind))

    def ub_poison(self, op, operands, env):
        kind = op.result_types[0]
        return poison(shape_of(kind) or [], element_of(kind))

    def tensor_splat(self, op, operands, env):
        values = iter(operands[1:])
        return np.full([int(next(values)) if n is None else n
                        for n in shape_of(op.result_types[0])], operands[0])

    def tensor_cast(self, op, operands, env):
        return operands[0]

    def tensor_dim(self, op, operands, env):
        return operands[0].shape[int(operands[1])]

    def tensor_rank(self, op, operands, env):
        return operands[0].ndim

    def tensor_expand_shape(self, op, operands, env):
        return operands[0].reshape(sizes(op, "static_output_shape", operands[1:]))

    def tensor_collapse_shape(self, op, operands, env):
        groups = re.findall(r"\[([\d, ]+)\]", op.attributes["reassociation"][1:-1])
        shape = [int(np.prod([operands[0].shape[int(d)] for d in group.split(",")]))
                 for group in groups]
        return operands[0].reshape(shape)

    def tensor_reshape(self, op, operands, env):
        return operands[0].reshape([int(n) for n in operands[1]])

    def tensor_extract(self, op, operands, env):
        return operands[0][tuple(operands[1:])]

    def tensor_insert(self, op, operands, env):
        result = operands[1].copy()
        result[tuple(operands[2:])] = operands[0]
        return result

    def tensor_from_elements(self, op, operands, env):
        return np.array(operands).reshape(shape_of(op.result_types[0]))

    def tensor_extract_slice(self, op, operands, env):
        index, extents = slices(op, operands[1:], operands[0])
        return operands[0][index].reshape(without_ones(op, extents))

    def tensor_insert_slice(self, op, operands, env):
        result = operands[1].copy()
        index, extents = slices(op, operands[2:], result)
        result[index] = operands[0].reshape(extents)
        return result

    @staticmethod
    def listed(op, name, places, whole):
        """(slices with all dimensions, their index in `whole`), one after the other."""
        dims = op.integers(name)
        for at in np.ndindex(places.shape[:-1]):
            index = [slice(None)] * whole.ndim
            for d, place in zip(dims, places[at]):
                index[d] = slice(int(place), int(place) + 1)
            yield at, tuple(index)

    def tensor_gather(self, op, operands, env):
        whole, places = operands
        found = [whole[index] for _, index in self.listed(op, "gather_dims", places, whole)]
        dims, leading = op.integers("gather_dims"), places.shape[:-1]
        shape = [1 if d in dims else n for d, n in enumerate(whole.shape)]
        if len(shape_of(op.result_types[0])) < len(leading) + len(shape):
            shape = [n for d, n in enumerate(whole.shape) if d not in dims]
        return np.array(found).reshape(list(leading) + shape)

    def tensor_scatter(self, op, operands, env):
        slices, result, places = operands[0], operands[1].copy(), operands[2]
        for at, index in self.listed(op, "scatter_dims", places, result):
            result[index] = slices[at].reshape(result[index].shape)
        return result

    def linalg_pack(self, op, operands, env):
        source, dest = operands[:2]
        dims, tiles = op.integers("inner_dims_pos"), op.integers("static_inner_tiles")
        order = (op.integers("outer_dims_perm") if "outer_dims_perm" in op.attributes else []) or list(range(source.ndim))
        pad = operands[2] if len(operands) > 2 else np.zeros((), source.dtype)
        result = np.empty_like(dest)
        for at in np.ndindex(dest.shape):
            place = [0] * source.ndim
            for k, d in enumerate(order):
                place[d] = at[k]
            for k, (d, tile) in enumerate(zip(dims, tiles)):
                place[d] = place[d] * tile + at[source.ndim + k]
            inside = all(i < n for i, n in zip(place, source.shape))
            result[at] = source[tuple(place)] if inside else pad
        return result

    def linalg_unpack(self, op, operands, env):
        source, dest = operands[:2]
        dims, tiles = op.integers("inner_dims_pos"), op.integers("static_inner_tiles")
        order = (op.integers("outer_dims_perm") if "outer_dims_perm" in op.attributes else []) or list(range(dest.ndim))
        tile_of = dict(zip(dims, tiles))
        result = np.empty_like(dest)
        for at in np.ndindex(dest.shape):
            outer = [at[d] // tile_of.get(d, 1) for d in order]
            result[at] = source[tuple(outer + [at[d] % tile_of[d] for d in dims])]
        return result

    def tensor_concat(self, op, operands, env):
        return np.concatenate(operands, op.integer("dim"))

    def tensor_pad(self, op, operands, env):
        values = iter(operands[1:])
        source = operands[0]
        low, high = sizes(op, "static_low", values), sizes(op, "static_high", values)
        shape = [a + n + b for a, n, b in zip(low, source.shape, high)]
        result = self.generated(op, shape, env)
        # What lies inside of the result, which begins inside of the source where a width is negative.
        ends = [max(a, min(a + n, m)) for a, n, m in zip(low, source.shape, shape)]
        kept = tuple(slice(max(a, 0), max(e, 0)) for a, e in zip(low, ends))
        taken = tuple(slice(k.start - a, k.start - a + max(k.stop - k.start, 0)) for a, k in zip(low, kept))
        if all(k.start < k.stop for k in kept):
            result[kept] = source[taken]
        return result

    def tensor_bitcast(self, op, operands, env):
        return self.arith_bitcast(op, operands, env)

    def linalg_softmax(self, op, operands, env):
        x, d = operands[0], op.integer("dimension")
        e = np.exp(x - np.max(x, axis=d, keepdims=True))
        return e / np.sum(e, axis=d, keepdims=True)

    def tensor_generate(self, op, operands, env):
        values = iter(operands)
        shape = [int(next(values)) if n is None else n for n in shape_of(op.result_types[0])]
        return self.generated(op, shape, env)

    def generated(self, op, shape, env):
        lanes = [np.asarray(lane) for lane in np.ogrid[tuple(slice(n) for n in shape)]]
        _, (value,) = self.region(op.regions[0], lanes, env)
        return np.broadcast_to(value, shape).copy()
