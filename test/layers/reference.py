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


def norm(a, name, x):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * a[name + ".weight"] + a[name + ".bias"]


def embedding(a, name, ids):
    weight = a[name + ".weight"]
    inside = (ids >= 0) & (ids < len(weight))
    return np.where(inside[..., None], weight[np.where(inside, ids, 0)], 0)


def attention(a, name, x, causal):
    def project(part):
        y = np.einsum("btf,fhk->bthk", x, a[f"{name}.{part}.weight"])
        return y + a.get(f"{name}.{part}.bias", 0)

    query, key, value = (project(part) for part in ("query", "key", "value"))
    scores = np.einsum("bthk,bshk->bhts", query, key) / np.sqrt(query.shape[-1])
    if causal:
        tokens = np.arange(x.shape[1])
        scores = np.where(tokens[None, :] > tokens[:, None], -np.inf, scores)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    seen = np.einsum("bhts,bshk->bthk", weights, value)
    return np.einsum("bthk,hkf->btf", seen, a[name + ".out.weight"]) + a.get(name + ".out.bias", 0)


def cross_entropy(logits, labels):
    largest = logits.max(-1)
    all_of_row = largest + np.log(np.exp(logits - largest[..., None]).sum(-1))
    inside = (labels >= 0) & (labels < logits.shape[-1])
    own = np.take_along_axis(logits, np.where(inside, labels, 0)[..., None], -1)[..., 0]
    return np.where(inside, all_of_row - own, 0)


# The result of each case.
forward = {
    "column": lambda a: linear(a, "c", a["x"]),
    "column_gathered": lambda a: linear(a, "c", a["x"]),
    "column_plain": lambda a: linear(a, "c", a["x"]),
    "row": lambda a: linear(a, "r", a["x"]),
    "row_of_whole": lambda a: linear(a, "r", a["x"]),
    "row_of_whole_bias": lambda a: linear(a, "r", a["x"]),
    "mlp": lambda a: mlp(a, "mlp", a["x"], gelu),
    "mlp_plain": lambda a: mlp(a, "mlp", a["x"], relu),
    "mlp_elsewhere": lambda a: mlp(a, "mlp", a["x"], gelu),
    "residual": residual,
    "activation": lambda a: gelu(a["x"]),
    "annotate": lambda a: relu(a["x"]),
    "norm": lambda a: norm(a, "n", a["x"]),
    "embedding": lambda a: embedding(a, "e", a["ids"]),
    "embedding_large": lambda a: embedding(a, "e", a["many_ids"]),
    "accumulate": lambda a: np.mean(linear(a, "c", a["x"])),
    "attention": lambda a: attention(a, "a", a["x"], False),
    "attention_causal": lambda a: attention(a, "a", a["x"], True),
    "cross_entropy": lambda a: cross_entropy(a["x"], a["labels"]),
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
    if case == "accumulate":
        return {name: values + gradient(function, arrays, name[len("sum."):], 1.0)
                for name, values in arrays.items() if name.startswith("sum.")}
    results = {"y": function(arrays)}
    for name, values in arrays.items():
        if name != "seed" and values.dtype.kind == "f":
            results["by." + name] = gradient(function, arrays, name, arrays["seed"])
    return results
