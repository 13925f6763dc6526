# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Prints a program of so many arguments and as many results, each computed from an argument and a part of
# it, and from the result before. usage: many_parameters.py N
import sys

num, t, h = int(sys.argv[1]), "tensor<16x16xf32>", "tensor<8x16xf32>"
ops = ["  %zero = arith.constant 0.0 : f32", f"  %e = tensor.empty() : {t}",
       f"  %z = linalg.fill ins(%zero : f32) outs(%e : {t}) -> {t}"]
for i in range(num):
    ops += [f"  %s{i} = tensor.extract_slice %w{i}[0, 0] [8, 16] [1, 1] : {t} to {h}"]
for i in range(num):
    ops += [f"  %j{i} = tensor.concat dim(0) %s{i}, %s{i} : ({h}, {h}) -> {t}",
            f"  %p{i} = linalg.matmul ins(%j{i}, %w{i} : {t}, {t}) outs(%z : {t}) -> {t}",
            f"  %t{i} = math.tanh %p{i} : {t}",
            f"  %r{i} = arith.addf %t{i}, {f'%r{i - 1}' if i else '%w0'} : {t}"]
results = [f"%r{i}" for i in range(num)]
print("\n".join([f"func.func @main({', '.join(f'%w{i}: {t}' for i in range(num))})"
                 f" -> ({', '.join([t] * num)}) {{", *ops,
                 f"  return {', '.join(results)} : {', '.join([t] * num)}", "}"]))
