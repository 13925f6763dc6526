# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Programs of equal layers one after another in one function, as importers of models write them: a
# product, a bias, a GELU, a layer norm, a residual. It knows their text; it must not know who compiles it.

ROWS, WIDTH = 64, 64
X, W, V, R = (f"tensor<{ROWS}x{WIDTH}xf32>", f"tensor<{WIDTH}x{WIDTH}xf32>",
              f"tensor<{WIDTH}xf32>", f"tensor<{ROWS}xf32>")
MAPS = {X: "#both", V: "#column", R: "#row"}
HEAD = """#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#inner = affine_map<(i, j, k) -> (k, i)>
#inner_b = affine_map<(i, j, k) -> (k, j)>
#outer = affine_map<(i, j, k) -> (i, k)>
#outer_b = affine_map<(i, j, k) -> (j, k)>
#result = affine_map<(i, j, k) -> (i, j)>
shard.grid @grid(shape = 4)
"""


class Writer:
    """The body of a function: each method appends an op and returns its result."""

    def __init__(self):
        self.lines, self.num = [], 0

    def name(self):
        self.num += 1
        return f"%v{self.num}"

    def constants(self):
        for name, value in ("zero", "0.0"), ("one", "1.0"), ("half", "0.5"), ("eps", "1.0e-5"), \
                ("width", f"{WIDTH}.0"), ("c0", "0.7978845608"), ("c1", "0.044715"), \
                ("c2", "0.134145"), ("rate", "1.0e-3"):
            self.lines.append(f"  %{name} = arith.constant {value} : f32")

    def zeros(self, kind):
        empty, result = self.name(), self.name()
        self.lines += [
            f"  {empty} = tensor.empty() : {kind}",
            f"  {result} = linalg.fill ins(%zero : f32) outs({empty} : {kind}) -> {kind}"]
        return result

    def loop(self, inputs, kind, iterators, init, code, last):
        """A structured op on (value, type) pairs; `code` are lines with %a, %b, … and %out."""
        maps = ", ".join(MAPS[t] for _, t in inputs) + ", " + MAPS[kind]
        names = ", ".join(f"%{chr(97 + i)}: f32" for i in range(len(inputs)))
        result = self.name()
        self.lines += [
            f"  {result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["
            + ", ".join(f'"{i}"' for i in iterators) + "]}",
            f"      ins({', '.join(v for v, _ in inputs)} : {', '.join(t for _, t in inputs)})"
            f" outs({init} : {kind}) {{",
            f"  ^bb0({names}, %out: f32):", *(f"    {line}" for line in code),
            f"    linalg.yield {last} : f32", f"  }} -> {kind}"]
        return result

    def map(self, inputs, code, last):
        empty = self.name()
        self.lines.append(f"  {empty} = tensor.empty() : {X}")
        return self.loop(inputs, X, ("parallel", "parallel"), empty, code, last)

    def sums(self, inputs, kind, code, last):
        iterators = ("parallel", "reduction") if kind == R else ("reduction", "parallel")
        code = code + [f"%sum = arith.addf %out, {last} : f32"]
        return self.loop(inputs, kind, iterators, self.zeros(kind), code, "%sum")

    def update(self, weight, gradient, kind):
        """weight - rate * gradient"""
        empty, result = self.name(), self.name()
        rank = kind.count("x") - (1 if kind.endswith("xf32>") else 0) + 1
        loops = ", ".join(f"d{i}" for i in range(rank))
        self.lines += [
            f"  {empty} = tensor.empty() : {kind}",
            f"  {result} = linalg.generic {{indexing_maps = ["
            + ", ".join([f"affine_map<({loops}) -> ({loops})>"] * 3) + "], iterator_types = ["
            + ", ".join(['"parallel"'] * rank) + "]}",
            f"      ins({weight}, {gradient} : {kind}, {kind}) outs({empty} : {kind}) {{",
            "  ^bb0(%w: f32, %g: f32, %out: f32):",
            "    %step = arith.mulf %rate, %g : f32",
            "    %new = arith.subf %w, %step : f32",
            "    linalg.yield %new : f32", f"  }} -> {kind}"]
        return result

    def product(self, left, right, kind, maps=None):
        init, result = self.zeros(kind), self.name()
        kinds = {"matmul": (X, W), "#inner": (X, X), "#outer": (X, W)}[maps[0] if maps else "matmul"]
        operands = f"ins({left}, {right} : {kinds[0]}, {kinds[1]}) outs({init} : {kind})"
        if not maps:
            self.lines.append(f"  {result} = linalg.matmul {operands} -> {kind}")
        else:
            self.lines.append(f"  {result} = linalg.contract indexing_maps = [{maps[0]}, {maps[1]}, "
                              f"#result] {operands} -> {kind}")
        return result


INNER = ["%cube0 = arith.mulf %x, %x : f32", "%cube = arith.mulf %cube0, %x : f32",
         "%cubic = arith.mulf %c1, %cube : f32", "%poly = arith.addf %x, %cubic : f32",
         "%scaled = arith.mulf %c0, %poly : f32", "%tanh = math.tanh %scaled : f32",
         "%up = arith.addf %one, %tanh : f32"]
GELU = INNER + ["%halved = arith.mulf %half, %x : f32", "%gelu = arith.mulf %halved, %up : f32"]
GELU_SLOPE = INNER + [
    "%square = arith.mulf %tanh, %tanh : f32", "%sech = arith.subf %one, %square : f32",
    "%cubic3 = arith.mulf %c2, %cube0 : f32", "%dpoly = arith.addf %one, %cubic3 : f32",
    "%dscaled = arith.mulf %c0, %dpoly : f32", "%dtanh = arith.mulf %sech, %dscaled : f32",
    "%hx = arith.mulf %half, %x : f32", "%second = arith.mulf %hx, %dtanh : f32",
    "%first = arith.mulf %half, %up : f32", "%slope = arith.addf %first, %second : f32"]


def forward(w, x, weights):
    """The layer's result, and what its gradient needs."""
    weight, bias, scale, shift = weights
    y = w.product(x, weight, X)
    y = w.map([(y, X), (bias, V)], ["%s = arith.addf %a, %b : f32"], "%s")
    g = w.map([(y, X)], [line.replace("%x", "%a") for line in GELU], "%gelu")
    total = w.sums([(g, X)], R, [], "%a")
    centred = w.map([(g, X), (total, R)], ["%m = arith.divf %b, %width : f32",
                                           "%d = arith.subf %a, %m : f32"], "%d")
    squares = w.sums([(centred, X)], R, ["%s = arith.mulf %a, %a : f32"], "%s")
    norm = w.map([(centred, X), (squares, R)],
                 ["%m = arith.divf %b, %width : f32", "%e = arith.addf %m, %eps : f32",
                  "%r = math.rsqrt %e : f32", "%n = arith.mulf %a, %r : f32"], "%n")
    out = w.map([(norm, X), (scale, V), (shift, V), (x, X)],
                ["%p = arith.mulf %a, %b : f32", "%q = arith.addf %p, %c : f32",
                 "%s = arith.addf %q, %d : f32"], "%s")
    return out, (x, y, norm, squares)


def backward(w, slope, weights, kept):
    """The gradient by the layer's input, and the weights after a step."""
    weight, bias, scale, shift = weights
    x, y, norm, squares = kept
    product = ["%p = arith.mulf %a, %b : f32"]
    d_scale = w.sums([(slope, X), (norm, X)], V, product, "%p")
    d_shift = w.sums([(slope, X)], V, [], "%a")
    d_norm = w.map([(slope, X), (scale, V)], product, "%p")
    total = w.sums([(d_norm, X)], R, [], "%a")
    dot = w.sums([(d_norm, X), (norm, X)], R, product, "%p")
    d_y = w.map([(d_norm, X), (norm, X), (total, R), (dot, R), (squares, R), (y, X)],
                ["%m = arith.divf %e, %width : f32", "%v = arith.addf %m, %eps : f32",
                 "%r = math.rsqrt %v : f32", "%mean = arith.divf %c, %width : f32",
                 "%along0 = arith.mulf %b, %d : f32", "%along = arith.divf %along0, %width : f32",
                 "%d0 = arith.subf %a, %mean : f32", "%d1 = arith.subf %d0, %along : f32",
                 "%dg = arith.mulf %r, %d1 : f32",
                 *(line.replace("%x", "%f") for line in GELU_SLOPE),
                 "%dy = arith.mulf %dg, %slope : f32"], "%dy")
    d_bias = w.sums([(d_y, X)], V, [], "%a")
    d_weight = w.product(x, d_y, W, ("#inner", "#inner_b"))
    d_x = w.product(d_y, weight, X, ("#outer", "#outer_b"))
    d_x = w.map([(d_x, X), (slope, X)], ["%s = arith.addf %a, %b : f32"], "%s")
    return d_x, [w.update(weight, d_weight, W), w.update(bias, d_bias, V),
                 w.update(scale, d_scale, V), w.update(shift, d_shift, V)]


KINDS = (W, V, V, V)


def function(w, arguments, results):
    """`results` are (value, type) pairs."""
    kinds = ", ".join(t for _, t in results)
    return "".join([
        HEAD, "func.func @main(" + ", ".join(f"{a}: {t}" for a, t in arguments)
        + f") -> ({kinds}) {{\n", "\n".join(w.lines),
        f"\n  return {', '.join(v for v, _ in results)} : {kinds}\n}}\n"])


def begin(w):
    """The input, whose rows are split."""
    w.constants()
    w.lines += ["  %rows = shard.sharding @grid split_axes = [[0]] : !shard.sharding",
                f"  %in = shard.shard %x to %rows : {X}"]
    return "%in"


def layers(count):
    """Each layer has weights of its own, which are arguments."""
    w = Writer()
    value = begin(w)
    arguments = [("%x", X)]
    for i in range(count):
        weights = [f"%w{i}_{k}" for k in range(4)]
        arguments += zip(weights, KINDS)
        value, _ = forward(w, value, weights)
    return function(w, arguments, [(value, X)])


def sliced_layers(count):
    """The weights of all layers are four arguments, of which each layer reads a slice."""
    w = Writer()
    value = begin(w)
    every = [f"tensor<{count}x{kind[len('tensor<'):]}" for kind in KINDS]
    for i in range(count):
        weights = []
        for k, kind in enumerate(KINDS):
            weights.append(w.name())
            rank = 2 if kind == W else 1
            w.lines.append(
                f"  {weights[-1]} = tensor.extract_slice %all{k}"
                f"[{', '.join([str(i)] + ['0'] * rank)}] [{', '.join(['1'] + [str(WIDTH)] * rank)}]"
                f" [{', '.join(['1'] * (rank + 1))}] : {every[k]} to {kind}")
        value, _ = forward(w, value, weights)
    return function(w, [("%x", X)] + [(f"%all{k}", every[k]) for k in range(4)], [(value, X)])


def training(count):
    """The same layers, the gradients of half the sum of squares, and a step: what the forward pass
    makes lives until the backward pass."""
    w = Writer()
    value = begin(w)
    arguments, kept = [("%x", X)], []
    for i in range(count):
        weights = [f"%w{i}_{k}" for k in range(4)]
        arguments += zip(weights, KINDS)
        value, needed = forward(w, value, weights)
        kept.append((weights, needed))
    slope, results = value, []
    for weights, needed in reversed(kept):
        slope, new = backward(w, slope, weights, needed)
        results = list(zip(new, KINDS)) + results
    return function(w, arguments, results)
