# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The cases of run.sh: program, entry, ranks, inputs, and what numpy says of the outputs of one rank.
import operator
import os
import subprocess
import sys
import tempfile

import numpy as np

build, here, only = sys.argv[1], sys.argv[2], sys.argv[3:]
random = np.random.default_rng(1)
failures = 0


def floats(*shape, dtype="f4"):
    return random.standard_normal(shape).astype(dtype)


def compiled(name, folder, done={}):
    if name not in done:
        done[name] = os.path.join(folder, name + ".so")
        source = os.path.join(here, "Inputs", name + ".mlir")
        subprocess.run([build + "/bin/tesserac", source, "-o", done[name]], check=True)
    return done[name]


def run(folder, program, entry, ranks, rank, inputs, outputs):
    command = [build + "/bin/tessera-run", compiled(program, folder), "--entry", entry,
               "--ranks", str(ranks), "--output-rank", str(rank)]
    for i, value in enumerate(inputs):
        np.save(f"{folder}/in{i}.npy", value)
        command += ["--input", f"{folder}/in{i}.npy"]
    for i in range(outputs):
        command += ["--output", f"{folder}/out{i}.npy"]
    subprocess.run(command, check=True)
    return [np.load(f"{folder}/out{i}.npy") for i in range(outputs)]


def agree(got, expected):
    if got.shape != expected.shape or got.dtype != expected.dtype:
        return f"{got.dtype}{got.shape} instead of {expected.dtype}{expected.shape}"
    if got.dtype.kind in "fc":
        scale = max(1.0, float(np.abs(expected[np.isfinite(expected)]).max(initial=0)))
        tolerance = {8: 1e-10, 4: 1e-5, 2: 2e-2}.get(got.real.dtype.itemsize, 1e-10) * scale
        # A NaN stands for an element that may be anything.
        known = ~np.isnan(expected)
        with np.errstate(invalid="ignore"):
            good = np.allclose(got[known], expected[known], rtol=0, atol=tolerance)
    else:
        good = np.array_equal(got, expected)
    return None if good else "differs"


def case(name, program, entry, inputs, expected, ranks=1, rank=0):
    global failures
    if only and name not in only:
        return
    try:
        with tempfile.TemporaryDirectory(dir=workdir) as folder:
            got = run_in(folder, program, entry, ranks, rank, inputs, len(expected))
        wrong = [f"result {i}: {text}" for i, (g, e) in enumerate(zip(got, expected))
                 if (text := agree(g, np.asarray(e)))]
    except (subprocess.CalledProcessError, OSError) as error:
        wrong = [str(error)]
    print(("FAIL " if wrong else "PASS ") + "lowering " + name, *wrong, flush=True)
    failures += bool(wrong)


def report(name, wrong):
    global failures
    print(("FAIL " if wrong else "PASS ") + "lowering " + name, wrong or "", flush=True)
    failures += bool(wrong)


def run_in(folder, program, entry, ranks, rank, inputs, outputs):
    path = compiled(program, workdir)
    assert path
    return run(folder, program, entry, ranks, rank, inputs, outputs)


def scattered(rows, places):
    """Additions to rows at places of 16 bits: an index stands for all rows that end in these."""
    x, at, expected = floats(4000, 100), random.integers(0, places, 4000), floats(rows, 100)
    inputs = [x, at.astype("u2").view("i2"), expected.copy()]
    for row, place in zip(x, at):
        expected[place::65536] += row
    return "scattered", inputs, expected


def threads():
    """The same bits on any number of threads."""
    x, y, t = floats(600, 700), floats(600, 700), floats(900, 510, dtype="f8")
    e = np.exp(x - x.max(1, keepdims=True))
    for entry, inputs, expected in [
            ("rows", [x], e / e.sum(1, keepdims=True)), ("columns", [x], x.sum(0)),
            ("columns", [x[:, :5]], x[:, :5].sum(0)), ("elements", [x, y], x * x + y),
            ("elements", [x[:1], y[:1]], x[:1] * x[:1] + y[:1]), ("transposed", [t], t.T),
            scattered(0, 10), scattered(300, 300), scattered(300, 400), scattered(70000, 65536)]:
        alone = None
        for number in "1", "2", "7":
            os.environ["TESSERA_THREADS"] = number
            with tempfile.TemporaryDirectory(dir=workdir) as folder:
                got, = run_in(folder, "threads", entry, 1, 0, inputs, 1)
            alone = got if alone is None else alone
            wrong = agree(got, expected) or (None if np.array_equal(got, alone)
                                             else "differs from one thread's")
            report(f"{entry} of {inputs[-1].shape} on {number} threads", wrong)
    del os.environ["TESSERA_THREADS"]


def sums():
    """Sums of f32 are off by some of its last bits, however many values they have; the same bits on any
    number of threads."""
    def around_one(*shape):
        return (random.standard_normal(shape) + 1).astype("f4")

    narrow, some, whole, one = around_one(100003, 7), floats(7), around_one(1000, 1501), floats()
    halves = [around_one(9001, 9).astype("f2") for _ in range(2)]
    wide = [half.astype("f8") for half in halves]
    extreme, low, high = floats(5003, 3), floats(3) - 3, floats(3) + 3
    extreme[77, 1] = np.nan
    long = {entry: around_one(*shape) for entry, shape in [
        ("tall", (20011, 96)), ("middle", (3, 5000, 20)), ("several", (40, 30, 50, 12)),
        ("channels", (1000, 5, 7, 7)), ("long_rows", (3, 100003))]}
    axes = {"tall": 0, "middle": 1, "several": (0, 1, 2), "channels": (0, 2, 3), "long_rows": 1}
    for entry, inputs, expected in [
            *((entry, [x], [x.sum(axes[entry], dtype="f8")]) for entry, x in long.items()),
            ("narrow", [narrow, some], [narrow.sum(0, dtype="f8") + some]),
            ("all", [whole, one], [whole.sum(dtype="f8") + one]),
            ("halves", halves, [(wide[0] * wide[1]).sum(0)]),
            ("extrema", [extreme, low, high],
             [np.minimum(extreme.min(0), low), np.maximum(extreme.max(0), high)])]:
        alone = None
        for number in "1", "2", "7":
            os.environ["TESSERA_THREADS"] = number
            with tempfile.TemporaryDirectory(dir=workdir) as folder:
                got = run_in(folder, "sums", entry, 1, 0, inputs, len(expected))
            alone = got if alone is None else alone
            wrong = []
            for g, a, e in zip(got, alone, expected):
                off = np.abs(g.astype("f8") - e).max(initial=0, where=~np.isnan(e)) / np.nanmax(np.abs(e))
                if off > 1e-6 or not np.array_equal(np.isnan(g), np.isnan(e)):
                    wrong.append(f"off by {off:.1e}")
                if not np.array_equal(g, a, equal_nan=True):
                    wrong.append("differs from one thread's")
            report(f"sums: {entry} on {number} threads", wrong)
    del os.environ["TESSERA_THREADS"]


def slices():
    x, row, some = floats(4, 8, 3), floats(1, 8), floats(1, 4)
    with_row, with_some = x.copy(), x.copy()
    with_row[2, :, 1], with_some[3, 1:8:2, 2] = row, some
    case("slices of constant numbers", "slices", "constants", [x, row, some],
         [x[2:3, :, 1], x[3:, :, 2], x[3:, 5, 2], with_row, with_some])
    y = floats(4, 8, 3)
    with_columns = y.copy()
    with_columns[1, 0:8:2] = abs(x[2, 1:8:2])
    case("slices in a parallel loop", "slices", "parallel", [x, y], [with_columns])
    y = floats(3, 9, 5)
    case("views of memory", "slices", "views", [x, y, np.int64(6), np.int64(2)],
         [x[1, 0:8:2, 2:], x[2:3, 1:8:2, 2], y[2:, 1:7, 2]])


def memory():
    x, wide, n = floats(4, 3), floats(4, 6), np.arange(7, dtype="i4")
    case("all_reduce of memory", "memory", "dense", [x], [3 * x, x], ranks=3)
    case("all_reduce of memory with strides", "memory", "strided", [wide],
         [wide[:, 0:6:2], 3 * wide[:, 0:6:2].astype("f8")], ranks=3)
    case("all_reduce of memory of run-time size", "memory", "again", [n], [3 * n, 0 * n], ranks=3)


def scalars():
    x = floats(8)
    case("kinds of floats", "scalars", "kinds", [x],
         [np.array([0, 0, 1, 1, 0, 1, 0, 0], bool), np.array([1, 0, 1, 1, 0, 1, 0, 0], bool),
          np.clip(x, -0.5, 0.25)])
    base, power = random.integers(-4, 5, 8).astype("i4"), random.integers(0, 7, 8).astype("i4")
    case("whole powers", "scalars", "powers", [base, power], [base ** power])
    z = random.integers(-2 ** 62, 2 ** 62, 8)
    case("bits as other types", "scalars", "bits", [x, z],
         [x.view("i4"), z ^ np.int64(-0x7fffffff80000000)])
    n = random.integers(-600, 600, (4, 3)).astype("i4")
    nearest = np.clip(np.floor(n / 4 + 0.5) + 3, -128, 127).astype("i1")
    twice = np.clip(np.floor((n + np.where(n < 0, 1, 3)) / 4) + 3, -128, 127).astype("i1")
    case("scaled integers", "scalars", "rescaled", [n], [nearest, twice])


def gelu(x):
    from math import erf
    return x * 0.5 * (1 + np.vectorize(erf)(x / np.sqrt(2))).astype(x.dtype)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def small_float(code, exponent_bits, fraction_bits, bias, special):
    """The value of an 8-bit code; `special` says what infinities and NaNs are."""
    exponent, fraction = code >> fraction_bits & (1 << exponent_bits) - 1, code & (1 << fraction_bits) - 1
    top = exponent == (1 << exponent_bits) - 1
    sign = -1.0 if code & 0x80 else 1.0
    if special == "unsigned zero" and code == 0x80 or special == "no infinity" and code & 0x7F == 0x7F:
        return np.nan
    if special == "infinity" and top:
        return np.nan if fraction else sign * np.inf
    if exponent == 0:
        return sign * fraction * 2.0 ** (1 - bias - fraction_bits)
    return sign * ((1 << fraction_bits) + fraction) * 2.0 ** (exponent - bias - fraction_bits)


def small_codes(x, values, special):
    """Codes nearest to `x`; between two the even one; beyond the last as if there were one more."""
    finite = [c for c in range(128) if np.isfinite(values[c])]
    known = np.append(values[finite], 2 * values[finite[-1]] - values[finite[-2]])
    nan = 0x80 if special == "unsigned zero" else 0x7F
    result = np.zeros(x.shape, "u1")
    for i, v in enumerate(x.astype("f8")):
        distance = np.abs(known - min(abs(v), known[-1])) if not np.isnan(v) else None
        nearest = [] if distance is None else list(np.flatnonzero(distance == distance.min()))
        code = nan if distance is None else min(nearest, key=lambda c: c % 2)
        if code == len(finite) and special != "infinity":
            code = nan
        zero = code == 0 and special == "unsigned zero"
        result[i] = code | (0x80 if np.signbit(v) and not np.isnan(v) and not zero else 0)
    return result


COMPARISONS = [operator.eq, operator.ne] + [operator.lt, operator.le, operator.gt, operator.ge] * 2
SMALL_FLOATS = {"f8e4m3fn": (4, 3, 7, "no infinity"), "f8e5m2": (5, 2, 15, "infinity"),
                "f8e4m3fnuz": (4, 3, 8, "unsigned zero"), "f8e5m2fnuz": (5, 2, 16, "unsigned zero"),
                "f8e4m3b11fnuz": (4, 3, 11, "unsigned zero"), "f8e4m3": (4, 3, 7, "infinity"),
                "f8e3m4": (3, 4, 3, "infinity")}


with tempfile.TemporaryDirectory() as workdir:
    a, b = floats(64, 128), floats(128, 96)
    case("matmul", "matmul", "main", [a, b], [a @ b])

    a, b = floats(48, 40), floats(56, 48)
    case("transposed operands", "products", "transposed", [a, b], [a.T @ b.T])
    a, b = floats(3, 16, 24, dtype="f8"), floats(3, 24, 32, dtype="f8")
    case("batched product", "products", "batch", [a, b], [a @ b])
    a, b = floats(2, 16, 4, 8), floats(2, 20, 4, 8)
    case("two batch dimensions", "products", "heads", [a, b], [np.einsum("bihd,bjhd->bhij", a, b)])
    a, b, c = floats(24, 6, 10), floats(10, 6, 28), floats(24, 28)
    case("two reduced dimensions", "products", "two_sums", [a, b, c],
         [np.einsum("mkl,lkn->mn", a, b) + c])
    a, b = floats(4, 16, 32), floats(32, 24)
    case("merged rows", "products", "linear", [a, b], [a @ b])
    a, x, y = floats(80, 64), floats(64), floats(80)
    case("vectors", "products", "vectors", [a, x, y], [a @ x, y @ a, np.float32(y @ (a @ x))])
    for m, k, n in [(5, 7, 9), (33, 17, 65), (4, 0, 3), (0, 5, 2), (1, 64, 1)]:
        a, b = floats(m, k), floats(k, n)
        case(f"run-time sizes {m} {k} {n}", "products", "dynamic", [a, b], [a @ b])
    a = random.integers(-100, 100, (16, 32)).astype("i1")
    b = random.integers(-100, 100, (32, 16)).astype("i1")
    case("integers", "products", "integers", [a, b], [a.astype("i4") @ b.astype("i4")])
    a, b = floats(3, 4), floats(4, 2)
    case("small product", "products", "small", [a, b], [a @ b])
    a = floats(64, 64)
    case("product of slices", "products", "slices", [a], [a[:32, 8:48] @ a[24:, 32:]])
    slices()
    threads()
    sums()
    memory()
    scalars()

    a = floats(4, 4)
    case("argument returned twice", "results", "argument", [a], [a, a])
    case("constant returned twice", "results", "constant", [], [np.arange(1, 5, dtype="f4")] * 2)
    a = floats(8)
    case("value returned twice", "results", "twice", [a], [2 * a, 2 * a, (2 * a).reshape(2, 4)])
    case("branch taken", "results", "branches", [a, np.bool_(True)], [2 * a, 2 * a])
    case("branch not taken", "results", "branches", [a, np.bool_(False)], [2 * a, a * a])
    case("scalars", "results", "scalars",
         [np.int64(4), np.float32(1.5), np.bool_(True), np.int64(-3), np.int32(9)],
         [np.int64(5), np.float32(3), np.bool_(False), np.int64(9), np.int32(9)])
    case("argument as destination", "results", "overwritten", [floats(4, 4)],
         [np.full((4, 4), 7, "f4")])
    a = floats(16)
    case("loop of two values", "results", "loop", [a, np.int64(5)], [8 * a, 13 * a])
    case("loop not entered", "results", "loop", [a, np.int64(0)], [a, a])

    for name, form in SMALL_FLOATS.items():
        codes = np.arange(256, dtype="u1")
        values = np.array([small_float(int(c), *form) for c in codes])
        case(f"from {name}", "small_floats", "from_" + name, [codes.view("i1")],
             [np.where(np.isnan(values), 12345, values).astype("f4")])
        positive = np.sort(values[np.isfinite(values) & (values >= 0)])
        last = 2 * positive[-1] - positive[-2]
        between = np.append(positive[1:] + positive[:-1], positive[-1] + last) / 2
        x = np.concatenate([positive, between, np.nextafter(between.astype("f4"), np.float32(0)),
                            np.nextafter(between.astype("f4"), np.float32(np.inf)), [last, 1e30, np.inf]])
        x = np.concatenate([x, -x, random.standard_normal(200) * positive[-1] / 2])
        y = np.concatenate([x, np.nextafter(between, 0), np.nextafter(between, np.inf)])
        case(f"to {name}", "small_floats", "to_" + name, [x.astype("f4"), y],
             [small_codes(x.astype("f4"), values, form[3]).view("i1"),
              small_codes(y, values, form[3]).view("i1")])

    a = floats(7, 37)
    case("softmax", "elementwise", "softmax", [a], [softmax(a)])
    a = floats(5, 33)
    case("gelu", "elementwise", "gelu", [a], [gelu(a)])
    a = np.linspace(-4, 4, 257).astype("f4")
    case("functions", "elementwise", "functions", [a],
         [np.tanh(a), np.exp(a), a, np.sin(a), np.exp(-a / 2), np.sinh(a)])
    a, b = floats(4, 5), floats(1, 5)
    c = (1 / (1 + np.exp(-a)) + b).astype("f4")
    case("tosa", "elementwise", "tosa", [a, b], [c, c.sum(1, keepdims=True)])
    a, b = floats(31, dtype="f2"), floats(32, 32, dtype="f2")
    case("half precision", "elementwise", "half", [a, b],
         [np.tanh(a + a), b.astype("f4") @ b.astype("f4")])
    a = floats(9, 41)
    a[3, 7] = np.inf
    case("maximum", "elementwise", "maximum", [a], [a.max(1)])
    a, b = floats(4, 5), floats(4, 3)
    case("pad", "elementwise", "padded", [a], [np.pad(a, ((1, 2), (2, 1)), constant_values=1)])
    case("concatenation", "elementwise", "joined", [a, b], [np.concatenate([a, b], 1)])
    nan = np.nan
    a = np.array([1, 2, -3, 0, -0.0, 0, -0.0, np.inf, -np.inf, nan, 1, nan], "f4")
    b = np.array([2, 1, -3, -0.0, 0, 0, -0.0, -np.inf, 7, 1, nan, nan], "f4")
    high, low = np.maximum(a, b), np.minimum(a, b)
    signs = [np.where(x == 0, 1 - 2.0 * minus, np.where(np.isnan(x), nan, np.sign(x))).astype("f4")
             for x, minus in ((high, np.signbit(a) & np.signbit(b)),
                              (low, np.signbit(a) | np.signbit(b)))]
    for kind in ("f80", "f128"):
        case(f"maxima of {kind}", "wide", kind, [a, b],
             [high, low, *signs, a.max(), np.isnan(high), np.isnan(low)])
    a = np.array([3, -5, 1 << 40, -(1 << 62)])
    case("division of 128 bits", "wide", "i128", [a, a], [a])
    for n in (5, 0):
        zeros, holds = np.zeros((n, 3), "i4"), [op(1, 1) for op in COMPARISONS]
        case(f"folds of {n} rows", "folds", "folds", [zeros + 7, np.arange(n)],
             [zeros, np.arange(n) * 0] + [np.full((n, 3), value) for value in holds])
    case("functions of no number", "no_number", "functions", [floats(8).astype("f4")],
         [np.full(8, np.nan, "f4")] * 5)
    a, b = floats(8, 8), floats(4, 4)
    c = a.copy()
    c[3:7, 2:6] = b
    case("insertion", "elementwise", "inserted", [a, b, np.int64(3)], [c])
    a = random.integers(0, 255, (4, 16)).astype("u1").view("V1")
    b = (floats(3) + 1j * floats(3)).astype("c8")
    case("f8 and complex", "elementwise", "moved", [a, b], [a.T, 1j * b])

    x = np.arange(128, dtype="f4").reshape(16, 8)
    case("all-gather", "collectives", "gather", [x], [x], ranks=4)
    y, z = floats(4, 8), floats(4, 8)
    case("all-reduce in place", "collectives", "reduce", [y, z], [2 * (y + z)], ranks=4)
    case("all-reduce of a live value", "collectives", "reduce_live", [y], [y - y], ranks=4)
    x = floats(8, 8)
    for rank in range(4):
        half = x[4 * (rank // 2):4 * (rank // 2) + 4, 2:6]
        case(f"all-to-all of a slice, rank {rank}", "collectives", "slices", [x],
             [np.concatenate([half, half], 1), np.int64(rank // 2), np.int64(rank % 2)],
             ranks=4, rank=rank)

    a = floats(4, 4)
    of = [a + np.float32(100 * device) for device in range(4)]
    tall, ten = floats(8, 8), floats(10, 4)
    cuts = [0, 2, 4, 7, 10]
    for rank in range(4):
        row, column = divmod(rank, 2)
        pair = [of[2 * row], of[2 * row + 1]]  # the group along axis 1
        above = [of[column], of[2 + column]]  # the group along axis 0
        place = 2 * column + row  # in the group of axes [1, 0]
        half = slice(2 * row, 2 * row + 2)
        expect = [
            ("all_slice", [a], [of[rank][place:place + 1]]),
            ("reduce_scatter", [a], [sum(v.astype("f8") for v in above)[:, half]]),
            ("broadcast", [a], [pair[1]]),
            ("scatter", [a], [above[1][half]]),
            ("ring", [a], [pair[0] + pair[1]]),
            ("shift", [a], [above[1 - row]]),
            ("neighbours", [], [np.int64(rank - 2 if row else -1),
                                np.int64(-1 if row else rank + 2)]),
            ("shard_shape", [np.int64(3)], [np.int64(cuts[rank + 1] - cuts[rank]),
                                            np.int64([3, 7][column])]),
            ("uneven", [ten], [np.int64(cuts[rank + 1] - cuts[rank]), ten, 4 * ten]),
            ("unknown", [ten], [np.int64(cuts[rank + 1] - cuts[rank]), ten]),
            ("exchange", [tall], [tall[4 * column:4 * column + 4, 4 * row:4 * row + 4]]),
            ("loop", [a, np.int64(3)], [8 * a]),
        ]
        if column == 1:
            expect.append(("gather", [a, np.int64(1)], [np.concatenate(pair)]))
        if rank == 2:
            expect.append(("reduce", [a], [of[3]]))
        halo = of[rank].copy()
        halo[::3], halo[:, ::3] = np.nan, np.nan  # beyond the ends of the whole
        for i in range(4):
            for j in range(4):
                # Which device's core the element is in, and where in it.
                di, dj = (i == 3) - (i == 0), (j == 3) - (j == 0)
                if 0 <= row + di < 2 and 0 <= column + dj < 2:
                    halo[i, j] = of[2 * (row + di) + column + dj][i - 2 * di, j - 2 * dj]
        expect.append(("halo", [a], [of[rank], halo]))
        for entry, inputs, outputs in expect:
            case(f"{entry}, rank {rank}", "every_op", entry, inputs, outputs, ranks=4, rank=rank)

sys.exit(failures > 0)
