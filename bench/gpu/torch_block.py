# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The block of programs.py in PyTorch, eager and compiled, where PyTorch and a GPU are.
# usage: torch_block.py SIZES-FILE SHAPES-FILE; prints lines of the table, or one that says what lacks.
import sys
import time

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    torch = None


def block(x, weights, up, down, sizes):
    batch, length, heads, head, _ = sizes
    h = F.layer_norm(x, x.shape[-1:])
    q, k, v = ((h @ w).view(batch, length, heads, head).transpose(1, 2) for w in weights[:3])
    p = torch.softmax((q @ k.transpose(-1, -2)).float() * head ** -0.5, -1).to(x.dtype)
    r = x + (p @ v).transpose(1, 2).reshape(x.shape) @ weights[3]
    return r + F.gelu(F.layer_norm(r, r.shape[-1:]) @ up, approximate="tanh") @ down


def seconds(function, *arguments):
    for _ in range(3):
        function(*arguments)
    torch.cuda.synchronize()
    rounds = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(10):
            function(*arguments)
        torch.cuda.synchronize()
        rounds.append((time.perf_counter() - start) / 10)
    return sorted(rounds)[2]


def operations(path):
    total = 0
    with open(path, encoding="ascii") as lines:
        for line in lines:
            batch, m, n, k, count, _ = map(int, line.split())
            total += 2 * batch * m * n * k * count
    return total


def main():
    if torch is None or not torch.cuda.is_available():
        print("torch_block                  skipped: no PyTorch with a GPU")
        return
    with open(sys.argv[1], encoding="ascii") as file:
        sizes = list(map(int, file.read().split()))
    batch, length, heads, head, hidden = sizes
    model, make = heads * head, lambda *shape: torch.randn(*shape, device="cuda",
                                                           dtype=torch.bfloat16) * 0.02
    arguments = (make(batch * length, model), [make(model, model) for _ in range(4)],
                 make(model, hidden), make(hidden, model), sizes)
    amount = operations(sys.argv[2]) * 1e-12
    with torch.no_grad():
        for name, function in (("eager", block), ("compiled", None)):
            try:
                time_of = seconds(function or torch.compile(block), *arguments)
                print(f"{'torch_block_' + name:<28} {amount / time_of:10.3f} TFLOPS")
            except Exception as error:  # a compiler may be missing where this runs
                print(f"{'torch_block_' + name:<28} skipped: {str(error).splitlines()[0][:60]}")


main()
