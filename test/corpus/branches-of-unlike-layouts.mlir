// Branches that would lie differently: products of two split factors in either order, turned ones, sums;
// of a choice of two and of four, and of one that a loop takes in turn.
// RUN-CHECK: --entry either --grid 2,3,4,7 --seed 1 --range 0=0:2
// RUN-CHECK: --entry four --grid 2,3,4 --seed 1 --range 0=0:4
// RUN-CHECK: --entry in_turn --grid 2,3,4 --seed 1
shard.grid @g(shape = 4)
func.func @either(%p: tensor<i32>, %x_in: tensor<10x10xf32>, %w_in: tensor<10x10xf32>) -> tensor<10x10xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x10xf32>
  %w = shard.shard %w_in to %rows : tensor<10x10xf32>
  %zero = arith.constant dense<0.0> : tensor<10x10xf32>
  %n = tensor.extract %p[] : tensor<i32>
  %one = arith.constant 1 : i32
  %is = arith.cmpi eq, %n, %one : i32
  %r = scf.if %is -> (tensor<10x10xf32>) {
    %a = linalg.matmul ins(%w, %x : tensor<10x10xf32>, tensor<10x10xf32>) outs(%zero : tensor<10x10xf32>) -> tensor<10x10xf32>
    scf.yield %a : tensor<10x10xf32>
  } else {
    %a = linalg.matmul ins(%x, %w : tensor<10x10xf32>, tensor<10x10xf32>) outs(%zero : tensor<10x10xf32>) -> tensor<10x10xf32>
    scf.yield %a : tensor<10x10xf32>
  }
  return %r : tensor<10x10xf32>
}

func.func @four(%p: tensor<i32>, %x_in: tensor<10x10xf32>, %w_in: tensor<10x10xf32>) -> (tensor<10x10xf32>, tensor<10x10xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<10x10xf32>
  %w = shard.shard %w_in to %rows : tensor<10x10xf32>
  %zero = arith.constant dense<0.0> : tensor<10x10xf32>
  // Partial, and taken complete in all branches but one.
  %y = linalg.matmul ins(%x, %w : tensor<10x10xf32>, tensor<10x10xf32>) outs(%zero : tensor<10x10xf32>) -> tensor<10x10xf32>
  %n = tensor.extract %p[] : tensor<i32>
  %i = arith.index_cast %n : i32 to index
  %e = tensor.empty() : tensor<10x10xf32>
  %r = scf.index_switch %i -> tensor<10x10xf32>
  case 0 {
    %t = linalg.transpose ins(%y : tensor<10x10xf32>) outs(%e : tensor<10x10xf32>) permutation = [1, 0]
    scf.yield %t : tensor<10x10xf32>
  }
  case 1 {
    %t = math.tanh %y : tensor<10x10xf32>
    scf.yield %t : tensor<10x10xf32>
  }
  case 2 {
    %a = linalg.matmul ins(%w, %y : tensor<10x10xf32>, tensor<10x10xf32>) outs(%zero : tensor<10x10xf32>) -> tensor<10x10xf32>
    scf.yield %a : tensor<10x10xf32>
  }
  default {
    %a = arith.addf %y, %y : tensor<10x10xf32>
    scf.yield %a : tensor<10x10xf32>
  }
  %s = arith.mulf %r, %y : tensor<10x10xf32>
  return %r, %s : tensor<10x10xf32>, tensor<10x10xf32>
}

func.func @in_turn(%x_in: tensor<10x10xf32>, %w_in: tensor<10x10xf32>) -> tensor<10x10xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x10xf32>
  %w = shard.shard %w_in to %columns : tensor<10x10xf32>
  %zero = arith.constant dense<0.0> : tensor<10x10xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %x) -> (tensor<10x10xf32>) {
    %rest = arith.remui %k, %c2 : index
    %is = arith.cmpi eq, %rest, %c0 : index
    %b = scf.if %is -> (tensor<10x10xf32>) {
      %m = linalg.matmul ins(%a, %w : tensor<10x10xf32>, tensor<10x10xf32>) outs(%zero : tensor<10x10xf32>) -> tensor<10x10xf32>
      %t = math.tanh %m : tensor<10x10xf32>
      scf.yield %t : tensor<10x10xf32>
    } else {
      %m = linalg.matmul ins(%w, %a : tensor<10x10xf32>, tensor<10x10xf32>) outs(%zero : tensor<10x10xf32>) -> tensor<10x10xf32>
      %t = math.tanh %m : tensor<10x10xf32>
      scf.yield %t : tensor<10x10xf32>
    }
    scf.yield %b : tensor<10x10xf32>
  }
  return %r : tensor<10x10xf32>
}
