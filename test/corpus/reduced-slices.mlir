// Reductions along a split dimension of what slices cut out of it: pieces of the sum are those that
// the larger operand has. A lookup by row index and place, indices in bodies, a product along the
// cut dimension, two sums of one chain, a mean of differences, and a slice that is used otherwise too.
// RUN-CHECK: --entry main --grid 1,2,3,4,7 --seed 1
// RUN-CHECK: --entry loss --grid 2,3,4,7 --seed 1
// RUN-CHECK: --entry weighted --grid 2,3,4,7 --seed 1
// RUN-CHECK: --entry differences --grid 2,3,4,7 --seed 1
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#none = affine_map<(d0, d1) -> ()>
#id1 = affine_map<(d0) -> (d0)>
#none1 = affine_map<(d0) -> ()>
#lhs = affine_map<(d0, d1, d2) -> (d2, d0)>
#rhs = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
shard.grid @g(shape = 4)
// What the next one is, of all rows but the last.
func.func @loss(%logits_in: tensor<26x5xf32>, %targets_in: tensor<26xi32> {tessera.range = [0, 5]}) -> tensor<f32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %logits = shard.shard %logits_in to %rows : tensor<26x5xf32>
  %targets = shard.shard %targets_in to %rows : tensor<26xi32>
  %zero = arith.constant 0.0 : f32
  %scalar = tensor.empty() : tensor<f32>
  %none = linalg.fill ins(%zero : f32) outs(%scalar : tensor<f32>) -> tensor<f32>
  %l = tensor.extract_slice %logits[0, 0] [25, 5] [1, 1] : tensor<26x5xf32> to tensor<25x5xf32>
  %next = tensor.extract_slice %targets[1] [25] [1] : tensor<26xi32> to tensor<25xi32>
  %e0 = tensor.empty() : tensor<25x5xf32>
  %t = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%l : tensor<25x5xf32>) outs(%e0 : tensor<25x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.tanh %a : f32
    linalg.yield %r : f32
  } -> tensor<25x5xf32>
  %e1 = tensor.empty() : tensor<25xf32>
  %picked = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%next : tensor<25xi32>) outs(%e1 : tensor<25xf32>) {
  ^bb0(%n: i32, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %n : i32 to index
    %p = tensor.extract %t[%i, %j] : tensor<25x5xf32>
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %r = arith.mulf %p, %f : f32
    linalg.yield %r : f32
  } -> tensor<25xf32>
  %loss = linalg.generic {indexing_maps = [#id1, #none1], iterator_types = ["reduction"]}
      ins(%picked : tensor<25xf32>) outs(%none : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %loss : tensor<f32>
}

// The sum itself knows its index, and is beside a product along the dimension that is cut.
func.func @weighted(%logits_in: tensor<26x5xf32>, %w_in: tensor<26x3xf32>) -> (tensor<f32>, tensor<5x3xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %logits = shard.shard %logits_in to %rows : tensor<26x5xf32>
  %w = shard.shard %w_in to %rows : tensor<26x3xf32>
  %zero = arith.constant 0.0 : f32
  %scalar = tensor.empty() : tensor<f32>
  %none = linalg.fill ins(%zero : f32) outs(%scalar : tensor<f32>) -> tensor<f32>
  %l = tensor.extract_slice %logits[0, 0] [25, 5] [1, 1] : tensor<26x5xf32> to tensor<25x5xf32>
  %e0 = tensor.empty() : tensor<25x5xf32>
  %t = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%l : tensor<25x5xf32>) outs(%e0 : tensor<25x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.tanh %a : f32
    linalg.yield %r : f32
  } -> tensor<25x5xf32>
  %weighted = linalg.generic {indexing_maps = [#id2, #none], iterator_types = ["reduction", "reduction"]}
      ins(%t : tensor<25x5xf32>) outs(%none : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %m = arith.mulf %a, %f : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %after = tensor.extract_slice %w[1, 0] [25, 3] [1, 1] : tensor<26x3xf32> to tensor<25x3xf32>
  %e2 = tensor.empty() : tensor<5x3xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<5x3xf32>) -> tensor<5x3xf32>
  %product = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%t, %after : tensor<25x5xf32>, tensor<25x3xf32>) outs(%z2 : tensor<5x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x3xf32>
  return %weighted, %product : tensor<f32>, tensor<5x3xf32>
}

// Differences, which are also a result, in pieces of its own.
func.func @differences(%logits_in: tensor<26x5xf32>) -> (tensor<25x5xf32>, tensor<f32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %logits = shard.shard %logits_in to %rows : tensor<26x5xf32>
  %zero = arith.constant 0.0 : f32
  %scalar = tensor.empty() : tensor<f32>
  %none = linalg.fill ins(%zero : f32) outs(%scalar : tensor<f32>) -> tensor<f32>
  %l = tensor.extract_slice %logits[0, 0] [25, 5] [1, 1] : tensor<26x5xf32> to tensor<25x5xf32>
  %l1 = tensor.extract_slice %logits[1, 0] [25, 5] [1, 1] : tensor<26x5xf32> to tensor<25x5xf32>
  %d = arith.subf %l1, %l : tensor<25x5xf32>
  %sum = linalg.generic {indexing_maps = [#id2, #none], iterator_types = ["reduction", "reduction"]}
      ins(%d : tensor<25x5xf32>) outs(%none : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %d, %sum : tensor<25x5xf32>, tensor<f32>
}

// All of them at once: what is asked for in several pieces stays balanced.
func.func @main(%logits_in: tensor<26x5xf32>, %targets_in: tensor<26xi32> {tessera.range = [0, 5]}, %w_in: tensor<26x3xf32>)
    -> (tensor<f32>, tensor<f32>, tensor<5x3xf32>, tensor<25x5xf32>, tensor<f32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %logits = shard.shard %logits_in to %rows : tensor<26x5xf32>
  %targets = shard.shard %targets_in to %rows : tensor<26xi32>
  %w = shard.shard %w_in to %rows : tensor<26x3xf32>
  %zero = arith.constant 0.0 : f32
  %scalar = tensor.empty() : tensor<f32>
  %none = linalg.fill ins(%zero : f32) outs(%scalar : tensor<f32>) -> tensor<f32>

  // What the next one is, of all rows but the last.
  %l = tensor.extract_slice %logits[0, 0] [25, 5] [1, 1] : tensor<26x5xf32> to tensor<25x5xf32>
  %next = tensor.extract_slice %targets[1] [25] [1] : tensor<26xi32> to tensor<25xi32>
  %e0 = tensor.empty() : tensor<25x5xf32>
  %t = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%l : tensor<25x5xf32>) outs(%e0 : tensor<25x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.tanh %a : f32
    linalg.yield %r : f32
  } -> tensor<25x5xf32>
  %e1 = tensor.empty() : tensor<25xf32>
  %picked = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%next : tensor<25xi32>) outs(%e1 : tensor<25xf32>) {
  ^bb0(%n: i32, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %n : i32 to index
    %p = tensor.extract %t[%i, %j] : tensor<25x5xf32>
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %r = arith.mulf %p, %f : f32
    linalg.yield %r : f32
  } -> tensor<25xf32>
  %loss = linalg.generic {indexing_maps = [#id1, #none1], iterator_types = ["reduction"]}
      ins(%picked : tensor<25xf32>) outs(%none : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<f32>

  // The sum itself knows its index.
  %weighted = linalg.generic {indexing_maps = [#id2, #none], iterator_types = ["reduction", "reduction"]}
      ins(%t : tensor<25x5xf32>) outs(%none : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %m = arith.mulf %a, %f : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<f32>

  // A product along the dimension that is cut.
  %after = tensor.extract_slice %w[1, 0] [25, 3] [1, 1] : tensor<26x3xf32> to tensor<25x3xf32>
  %e2 = tensor.empty() : tensor<5x3xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<5x3xf32>) -> tensor<5x3xf32>
  %product = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%t, %after : tensor<25x5xf32>, tensor<25x3xf32>) outs(%z2 : tensor<5x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x3xf32>

  // Differences, which are also a result, in pieces of its own.
  %l1 = tensor.extract_slice %logits[1, 0] [25, 5] [1, 1] : tensor<26x5xf32> to tensor<25x5xf32>
  %d = arith.subf %l1, %l : tensor<25x5xf32>
  %sum = linalg.generic {indexing_maps = [#id2, #none], iterator_types = ["reduction", "reduction"]}
      ins(%d : tensor<25x5xf32>) outs(%none : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %loss, %weighted, %product, %d, %sum
      : tensor<f32>, tensor<f32>, tensor<5x3xf32>, tensor<25x5xf32>, tensor<f32>
}
