# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# ResNet-50 as a JAX function, with the shapes and splits of its arguments. It must not know how it
# is run.

import jax
import jax.numpy as jnp
from leaves import weight

RESNET = {"batch": 8, "side": 224, "stages": (3, 4, 6, 3), "width": 64, "classes": 1000}
RESNET_SMALL = {"batch": 4, "side": 32, "stages": (1, 1), "width": 8, "classes": 10}


def convolution_weights(side, into, out):
    """A kernel and the normalisation behind it, which uses numbers that training has left."""
    return {"kernel": weight((side, side, into, out), [[], [], [], []],
                             scale=3.4 / (side * side * into) ** 0.5),
            "gain": weight((out,), [[]], base=1.0), "bias": weight((out,), [[]]),
            "mean": weight((out,), [[]]), "variance": weight((out,), [[]], base=1.0, scale=0.1)}


def resnet_arguments(size):
    """Weights whole, the batch over the one axis."""
    into, width = size["width"], size["width"]
    blocks = []
    for stage, count in enumerate(size["stages"]):
        for i in range(count):
            block = {"a": convolution_weights(1, into, width),
                     "b": convolution_weights(3, width, width),
                     "c": convolution_weights(1, width, 4 * width)}
            if i == 0:
                block["past"] = convolution_weights(1, into, 4 * width)
            blocks.append(block)
            into = 4 * width
        width *= 2
    weights = {"stem": convolution_weights(7, 3, size["width"]), "blocks": blocks,
               "head": weight((into, size["classes"]), [[], []]),
               "shift": weight((size["classes"],), [[]])}
    images = weight((size["batch"], size["side"], size["side"], 3), [[0], [], [], []], scale=2.0)
    return weights, images


def convolved(x, w, stride=1):
    x = jax.lax.conv_general_dilated(x, w["kernel"], (stride, stride), "SAME",
                                     dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return (x - w["mean"]) * jax.lax.rsqrt(w["variance"] + 1e-5) * w["gain"] + w["bias"]


def residual(x, w, stride):
    y = jax.nn.relu(convolved(x, w["a"]))
    y = jax.nn.relu(convolved(y, w["b"], stride))
    y = convolved(y, w["c"])
    return jax.nn.relu(y + (convolved(x, w["past"], stride) if "past" in w else x))


def resnet(weights, images):
    x = jax.nn.relu(convolved(images, weights["stem"], 2))
    x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
    for i, block in enumerate(weights["blocks"]):
        x = residual(x, block, 2 if "past" in block and i else 1)
    return x.mean((1, 2)) @ weights["head"] + weights["shift"]
