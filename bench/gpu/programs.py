# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Writes the programs that are timed, and the products in them, into a folder.
# usage: programs.py FOLDER full|small
"""Sizes are @NAMES@ in programs/*.mlir; the two longest programs are put together here."""
import pathlib
import sys

SIZES = {
    "full": {"ROWS": 8192, "COLS": 8192, "BATCH": 4, "LENGTH": 1024, "HEADS": 16, "HEAD": 128,
             "HIDDEN": 8192},
    # Where products take nearly all of the time.
    "full_large": {"HEADS": 64, "HIDDEN": 28672},
    "small_large": {"HEADS": 4, "HIDDEN": 24},
    "small": {"ROWS": 8, "COLS": 512, "BATCH": 2, "LENGTH": 4, "HEADS": 2, "HEAD": 4, "HIDDEN": 16},
}


def tensor(element, *sizes):
    return "tensor<" + "".join(f"{size}x" for size in sizes) + element + ">"


class Writer:
    """Ops of a function, one after the other; values are pairs (name, type)."""

    def __init__(self):
        self.lines, self.count = [], 0

    def op(self, text, kind):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}", kind

    def loops(self, inputs, maps, rank, reductions, kind, initial, body):
        """A structured op; `initial` is what its result starts from, or None."""
        out = self.op(f"tensor.empty() : {kind}", kind)
        if initial is not None:
            element = kind.rstrip(">").split("x")[-1]
            number = self.op(f"arith.constant {initial} : {element}", element)
            out = self.op(f"linalg.fill ins({number[0]} : {element}) outs({out[0]} : {kind}) "
                          f"-> {kind}", kind)
        names = ", ".join(f"d{i}" for i in range(rank))
        affine = ", ".join(f"affine_map<({names}) -> ({', '.join(m)})>" for m in maps)
        iterators = ", ".join('"reduction"' if i in reductions else '"parallel"'
                              for i in range(rank))
        arguments = ", ".join(f"%{'abcdef'[i]}: {v[1].rstrip('>').split('x')[-1]}"
                              for i, v in enumerate(inputs))
        last = kind.rstrip(">").split("x")[-1]
        return self.op(
            f"linalg.generic {{indexing_maps = [{affine}], iterator_types = [{iterators}]}} "
            f"ins({', '.join(v[0] for v in inputs)} : {', '.join(v[1] for v in inputs)}) "
            f"outs({out[0]} : {kind}) {{\n  ^bb0({arguments}, %o: {last}):\n"
            + "".join(f"    {line}\n" for line in body) + f"  }} -> {kind}", kind)

    def product(self, name, a, b, kind, maps=""):
        out = self.op(f"tensor.empty() : {kind}", kind)
        zero = self.op("arith.constant 0.0 : bf16", "bf16")
        out = self.op(f"linalg.fill ins({zero[0]} : bf16) outs({out[0]} : {kind}) -> {kind}", kind)
        return self.op(f"{name}{maps} ins({a[0]}, {b[0]} : {a[1]}, {b[1]}) outs({out[0]} : {kind}) "
                       f"-> {kind}", kind)

    def layer_norm(self, x, rows, columns, element):
        """Of rows, without weights: sums in f32."""
        widen = "arith.extf %a : bf16 to f32" if element == "bf16" else "arith.addf %a, %nothing : f32"
        sums = tensor("f32", rows)
        row, both = ["d0"], ["d0", "d1"]
        nothing = ["%nothing = arith.constant -0.0 : f32"] if element == "f32" else []
        add = ["%0 = arith.addf %w, %o : f32", "linalg.yield %0 : f32"]
        total = self.loops([x], [both, row], 2, {1}, sums, "0.0",
                           nothing + [f"%w = {widen}"] + add)
        scale = f"%n = arith.constant {1.0 / columns!r} : f32"
        center = nothing + [f"%x = {widen}", scale, "%m = arith.mulf %b, %n : f32",
                            "%d = arith.subf %x, %m : f32"]
        square = self.loops([x, total], [both, row, row], 2, {1}, sums, "0.0",
                            center + ["%w = arith.mulf %d, %d : f32"] + add)
        kind = tensor(element, rows, columns)
        narrow = ["%y = arith.truncf %r : f32 to bf16", "linalg.yield %y : bf16"] \
            if element == "bf16" else ["linalg.yield %r : f32"]
        return self.loops([x, total, square], [both, row, row, both], 2, set(), kind, None,
                          center + ["%v = arith.mulf %c, %n : f32",
                                    "%e = arith.constant 1.0e-5 : f32",
                                    "%s = arith.addf %v, %e : f32", "%q = math.rsqrt %s : f32",
                                    "%r = arith.mulf %d, %q : f32"] + narrow)

    def function(self, arguments, result):
        text = ", ".join(f"{name}: {kind}" for name, kind in arguments)
        return (f"func.func @main({text}) -> {result[1]} {{\n" + "\n".join(self.lines) +
                f"\n  return {result[0]} : {result[1]}\n}}\n")


def layer_norm(s):
    w = Writer()
    x = ("%input", tensor("f32", s["ROWS"], s["COLS"]))
    return w.function([x], w.layer_norm(x, s["ROWS"], s["COLS"], "f32"))


def heads(w, x, s):
    """[tokens, model] as [batch * heads, length, head]."""
    b, l, h, c = s["BATCH"], s["LENGTH"], s["HEADS"], s["HEAD"]
    split, moved = tensor("bf16", b, l, h, c), tensor("bf16", b, h, l, c)
    x = w.op(f"tensor.expand_shape {x[0]} [[0, 1], [2, 3]] output_shape [{b}, {l}, {h}, {c}] : "
             f"{x[1]} into {split}", split)
    e = w.op(f"tensor.empty() : {moved}", moved)
    x = w.op(f"linalg.transpose ins({x[0]} : {split}) outs({e[0]} : {moved}) "
             "permutation = [0, 2, 1, 3]", moved)
    flat = tensor("bf16", b * h, l, c)
    return w.op(f"tensor.collapse_shape {x[0]} [[0, 1], [2], [3]] : {moved} into {flat}", flat)


def joined(w, x, s):
    b, l, h, c = s["BATCH"], s["LENGTH"], s["HEADS"], s["HEAD"]
    split, moved = tensor("bf16", b, h, l, c), tensor("bf16", b, l, h, c)
    x = w.op(f"tensor.expand_shape {x[0]} [[0, 1], [2], [3]] output_shape [{b}, {h}, {l}, {c}] : "
             f"{x[1]} into {split}", split)
    e = w.op(f"tensor.empty() : {moved}", moved)
    x = w.op(f"linalg.transpose ins({x[0]} : {split}) outs({e[0]} : {moved}) "
             "permutation = [0, 2, 1, 3]", moved)
    flat = tensor("bf16", b * l, h * c)
    return w.op(f"tensor.collapse_shape {x[0]} [[0, 1], [2, 3]] : {moved} into {flat}", flat)


def attention(w, q, k, v, s):
    n, l, c = s["BATCH"] * s["HEADS"], s["LENGTH"], s["HEAD"]
    square, wide = tensor("bf16", n, l, l), tensor("f32", n, l, l)
    maps = (" indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, "
            "affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]")
    p = w.product("linalg.batch_matmul", q, k, square, maps)
    every = ["d0", "d1", "d2"]
    p = w.loops([p], [every, every], 3, set(), wide, None,
                ["%x = arith.extf %a : bf16 to f32", f"%n = arith.constant {c ** -0.5!r} : f32",
                 "%y = arith.mulf %x, %n : f32", "linalg.yield %y : f32"])
    e = w.op(f"tensor.empty() : {wide}", wide)
    p = w.op(f"linalg.softmax dimension(2) ins({p[0]} : {wide}) outs({e[0]} : {wide}) -> {wide}",
             wide)
    p = w.loops([p], [every, every], 3, set(), square, None,
                ["%y = arith.truncf %a : f32 to bf16", "linalg.yield %y : bf16"])
    return w.product("linalg.batch_matmul", p, v, tensor("bf16", n, l, c))


def block(s):
    w = Writer()
    tokens, model, hidden = s["TOKENS"], s["MODEL"], s["HIDDEN"]
    x = ("%input", tensor("bf16", tokens, model))
    weights = [(f"%w{i}", tensor("bf16", model, model)) for i in range(4)]
    up, down = ("%up", tensor("bf16", model, hidden)), ("%down", tensor("bf16", hidden, model))
    h = w.layer_norm(x, tokens, model, "bf16")
    q, k, v = (heads(w, w.product("linalg.matmul", h, m, x[1]), s) for m in weights[:3])
    o = w.product("linalg.matmul", joined(w, attention(w, q, k, v, s), s), weights[3], x[1])
    both = ["d0", "d1"]
    add = ["%y = arith.addf %a, %b : bf16", "linalg.yield %y : bf16"]
    r = w.loops([x, o], [both] * 3, 2, set(), x[1], None, add)
    h = w.layer_norm(r, tokens, model, "bf16")
    wide = tensor("bf16", tokens, hidden)
    g = w.product("linalg.matmul", h, up, wide)
    g = w.loops([g], [both, both], 2, set(), wide, None,
                ["%x = arith.extf %a : bf16 to f32", "%c0 = arith.constant 0.044715 : f32",
                 "%c1 = arith.constant 0.7978845608 : f32", "%one = arith.constant 1.0 : f32",
                 "%half = arith.constant 0.5 : f32", "%x2 = arith.mulf %x, %x : f32",
                 "%x3 = arith.mulf %x2, %x : f32", "%t0 = arith.mulf %x3, %c0 : f32",
                 "%t1 = arith.addf %x, %t0 : f32", "%t2 = arith.mulf %t1, %c1 : f32",
                 "%t3 = math.tanh %t2 : f32", "%t4 = arith.addf %t3, %one : f32",
                 "%t5 = arith.mulf %x, %half : f32", "%t6 = arith.mulf %t5, %t4 : f32",
                 "%y = arith.truncf %t6 : f32 to bf16", "linalg.yield %y : bf16"])
    y = w.loops([r, w.product("linalg.matmul", g, down, x[1])], [both] * 3, 2, set(), x[1], None,
                add)
    return w.function([x, *weights, up, down], y)


def derived(sizes):
    sizes["TOKENS"] = sizes["BATCH"] * sizes["LENGTH"]
    sizes["MODEL"] = sizes["HEADS"] * sizes["HEAD"]
    sizes["COLS2"] = 2 * sizes["COLS"]
    return sizes


def write_block(folder, name, sizes):
    """The program, its products for cuBLASLt, and its sizes for PyTorch."""
    t, d, f = sizes["TOKENS"], sizes["MODEL"], sizes["HIDDEN"]
    n, l, c = sizes["BATCH"] * sizes["HEADS"], sizes["LENGTH"], sizes["HEAD"]
    (folder / f"{name}.mlir").write_text(block(sizes))
    (folder / f"{name}.shapes").write_text(
        f"1 {t} {d} {d} 4 0\n{n} {l} {l} {c} 1 1\n{n} {l} {c} {l} 1 0\n"
        f"1 {t} {f} {d} 1 0\n1 {t} {d} {f} 1 0\n")
    (folder / f"{name}.sizes").write_text(
        " ".join(str(sizes[k]) for k in ("BATCH", "LENGTH", "HEADS", "HEAD", "HIDDEN")) + "\n")


def main():
    folder, size = pathlib.Path(sys.argv[1]), sys.argv[2]
    sizes = derived(dict(SIZES[size]))
    texts = {"layer_norm": layer_norm(sizes)}
    for path in pathlib.Path(__file__).with_name("programs").glob("*.mlir"):
        texts[path.stem] = path.read_text()
    launches = texts.pop("launches")
    for trips in (16, 80):
        texts[f"launches{trips}"] = launches.replace("@TRIPS@", str(trips))
    for name, text in texts.items():
        for key, value in sizes.items():
            text = text.replace(f"@{key}@", str(value))
        (folder / f"{name}.mlir").write_text(text)
    (folder / "matmul.shapes").write_text(
        f"1 {sizes['TOKENS']} {sizes['HIDDEN']} {sizes['MODEL']} 1 0\n")
    write_block(folder, "block", sizes)
    write_block(folder, "block_large", derived({**SIZES[size], **SIZES[f"{size}_large"]}))


main()
