# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# GPT-2 and Llama as JAX functions, with the shapes and splits of their weights. It must not know
# how they are run.

import jax
import jax.numpy as jnp
from leaves import is_leaf, tokens, weight

RATE = 1.0  # so that what a step changes in a weight is far above its rounding


@jax.custom_vjp
def look_up(table, ids):
    """Rows of a table by a gather; on the way back a product, because a scatter has no linalg."""
    return table[ids]


def look_up_forward(table, ids):
    return table[ids], (ids, table.shape[0])


def look_up_back(kept, slope):
    ids, rows = kept
    return jnp.einsum("...v,...d->vd", jax.nn.one_hot(ids, rows, dtype=slope.dtype), slope), None


look_up.defvjp(look_up_forward, look_up_back)


def softmax_attention(q, k, v):
    """Causal attention of q: batch x length x heads x head, k and v alike."""
    length = q.shape[1]
    scores = jnp.einsum("bqhk,bshk->bhqs", q, k) / jnp.sqrt(jnp.float32(q.shape[-1]))
    allowed = jnp.arange(length)[:, None] >= jnp.arange(length)[None, :]
    weights = jax.nn.softmax(jnp.where(allowed, scores, -1e9), axis=-1)
    return jnp.einsum("bhqs,bshk->bqhk", weights, v)


# ---- GPT-2 ---------------------------------------------------------------------------------------

GPT2 = {"layers": 12, "model": 768, "heads": 12, "vocabulary": 50257, "places": 1024, "batch": 4,
        "length": 128}
GPT2_SMALL = {"layers": 2, "model": 32, "heads": 4, "vocabulary": 101, "places": 16, "batch": 4,
              "length": 8}


def gpt2_layer_weights(size):
    """Heads and hidden units over axis 1 of the grid, as Megatron has them."""
    model, heads = size["model"], size["heads"]
    head, hidden = model // heads, 4 * model
    norm = {"bias": weight((model,), [[]]), "gain": weight((model,), [[]], base=1.0)}
    into = {name: weight((model, heads, head), [[], [1], []]) for name in ("k", "q", "v")}
    shifts = {f"{name}_shift": weight((heads, head), [[1], []]) for name in ("k", "q", "v")}
    return {**into, **shifts, "norm1": norm, "norm2": norm,
            "o": weight((heads, head, model), [[1], [], []]), "o_shift": weight((model,), [[]]),
            "up": weight((model, hidden), [[], [1]]), "up_shift": weight((hidden,), [[1]]),
            "down": weight((hidden, model), [[1], []]), "down_shift": weight((model,), [[]])}


def stacked(leaf, layers):
    return {**leaf, "shape": (layers, *leaf["shape"]), "split": [[], *leaf["split"]]}


def gpt2_arguments(size, form):
    """Weights, tokens, targets; `form` is `unrolled` or `scan`. The batch is over axis 0."""
    layer = gpt2_layer_weights(size)
    if form == "scan":
        layers = jax.tree.map(lambda leaf: stacked(leaf, size["layers"]), layer, is_leaf=is_leaf)
    else:
        layers = [layer] * size["layers"]
    model, vocabulary = size["model"], size["vocabulary"]
    weights = {"layers": layers, "places": weight((size["places"], model), [[], []]),
               "norm": layer["norm1"], "table": weight((vocabulary, model), [[1], []])}
    ids = tokens((size["batch"], size["length"]), [[0], []], vocabulary)
    return weights, ids, ids


def normed(x, norm):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * norm["gain"] + norm["bias"]


def gpt2_layer(x, w):
    h = normed(x, w["norm1"])
    q, k, v = (jnp.einsum("bsd,dhk->bshk", h, w[name]) + w[f"{name}_shift"] for name in "qkv")
    x = x + jnp.einsum("bshk,hkd->bsd", softmax_attention(q, k, v), w["o"]) + w["o_shift"]
    h = jax.nn.gelu(normed(x, w["norm2"]) @ w["up"] + w["up_shift"], approximate=True)
    return x + h @ w["down"] + w["down_shift"]


def gpt2_loss(weights, ids, targets, embed):
    x = embed(weights["table"], ids) + weights["places"][:ids.shape[1]]
    if isinstance(weights["layers"], list):
        for layer in weights["layers"]:
            x = gpt2_layer(x, layer)
    else:
        x, _ = jax.lax.scan(lambda x, w: (gpt2_layer(x, w), None), x, weights["layers"])
    logits = normed(x, weights["norm"]) @ weights["table"].T
    chosen = jax.nn.one_hot(targets, logits.shape[-1], dtype=logits.dtype)
    return -(jax.nn.log_softmax(logits) * chosen).sum(-1).mean()


def one_hot_embed(table, ids):
    return jax.nn.one_hot(ids, table.shape[0], dtype=table.dtype) @ table


def gpt2_step(embed):
    """The loss, and all weights after a step down its slope."""
    def step(weights, ids, targets):
        loss, slopes = jax.value_and_grad(gpt2_loss)(weights, ids, targets, embed)
        return loss, jax.tree.map(lambda w, slope: w - RATE * slope, weights, slopes)
    return step


# ---- Llama ---------------------------------------------------------------------------------------

LLAMA = {"layers": 4, "model": 2048, "heads": 32, "groups": 8, "hidden": 8192, "vocabulary": 32000,
         "batch": 1, "length": 128}
LLAMA_SMALL = {"layers": 2, "model": 64, "heads": 8, "groups": 4, "hidden": 128, "vocabulary": 64,
               "batch": 1, "length": 8}


def llama_arguments(size):
    """Everything over one axis: heads, hidden units, rows of the table, columns of the head."""
    model, head = size["model"], size["model"] // size["heads"]
    hidden, vocabulary = size["hidden"], size["vocabulary"]
    gain = weight((model,), [[]], base=1.0)
    layer = {"norm1": gain, "norm2": gain,
             "q": weight((model, size["heads"], head), [[], [0], []]),
             "k": weight((model, size["groups"], head), [[], [0], []]),
             "v": weight((model, size["groups"], head), [[], [0], []]),
             "o": weight((size["heads"], head, model), [[0], [], []]),
             "gate": weight((model, hidden), [[], [0]]), "up": weight((model, hidden), [[], [0]]),
             "down": weight((hidden, model), [[0], []])}
    weights = {"layers": [layer] * size["layers"], "norm": gain,
               "table": weight((vocabulary, model), [[0], []], scale=1.0),
               "head": weight((model, vocabulary), [[], [0]])}
    return weights, tokens((size["batch"], size["length"]), [[], []], vocabulary)


def root_normed(x, gain):
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * gain


def rotated(x):
    """Rotary places: halves of a head as pairs."""
    half = x.shape[-1] // 2
    speeds = 10000.0 ** (-jnp.arange(half, dtype=jnp.float32) / half)
    angles = jnp.arange(x.shape[1], dtype=jnp.float32)[:, None] * speeds
    cos, sin = jnp.cos(angles)[:, None, :], jnp.sin(angles)[:, None, :]
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def llama_layer(x, w):
    h = root_normed(x, w["norm1"])
    q, k, v = (jnp.einsum("bsd,dhk->bshk", h, w[name]) for name in "qkv")
    repeats = q.shape[2] // k.shape[2]
    q, k = rotated(q), rotated(k)
    k, v = (jnp.repeat(t, repeats, axis=2) for t in (k, v))
    x = x + jnp.einsum("bshk,hkd->bsd", softmax_attention(q, k, v), w["o"])
    h = root_normed(x, w["norm2"])
    return x + (jax.nn.silu(h @ w["gate"]) * (h @ w["up"])) @ w["down"]


def llama(weights, ids):
    x = weights["table"][ids]
    for layer in weights["layers"]:
        x = llama_layer(x, layer)
    return root_normed(x, weights["norm"]) @ weights["head"]
