// A two-layer classifier of 8x8 images of digits, and one step of its training: forward, softmax
// cross-entropy, backward, gradient descent. Written for one device; the annotations on the inputs
// and the weights ask for a 2x2 grid, batch over axis 0 and hidden units over axis 1.
//
//   hidden = relu(x W1 + b1)     logits = hidden W2 + b2
//   loss   = mean over the batch of (logsumexp(logits) - logits[label])

shard.grid @grid(shape = 2x2)

#rows = affine_map<(b, c) -> (b)>
#columns = affine_map<(b, c) -> (c)>
#all = affine_map<(b, c) -> (b, c)>
#scalar = affine_map<(b) -> ()>
#vector = affine_map<(b) -> (b)>

func.func @train_step(%x_in: tensor<48x64xf32>, %labels_in: tensor<48xi32>,
                      %w1_in: tensor<64x128xf32>, %b1_in: tensor<128xf32>,
                      %w2_in: tensor<128x10xf32>, %b2: tensor<10xf32>, %rate: f32)
    -> (tensor<64x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>) {
  %by_batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %by_column = shard.sharding @grid split_axes = [[], [1]] : !shard.sharding
  %by_hidden = shard.sharding @grid split_axes = [[1]] : !shard.sharding
  %x = shard.shard %x_in to %by_batch : tensor<48x64xf32>
  %labels = shard.shard %labels_in to %by_batch : tensor<48xi32>
  %w1 = shard.shard %w1_in to %by_column : tensor<64x128xf32>
  %b1 = shard.shard %b1_in to %by_hidden : tensor<128xf32>
  %w2 = shard.shard %w2_in to %by_hidden : tensor<128x10xf32>

  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %batch = arith.constant 48.0 : f32

  // Forward.
  %hidden_empty = tensor.empty() : tensor<48x128xf32>
  %hidden_zero = linalg.fill ins(%zero : f32) outs(%hidden_empty : tensor<48x128xf32>)
      -> tensor<48x128xf32>
  %xw1 = linalg.matmul ins(%x, %w1 : tensor<48x64xf32>, tensor<64x128xf32>)
      outs(%hidden_zero : tensor<48x128xf32>) -> tensor<48x128xf32>
  %hidden = linalg.generic {indexing_maps = [#all, #columns, #all],
      iterator_types = ["parallel", "parallel"]}
      ins(%xw1, %b1 : tensor<48x128xf32>, tensor<128xf32>)
      outs(%hidden_empty : tensor<48x128xf32>) {
  ^bb0(%v: f32, %bias: f32, %out: f32):
    %sum = arith.addf %v, %bias : f32
    %relu = arith.maximumf %sum, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<48x128xf32>

  %logits_empty = tensor.empty() : tensor<48x10xf32>
  %logits_zero = linalg.fill ins(%zero : f32) outs(%logits_empty : tensor<48x10xf32>)
      -> tensor<48x10xf32>
  %hw2 = linalg.matmul ins(%hidden, %w2 : tensor<48x128xf32>, tensor<128x10xf32>)
      outs(%logits_zero : tensor<48x10xf32>) -> tensor<48x10xf32>
  %logits = linalg.generic {indexing_maps = [#all, #columns, #all],
      iterator_types = ["parallel", "parallel"]}
      ins(%hw2, %b2 : tensor<48x10xf32>, tensor<10xf32>) outs(%logits_empty : tensor<48x10xf32>) {
  ^bb0(%v: f32, %bias: f32, %out: f32):
    %sum = arith.addf %v, %bias : f32
    linalg.yield %sum : f32
  } -> tensor<48x10xf32>

  // log(sum(exp(logits))) per row, shifted by the row's maximum so that nothing overflows.
  %row_empty = tensor.empty() : tensor<48xf32>
  %row_lowest = linalg.fill ins(%lowest : f32) outs(%row_empty : tensor<48xf32>) -> tensor<48xf32>
  %row_zero = linalg.fill ins(%zero : f32) outs(%row_empty : tensor<48xf32>) -> tensor<48xf32>
  %max = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%logits : tensor<48x10xf32>) outs(%row_lowest : tensor<48xf32>) {
  ^bb0(%v: f32, %so_far: f32):
    %larger = arith.maximumf %so_far, %v : f32
    linalg.yield %larger : f32
  } -> tensor<48xf32>
  %exp = linalg.generic {indexing_maps = [#all, #rows, #all],
      iterator_types = ["parallel", "parallel"]}
      ins(%logits, %max : tensor<48x10xf32>, tensor<48xf32>)
      outs(%logits_empty : tensor<48x10xf32>) {
  ^bb0(%v: f32, %m: f32, %out: f32):
    %shifted = arith.subf %v, %m : f32
    %e = math.exp %shifted : f32
    linalg.yield %e : f32
  } -> tensor<48x10xf32>
  %sum_exp = linalg.generic {indexing_maps = [#all, #rows],
      iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<48x10xf32>) outs(%row_zero : tensor<48xf32>) {
  ^bb0(%v: f32, %so_far: f32):
    %sum = arith.addf %so_far, %v : f32
    linalg.yield %sum : f32
  } -> tensor<48xf32>

  %one_hot = linalg.generic {indexing_maps = [#rows, #all],
      iterator_types = ["parallel", "parallel"]}
      ins(%labels : tensor<48xi32>) outs(%logits_empty : tensor<48x10xf32>) {
  ^bb0(%label: i32, %out: f32):
    %class = linalg.index 1 : index
    %class_i32 = arith.index_cast %class : index to i32
    %hit = arith.cmpi eq, %class_i32, %label : i32
    %v = arith.select %hit, %one, %zero : f32
    linalg.yield %v : f32
  } -> tensor<48x10xf32>
  %picked = linalg.generic {indexing_maps = [#all, #all, #rows],
      iterator_types = ["parallel", "reduction"]}
      ins(%logits, %one_hot : tensor<48x10xf32>, tensor<48x10xf32>)
      outs(%row_zero : tensor<48xf32>) {
  ^bb0(%v: f32, %hot: f32, %so_far: f32):
    %product = arith.mulf %v, %hot : f32
    %sum = arith.addf %so_far, %product : f32
    linalg.yield %sum : f32
  } -> tensor<48xf32>

  %loss_empty = tensor.empty() : tensor<f32>
  %loss_zero = linalg.fill ins(%zero : f32) outs(%loss_empty : tensor<f32>) -> tensor<f32>
  %loss = linalg.generic {indexing_maps = [#vector, #vector, #vector, #scalar],
      iterator_types = ["reduction"]}
      ins(%max, %sum_exp, %picked : tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
      outs(%loss_zero : tensor<f32>) {
  ^bb0(%m: f32, %s: f32, %p: f32, %so_far: f32):
    %log = math.log %s : f32
    %lse = arith.addf %m, %log : f32
    %row_loss = arith.subf %lse, %p : f32
    %share = arith.divf %row_loss, %batch : f32
    %sum = arith.addf %so_far, %share : f32
    linalg.yield %sum : f32
  } -> tensor<f32>

  // Backward.
  %d_logits = linalg.generic {indexing_maps = [#all, #rows, #all, #all],
      iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum_exp, %one_hot : tensor<48x10xf32>, tensor<48xf32>, tensor<48x10xf32>)
      outs(%logits_empty : tensor<48x10xf32>) {
  ^bb0(%e: f32, %s: f32, %hot: f32, %out: f32):
    %probability = arith.divf %e, %s : f32
    %difference = arith.subf %probability, %hot : f32
    %share = arith.divf %difference, %batch : f32
    linalg.yield %share : f32
  } -> tensor<48x10xf32>
  %w2_empty = tensor.empty() : tensor<128x10xf32>
  %w2_zero = linalg.fill ins(%zero : f32) outs(%w2_empty : tensor<128x10xf32>)
      -> tensor<128x10xf32>
  %d_w2 = linalg.matmul
      indexing_maps = [affine_map<(h, c, b) -> (b, h)>, affine_map<(h, c, b) -> (b, c)>,
                       affine_map<(h, c, b) -> (h, c)>]
      ins(%hidden, %d_logits : tensor<48x128xf32>, tensor<48x10xf32>)
      outs(%w2_zero : tensor<128x10xf32>) -> tensor<128x10xf32>
  %b2_empty = tensor.empty() : tensor<10xf32>
  %b2_zero = linalg.fill ins(%zero : f32) outs(%b2_empty : tensor<10xf32>) -> tensor<10xf32>
  %d_b2 = linalg.generic {indexing_maps = [#all, #columns],
      iterator_types = ["reduction", "parallel"]}
      ins(%d_logits : tensor<48x10xf32>) outs(%b2_zero : tensor<10xf32>) {
  ^bb0(%v: f32, %so_far: f32):
    %sum = arith.addf %so_far, %v : f32
    linalg.yield %sum : f32
  } -> tensor<10xf32>
  %d_relu = linalg.matmul
      indexing_maps = [affine_map<(b, h, c) -> (b, c)>, affine_map<(b, h, c) -> (h, c)>,
                       affine_map<(b, h, c) -> (b, h)>]
      ins(%d_logits, %w2 : tensor<48x10xf32>, tensor<128x10xf32>)
      outs(%hidden_zero : tensor<48x128xf32>) -> tensor<48x128xf32>
  %d_hidden = linalg.generic {indexing_maps = [#all, #all, #all],
      iterator_types = ["parallel", "parallel"]}
      ins(%d_relu, %hidden : tensor<48x128xf32>, tensor<48x128xf32>)
      outs(%hidden_empty : tensor<48x128xf32>) {
  ^bb0(%d: f32, %h: f32, %out: f32):
    %active = arith.cmpf ogt, %h, %zero : f32
    %v = arith.select %active, %d, %zero : f32
    linalg.yield %v : f32
  } -> tensor<48x128xf32>
  %w1_empty = tensor.empty() : tensor<64x128xf32>
  %w1_zero = linalg.fill ins(%zero : f32) outs(%w1_empty : tensor<64x128xf32>)
      -> tensor<64x128xf32>
  %d_w1 = linalg.matmul
      indexing_maps = [affine_map<(i, h, b) -> (b, i)>, affine_map<(i, h, b) -> (b, h)>,
                       affine_map<(i, h, b) -> (i, h)>]
      ins(%x, %d_hidden : tensor<48x64xf32>, tensor<48x128xf32>)
      outs(%w1_zero : tensor<64x128xf32>) -> tensor<64x128xf32>
  %b1_empty = tensor.empty() : tensor<128xf32>
  %b1_zero = linalg.fill ins(%zero : f32) outs(%b1_empty : tensor<128xf32>) -> tensor<128xf32>
  %d_b1 = linalg.generic {indexing_maps = [#all, #columns],
      iterator_types = ["reduction", "parallel"]}
      ins(%d_hidden : tensor<48x128xf32>) outs(%b1_zero : tensor<128xf32>) {
  ^bb0(%v: f32, %so_far: f32):
    %sum = arith.addf %so_far, %v : f32
    linalg.yield %sum : f32
  } -> tensor<128xf32>

  // Gradient descent.
  %new_w1 = linalg.generic {indexing_maps = [#all, #all, #all],
      iterator_types = ["parallel", "parallel"]}
      ins(%w1, %d_w1 : tensor<64x128xf32>, tensor<64x128xf32>)
      outs(%w1_empty : tensor<64x128xf32>) {
  ^bb0(%v: f32, %d: f32, %out: f32):
    %step = arith.mulf %rate, %d : f32
    %new = arith.subf %v, %step : f32
    linalg.yield %new : f32
  } -> tensor<64x128xf32>
  %new_b1 = linalg.generic {indexing_maps = [#vector, #vector, #vector],
      iterator_types = ["parallel"]}
      ins(%b1, %d_b1 : tensor<128xf32>, tensor<128xf32>) outs(%b1_empty : tensor<128xf32>) {
  ^bb0(%v: f32, %d: f32, %out: f32):
    %step = arith.mulf %rate, %d : f32
    %new = arith.subf %v, %step : f32
    linalg.yield %new : f32
  } -> tensor<128xf32>
  %new_w2 = linalg.generic {indexing_maps = [#all, #all, #all],
      iterator_types = ["parallel", "parallel"]}
      ins(%w2, %d_w2 : tensor<128x10xf32>, tensor<128x10xf32>)
      outs(%w2_empty : tensor<128x10xf32>) {
  ^bb0(%v: f32, %d: f32, %out: f32):
    %step = arith.mulf %rate, %d : f32
    %new = arith.subf %v, %step : f32
    linalg.yield %new : f32
  } -> tensor<128x10xf32>
  %new_b2 = linalg.generic {indexing_maps = [#vector, #vector, #vector],
      iterator_types = ["parallel"]}
      ins(%b2, %d_b2 : tensor<10xf32>, tensor<10xf32>) outs(%b2_empty : tensor<10xf32>) {
  ^bb0(%v: f32, %d: f32, %out: f32):
    %step = arith.mulf %rate, %d : f32
    %new = arith.subf %v, %step : f32
    linalg.yield %new : f32
  } -> tensor<10xf32>
  return %new_w1, %new_b1, %new_w2, %new_b2, %loss
      : tensor<64x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>
}

// How many of the test images are classified right. 357 images over two devices are uneven shards
// of 178 and 179.
func.func @count_correct(%x_in: tensor<357x64xf32>, %labels_in: tensor<357xi32>,
                         %w1_in: tensor<64x128xf32>, %b1_in: tensor<128xf32>,
                         %w2_in: tensor<128x10xf32>, %b2: tensor<10xf32>) -> tensor<i32> {
  %by_batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %by_column = shard.sharding @grid split_axes = [[], [1]] : !shard.sharding
  %by_hidden = shard.sharding @grid split_axes = [[1]] : !shard.sharding
  %x = shard.shard %x_in to %by_batch : tensor<357x64xf32>
  %labels = shard.shard %labels_in to %by_batch : tensor<357xi32>
  %w1 = shard.shard %w1_in to %by_column : tensor<64x128xf32>
  %b1 = shard.shard %b1_in to %by_hidden : tensor<128xf32>
  %w2 = shard.shard %w2_in to %by_hidden : tensor<128x10xf32>

  %zero = arith.constant 0.0 : f32
  %zero_i32 = arith.constant 0 : i32
  %lowest = arith.constant 0xFF800000 : f32
  %hidden_empty = tensor.empty() : tensor<357x128xf32>
  %hidden_zero = linalg.fill ins(%zero : f32) outs(%hidden_empty : tensor<357x128xf32>)
      -> tensor<357x128xf32>
  %xw1 = linalg.matmul ins(%x, %w1 : tensor<357x64xf32>, tensor<64x128xf32>)
      outs(%hidden_zero : tensor<357x128xf32>) -> tensor<357x128xf32>
  %hidden = linalg.generic {indexing_maps = [#all, #columns, #all],
      iterator_types = ["parallel", "parallel"]}
      ins(%xw1, %b1 : tensor<357x128xf32>, tensor<128xf32>)
      outs(%hidden_empty : tensor<357x128xf32>) {
  ^bb0(%v: f32, %bias: f32, %out: f32):
    %sum = arith.addf %v, %bias : f32
    %relu = arith.maximumf %sum, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<357x128xf32>
  %logits_empty = tensor.empty() : tensor<357x10xf32>
  %logits_zero = linalg.fill ins(%zero : f32) outs(%logits_empty : tensor<357x10xf32>)
      -> tensor<357x10xf32>
  %hw2 = linalg.matmul ins(%hidden, %w2 : tensor<357x128xf32>, tensor<128x10xf32>)
      outs(%logits_zero : tensor<357x10xf32>) -> tensor<357x10xf32>
  %logits = linalg.generic {indexing_maps = [#all, #columns, #all],
      iterator_types = ["parallel", "parallel"]}
      ins(%hw2, %b2 : tensor<357x10xf32>, tensor<10xf32>)
      outs(%logits_empty : tensor<357x10xf32>) {
  ^bb0(%v: f32, %bias: f32, %out: f32):
    %sum = arith.addf %v, %bias : f32
    linalg.yield %sum : f32
  } -> tensor<357x10xf32>

  // A row is right if the logit of its label is the row's largest. Both in one pass: two results.
  %row_empty = tensor.empty() : tensor<357xf32>
  %row_lowest = linalg.fill ins(%lowest : f32) outs(%row_empty : tensor<357xf32>)
      -> tensor<357xf32>
  %row_zero = linalg.fill ins(%zero : f32) outs(%row_empty : tensor<357xf32>) -> tensor<357xf32>
  %largest, %picked = linalg.generic {indexing_maps = [#all, #rows, #rows, #rows],
      iterator_types = ["parallel", "reduction"]}
      ins(%logits, %labels : tensor<357x10xf32>, tensor<357xi32>)
      outs(%row_lowest, %row_zero : tensor<357xf32>, tensor<357xf32>) {
  ^bb0(%v: f32, %label: i32, %so_far: f32, %picked_so_far: f32):
    %larger = arith.maximumf %so_far, %v : f32
    %class = linalg.index 1 : index
    %class_i32 = arith.index_cast %class : index to i32
    %hit = arith.cmpi eq, %class_i32, %label : i32
    %own = arith.select %hit, %v, %zero : f32
    %sum = arith.addf %picked_so_far, %own : f32
    linalg.yield %larger, %sum : f32, f32
  } -> (tensor<357xf32>, tensor<357xf32>)
  %count_empty = tensor.empty() : tensor<i32>
  %count_zero = linalg.fill ins(%zero_i32 : i32) outs(%count_empty : tensor<i32>) -> tensor<i32>
  %count = linalg.generic {indexing_maps = [#vector, #vector, #scalar],
      iterator_types = ["reduction"]}
      ins(%largest, %picked : tensor<357xf32>, tensor<357xf32>) outs(%count_zero : tensor<i32>) {
  ^bb0(%m: f32, %p: f32, %so_far: i32):
    %right = arith.cmpf oge, %p, %m : f32
    %unit = arith.extui %right : i1 to i32
    %sum = arith.addi %so_far, %unit : i32
    linalg.yield %sum : i32
  } -> tensor<i32>
  return %count : tensor<i32>
}
