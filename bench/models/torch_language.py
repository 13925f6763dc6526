# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# GPT-2 and Llama as torch modules, with the splits of their weights. It must not know how they are
# run.

import torch
from torch import nn
from torch.nn.functional import (cross_entropy, gelu, linear, scaled_dot_product_attention, silu)

# ---- GPT-2 ---------------------------------------------------------------------------------------

GPT2 = {"layers": 12, "model": 768, "heads": 12, "vocabulary": 50257, "places": 1024, "batch": 4,
        "length": 128}
GPT2_SMALL = {"layers": 2, "model": 32, "heads": 4, "vocabulary": 101, "places": 16, "batch": 4,
              "length": 8}

# Heads, hidden units and vocabulary over axis 1 of the grid, as Megatron has them.
GPT2_SPLITS = {"q.weight": [[1], []], "k.weight": [[1], []], "v.weight": [[1], []],
               "q.bias": [[1]], "k.bias": [[1]], "v.bias": [[1]], "o.weight": [[], [1]],
               "up.weight": [[1], []], "up.bias": [[1]], "down.weight": [[], [1]],
               "table.weight": [[1], []]}


class Attention(nn.Module):
    def __init__(self, model, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.o = (nn.Linear(model, model) for _ in range(4))

    def forward(self, x):
        batch, length, model = x.shape
        q, k, v = (into(x).view(batch, length, self.heads, -1).transpose(1, 2)
                   for into in (self.q, self.k, self.v))
        y = scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o(y.transpose(1, 2).reshape(batch, length, model))


class Gpt2Layer(nn.Module):
    def __init__(self, model, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(model), nn.LayerNorm(model)
        self.attention = Attention(model, heads)
        self.up, self.down = nn.Linear(model, 4 * model), nn.Linear(4 * model, model)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(gelu(self.up(self.norm2(x)), approximate="tanh"))


class Gpt2(nn.Module):
    """The loss of targets; the head has the weights of the table."""

    def __init__(self, size):
        super().__init__()
        model = size["model"]
        self.table = nn.Embedding(size["vocabulary"], model)
        self.places = nn.Embedding(size["places"], model)
        self.layers = nn.ModuleList(Gpt2Layer(model, size["heads"]) for _ in range(size["layers"]))
        self.norm = nn.LayerNorm(model)

    def forward(self, ids, targets):
        x = self.table(ids) + self.places(torch.arange(ids.shape[1], device=ids.device))
        for layer in self.layers:
            x = layer(x)
        logits = linear(self.norm(x), self.table.weight)
        return cross_entropy(logits.view(-1, logits.shape[-1]), targets.view(-1))


# ---- Llama ---------------------------------------------------------------------------------------

LLAMA = {"layers": 4, "model": 2048, "heads": 32, "groups": 8, "hidden": 8192, "vocabulary": 32000,
         "batch": 1, "length": 128}
LLAMA_SMALL = {"layers": 2, "model": 64, "heads": 8, "groups": 4, "hidden": 128, "vocabulary": 64,
               "batch": 1, "length": 8}

# Everything over one axis: heads, hidden units, rows of the table, columns of the head.
LLAMA_SPLITS = {**{f"{name}.weight": [[0], []]
                   for name in ("q", "k", "v", "gate", "up", "table", "head")},
                "o.weight": [[], [0]], "down.weight": [[], [0]]}


class RootNorm(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(model))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight


def rotated(x):
    """Rotary places of batch x heads x length x head: halves of a head as pairs."""
    half = x.shape[-1] // 2
    speeds = 10000.0 ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
    angles = torch.arange(x.shape[2], device=x.device, dtype=torch.float32)[:, None] * speeds
    angles = torch.cat((angles, angles), dim=-1)
    turned = torch.cat((-x[..., half:], x[..., :half]), dim=-1)
    return x * angles.cos() + turned * angles.sin()


def repeated(x, times):
    """Each head of keys or values as often as heads of queries share it."""
    batch, groups, length, head = x.shape
    x = x[:, :, None].expand(batch, groups, times, length, head)
    return x.reshape(batch, groups * times, length, head)


class GroupedAttention(nn.Module):
    def __init__(self, model, heads, groups):
        super().__init__()
        self.head, self.times = model // heads, heads // groups
        kept = groups * self.head
        self.q, self.o = nn.Linear(model, model, bias=False), nn.Linear(model, model, bias=False)
        self.k, self.v = nn.Linear(model, kept, bias=False), nn.Linear(model, kept, bias=False)

    def forward(self, x):
        batch, length, model = x.shape
        q, k, v = (into(x).view(batch, length, -1, self.head).transpose(1, 2)
                   for into in (self.q, self.k, self.v))
        k, v = repeated(rotated(k), self.times), repeated(v, self.times)
        y = scaled_dot_product_attention(rotated(q), k, v, is_causal=True)
        return self.o(y.transpose(1, 2).reshape(batch, length, model))


class LlamaLayer(nn.Module):
    def __init__(self, size):
        super().__init__()
        model, hidden = size["model"], size["hidden"]
        self.norm1, self.norm2 = RootNorm(model), RootNorm(model)
        self.attention = GroupedAttention(model, size["heads"], size["groups"])
        self.gate, self.up = (nn.Linear(model, hidden, bias=False) for _ in range(2))
        self.down = nn.Linear(hidden, model, bias=False)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        h = self.norm2(x)
        return x + self.down(silu(self.gate(h)) * self.up(h))


class Llama(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.table = nn.Embedding(size["vocabulary"], size["model"])
        self.layers = nn.ModuleList(LlamaLayer(size) for _ in range(size["layers"]))
        self.norm = RootNorm(size["model"])
        self.head = nn.Linear(size["model"], size["vocabulary"], bias=False)

    def forward(self, ids):
        x = self.table(ids)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))
