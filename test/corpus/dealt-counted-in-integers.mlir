// A loop that counts in integers, as importers write it: slices begin at its index as an index, chosen where it would
// be negative and kept within bounds, as it always is.
// RUN-CHECK: --grid 1,2,3,4 --seed 8
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<9x3x4xf32>, %w: tensor<4x5xf32>) -> (tensor<9x3x5xf32>, tensor<3x5xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<9x3x4xf32>
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : index
  %most = arith.constant 8 : index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %start = arith.constant dense<0.0> : tensor<9x3x5xf32>
  %sums = arith.constant dense<1.0> : tensor<3x5xf32>
  %r:2 = scf.for %k = %c0 to %c9 step %c1 iter_args(%acc = %start, %s = %sums) -> (tensor<9x3x5xf32>, tensor<3x5xf32>) : i32 {
    %below = arith.cmpi slt, %k, %c0 : i32
    %up = arith.addi %k, %c9 : i32
    %chosen = arith.select %below, %up, %k : i32
    %i = arith.index_cast %chosen : i32 to index
    %i0 = arith.maxsi %i, %none : index
    %i1 = arith.minsi %i0, %most : index
    %a = tensor.extract_slice %x[%i1, 0, 0] [1, 3, 4] [1, 1, 1] : tensor<9x3x4xf32> to tensor<3x4xf32>
    %e = tensor.empty() : tensor<3x5xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
    %m = linalg.matmul ins(%a, %w : tensor<3x4xf32>, tensor<4x5xf32>) outs(%z : tensor<3x5xf32>) -> tensor<3x5xf32>
    %t = math.tanh %m : tensor<3x5xf32>
    %next = tensor.insert_slice %t into %acc[%i1, 0, 0] [1, 3, 5] [1, 1, 1] : tensor<3x5xf32> into tensor<9x3x5xf32>
    %sum = linalg.add ins(%s, %t : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
    scf.yield %next, %sum : tensor<9x3x5xf32>, tensor<3x5xf32>
  }
  return %r#0, %r#1 : tensor<9x3x5xf32>, tensor<3x5xf32>
}
