// The weights of the logits are split along the contraction: they are turned to the vocabulary, and of the
// logits each device looks up the labels that it has.
// RUN-CHECK: --grid 4,2,3 --range 2=0:1023
shard.grid @g(shape = 4)
#id = affine_map<(n, v) -> (n, v)>
#n = affine_map<(n, v) -> (n)>
#line = affine_map<(n) -> (n)>
func.func @main(%h: tensor<40x16xf32>, %w_in: tensor<16x1024xf32>, %labels: tensor<40xi32>) -> (tensor<40xf32>, tensor<40xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %w = shard.shard %w_in to %rows : tensor<16x1024xf32>
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1023 : index
  %least = arith.constant 0 : index
  %e = tensor.empty() : tensor<40x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x1024xf32>) -> tensor<40x1024xf32>
  %z = linalg.matmul ins(%h, %w : tensor<40x16xf32>, tensor<16x1024xf32>) outs(%f : tensor<40x1024xf32>) -> tensor<40x1024xf32>
  %e1 = tensor.empty() : tensor<40xf32>
  %picked = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%labels : tensor<40xi32>) outs(%e1 : tensor<40xf32>) {
  ^bb0(%label: i32, %o: f32):
    %row = linalg.index 0 : index
    %at = arith.index_cast %label : i32 to index
    %low = arith.maxsi %at, %least : index
    %in = arith.minsi %low, %most : index
    %v = tensor.extract %z[%row, %in] : tensor<40x1024xf32>
    linalg.yield %v : f32
  } -> tensor<40xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<40xf32>) -> tensor<40xf32>
  %sums = linalg.generic {indexing_maps = [#id, #n], iterator_types = ["parallel", "reduction"]}
      ins(%z : tensor<40x1024xf32>) outs(%f1 : tensor<40xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %x = math.exp %l : f32
    %s = arith.addf %acc, %x : f32
    linalg.yield %s : f32
  } -> tensor<40xf32>
  return %picked, %sums : tensor<40xf32>, tensor<40xf32>
}
