// Maxima come with the places where they are, which torch's softmax does not use: without these the
// loop is a maximum, which is split as any other. Places that are used stay.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' 2>&1 | FileCheck %s

shard.grid @grid(shape = 4)

// CHECK-LABEL: func.func @softmax
// CHECK-NOT: warning
// CHECK: %[[MOST:.*]] = linalg.generic {{.*}} ["parallel", "reduction"]} ins(%{{.*}} : tensor<6x4xf32>) outs(%{{.*}} : tensor<6xf32>)
// CHECK-NEXT: ^bb0(%{{[a-z0-9_]*}}: f32, %{{[a-z0-9_]*}}: f32)
// CHECK-NEXT: arith.maximumf
// CHECK-NEXT: linalg.yield
// CHECK: shard.all_reduce %[[MOST]] on @grid grid_axes = [0] reduction = {{"?}}max
// CHECK-NOT: shard.all_gather
// CHECK: shard.all_reduce
// CHECK-NOT: shard.all_gather
func.func @softmax(%x_in: tensor<6x16xf32>) -> tensor<6x16xf32> {
  %columns = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<6x16xf32>
  %zero = arith.constant 0.0 : f32
  %first = arith.constant 0 : i64
  %least = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<6xf32>
  %empty_places = tensor.empty() : tensor<6xi64>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<6xf32>) -> tensor<6xf32>
  %firsts = linalg.fill ins(%first : i64) outs(%empty_places : tensor<6xi64>) -> tensor<6xi64>
  %leasts = linalg.fill ins(%least : f32) outs(%empty : tensor<6xf32>) -> tensor<6xf32>
  %most:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x16xf32>) outs(%leasts, %firsts : tensor<6xf32>, tensor<6xi64>) {
  ^bb0(%in: f32, %out: f32, %place: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %more = arith.maximumf %in, %out : f32
    %is_more = arith.cmpf ogt, %in, %out : f32
    %where = arith.select %is_more, %here, %place : i64
    linalg.yield %more, %where : f32, i64
  } -> (tensor<6xf32>, tensor<6xi64>)
  %wide = tensor.empty() : tensor<6x16xf32>
  %powers = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %most#0 : tensor<6x16xf32>, tensor<6xf32>) outs(%wide : tensor<6x16xf32>) {
  ^bb0(%in: f32, %top: f32, %out: f32):
    %below = arith.subf %in, %top : f32
    %power = math.exp %below : f32
    linalg.yield %power : f32
  } -> tensor<6x16xf32>
  %sums = linalg.reduce { arith.addf } ins(%powers : tensor<6x16xf32>) outs(%zeros : tensor<6xf32>) dimensions = [1]
  %parts = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%powers, %sums : tensor<6x16xf32>, tensor<6xf32>) outs(%wide : tensor<6x16xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %part = arith.divf %in, %sum : f32
    linalg.yield %part : f32
  } -> tensor<6x16xf32>
  return %parts : tensor<6x16xf32>
}

// CHECK-LABEL: func.func @places
// CHECK: :2 = linalg.generic
func.func @places(%x_in: tensor<6x16xf32>) -> tensor<6xi64> {
  %columns = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<6x16xf32>
  %first = arith.constant 0 : i64
  %least = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<6xf32>
  %empty_places = tensor.empty() : tensor<6xi64>
  %firsts = linalg.fill ins(%first : i64) outs(%empty_places : tensor<6xi64>) -> tensor<6xi64>
  %leasts = linalg.fill ins(%least : f32) outs(%empty : tensor<6xf32>) -> tensor<6xf32>
  %most:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x16xf32>) outs(%leasts, %firsts : tensor<6xf32>, tensor<6xi64>) {
  ^bb0(%in: f32, %out: f32, %place: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %more = arith.maximumf %in, %out : f32
    %is_more = arith.cmpf ogt, %in, %out : f32
    %where = arith.select %is_more, %here, %place : i64
    linalg.yield %more, %where : f32, i64
  } -> (tensor<6xf32>, tensor<6xi64>)
  return %most#1 : tensor<6xi64>
}

// What may fail stays, whoever uses its results.
// CHECK-LABEL: func.func @checked
// CHECK: linalg.generic
// CHECK: cf.assert
// CHECK: return
func.func @checked(%x_in: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %rows = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x8xf32>
  %most = arith.constant 100.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %unused:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%empty, %empty : tensor<8x8xf32>, tensor<8x8xf32>) {
  ^bb0(%in: f32, %first: f32, %second: f32):
    %ok = arith.cmpf olt, %in, %most : f32
    cf.assert %ok, "too much"
    linalg.yield %in, %in : f32, f32
  } -> (tensor<8x8xf32>, tensor<8x8xf32>)
  return %x : tensor<8x8xf32>
}

// What nobody uses asks for nothing: neither do ops that only such ops use. So the places are not
// used either, nor is the table read.
// CHECK-LABEL: func.func @dead
// CHECK-NOT: warning
// CHECK: linalg.generic {{.*}} ["parallel", "reduction"]} ins(%{{.*}} : tensor<6x4xf32>) outs(%{{.*}} : tensor<6xf32>)
// CHECK-NOT: tensor.expand_shape
// CHECK-NOT: linalg.generic
// CHECK-NOT: shard.all_gather
// CHECK: shard.all_reduce
// CHECK-NOT: linalg.generic
// CHECK-NOT: shard.all_gather
// CHECK: return
func.func @dead(%x_in: tensor<6x16xf32>, %table_in: tensor<16x64xf32>) -> tensor<6xf32> {
  %columns = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<6x16xf32>
  %table = shard.shard %table_in to %rows : tensor<16x64xf32>
  %first = arith.constant 0 : i64
  %least = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<6xf32>
  %empty_places = tensor.empty() : tensor<6xi64>
  %firsts = linalg.fill ins(%first : i64) outs(%empty_places : tensor<6xi64>) -> tensor<6xi64>
  %leasts = linalg.fill ins(%least : f32) outs(%empty : tensor<6xf32>) -> tensor<6xf32>
  %most:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x16xf32>) outs(%leasts, %firsts : tensor<6xf32>, tensor<6xi64>) {
  ^bb0(%in: f32, %out: f32, %place: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %more = arith.maximumf %in, %out : f32
    %is_more = arith.cmpf ogt, %in, %out : f32
    %where = arith.select %is_more, %here, %place : i64
    linalg.yield %more, %where : f32, i64
  } -> (tensor<6xf32>, tensor<6xi64>)
  %column = tensor.expand_shape %most#1 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
  %wide = tensor.empty() : tensor<6x64xf32>
  %read = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%column : tensor<6x1xi64>) outs(%wide : tensor<6x64xf32>) {
  ^bb0(%place: i64, %out: f32):
    %row = arith.index_cast %place : i64 to index
    %j = linalg.index 1 : index
    %element = tensor.extract %table[%row, %j] : tensor<16x64xf32>
    linalg.yield %element : f32
  } -> tensor<6x64xf32>
  %powers = math.exp %read : tensor<6x64xf32>
  return %most#0 : tensor<6xf32>
}

// An annotation says how its operand lies, whoever uses the result; so does one in what is dead
// without it.
// CHECK-LABEL: func.func @annotated
// CHECK-SAME: %{{.*}}: tensor<2x16xf32>
// CHECK: math.exp {{.*}} : tensor<6x{{4|16}}xf32>
// CHECK: scf.if
// CHECK: return
func.func @annotated(%x_in: tensor<8x16xf32>, %y_in: tensor<6x16xf32>, %choice: i1) -> tensor<8x16xf32> {
  %columns = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x16xf32>
  %powers = math.exp %y_in : tensor<6x16xf32>
  %annotated = shard.shard %powers to %columns : tensor<6x16xf32>
  %unused = scf.if %choice -> tensor<8x16xf32> {
    %inside = shard.shard %x to %columns annotate_for_users : tensor<8x16xf32>
    scf.yield %inside : tensor<8x16xf32>
  } else {
    scf.yield %x : tensor<8x16xf32>
  }
  return %x : tensor<8x16xf32>
}
