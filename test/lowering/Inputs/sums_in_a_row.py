# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Prints a program of so many layers that each add to what comes before. usage: sums_in_a_row.py N
import sys

num, t = int(sys.argv[1]), "tensor<16x16xf32>"
print(f"func.func @main(%h0: {t}, {', '.join(f'%w{i}: {t}' for i in range(num))}) -> {t} {{")
print(f"  %zero = arith.constant 0.0 : f32\n  %e = tensor.empty() : {t}")
print(f"  %z = linalg.fill ins(%zero : f32) outs(%e : {t}) -> {t}")
for i in range(num):
    print(f"  %p{i} = linalg.matmul ins(%h{i}, %w{i} : {t}, {t}) outs(%z : {t}) -> {t}")
    print(f"  %q{i} = math.tanh %p{i} : {t}\n  %h{i + 1} = arith.addf %h{i}, %q{i} : {t}")
print(f"  return %h{num} : {t}\n}}")
