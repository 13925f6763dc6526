# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Heat and conjugate gradients on a cube as JAX functions, with the split of their argument. It must
# not know how they are run.

import jax
import jax.numpy as jnp
from leaves import weight

SIDE, SIDE_SMALL = 256, 12


def cube(side):
    return weight((side, side, side), [[0], [1], []], scale=2.0)


def laplacian(u):
    """The sum of the six neighbours less six times the place, with zeros around."""
    p = jnp.pad(u, 1)
    return (p[2:, 1:-1, 1:-1] + p[:-2, 1:-1, 1:-1] + p[1:-1, 2:, 1:-1] + p[1:-1, :-2, 1:-1] +
            p[1:-1, 1:-1, 2:] + p[1:-1, 1:-1, :-2] - 6.0 * u)


def heat(u):
    return jax.lax.fori_loop(0, 10, lambda _, u: u + 0.1 * laplacian(u), u)


def conjugate_gradient(b):
    """Ten steps towards the x with -laplacian(x) = b, from 0: x, and what is left of b squared."""
    def step(_, state):
        x, r, p, rr = state
        q = -laplacian(p)
        length = rr / jnp.vdot(p, q)
        x, r = x + length * p, r - length * q
        next_rr = jnp.vdot(r, r)
        return x, r, r + next_rr / rr * p, next_rr
    x, _, _, rr = jax.lax.fori_loop(0, 10, step, (jnp.zeros_like(b), b, b, jnp.vdot(b, b)))
    return x, rr
