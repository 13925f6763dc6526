// Multi-head self-attention as PyTorch exports it: batch and heads are merged into the one batch
// dimension of linalg.batch_matmul. Batch lies on axis 0 and heads on axis 1 of a 2x2 grid, so that
// the merged dimension is split in strided blocks. Nothing moves between the projections; the
// output projection ends in one all-reduce over axis 1.
//
// 4 sequences of 16 tokens, 4 heads of 16 features.

shard.grid @grid(shape = 2x2)

#qk = affine_map<(n, q, k) -> (n, q, k)>
#q = affine_map<(n, q, k) -> (n, q)>

func.func @attention(%x_in: tensor<4x16x64xf32>, %wq_in: tensor<64x64xf32>,
                     %wk_in: tensor<64x64xf32>, %wv_in: tensor<64x64xf32>,
                     %wo_in: tensor<64x64xf32>) -> tensor<4x16x64xf32> {
  %by_batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %by_columns = shard.sharding @grid split_axes = [[], [1]] : !shard.sharding
  %by_rows = shard.sharding @grid split_axes = [[1]] : !shard.sharding
  %x = shard.shard %x_in to %by_batch : tensor<4x16x64xf32>
  %wq = shard.shard %wq_in to %by_columns : tensor<64x64xf32>
  %wk = shard.shard %wk_in to %by_columns : tensor<64x64xf32>
  %wv = shard.shard %wv_in to %by_columns : tensor<64x64xf32>
  %wo = shard.shard %wo_in to %by_rows : tensor<64x64xf32>

  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f32

  // Projections: (sequences x tokens) x features, the first two merged.
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x16x64xf32> into tensor<64x64xf32>
  %rows_empty = tensor.empty() : tensor<64x64xf32>
  %rows_zero = linalg.fill ins(%zero : f32) outs(%rows_empty : tensor<64x64xf32>)
      -> tensor<64x64xf32>
  %q_rows = linalg.matmul ins(%rows, %wq : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%rows_zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  %k_rows = linalg.matmul ins(%rows, %wk : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%rows_zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  %v_rows = linalg.matmul ins(%rows, %wv : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%rows_zero : tensor<64x64xf32>) -> tensor<64x64xf32>

  // Split features into heads, bring the heads outside the tokens, merge sequences and heads.
  %q_split = tensor.expand_shape %q_rows [[0, 1], [2, 3]] output_shape [4, 16, 4, 16]
      : tensor<64x64xf32> into tensor<4x16x4x16xf32>
  %k_split = tensor.expand_shape %k_rows [[0, 1], [2, 3]] output_shape [4, 16, 4, 16]
      : tensor<64x64xf32> into tensor<4x16x4x16xf32>
  %v_split = tensor.expand_shape %v_rows [[0, 1], [2, 3]] output_shape [4, 16, 4, 16]
      : tensor<64x64xf32> into tensor<4x16x4x16xf32>
  %heads_empty = tensor.empty() : tensor<4x4x16x16xf32>
  %q_heads = linalg.transpose ins(%q_split : tensor<4x16x4x16xf32>)
      outs(%heads_empty : tensor<4x4x16x16xf32>) permutation = [0, 2, 1, 3]
  %k_heads = linalg.transpose ins(%k_split : tensor<4x16x4x16xf32>)
      outs(%heads_empty : tensor<4x4x16x16xf32>) permutation = [0, 2, 3, 1]
  %v_heads = linalg.transpose ins(%v_split : tensor<4x16x4x16xf32>)
      outs(%heads_empty : tensor<4x4x16x16xf32>) permutation = [0, 2, 1, 3]
  %q = tensor.collapse_shape %q_heads [[0, 1], [2], [3]]
      : tensor<4x4x16x16xf32> into tensor<16x16x16xf32>
  %k = tensor.collapse_shape %k_heads [[0, 1], [2], [3]]
      : tensor<4x4x16x16xf32> into tensor<16x16x16xf32>
  %v = tensor.collapse_shape %v_heads [[0, 1], [2], [3]]
      : tensor<4x4x16x16xf32> into tensor<16x16x16xf32>

  // softmax(q k / sqrt(16)) v
  %square_empty = tensor.empty() : tensor<16x16x16xf32>
  %square_zero = linalg.fill ins(%zero : f32) outs(%square_empty : tensor<16x16x16xf32>)
      -> tensor<16x16x16xf32>
  %scores = linalg.batch_matmul ins(%q, %k : tensor<16x16x16xf32>, tensor<16x16x16xf32>)
      outs(%square_zero : tensor<16x16x16xf32>) -> tensor<16x16x16xf32>
  %vector_empty = tensor.empty() : tensor<16x16xf32>
  %vector_lowest = linalg.fill ins(%lowest : f32) outs(%vector_empty : tensor<16x16xf32>)
      -> tensor<16x16xf32>
  %vector_zero = linalg.fill ins(%zero : f32) outs(%vector_empty : tensor<16x16xf32>)
      -> tensor<16x16xf32>
  %max = linalg.generic {indexing_maps = [#qk, #q],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scores : tensor<16x16x16xf32>) outs(%vector_lowest : tensor<16x16xf32>) {
  ^bb0(%s: f32, %so_far: f32):
    %larger = arith.maximumf %so_far, %s : f32
    linalg.yield %larger : f32
  } -> tensor<16x16xf32>
  %exp = linalg.generic {indexing_maps = [#qk, #q, #qk],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %max : tensor<16x16x16xf32>, tensor<16x16xf32>)
      outs(%square_empty : tensor<16x16x16xf32>) {
  ^bb0(%s: f32, %m: f32, %out: f32):
    %shifted = arith.subf %s, %m : f32
    %scaled = arith.mulf %shifted, %scale : f32
    %e = math.exp %scaled : f32
    linalg.yield %e : f32
  } -> tensor<16x16x16xf32>
  %sum = linalg.generic {indexing_maps = [#qk, #q],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%exp : tensor<16x16x16xf32>) outs(%vector_zero : tensor<16x16xf32>) {
  ^bb0(%e: f32, %so_far: f32):
    %next = arith.addf %so_far, %e : f32
    linalg.yield %next : f32
  } -> tensor<16x16xf32>
  %weights = linalg.generic {indexing_maps = [#qk, #q, #qk],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<16x16x16xf32>, tensor<16x16xf32>)
      outs(%square_empty : tensor<16x16x16xf32>) {
  ^bb0(%e: f32, %s: f32, %out: f32):
    %share = arith.divf %e, %s : f32
    linalg.yield %share : f32
  } -> tensor<16x16x16xf32>
  %mixed = linalg.batch_matmul ins(%weights, %v : tensor<16x16x16xf32>, tensor<16x16x16xf32>)
      outs(%square_zero : tensor<16x16x16xf32>) -> tensor<16x16x16xf32>

  // Back to (sequences x tokens) x features, and the output projection.
  %mixed_heads = tensor.expand_shape %mixed [[0, 1], [2], [3]] output_shape [4, 4, 16, 16]
      : tensor<16x16x16xf32> into tensor<4x4x16x16xf32>
  %tokens_empty = tensor.empty() : tensor<4x16x4x16xf32>
  %mixed_tokens = linalg.transpose ins(%mixed_heads : tensor<4x4x16x16xf32>)
      outs(%tokens_empty : tensor<4x16x4x16xf32>) permutation = [0, 2, 1, 3]
  %mixed_rows = tensor.collapse_shape %mixed_tokens [[0, 1], [2, 3]]
      : tensor<4x16x4x16xf32> into tensor<64x64xf32>
  %y_rows = linalg.matmul ins(%mixed_rows, %wo : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%rows_zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = tensor.expand_shape %y_rows [[0, 1], [2]] output_shape [4, 16, 64]
      : tensor<64x64xf32> into tensor<4x16x64xf32>
  return %y : tensor<4x16x64xf32>
}
