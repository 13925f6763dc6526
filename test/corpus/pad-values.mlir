// Pads along whole dimensions of split tensors: with a constant of inside or outside, with an
// argument, with numbers that depend on where they are; of free values too.
// RUN-CHECK: --grid 1,2,4,6,8,2x2,2x3 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10x7xf32>, %value: f32, %z_in: tensor<7x10xi64>)
    -> (tensor<10x10xf32>, tensor<10x9xf32>, tensor<10x8xf32>, tensor<9x10xi64>, tensor<13x7xf32>,
        tensor<10x9xf32>) {
  %rows = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x7xf32>
  %z = shard.shard %z_in to %columns : tensor<7x10xi64>
  %one = arith.constant 1.0 : f32
  %a = tensor.pad %x low[0, 1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<10x7xf32> to tensor<10x10xf32>
  %b = tensor.pad %x low[0, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %value : f32
  } : tensor<10x7xf32> to tensor<10x9xf32>
  %c = tensor.pad %x low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %k = arith.constant -2.5 : f32
    %s = arith.addf %k, %value : f32
    tensor.yield %s : f32
  } : tensor<10x7xf32> to tensor<10x8xf32>
  %d = tensor.pad %z low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    %ten = arith.constant 100 : index
    %far = arith.muli %i, %ten : index
    %at = arith.addi %far, %j : index
    %n = arith.index_cast %at : index to i64
    tensor.yield %n : i64
  } : tensor<7x10xi64> to tensor<9x10xi64>
  %e = tensor.pad %x low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    %n = arith.index_cast %j : index to i32
    %f = arith.sitofp %n : i32 to f32
    tensor.yield %f : f32
  } : tensor<10x7xf32> to tensor<13x7xf32>
  %e_rows = shard.shard %e to %rows : tensor<13x7xf32>
  %twos = arith.constant dense<2.0> : tensor<10x7xf32>
  %f = tensor.pad %twos low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %value : f32
  } : tensor<10x7xf32> to tensor<10x9xf32>
  %g = arith.mulf %f, %b : tensor<10x9xf32>
  return %a, %b, %c, %d, %e_rows, %g
      : tensor<10x10xf32>, tensor<10x9xf32>, tensor<10x8xf32>, tensor<9x10xi64>, tensor<13x7xf32>,
        tensor<10x9xf32>
}
