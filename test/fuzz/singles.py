# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Ops of random programs that are what front ends leave of single lines: comparisons, conversions,
# numbers made of indices, products with vectors, named structured ops, ops of tosa. It knows what
# programs mean, not how they compile.
"""Mixed into the graphs of gen.py, which has the values, the text and the random streams."""


class Singles:
    def is_exact(self, value):
        """Whether what decides between elements decides the same everywhere: floats are compared
        where they are arguments, because of what is computed two might be equal but for rounding."""
        return not self.is_float() or any(value.name == name for name, _, _ in self.arguments)

    def op_compare(self):
        """Of two tensors one, element by element: any by any order, or what they come to in order."""
        a = self.pick()
        b = self.find(a.shape, 0.3)
        if a.name == b.name and any(self.is_unknown(a.shape)):
            return  # upstream folds it to a constant of unknown extent
        order = self.rng.choice(["gt", "lt"] if self.is_float() else ["sgt", "slt", "ult", "eq", "ne"])
        compare = f"arith.cmpf o{order}" if self.is_float() else f"arith.cmpi {order}"
        chosen = [a, b]
        if self.is_exact(a) and self.is_exact(b):
            chosen = [self.find(a.shape), self.find(a.shape)]
        is_one = self.fresh("m")
        self.emit(f"{is_one} = {compare}, {self.use(a)}, {self.use(b)} : {self.type(a.shape)}")
        mask = self.type(a.shape)[:-len(self.element) - 1] + "i1>"
        self.define(a.shape, f"arith.select {is_one}, {self.use(chosen[0])}, {self.use(chosen[1])} : "
                    f"{mask}, {self.type(a.shape)}", max(v.scale for v in chosen))

    def op_convert(self):
        """To another type and back: what widens, and what wraps."""
        a = self.pick()
        there, other, back = {"f32": ("extf", "f64", "truncf"), "i32": ("extsi", "i64", "trunci"),
                              "i64": ("trunci", "i32", self.rng.choice(["extsi", "extui"])),
                              "f64": ("", "", "")}[self.element]
        if self.element == "i32" and self.rng.random() < 0.4:
            there, other, back = "sitofp", "f64", "fptosi"
        if not other:
            return
        ty = self.type(a.shape)
        wide, name = ty[:-len(self.element) - 1] + other + ">", self.fresh("w")
        self.emit(f"{name} = arith.{there} {self.use(a)} : {ty} to {wide}")
        self.define(a.shape, f"arith.{back} {name} : {wide} to {ty}", a.scale)

    def op_divide(self):
        """By what is one at least; an integer is shifted or divided by a number."""
        a = self.pick()
        ty = self.type(a.shape)
        if not self.is_float():
            op = self.rng.choice(["arith.shli", "arith.shrsi", "arith.divsi", "arith.remsi"])
            number = self.constant(a.shape, self.rng.choice(["1", "2", "3"]))
            self.define(a.shape, f"{op} {self.use(a)}, {number} : {ty}", a.scale)
            return
        b, one = self.find(a.shape), self.constant(a.shape, "1.0")
        size, most = self.fresh("w"), self.fresh("w")
        self.emit(f"{size} = math.absf {self.use(b)} : {ty}")
        self.emit(f"{most} = arith.maximumf {size}, {one} : {ty}")
        self.define(a.shape, f"arith.divf {self.use(a)}, {most} : {ty}", a.scale)

    def op_fused_add(self):
        """A product and a sum in one op."""
        a = self.pick()
        if not self.is_float():
            return
        b, c = self.find(a.shape), self.find(a.shape)
        self.define(a.shape, f"math.fma {self.use(a)}, {self.use(b)}, {self.use(c)} : "
                    f"{self.type(a.shape)}", a.scale * b.scale + c.scale)

    def op_iota(self):
        """A tensor made of nothing but its indices, which each use makes for itself."""
        like = self.pick(least=1)
        rank, shape = len(like.shape), like.shape
        d, e, factor = self.rng.randrange(rank), self.rng.randrange(rank), self.rng.choice([1, 2, 5])
        cast = [f"%n = arith.index_cast %h : index to {self.element}"]
        if self.is_float():
            cast = ["%k = arith.index_cast %h : index to i64",
                    f"%n = arith.sitofp %k : i64 to {self.element}"]
        self.generic([list(range(rank))], ["parallel"] * rank, [], [(self.empty(shape), shape)],
                     [f"%i = linalg.index {d} : index", f"%j = linalg.index {e} : index",
                      f"%f = arith.constant {factor} : index",
                      "%g = arith.muli %i, %f : index", "%h = arith.addi %g, %j : index"] + cast,
                     ["%n"], [factor * shape[d] + shape[e]])

    def op_named(self):
        """A structured op that is elementwise by its name, or by linalg.map."""
        a = self.pick()
        b, ty = self.find(a.shape, 0.3), self.type(a.shape)
        kind = self.rng.choice(["add", "sub", "mul", "max", "min", "map", "map"])
        op = {"add": self.kit["add"], "mul": self.kit["mul"],
              "sub": self.kit["add"].replace("add", "sub")}.get(kind, "")
        if kind == "map":
            op = self.rng.choice([self.kit["add"], self.kit["mul"]])
            self.define(a.shape, f"linalg.map {{ {op} }} ins({self.use(a)}, {self.use(b)} : {ty}, {ty})"
                        f" outs({self.empty(a.shape)} : {ty})", self.scale(op, a.scale, b.scale))
            return
        self.define(a.shape, f"linalg.{kind} ins({self.use(a)}, {self.use(b)} : {ty}, {ty}) outs("
                    f"{self.empty(a.shape)} : {ty}) -> {ty}", self.scale(op, a.scale, b.scale))

    def op_vector_product(self):
        """A matrix and a vector, either way round; a dot product; matrices and vectors in a batch."""
        a = self.pick(least=1, most=3)
        rank, extra = len(a.shape), self.rng.random() < 0.5
        name = {1: "dot", 2: "matvec" if extra else "vecmat", 3: "batch_matvec"}[rank]
        shape, other = {"dot": ([], [a.shape[0]]), "matvec": ([a.shape[0]], [a.shape[-1]]),
                        "vecmat": ([a.shape[-1]], [a.shape[0]]),
                        "batch_matvec": (list(a.shape[:2]), [a.shape[0], a.shape[-1]])}[name]
        b = self.find(other)
        init, scale = self.start(shape, self.kit["zero"])
        operands = [b, a] if name == "vecmat" else [a, b]
        summed = a.shape[0] if name in ("dot", "vecmat") else a.shape[-1]
        self.define(shape, f"linalg.{name} ins({', '.join(map(self.use, operands))} : "
                    f"{', '.join(self.type(v.shape) for v in operands)}) outs({init} : "
                    f"{self.type(shape)}) -> {self.type(shape)}", scale + summed * a.scale * b.scale)

    def op_elements(self):
        """A tensor of scalars that are elements of another."""
        a, names = self.pick(least=1, most=3), []
        count = self.rng.randint(1, 4)
        if 0 in a.shape or not self.is_static([count]):
            return
        for _ in range(count):
            at = ", ".join(self.place_of(n) for n in a.shape)
            names.append(self.fresh("s"))
            self.emit(f"{names[-1]} = tensor.extract {self.use(a)}[{at}] : {self.type(a.shape)}")
        self.define([count], f"tensor.from_elements {', '.join(names)} : {self.type([count])}", a.scale)

    # Tosa, whose types are fewer.
    def op_tosa(self):
        a = self.pick(least=1, most=3)
        if self.element not in ("f32", "i32") or 0 in a.shape or not self.is_static(a.shape):
            return
        self.rng.choice([self.tosa_broadcast, self.tosa_broadcast, self.tosa_reduce, self.tosa_turn,
                         self.tosa_concat, self.tosa_matmul, self.tosa_scatter])(a)

    def tosa_broadcast(self, a):
        """Dimensions of extent 1 stand for any extent."""
        shape = [1 if self.rng.random() < 0.3 else n for n in a.shape]
        if not self.is_static(shape):
            return
        b, ty = self.find(shape), self.type(a.shape)
        pair = [a, b] if self.rng.random() < 0.5 else [b, a]
        name = self.rng.choice(["add", "sub", "maximum", "minimum", "mul"])
        names, types = ", ".join(map(self.use, pair)), ", ".join(self.type(v.shape) for v in pair)
        if name == "mul":
            shift = self.fresh("c")
            self.emit(f'{shift} = "tosa.const"() {{values = dense<0> : tensor<1xi8>}} : () -> tensor<1xi8>')
            names, types = f"{names}, {shift}", f"{types}, tensor<1xi8>"
        scale = a.scale * b.scale if name == "mul" else a.scale + b.scale
        self.define(a.shape, f"tosa.{name} {names} : ({types}) -> {ty}", scale)

    def tosa_reduce(self, a):
        d = self.rng.randrange(len(a.shape))
        shape = [1 if e == d else n for e, n in enumerate(a.shape)]
        if not self.is_static(shape):
            return
        name = self.rng.choice(["reduce_sum", "reduce_sum", "reduce_max", "reduce_min"])
        self.define(shape, f"tosa.{name} {self.use(a)} {{axis = {d} : i32}} : ({self.type(a.shape)}) -> "
                    f"{self.type(shape)}", a.scale * a.shape[d])

    def tosa_turn(self, a):
        order = list(range(len(a.shape)))
        if self.rng.random() < 0.4:
            d = self.rng.choice(order)
            self.define(a.shape, f"tosa.reverse {self.use(a)} {{axis = {d} : i32}} : "
                        f"({self.type(a.shape)}) -> {self.type(a.shape)}", a.scale)
            return
        self.rng.shuffle(order)
        shape = [a.shape[d] for d in order]
        self.define(shape, f"tosa.transpose {self.use(a)} {{perms = array<i32: "
                    f"{', '.join(map(str, order))}>}} : ({self.type(a.shape)}) -> {self.type(shape)}",
                    a.scale)

    def tosa_concat(self, a):
        d, other = self.rng.randrange(len(a.shape)), list(a.shape)
        other[d] = self.rng.choice([1, 2, 3, 4])
        shape = list(a.shape)
        shape[d] += other[d]
        if not self.is_static(shape, other):
            return
        b = self.find(other)
        self.define(shape, f"tosa.concat {self.use(a)}, {self.use(b)} {{axis = {d} : i32}} : "
                    f"({self.type(a.shape)}, {self.type(other)}) -> {self.type(shape)}",
                    max(a.scale, b.scale))

    def tosa_scatter(self, a):
        """Rows of batches written at places of which none comes twice."""
        if len(a.shape) != 3:
            return
        batch, rows, channels = a.shape
        num = self.rng.randint(1, min(rows, 5))
        other = [batch, num, channels]
        if not self.is_static(other):
            return
        places, name = [self.rng.sample(range(rows), num) for _ in range(batch)], self.fresh("c")
        self.emit(f"{name} = arith.constant dense<{places}> : tensor<{batch}x{num}xi32>")
        b, ty = self.find(other), self.type(a.shape)
        self.define(a.shape, f"tosa.scatter {self.use(a)}, {name}, {self.use(b)} : ({ty}, "
                    f"tensor<{batch}x{num}xi32>, {self.type(other)}) -> {ty}", max(a.scale, b.scale))

    def tosa_matmul(self, a):
        if len(a.shape) != 3 or not self.is_float():
            return
        columns = self.rng.choice([1, 2, 3, 4, 8])
        other, shape = [a.shape[0], a.shape[2], columns], [a.shape[0], a.shape[1], columns]
        if not self.is_static(other, shape):
            return
        b, zero = self.find(other), self.fresh("c")
        self.emit(f'{zero} = "tosa.const"() {{values = dense<0.0> : tensor<1x{self.element}>}} : () -> '
                  f"tensor<1x{self.element}>")
        self.define(shape, f"tosa.matmul {self.use(a)}, {self.use(b)}, {zero}, {zero} : ("
                    f"{self.type(a.shape)}, {self.type(other)}, tensor<1x{self.element}>, "
                    f"tensor<1x{self.element}>) -> {self.type(shape)}",
                    a.shape[2] * a.scale * b.scale)
