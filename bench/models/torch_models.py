# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The models in torch: a module, the splits of its weights, its inputs, a grid; and how a program is
# made of one. It knows no way to run them.

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import torch
import torch_language as language
import torch_vision as vision
from leaves import Leaves, tokens, weight

sys.path.append(str(Path(__file__).parent.parent))
from common.torch_importer import import_torch  # noqa: E402

RATE = 1.0  # so that what a step changes in a weight is far above its rounding


@dataclass(frozen=True)
class Model:
    """`module` takes a size. `splits` has the ends of names of weights; others are whole. A
    training step (`trains`) gives the loss and then the weights anew, split as they were."""
    module: Callable
    splits: dict
    inputs: Callable
    grid: tuple
    full: Any
    small: Any
    trains: bool = False


def texts(size, split, count):
    """Tokens, and targets where `count` is 2."""
    return [tokens((size["batch"], size["length"]), split, size["vocabulary"], "int64")] * count


def images(size):
    return [weight((size["batch"], 3, size["side"], size["side"]), [[0], [], [], []], scale=2.0)]


def gpt2(trains):
    return Model(language.Gpt2, language.GPT2_SPLITS, lambda size: texts(size, [[0], []], 2),
                 (2, 2), language.GPT2, language.GPT2_SMALL, trains)


MODELS = {
    "gpt2_loss": gpt2(False),
    "gpt2_step": gpt2(True),
    "llama": Model(language.Llama, language.LLAMA_SPLITS,
                   lambda size: texts(size, [[], []], 1), (4,), language.LLAMA,
                   language.LLAMA_SMALL),
    "resnet50": Model(vision.ResNet, {}, images, (4,), vision.RESNET, vision.RESNET_SMALL),
}


def weight_leaf(name, shape, splits):
    split = next((split for end, split in splits.items() if name.endswith(f".{end}") or name == end),
                 [[]] * len(shape))
    if len(shape) == 4:  # kernels of convolutions, which keep the size of what they are given
        return weight(shape, split, scale=3.4 / shape[1:].numel() ** 0.5)
    if name.endswith("running_var"):
        return weight(shape, split, base=1.0, scale=0.1)
    gain = len(shape) == 1 and name.endswith("weight")
    return weight(shape, split, base=1.0 if gain else 0.0)


def model_leaves(name, size):
    """All weights, then inputs; `size` is full or small."""
    model = MODELS[name]
    size = model.full if size == "full" else model.small
    with torch.device("meta"):  # the values come as arguments
        module = model.module(size).eval()
    named = [*module.named_parameters(),
             *((name, kept) for name, kept in module.named_buffers() if kept.is_floating_point())]
    names = [name for name, _ in named]
    leaves = [weight_leaf(name, kept.shape, model.splits) for name, kept in named]

    def call(weights, *inputs):
        return torch.func.functional_call(module, dict(zip(names, weights)), inputs)

    def forward(*values):
        return (call(values[:len(names)], *values[len(names):]),)

    def step(*values):
        weights = values[:len(names)]
        slopes, loss = torch.func.grad_and_value(call)(weights, *values[len(names):])
        return (loss, *(weight - RATE * slope for weight, slope in zip(weights, slopes)))

    return Leaves(leaves + model.inputs(size), step if model.trains else forward,
                  1 + len(names) if model.trains else 1, model.trains)


def import_model(leaves):
    return import_torch(leaves.function, [
        (tuple(leaf["shape"]), getattr(torch, leaf.get("element", "float32")))
        for leaf in leaves.leaves])
