# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
"""What the functions of cases.c compute, in NumPy, from arrays by name. Gradients come from differences of
these: nothing here is derived by hand."""
import numpy as np


def linear(a, name, x):
    y = x @ a[name + ".weight"]
    return y + a[name + ".bias"] if name + ".bias" in a else y


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def relu(x):
    return np.maximum(x, 0)


def mlp(a, name, x, activation):
    return linear(a, name + ".down", activation(linear(a, name + ".up", x)))


def residual(a):
    y = a["x"]
    for _ in range(2):
        y = y + mlp(a, "mlp", y, relu)
    return y


# The result of each case.
forward = {
    "column": lambda a: linear(a, "c", a["x"]),
    "column_gathered": lambda a: linear(a, "c", a["x"]),
    "row": lambda a: linear(a, "r", a["x"]),
    "row_of_whole": lambda a: linear(a, "r", a["x"]),
    "mlp": lambda a: mlp(a, "mlp", a["x"], gelu),
    "residual": residual,
    "descend": lambda a: np.mean(mlp(a, "mlp", a["x"], gelu)),
}


def gradient(function, arrays, name, seed):
    """By central differences of the function, element by element."""
    step = 1e-5
    values = arrays[name]
    result = np.zeros_like(values)
    for i in np.ndindex(values.shape):
        kept = values[i]
        sides = []
        for sign in 1, -1:
            values[i] = kept + sign * step
            sides.append(np.sum(seed * function(arrays)))
        values[i] = kept
        result[i] = (sides[0] - sides[1]) / (2 * step)
    return result


def expected(case, arrays):
    """All results of a case by name."""
    function = forward[case]
    if case == "descend":
        weights = [name for name in arrays if name not in ("x", "rate")]
        results = {name: arrays[name] - arrays["rate"] * gradient(function, arrays, name, 1.0)
                   for name in weights}
        return {"loss": function(arrays), **results}
    results = {"y": function(arrays)}
    for name, values in arrays.items():
        if name != "seed" and values.dtype.kind == "f":
            results["by." + name] = gradient(function, arrays, name, arrays["seed"])
    return results
