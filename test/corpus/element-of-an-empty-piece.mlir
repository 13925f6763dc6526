// An element of merged dimensions, of which some devices have none: these look at the first of what
// they have instead, wherever the element is in the dimension that is whole.
// RUN-CHECK: --grid 8,3,1
shard.grid @grid(shape = 8)
func.func @main(%a: tensor<4x7x6xi64>) -> tensor<1x168xi64> {
  %rows = shard.sharding @grid split_axes = [[0], [], []] : !shard.sharding
  %x = shard.shard %a to %rows : tensor<4x7x6xi64>
  %e = tensor.empty() : tensor<4x7x6xi64>
  %y = linalg.add ins(%x, %x : tensor<4x7x6xi64>, tensor<4x7x6xi64>)
      outs(%e : tensor<4x7x6xi64>) -> tensor<4x7x6xi64>
  %shape = arith.constant dense<[1, 168]> : tensor<2xindex>
  %flat = tensor.reshape %y(%shape) : (tensor<4x7x6xi64>, tensor<2xindex>) -> tensor<1x168xi64>
  %zero = arith.constant 0 : index
  %from = arith.constant 155 : index
  %to = arith.constant 160 : index
  %s = tensor.extract %flat[%zero, %from] : tensor<1x168xi64>
  %z = tensor.insert %s into %flat[%zero, %to] : tensor<1x168xi64>
  return %z : tensor<1x168xi64>
}
