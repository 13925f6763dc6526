// A scatter to places that are indices counted in steps is an elementwise op on a slice; of data it stays one.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate{remarks=false})' | FileCheck %s
shard.grid @g(shape = 2)

// CHECK-LABEL: @every_second
// CHECK-NOT: "reduction"
// CHECK: tensor.extract_slice {{.*}}[1, 0] [10, 3] [2, 1]
// CHECK: linalg.generic {{.*}}"parallel", "parallel"]
// CHECK: tensor.insert_slice {{.*}}[1, 0] [10, 3] [2, 1]
func.func @every_second(%x_in: tensor<20x3xf32>, %v: tensor<10x3xf32>) -> tensor<20x3xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<20x3xf32>
  %ea = tensor.empty() : tensor<10x1xi32>
  %ia = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%ea : tensor<10x1xi32>) {
  ^bb0(%o: i32):
    %k = linalg.index 0 : index
    %k32 = arith.index_cast %k : index to i32
    %c2 = arith.constant 2 : i32
    %k2 = arith.muli %k32, %c2 : i32
    %c1 = arith.constant 1 : i32
    %p = arith.addi %k2, %c1 : i32
    linalg.yield %p : i32
  } -> tensor<10x1xi32>
  %a = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %ia : tensor<10x3xf32>, tensor<10x1xi32>) outs(%x : tensor<20x3xf32>) {
  ^bb0(%u: f32, %k: i32, %o: f32):
    %r = linalg.index 0 : index
    %row = arith.index_cast %k : i32 to index
    %is = arith.cmpi eq, %r, %row : index
    %zero = arith.constant 0.0 : f32
    %m = arith.select %is, %u, %zero : f32
    %1 = arith.addf %o, %m : f32
    linalg.yield %1 : f32
  } -> tensor<20x3xf32>
  return %a : tensor<20x3xf32>
}

// CHECK-LABEL: @backwards
// CHECK-NOT: "reduction"
// CHECK: return
func.func @backwards(%x_in: tensor<20x3xf32>, %v: tensor<20x3xf32>) -> tensor<20x3xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<20x3xf32>
  %ea = tensor.empty() : tensor<20x1xi32>
  %ia = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%ea : tensor<20x1xi32>) {
  ^bb0(%o: i32):
    %k = linalg.index 0 : index
    %k32 = arith.index_cast %k : index to i32
    %cl = arith.constant 19 : i32
    %p = arith.subi %cl, %k32 : i32
    linalg.yield %p : i32
  } -> tensor<20x1xi32>
  %a = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %ia : tensor<20x3xf32>, tensor<20x1xi32>) outs(%x : tensor<20x3xf32>) {
  ^bb0(%u: f32, %k: i32, %o: f32):
    %r = linalg.index 0 : index
    %row = arith.index_cast %k : i32 to index
    %is = arith.cmpi eq, %r, %row : index
    %1 = arith.select %is, %u, %o : f32
    linalg.yield %1 : f32
  } -> tensor<20x3xf32>
  return %a : tensor<20x3xf32>
}

// Some places lie behind the end.
// CHECK-LABEL: @beyond
// CHECK: "reduction"
func.func @beyond(%x_in: tensor<20x3xf32>, %v: tensor<20x3xf32>) -> tensor<20x3xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<20x3xf32>
  %ea = tensor.empty() : tensor<20x1xi32>
  %ia = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%ea : tensor<20x1xi32>) {
  ^bb0(%o: i32):
    %k = linalg.index 0 : index
    %k32 = arith.index_cast %k : index to i32
    %c2 = arith.constant 2 : i32
    %k2 = arith.muli %k32, %c2 : i32
    %c1 = arith.constant 1 : i32
    %p = arith.addi %k2, %c1 : i32
    linalg.yield %p : i32
  } -> tensor<20x1xi32>
  %a = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %ia : tensor<20x3xf32>, tensor<20x1xi32>) outs(%x : tensor<20x3xf32>) {
  ^bb0(%u: f32, %k: i32, %o: f32):
    %r = linalg.index 0 : index
    %row = arith.index_cast %k : i32 to index
    %is = arith.cmpi eq, %r, %row : index
    %1 = arith.select %is, %u, %o : f32
    linalg.yield %1 : f32
  } -> tensor<20x3xf32>
  return %a : tensor<20x3xf32>
}

// CHECK-LABEL: @data
// CHECK: "reduction"
func.func @data(%x_in: tensor<20x3xf32>, %v: tensor<10x3xf32>, %ia: tensor<10x1xi32>) -> tensor<20x3xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<20x3xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %ia : tensor<10x3xf32>, tensor<10x1xi32>) outs(%x : tensor<20x3xf32>) {
  ^bb0(%u: f32, %k: i32, %o: f32):
    %r = linalg.index 0 : index
    %row = arith.index_cast %k : i32 to index
    %is = arith.cmpi eq, %r, %row : index
    %zero = arith.constant 0.0 : f32
    %m = arith.select %is, %u, %zero : f32
    %1 = arith.addf %o, %m : f32
    linalg.yield %1 : f32
  } -> tensor<20x3xf32>
  return %a : tensor<20x3xf32>
}

// A list that is read backwards, and what goes there too.
// CHECK-LABEL: @list_backwards
// CHECK-NOT: "reduction"
// CHECK: return
func.func @list_backwards(%x_in: tensor<20x3xf32>, %v: tensor<20x3xf32>) -> tensor<20x3xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<20x3xf32>
  %e = tensor.empty() : tensor<20x1xi32>
  %up = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<20x1xi32>) {
  ^bb0(%o: i32):
    %k = linalg.index 0 : index
    %k32 = arith.index_cast %k : index to i32
    linalg.yield %k32 : i32
  } -> tensor<20x1xi32>
  %list = linalg.generic {indexing_maps = [affine_map<(i, j) -> (-i + 19, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%up : tensor<20x1xi32>) outs(%e : tensor<20x1xi32>) {
  ^bb0(%k: i32, %o: i32):
    linalg.yield %k : i32
  } -> tensor<20x1xi32>
  %a = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %list : tensor<20x3xf32>, tensor<20x1xi32>) outs(%x : tensor<20x3xf32>) {
  ^bb0(%u: f32, %k: i32, %o: f32):
    %r = linalg.index 0 : index
    %row = arith.index_cast %k : i32 to index
    %is = arith.cmpi eq, %r, %row : index
    %1 = arith.select %is, %u, %o : f32
    linalg.yield %1 : f32
  } -> tensor<20x3xf32>
  return %a : tensor<20x3xf32>
}

// One of every row, at a column that data says: only that is compared, and the row's own index is not.
// CHECK-LABEL: @one_of_each_row
// CHECK: linalg.generic
// CHECK-NOT: "reduction"
// CHECK: linalg.generic {{.*}}"parallel", "parallel"]} ins({{.*}} : tensor<20xf32>, tensor<20x2xi64>)
// CHECK-NOT: "reduction"
// CHECK: return
func.func @one_of_each_row(%x_in: tensor<20x7xf32>, %v: tensor<20xf32>, %t: tensor<20xi64>) -> tensor<20x7xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<20x7xf32>
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  %e = tensor.empty() : tensor<20x2xi64>
  %pairs = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<20xi64>) outs(%e : tensor<20x2xi64>) {
  ^bb0(%column: i64, %o: i64):
    %k = linalg.index 0 : index
    %j = linalg.index 1 : index
    %rest = arith.remsi %k, %c20 : index
    %row = arith.index_cast %rest : index to i64
    %is_row = arith.cmpi eq, %j, %c0 : index
    %p = arith.select %is_row, %row, %column : i64
    linalg.yield %p : i64
  } -> tensor<20x2xi64>
  %a = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (b, 1)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %pairs, %pairs : tensor<20xf32>, tensor<20x2xi64>, tensor<20x2xi64>) outs(%x : tensor<20x7xf32>) {
  ^bb0(%u: f32, %row: i64, %column: i64, %o: f32):
    %r = linalg.index 0 : index
    %to_row = arith.index_cast %row : i64 to index
    %same_row = arith.cmpi eq, %r, %to_row : index
    %c = linalg.index 1 : index
    %to_column = arith.index_cast %column : i64 to index
    %same_column = arith.cmpi eq, %c, %to_column : index
    %is = arith.andi %same_column, %same_row : i1
    %1 = arith.select %is, %u, %o : f32
    linalg.yield %1 : f32
  } -> tensor<20x7xf32>
  return %a : tensor<20x7xf32>
}

// Updates that a reshape merged, each to its own row: a loop for each dimension that they had, and none
// for the rows.
// CHECK-LABEL: @merged
// CHECK: linalg.generic
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "reduction"]} ins({{.*}} : tensor<4x5xf32>, tensor<4x5x2xi64>)
// CHECK-NOT: "reduction"
// CHECK: return
func.func @merged(%x_in: tensor<4x9xf32>, %v: tensor<4x5xf32>, %t: tensor<4x5xi64>) -> tensor<4x9xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4x9xf32>
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4x5x2xi64>
  %pairs = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%t : tensor<4x5xi64>) outs(%e : tensor<4x5x2xi64>) {
  ^bb0(%column: i64, %o: i64):
    %i = linalg.index 0 : index
    %k = linalg.index 2 : index
    %row = arith.index_cast %i : index to i64
    %is_row = arith.cmpi eq, %k, %c0 : index
    %p = arith.select %is_row, %row, %column : i64
    linalg.yield %p : i64
  } -> tensor<4x5x2xi64>
  %updates = tensor.collapse_shape %v [[0, 1]] : tensor<4x5xf32> into tensor<20xf32>
  %places = tensor.collapse_shape %pairs [[0, 1], [2]] : tensor<4x5x2xi64> into tensor<20x2xi64>
  %a = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (b, 1)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%updates, %places, %places : tensor<20xf32>, tensor<20x2xi64>, tensor<20x2xi64>) outs(%x : tensor<4x9xf32>) {
  ^bb0(%u: f32, %row: i64, %column: i64, %o: f32):
    %r = linalg.index 0 : index
    %to_row = arith.index_cast %row : i64 to index
    %same_row = arith.cmpi eq, %r, %to_row : index
    %c = linalg.index 1 : index
    %to_column = arith.index_cast %column : i64 to index
    %same_column = arith.cmpi eq, %c, %to_column : index
    %is = arith.andi %same_row, %same_column : i1
    %sum = arith.addf %o, %u : f32
    %1 = arith.select %is, %sum, %o : f32
    linalg.yield %1 : f32
  } -> tensor<4x9xf32>
  return %a : tensor<4x9xf32>
}

// One row, set and added to at a place that is a number.
// CHECK-LABEL: @one_row
// CHECK-NOT: "reduction"
// CHECK: tensor.insert_slice {{.*}}[7, 0] [1, 3] [1, 1]
// CHECK-NOT: "reduction"
// CHECK: tensor.extract_slice {{.*}}[19, 0] [1, 3] [1, 1]
// CHECK: tensor.insert_slice {{.*}}[19, 0] [1, 3] [1, 1]
// CHECK-NOT: "reduction"
// CHECK: return
func.func @one_row(%x_in: tensor<20x3xf32>, %v: tensor<1x3xf32>) -> tensor<20x3xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<20x3xf32>
  %seven = arith.constant dense<7> : tensor<1x1xi32>
  %last = arith.constant dense<19> : tensor<1x1xi32>
  %a = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %seven : tensor<1x3xf32>, tensor<1x1xi32>) outs(%x : tensor<20x3xf32>) {
  ^bb0(%u: f32, %k: i32, %o: f32):
    %r = linalg.index 0 : index
    %row = arith.index_cast %k : i32 to index
    %is = arith.cmpi eq, %r, %row : index
    %m = arith.select %is, %u, %o : f32
    linalg.yield %m : f32
  } -> tensor<20x3xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %last : tensor<1x3xf32>, tensor<1x1xi32>) outs(%a : tensor<20x3xf32>) {
  ^bb0(%u: f32, %k: i32, %o: f32):
    %r = linalg.index 0 : index
    %row = arith.index_cast %k : i32 to index
    %is = arith.cmpi eq, %r, %row : index
    %zero = arith.constant 0.0 : f32
    %m = arith.select %is, %u, %zero : f32
    %1 = arith.addf %o, %m : f32
    linalg.yield %1 : f32
  } -> tensor<20x3xf32>
  return %b : tensor<20x3xf32>
}
