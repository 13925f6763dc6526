// The block of ../mlp with an annotation on the input alone, as a first try looks: its batch is
// split over axis 0. What follows from that splits every product by its rows and moves nothing.

shard.grid @grid(shape = 2x2)

#all = affine_map<(b, h) -> (b, h)>

func.func @mlp(%x_in: tensor<64x256xf32>, %w1: tensor<256x1024xf32>,
               %w2: tensor<1024x256xf32>) -> tensor<64x256xf32> {
  %by_batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %by_batch : tensor<64x256xf32>

  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %inverse_root_2 = arith.constant 0.707106769 : f32

  %hidden_empty = tensor.empty() : tensor<64x1024xf32>
  %hidden_zero = linalg.fill ins(%zero : f32) outs(%hidden_empty : tensor<64x1024xf32>)
      -> tensor<64x1024xf32>
  %hidden = linalg.matmul ins(%x, %w1 : tensor<64x256xf32>, tensor<256x1024xf32>)
      outs(%hidden_zero : tensor<64x1024xf32>) -> tensor<64x1024xf32>

  // gelu(v) = v (1 + erf(v / sqrt(2))) / 2
  %active = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%hidden : tensor<64x1024xf32>) outs(%hidden_empty : tensor<64x1024xf32>) {
  ^bb0(%v: f32, %out: f32):
    %scaled = arith.mulf %v, %inverse_root_2 : f32
    %erf = math.erf %scaled : f32
    %sum = arith.addf %one, %erf : f32
    %weight = arith.mulf %half, %sum : f32
    %gelu = arith.mulf %v, %weight : f32
    linalg.yield %gelu : f32
  } -> tensor<64x1024xf32>

  %y_empty = tensor.empty() : tensor<64x256xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<64x256xf32>) -> tensor<64x256xf32>
  %y = linalg.matmul ins(%active, %w2 : tensor<64x1024xf32>, tensor<1024x256xf32>)
      outs(%y_zero : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %y : tensor<64x256xf32>
}
