# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# What the operations on numbers mean: functions of numpy arrays, one lane an element. Knows no
# regions, no loops and nothing of how a compiler would do it.
import math

import numpy as np

from generic_form import NoMeaning


def signed(x):
    """i1 true is -1 as a signed number."""
    return -x.astype(np.int8) if x.dtype == np.bool_ else x


def unsigned(x):
    if x.dtype == np.bool_:
        return x.astype(np.uint8)
    return x.view(f"u{x.dtype.itemsize}") if x.dtype.kind == "i" else x


def on_signed(f):
    return lambda *xs: f(*[signed(x) for x in xs])


def on_unsigned(f):
    return lambda *xs: f(*[unsigned(x) for x in xs])


def truncated_quotient(a, b):
    quotient = a // b
    return quotient + ((quotient < 0) & (quotient * b != a)).astype(quotient.dtype)


def away_from_zero(x):
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def on_each(f):
    """A function of Python floats, one element at a time, in double."""
    wide = np.vectorize(f, otypes=[np.float64])
    return lambda x: wide(x.astype(np.float64))


def maximum(a, b):
    """Of zeros the positive one, which numpy does not promise."""
    return np.where((a == 0) & (b == 0), a + b, np.maximum(a, b))


def minimum(a, b):
    return -maximum(-a, -b)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


BINARY = {
    "addf": np.add, "subf": np.subtract, "mulf": np.multiply, "divf": np.divide, "remf": np.fmod,
    "maximumf": maximum, "minimumf": minimum, "maxnumf": np.fmax, "minnumf": np.fmin,
    "addi": on_unsigned(np.add), "subi": on_unsigned(np.subtract),
    "muli": on_unsigned(np.multiply), "andi": np.bitwise_and, "ori": np.bitwise_or,
    "xori": np.bitwise_xor, "shli": on_unsigned(np.left_shift),
    "shrui": on_unsigned(np.right_shift), "shrsi": on_signed(np.right_shift),
    "divsi": on_signed(truncated_quotient), "divui": on_unsigned(np.floor_divide),
    "floordivsi": on_signed(np.floor_divide), "remsi": on_signed(np.fmod),
    "ceildivsi": on_signed(lambda a, b: -(-a // b)), "remui": on_unsigned(np.remainder),
    "maxsi": on_signed(np.maximum), "minsi": on_signed(np.minimum),
    "maxui": on_unsigned(np.maximum), "minui": on_unsigned(np.minimum),
}

# These only change the type; rounding to the result's type does the rest.
CONVERSIONS = {
    "extf": lambda x: x, "truncf": lambda x: x, "fptosi": np.trunc, "fptoui": np.trunc,
    "extsi": signed, "sitofp": signed, "trunci": signed, "index_cast": signed,
    "extui": unsigned, "uitofp": unsigned, "index_castui": unsigned, "negf": np.negative,
}

MATH = {
    "absf": np.abs, "absi": np.abs, "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1,
    "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p, "sin": np.sin,
    "cos": np.cos, "tan": np.tan, "tanh": np.tanh, "sinh": np.sinh, "cosh": np.cosh,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "cbrt": np.cbrt, "ceil": np.ceil,
    "floor": np.floor, "trunc": np.trunc, "roundeven": np.rint, "round": away_from_zero,
    "powf": np.power, "fpowi": lambda x, n: np.power(x.astype(np.float64), n), "copysign": np.copysign, "fma": lambda a, b, c: a * b + c,
    "erf": on_each(math.erf), "erfc": on_each(math.erfc),
}

TOSA = {
    "add": np.add, "sub": np.subtract, "maximum": np.maximum, "minimum": np.minimum,
    "pow": np.power, "sigmoid": sigmoid, "tanh": np.tanh, "exp": np.exp, "log": np.log,
    "abs": np.abs, "ceil": np.ceil, "floor": np.floor, "rsqrt": lambda x: 1 / np.sqrt(x),
    "reciprocal": lambda x: 1 / x, "sin": np.sin, "cos": np.cos, "erf": on_each(math.erf),
    "greater": np.greater, "greater_equal": np.greater_equal, "equal": np.equal,
    "select": np.where, "logical_and": np.logical_and, "logical_or": np.logical_or,
    "logical_not": np.logical_not, "bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
}

TOSA_REDUCE = {
    "reduce_sum": np.sum, "reduce_max": np.max, "reduce_min": np.min, "reduce_product": np.prod,
}

INTEGER_ORDER = [
    np.equal, np.not_equal, on_signed(np.less), on_signed(np.less_equal),
    on_signed(np.greater), on_signed(np.greater_equal), on_unsigned(np.less),
    on_unsigned(np.less_equal), on_unsigned(np.greater), on_unsigned(np.greater_equal),
]
FLOAT_ORDER = [
    np.equal, np.greater, np.greater_equal, np.less, np.less_equal, np.not_equal,
]


def compare_floats(predicate, a, b):
    """Predicates as MLIR numbers them: false, 6 ordered, ord, 6 unordered, uno, true."""
    unordered = np.isnan(a) | np.isnan(b)
    if predicate in (0, 15):
        return np.full(unordered.shape, predicate == 15)
    if predicate in (7, 14):
        return unordered == (predicate == 14)
    if predicate < 7:
        return FLOAT_ORDER[predicate - 1](a, b) & ~unordered
    return FLOAT_ORDER[predicate - 8](a, b) | unordered


def choose(condition, a, b):
    """Element by element, or of two tensors one: these may differ in shape."""
    if np.ndim(condition) == 0:
        return a if condition else b
    return np.where(condition, a, b)


def elementwise(op, operands):
    """The result before it is rounded to its type, or None if `op` is not one of numbers."""
    dialect, _, name = op.name.partition(".")
    if dialect == "arith":
        if name in BINARY:
            return BINARY[name](*operands)
        if name in CONVERSIONS:
            return CONVERSIONS[name](*operands)
        if name == "select":
            return choose(*operands)
        if name == "cmpi":
            return INTEGER_ORDER[op.integer("predicate")](*operands)
        if name == "cmpf":
            return compare_floats(op.integer("predicate"), *operands)
    if dialect == "math" and name in MATH:
        return MATH[name](*operands)
    if dialect == "tosa":
        if name in TOSA:
            return TOSA[name](*operands)
        if name in TOSA_REDUCE:
            return TOSA_REDUCE[name](operands[0], axis=op.integer("axis"), keepdims=True)
        if name == "reverse":
            return np.flip(operands[0], op.integer("axis"))
        if name == "transpose":
            return np.transpose(operands[0], op.integers("perms"))
        if name == "concat":
            return np.concatenate(operands, axis=op.integer("axis"))
        if name == "matmul":
            if operands[2].any() or operands[3].any():
                raise NoMeaning("tosa.matmul with a zero point")
            return np.matmul(operands[0], operands[1])
        if name == "mul":
            if operands[2].any():
                raise NoMeaning("tosa.mul with a shift")
            return operands[0] * operands[1]
    return None
