// What a slice asks of an elementwise op is computed for that piece alone, also where no axis splits
// it: the constant beside it is made as small.
// RUN-CHECK: --grid 2x1x3,1x1x3,4x1x3
shard.grid @grid(shape = 2x1x3)
func.func @f(%a: tensor<8x8x3xi64>) -> (tensor<8x8x1xi64>, tensor<5x11x1xi64>) {
  %s = shard.sharding @grid split_axes = [[1], [], [2]] sharded_dims_offsets = [0, 8, 0, 1, 1, 3] : !shard.sharding
  %s4 = shard.sharding @grid split_axes = [[0], [2], [1]] : !shard.sharding
  %v = shard.shard %a to %s : tensor<8x8x3xi64>
  %c = arith.constant dense<-3> : tensor<8x8x3xi64>
  %m = arith.muli %v, %c : tensor<8x8x3xi64>
  %p = tensor.pad %v low[0, 1, 0] high[-3, 2, -2] {
  ^bb0(%p0: index, %p1: index, %p2: index):
    %n = arith.constant 2 : i64
    tensor.yield %n : i64
  } : tensor<8x8x3xi64> to tensor<5x11x1xi64>
  %q = shard.shard %p to %s4 : tensor<5x11x1xi64>
  %x = tensor.extract_slice %m[0, 0, 1][8, 8, 1][1, 1, 3] : tensor<8x8x3xi64> to tensor<8x8x1xi64>
  return %x, %q : tensor<8x8x1xi64>, tensor<5x11x1xi64>
}
