# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Prints a program that adds so many products, each of a function of the sum so far. usage: products_in_a_row.py N
import sys

num, t = int(sys.argv[1]), "tensor<16x16xf32>"
print(f"func.func @main({', '.join(f'%w{i}: {t}' for i in range(num))}) -> {t} {{")
print(f"  %zero = arith.constant 0.0 : f32\n  %e = tensor.empty() : {t}")
print(f"  %z = linalg.fill ins(%zero : f32) outs(%e : {t}) -> {t}")
for i in range(num):
    last = f"%s{i - 1}" if i else "%w0"
    print(f"  %q{i} = math.tanh {last} : {t}")
    print(f"  %p{i} = linalg.matmul ins(%q{i}, %w{i} : {t}, {t}) outs(%z : {t}) -> {t}")
    print(f"  %s{i} = arith.addf {last}, %p{i} : {t}")
print(f"  return %s{num - 1} : {t}\n}}")
