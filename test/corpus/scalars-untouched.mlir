// Scalars and index arithmetic beside split tensors are computed by every device alike.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10xf32>, %p: f32, %n: i64, %k: index, %flag: i1)
    -> (tensor<10xf32>, f32, i64, index, i1) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10xf32>
  %one = arith.constant 1 : i64
  %true = arith.constant true
  %0 = math.absf %p : f32
  %1 = arith.addi %n, %one : i64
  %2 = arith.addi %k, %k : index
  %3 = arith.xori %flag, %true : i1
  %4 = arith.select %3, %0, %p : f32
  %5 = tensor.splat %4 : tensor<10xf32>
  %6 = arith.addf %x, %5 : tensor<10xf32>
  return %6, %4, %1, %2, %3 : tensor<10xf32>, f32, i64, index, i1
}
