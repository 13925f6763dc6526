// What one of several regions gives, and a region that runs once, of one block and of several.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x7xf32>, %which: i1, %p: i1)
    -> (tensor<10x7xf32>, tensor<7x10xf32>, tensor<10x7xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x7xf32>
  %k = arith.index_castui %which : i1 to index
  %e = tensor.empty() : tensor<7x10xf32>
  %t0 = linalg.transpose ins(%x : tensor<10x7xf32>) outs(%e : tensor<7x10xf32>)
      permutation = [1, 0]
  %0:2 = scf.index_switch %k -> tensor<10x7xf32>, tensor<7x10xf32>
  case 0 {
    %a = math.tanh %x : tensor<10x7xf32>
    scf.yield %a, %t0 : tensor<10x7xf32>, tensor<7x10xf32>
  }
  case 1 {
    %b = arith.negf %x : tensor<10x7xf32>
    %c = arith.addf %t0, %t0 : tensor<7x10xf32>
    scf.yield %b, %c : tensor<10x7xf32>, tensor<7x10xf32>
  }
  default {
    scf.yield %x, %t0 : tensor<10x7xf32>, tensor<7x10xf32>
  }
  %1 = scf.execute_region -> tensor<10x7xf32> {
    cf.cond_br %p, ^first(%x : tensor<10x7xf32>), ^second
  ^first(%u: tensor<10x7xf32>):
    %v = arith.mulf %u, %0#0 : tensor<10x7xf32>
    scf.yield %v : tensor<10x7xf32>
  ^second:
    %w = scf.execute_region -> tensor<10x7xf32> {
      %s = arith.subf %x, %0#0 : tensor<10x7xf32>
      scf.yield %s : tensor<10x7xf32>
    }
    scf.yield %w : tensor<10x7xf32>
  }
  return %0#0, %0#1, %1 : tensor<10x7xf32>, tensor<7x10xf32>, tensor<10x7xf32>
}
