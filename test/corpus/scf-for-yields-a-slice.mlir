// A loop that yields a tensor and a slice of it, of which one is written behind the loop.
// RUN-CHECK: --grid 2,1,3 --seed 1
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<8x4xf64>, %y: tensor<4xf64>, %n: index {tessera.range = [2, 5]}) -> (tensor<8x4xf64>, tensor<4xf64>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<8x4xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %o = arith.constant 1.0 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %s = %y) -> (tensor<8x4xf64>, tensor<4xf64>) {
    %e = tensor.empty() : tensor<8x4xf64>
    %p = linalg.broadcast ins(%s : tensor<4xf64>) outs(%e : tensor<8x4xf64>) dimensions = [0]
    %t = tensor.extract_slice %p[5, 0] [1, 4] [1, 1] : tensor<8x4xf64> to tensor<4xf64>
    scf.yield %p, %t : tensor<8x4xf64>, tensor<4xf64>
  }
  %w = tensor.insert %o into %r#0[%c5, %c0] : tensor<8x4xf64>
  return %w, %r#1 : tensor<8x4xf64>, tensor<4xf64>
}
