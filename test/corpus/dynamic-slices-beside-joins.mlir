// Slices of a tensor that pads and joins of known sizes read as well, before and behind them.
// RUN-CHECK: --entry padded --shape 0=8x3 --grid 1,2,4,8
// RUN-CHECK: --entry before --shape 0=4x7 --shape 1=7x7 --grid 1,2,4
// RUN-CHECK: --entry behind --shape 0=8x3 --shape 1=4x3 --grid 1,4,8
shard.grid @g(shape = 4)
func.func @padded(%u_in: tensor<?x3xf32>) -> (tensor<12x3xf32>, tensor<2x3xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %u = shard.shard %u_in to %s : tensor<?x3xf32>
  %z = arith.constant 2.5 : f32
  %p = tensor.pad %u low[3, 0] high[1, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %z : f32
  } : tensor<?x3xf32> to tensor<12x3xf32>
  %s2 = tensor.extract_slice %u[6, 0][2, 3][1, 1] : tensor<?x3xf32> to tensor<2x3xf32>
  return %p, %s2 : tensor<12x3xf32>, tensor<2x3xf32>
}

func.func private @make(%x: tensor<?x7xf64>) -> tensor<?x7xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x7xf64>
  %m = arith.subi %n, %c1 : index
  %a = tensor.extract_slice %x[1, 0][%m, 7][1, 1] : tensor<?x7xf64> to tensor<?x7xf64>
  return %a : tensor<?x7xf64>
}
func.func @before(%u_in: tensor<?x7xf64>, %v_in: tensor<?x7xf64>) -> (tensor<2x7xf64>, tensor<10x7xf64>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %u = shard.shard %u_in to %s : tensor<?x7xf64>
  %v0 = shard.shard %v_in to %s : tensor<?x7xf64>
  %a = tensor.extract_slice %u[1, 0][2, 7][1, 1] : tensor<?x7xf64> to tensor<2x7xf64>
  %v = func.call @make(%v0) : (tensor<?x7xf64>) -> tensor<?x7xf64>
  %j = tensor.concat dim(0) %u, %v : (tensor<?x7xf64>, tensor<?x7xf64>) -> tensor<10x7xf64>
  return %a, %j : tensor<2x7xf64>, tensor<10x7xf64>
}

func.func @behind(%u_in: tensor<?x3xf32>, %v_in: tensor<?x3xf32>) -> (tensor<12x3xf32>, tensor<?x3xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %u = shard.shard %u_in to %s : tensor<?x3xf32>
  %v = shard.shard %v_in to %s : tensor<?x3xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %u, %c0 : tensor<?x3xf32>
  %m = tensor.dim %v, %c0 : tensor<?x3xf32>
  %j = tensor.concat dim(0) %u, %v : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<12x3xf32>
  %d = arith.subi %n, %m : index
  %l = tensor.extract_slice %u[4, 0][%d, 3][1, 1] : tensor<?x3xf32> to tensor<?x3xf32>
  return %j, %l : tensor<12x3xf32>, tensor<?x3xf32>
}
