# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
"""usage: parallel_results.py N: a parallel loop that builds N tensors of what the last of them was before it."""
import sys

n = int(sys.argv[1])
whole, row = "tensor<8x6xf32>", "tensor<1x6xf32>"
outs = ", ".join(f"%o{k} = %x" for k in range(n))
print(f"""shard.grid @g(shape = 2)
func.func @main(%a: {whole}) -> {whole} {{
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : {whole}
  %c7 = arith.constant 7 : index
  %r:{n} = scf.forall (%i) in (8) shared_outs({outs}) -> ({", ".join([whole] * n)}) {{
    %k = arith.subi %c7, %i : index
    %p = tensor.extract_slice %o{n - 1}[%k, 0] [1, 6] [1, 1] : {whole} to {row}
    scf.forall.in_parallel {{""")
for k in range(n):
    print(f"      tensor.parallel_insert_slice %p into %o{k}[%i, 0] [1, 6] [1, 1] : {row} into {whole}")
print(f"    }}\n  }}\n  return %r#{n - 1} : {whole}\n}}")
