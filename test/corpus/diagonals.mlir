// Diagonals that are read, summed up, added to, set, and copied from one tensor to another; of batches,
// of extents that the run says, and by a division, which may not be done beside them.
// RUN-CHECK: --entry one --grid 2,3,4,2x2,2x3
// RUN-CHECK: --entry batches --grid 2,3,2x2,2x3
// RUN-CHECK: --entry unknown --grid 2,3,2x2 --shape 0=7x7 --shape 1=7 --shape 2=7x7
// RUN-CHECK: --entry divided --grid 2,3,2x2 --range 1=1:9
#diag = affine_map<(i) -> (i, i)>
#vec = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#batch = affine_map<(b, i) -> (i, b, i)>
#rows = affine_map<(b, i) -> (b, i)>
#each = affine_map<(b, i) -> (b)>
#cube = affine_map<(i) -> (i, i, i)>
shard.grid @g(shape = 2x2)
func.func @one(%x: tensor<7x7xf32>, %y: tensor<7x7xf32>, %v: tensor<7xf32>)
    -> (tensor<7xf32>, tensor<f32>, tensor<7x7xf32>, tensor<7x7xf32>, tensor<7x7xf32>, tensor<7x7xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %xs = shard.shard %x to %s : tensor<7x7xf32>
  %ys = shard.shard %y to %t : tensor<7x7xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %read = linalg.generic {indexing_maps = [#diag, #vec], iterator_types = ["parallel"]}
      ins(%ys : tensor<7x7xf32>) outs(%e : tensor<7xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<7xf32>
  %n = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%n : tensor<f32>) -> tensor<f32>
  %trace = linalg.generic {indexing_maps = [#diag, #diag, #none], iterator_types = ["reduction"]}
      ins(%xs, %ys : tensor<7x7xf32>, tensor<7x7xf32>) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  %added = linalg.generic {indexing_maps = [#vec, #diag], iterator_types = ["parallel"]}
      ins(%v : tensor<7xf32>) outs(%xs : tensor<7x7xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<7x7xf32>
  %m = tensor.empty() : tensor<7x7xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%m : tensor<7x7xf32>) -> tensor<7x7xf32>
  %set = linalg.generic {indexing_maps = [#vec, #diag], iterator_types = ["parallel"]}
      ins(%read : tensor<7xf32>) outs(%zeros : tensor<7x7xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<7x7xf32>
  %copied = linalg.generic {indexing_maps = [#diag, #diag], iterator_types = ["parallel"]}
      ins(%xs : tensor<7x7xf32>) outs(%ys : tensor<7x7xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<7x7xf32>
  %numbered = linalg.generic {indexing_maps = [#diag, #vec, #diag], iterator_types = ["parallel"]}
      ins(%ys, %v : tensor<7x7xf32>, tensor<7xf32>) outs(%xs : tensor<7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f32
    %0 = arith.mulf %a, %f : f32
    %1 = arith.addf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<7x7xf32>
  return %read, %trace, %added, %set, %copied, %numbered : tensor<7xf32>, tensor<f32>, tensor<7x7xf32>,
      tensor<7x7xf32>, tensor<7x7xf32>, tensor<7x7xf32>
}

func.func @batches(%x: tensor<5x4x5xf64>, %v: tensor<4x5xf64>, %y: tensor<6x6x6xf64>)
    -> (tensor<4xf64>, tensor<5x4x5xf64>, tensor<6x6x6xf64>) {
  %s = shard.sharding @g split_axes = [[], [], [0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %xs = shard.shard %x to %s : tensor<5x4x5xf64>
  %ys = shard.shard %y to %t : tensor<6x6x6xf64>
  %zero = arith.constant 0.0 : f64
  %n = tensor.empty() : tensor<4xf64>
  %z = linalg.fill ins(%zero : f64) outs(%n : tensor<4xf64>) -> tensor<4xf64>
  %traces = linalg.generic {indexing_maps = [#batch, #each], iterator_types = ["parallel", "reduction"]}
      ins(%xs : tensor<5x4x5xf64>) outs(%z : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    %0 = arith.addf %a, %b : f64
    linalg.yield %0 : f64
  } -> tensor<4xf64>
  %added = linalg.generic {indexing_maps = [#rows, #batch], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<4x5xf64>) outs(%xs : tensor<5x4x5xf64>) {
  ^bb0(%a: f64, %b: f64):
    %0 = arith.subf %b, %a : f64
    linalg.yield %0 : f64
  } -> tensor<5x4x5xf64>
  %doubled = linalg.generic {indexing_maps = [#cube], iterator_types = ["parallel"]}
      outs(%ys : tensor<6x6x6xf64>) {
  ^bb0(%a: f64):
    %0 = arith.addf %a, %a : f64
    linalg.yield %0 : f64
  } -> tensor<6x6x6xf64>
  return %traces, %added, %doubled : tensor<4xf64>, tensor<5x4x5xf64>, tensor<6x6x6xf64>
}

func.func @unknown(%x: tensor<?x?xf32>, %v: tensor<?xf32>, %y: tensor<?x?xf32>)
    -> (tensor<f32>, tensor<?x?xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %xs = shard.shard %x to %s : tensor<?x?xf32>
  %ys = shard.shard %y to %t : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %n = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%n : tensor<f32>) -> tensor<f32>
  %trace = linalg.generic {indexing_maps = [#diag, #none], iterator_types = ["reduction"]}
      ins(%xs : tensor<?x?xf32>) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %set = linalg.generic {indexing_maps = [#vec, #diag], iterator_types = ["parallel"]}
      ins(%v : tensor<?xf32>) outs(%ys : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %trace, %set : tensor<f32>, tensor<?x?xf32>
}

func.func @divided(%x: tensor<6x6xi32>, %v: tensor<6x6xi32>) -> (tensor<6x6xi32>, tensor<6xi32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %xs = shard.shard %x to %s : tensor<6x6xi32>
  %vs = shard.shard %v to %s : tensor<6x6xi32>
  %e = tensor.empty() : tensor<6xi32>
  %divided = linalg.generic {indexing_maps = [#diag, #diag], iterator_types = ["parallel"]}
      ins(%vs : tensor<6x6xi32>) outs(%xs : tensor<6x6xi32>) {
  ^bb0(%a: i32, %b: i32):
    %0 = arith.divsi %b, %a : i32
    linalg.yield %0 : i32
  } -> tensor<6x6xi32>
  %read = linalg.generic {indexing_maps = [#diag, #diag, #vec], iterator_types = ["parallel"]}
      ins(%xs, %vs : tensor<6x6xi32>, tensor<6x6xi32>) outs(%e : tensor<6xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %0 = arith.divsi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<6xi32>
  return %divided, %read : tensor<6x6xi32>, tensor<6xi32>
}
