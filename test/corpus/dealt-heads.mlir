// Attention head by head, of heads that are split: slices without the dimension of heads, several tensors that are
// read, and what a trip puts in its place is read there again.
// RUN-CHECK: --grid 1,2,3,4 --seed 2
shard.grid @g(shape = 2)
func.func @main(%q_in: tensor<6x5x8xf32>, %k_in: tensor<6x5x8xf32>, %v_in: tensor<6x5x8xf32>) -> tensor<6x5x8xf32> {
  %heads = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %q = shard.shard %q_in to %heads : tensor<6x5x8xf32>
  %k = shard.shard %k_in to %heads : tensor<6x5x8xf32>
  %v = shard.shard %v_in to %heads : tensor<6x5x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x5x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<6x5x8xf32>) -> tensor<6x5x8xf32>
  %r = scf.for %h = %c0 to %c6 step %c1 iter_args(%acc = %start) -> (tensor<6x5x8xf32>) {
    %qh = tensor.extract_slice %q[%h, 0, 0] [1, 5, 8] [1, 1, 1] : tensor<6x5x8xf32> to tensor<5x8xf32>
    %kh = tensor.extract_slice %k[%h, 0, 0] [1, 5, 8] [1, 1, 1] : tensor<6x5x8xf32> to tensor<5x8xf32>
    %vh = tensor.extract_slice %v[%h, 0, 0] [1, 5, 8] [1, 1, 1] : tensor<6x5x8xf32> to tensor<5x8xf32>
    %se = tensor.empty() : tensor<5x5xf32>
    %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<5x5xf32>) -> tensor<5x5xf32>
    %ke = tensor.empty() : tensor<8x5xf32>
    %kt = linalg.transpose ins(%kh : tensor<5x8xf32>) outs(%ke : tensor<8x5xf32>) permutation = [1, 0]
    %s = linalg.matmul ins(%qh, %kt : tensor<5x8xf32>, tensor<8x5xf32>) outs(%sz : tensor<5x5xf32>) -> tensor<5x5xf32>
    %p = math.tanh %s : tensor<5x5xf32>
    %old = tensor.extract_slice %acc[%h, 0, 0] [1, 5, 8] [1, 1, 1] : tensor<6x5x8xf32> to tensor<5x8xf32>
    %o = linalg.matmul ins(%p, %vh : tensor<5x5xf32>, tensor<5x8xf32>) outs(%old : tensor<5x8xf32>) -> tensor<5x8xf32>
    %next = tensor.insert_slice %o into %acc[%h, 0, 0] [1, 5, 8] [1, 1, 1] : tensor<5x8xf32> into tensor<6x5x8xf32>
    scf.yield %next : tensor<6x5x8xf32>
  }
  return %r : tensor<6x5x8xf32>
}
