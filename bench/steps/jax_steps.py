# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The steps as JAX functions: where their linalg comes from, and what is timed beside it. It must
# not know how they are split, nor how they are timed.

import jax
import jax.numpy as jnp

RATE = 0.01


def matmul(a, b):
    return a @ b


def updated(loss):
    """A training step of `loss(weights, x, y)`: the loss, then every weight down its slope."""
    def step(*arguments):
        weights, batch = arguments[:-2], arguments[-2:]
        value, slopes = jax.value_and_grad(loss)(weights, *batch)
        return value, *(w - RATE * g for w, g in zip(weights, slopes))
    return step


def mlp_loss(weights, x, y):
    w1, w2, w3 = weights
    out = jax.nn.relu(jax.nn.relu(x @ w1) @ w2) @ w3
    return jnp.mean((out - y) ** 2)


def layer_norm(x, gain, bias):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * gain + bias


def block_loss(weights, x, y):
    b1, b2, bias1, bias2, gain1, gain2, w1, w2, wk, wo, wq, wv = weights
    h = layer_norm(x, gain1, bias1)
    q, k, v = (jnp.einsum("bsd,dhk->bshk", h, w) for w in (wq, wk, wv))
    scores = jnp.einsum("bqhk,bshk->bhqs", q, k) / jnp.sqrt(jnp.float32(q.shape[-1]))
    mixed = jnp.einsum("bhqs,bshk->bqhk", jax.nn.softmax(scores, axis=-1), v)
    x = x + jnp.einsum("bshk,hkd->bsd", mixed, wo)
    h = layer_norm(x, gain2, bias2)
    out = x + jax.nn.gelu(h @ w1 + b1, approximate=True) @ w2 + b2
    return jnp.mean((out - y) ** 2)


def stencil(u):
    def advance(_, u):
        around = jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1)
        return 0.2 * (u + around)
    return jax.lax.fori_loop(0, 100, advance, u)


FUNCTIONS = {"matmul": matmul, "mlp": updated(mlp_loss), "block": updated(block_loss),
             "stencil": stencil}
