// A softmax whose destination says another extent than its input, also where passes find that out.
// RUN-CHECK: --grid 2,3,1 --shape 0=6x4x5 --shape 1=6x4x5 --seed 1
shard.grid @g(shape = 2)
func.func @main(%a: tensor<?x?x?xf32>, %b: tensor<6x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x4x?xf32>) {
  %s = shard.sharding @g split_axes = [[0], [], []] : !shard.sharding
  %x = shard.shard %a to %s : tensor<?x?x?xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %four = arith.constant 4 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %columns = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %to = tensor.empty(%rows, %four, %columns) : tensor<?x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<?x?x?xf32>) outs(%to : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %n = tensor.dim %b, %c2 : tensor<6x?x?xf32>
  %to4 = tensor.empty(%rows, %n) : tensor<?x4x?xf32>
  %q = linalg.softmax dimension(1) ins(%b : tensor<6x?x?xf32>) outs(%to4 : tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
  return %p, %q : tensor<?x?x?xf32>, tensor<?x4x?xf32>
}
