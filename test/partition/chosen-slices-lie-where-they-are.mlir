// What is chosen of slices of split tensors stays where it lies, too: the index of the largest element of
// each row but the last, where one target a device comes from the next, whether the element itself is used
// or not; and the largest element of all but the first, of which only the candidates move.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

#ij = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#i = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

// CHECK-LABEL: func.func @places
// CHECK: tessera.exchange %{{.*}} offsets = [array<i64: 1, 9, 17, 25, 32>]} {{.*}} : tensor<8xi32> -> tensor<?xi32>
// CHECK: shard.all_reduce %{{.*}} : tensor<i32>
// CHECK: return
func.func @places(%x_in: tensor<32x16xf32>, %y_in: tensor<32xi32>) -> tensor<i32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<32x16xf32>
  %y = shard.shard %y_in to %rows : tensor<32xi32>
  %before = tensor.extract_slice %x[0, 0] [31, 16] [1, 1] : tensor<32x16xf32> to tensor<31x16xf32>
  %after = tensor.extract_slice %y[1] [31] [1] : tensor<32xi32> to tensor<31xi32>
  %low = arith.constant dense<0xFF800000> : tensor<31xf32>
  %at = arith.constant dense<0> : tensor<31xi32>
  %a:2 = linalg.generic {indexing_maps = [#ij, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%before : tensor<31x16xf32>) outs(%low, %at : tensor<31xf32>, tensor<31xi32>) {
  ^bb0(%in: f32, %most: f32, %where: i32):
    %k = linalg.index 1 : index
    %here = arith.index_cast %k : index to i32
    %more = arith.cmpf ogt, %in, %most : f32
    %0 = arith.select %more, %in, %most : f32
    %1 = arith.select %more, %here, %where : i32
    linalg.yield %0, %1 : f32, i32
  } -> (tensor<31xf32>, tensor<31xi32>)
  %zero = arith.constant dense<0> : tensor<i32>
  %count = linalg.generic {indexing_maps = [#i, #i, #none], iterator_types = ["reduction"]}
      ins(%a#1, %after : tensor<31xi32>, tensor<31xi32>) outs(%zero : tensor<i32>) {
  ^bb0(%p: i32, %q: i32, %o: i32):
    %is = arith.cmpi eq, %p, %q : i32
    %one = arith.extui %is : i1 to i32
    %r = arith.addi %o, %one : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  return %count : tensor<i32>
}

// CHECK-LABEL: func.func @places_and_elements
// CHECK: tessera.exchange %{{.*}} offsets = [array<i64: 1, 9, 17, 25, 32>]} {{.*}} : tensor<8xi32> -> tensor<?xi32>
// CHECK: shard.all_reduce %{{.*}} : tensor<f32>
// CHECK: return
func.func @places_and_elements(%x_in: tensor<32x16xf32>, %y_in: tensor<32xi32>) -> tensor<f32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<32x16xf32>
  %y = shard.shard %y_in to %rows : tensor<32xi32>
  %before = tensor.extract_slice %x[0, 0] [31, 16] [1, 1] : tensor<32x16xf32> to tensor<31x16xf32>
  %after = tensor.extract_slice %y[1] [31] [1] : tensor<32xi32> to tensor<31xi32>
  %low = arith.constant dense<0xFF800000> : tensor<31xf32>
  %at = arith.constant dense<0> : tensor<31xi32>
  %a:2 = linalg.generic {indexing_maps = [#ij, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%before : tensor<31x16xf32>) outs(%low, %at : tensor<31xf32>, tensor<31xi32>) {
  ^bb0(%in: f32, %most: f32, %where: i32):
    %k = linalg.index 1 : index
    %here = arith.index_cast %k : index to i32
    %more = arith.cmpf ogt, %in, %most : f32
    %0 = arith.select %more, %in, %most : f32
    %1 = arith.select %more, %here, %where : i32
    linalg.yield %0, %1 : f32, i32
  } -> (tensor<31xf32>, tensor<31xi32>)
  %zero = arith.constant dense<0.0> : tensor<f32>
  %sum = linalg.generic {indexing_maps = [#i, #i, #i, #none], iterator_types = ["reduction"]}
      ins(%a#1, %after, %a#0 : tensor<31xi32>, tensor<31xi32>, tensor<31xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%p: i32, %q: i32, %m: f32, %o: f32):
    %is = arith.cmpi eq, %p, %q : i32
    %none = arith.constant 0.0 : f32
    %one = arith.select %is, %m, %none : f32
    %r = arith.addf %o, %one : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}

// CHECK-LABEL: func.func @largest
// CHECK-DAG: shard.all_gather {{.*}} : tensor<1xf32> -> tensor<4xf32>
// CHECK-DAG: shard.all_gather {{.*}} : tensor<1xi32> -> tensor<4xi32>
// CHECK: return
func.func @largest(%x_in: tensor<32xf32>, %y_in: tensor<32xf32>) -> tensor<i32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<32xf32>
  %y = shard.shard %y_in to %s : tensor<32xf32>
  %u = tensor.extract_slice %x[1] [31] [1] : tensor<32xf32> to tensor<31xf32>
  %v = tensor.extract_slice %y[1] [31] [1] : tensor<32xf32> to tensor<31xf32>
  %w = arith.addf %u, %v : tensor<31xf32>
  %low = arith.constant dense<0xFF800000> : tensor<f32>
  %at = arith.constant dense<0> : tensor<i32>
  %a:2 = linalg.generic {indexing_maps = [#i, #none, #none], iterator_types = ["reduction"]}
      ins(%w : tensor<31xf32>) outs(%low, %at : tensor<f32>, tensor<i32>) {
  ^bb0(%in: f32, %most: f32, %where: i32):
    %k = linalg.index 0 : index
    %here = arith.index_cast %k : index to i32
    %more = arith.cmpf ogt, %in, %most : f32
    %0 = arith.select %more, %in, %most : f32
    %1 = arith.select %more, %here, %where : i32
    linalg.yield %0, %1 : f32, i32
  } -> (tensor<f32>, tensor<i32>)
  return %a#1 : tensor<i32>
}
