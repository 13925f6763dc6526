// Three tensors joined in front of a product, split as each is by itself; and four gates that nothing
// but the product splits, taken apart behind an elementwise op.
// RUN-CHECK: --grid 2,3,4,5 --seed 1
shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<5x10xf32>, %b_in: tensor<5x10xf32>, %c_in: tensor<5x10xf32>, %w: tensor<30x4xf32>,
                %x: tensor<4x3xf32>, %u_in: tensor<3x20xf32>) -> (tensor<5x4xf32>, tensor<4x5xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %a_in to %s : tensor<5x10xf32>
  %b = shard.shard %b_in to %s : tensor<5x10xf32>
  %c = shard.shard %c_in to %s : tensor<5x10xf32>
  %u = shard.shard %u_in to %s : tensor<3x20xf32>
  %zero = arith.constant 0.0 : f32
  %j = tensor.concat dim(1) %a, %b, %c : (tensor<5x10xf32>, tensor<5x10xf32>, tensor<5x10xf32>) -> tensor<5x30xf32>
  %e = tensor.empty() : tensor<5x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%j, %w : tensor<5x30xf32>, tensor<30x4xf32>) outs(%z : tensor<5x4xf32>) -> tensor<5x4xf32>
  %ve = tensor.empty() : tensor<4x20xf32>
  %vz = linalg.fill ins(%zero : f32) outs(%ve : tensor<4x20xf32>) -> tensor<4x20xf32>
  %v0 = linalg.matmul ins(%x, %u : tensor<4x3xf32>, tensor<3x20xf32>) outs(%vz : tensor<4x20xf32>) -> tensor<4x20xf32>
  %v = linalg.tanh ins(%v0 : tensor<4x20xf32>) outs(%ve : tensor<4x20xf32>) -> tensor<4x20xf32>
  %i = tensor.extract_slice %v[0, 0] [4, 5] [1, 1] : tensor<4x20xf32> to tensor<4x5xf32>
  %f = tensor.extract_slice %v[0, 5] [4, 5] [1, 1] : tensor<4x20xf32> to tensor<4x5xf32>
  %g = tensor.extract_slice %v[0, 10] [4, 5] [1, 1] : tensor<4x20xf32> to tensor<4x5xf32>
  %o = tensor.extract_slice %v[0, 15] [4, 5] [1, 1] : tensor<4x20xf32> to tensor<4x5xf32>
  %ig = arith.mulf %i, %g : tensor<4x5xf32>
  %fo = arith.mulf %f, %o : tensor<4x5xf32>
  %h = arith.addf %ig, %fo : tensor<4x5xf32>
  return %y, %h : tensor<5x4xf32>, tensor<4x5xf32>
}
