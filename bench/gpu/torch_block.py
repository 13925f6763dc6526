# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The blocks of programs.py in PyTorch, eager and compiled, where PyTorch and a GPU are.
# usage: torch_block.py FOLDER NAME...; prints lines of the table, or one that says what lacks.
import pathlib
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


def measure(folder, title):
    sizes = list(map(int, (folder / f"{title}.sizes").read_text(encoding="ascii").split()))
    batch, length, heads, head, hidden = sizes
    model, make = heads * head, lambda *shape: torch.randn(*shape, device="cuda",
                                                           dtype=torch.bfloat16) * 0.02
    arguments = (make(batch * length, model), [make(model, model) for _ in range(4)],
                 make(model, hidden), make(hidden, model), sizes)
    amount = operations(folder / f"{title}.shapes") * 1e-12
    with torch.no_grad():
        for name, function in (("eager", block), ("compiled", None)):
            try:
                time_of = seconds(function or torch.compile(block), *arguments)
                print(f"{f'torch_{title}_{name}':<28} {amount / time_of:10.3f} TFLOPS", flush=True)
            except Exception as error:  # a compiler may be missing where this runs
                print(f"{f'torch_{title}_{name}':<28} skipped: {str(error).splitlines()[0][:60]}")


def main():
    if torch is None or not torch.cuda.is_available():
        print("torch                        skipped: no PyTorch with a GPU")
        return
    for title in sys.argv[2:]:
        measure(pathlib.Path(sys.argv[1]), title)


main()
