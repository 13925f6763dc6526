# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# A flow on a square that is closed to a torus, as a JAX function: the lattice Boltzmann method with
# nine directions. It must not know how it is run.

import jax
import jax.numpy as jnp
from leaves import weight

SIDE, SIDE_SMALL = 512, 12
STEPS = 20
DIRECTIONS = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
SHARES = [4 / 9] + 4 * [1 / 9] + 4 * [1 / 36]
RELAXATION = 0.6


def densities(side):
    """How much goes in each direction, around a ninth: rows and columns over an axis each."""
    return weight((len(DIRECTIONS), side, side), [[], [0], [1]], base=1 / 9, scale=0.01)


def balance(f):
    """What collisions lead to: it has the same mass and momentum everywhere."""
    mass = f.sum(0)
    across = sum(x * f[i] for i, (x, _) in enumerate(DIRECTIONS)) / mass
    along = sum(y * f[i] for i, (_, y) in enumerate(DIRECTIONS)) / mass
    energy = 1.5 * (across * across + along * along)
    ways = [x * across + y * along for x, y in DIRECTIONS]
    return jnp.stack([share * mass * (1 + 3 * way + 4.5 * way * way - energy)
                      for share, way in zip(SHARES, ways)])


def lattice_boltzmann(f):
    def step(_, f):
        f = jnp.stack([jnp.roll(f[i], way, (0, 1)) for i, way in enumerate(DIRECTIONS)])
        return f - (f - balance(f)) / RELAXATION
    return jax.lax.fori_loop(0, STEPS, step, f)
