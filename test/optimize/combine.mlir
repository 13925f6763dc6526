// Small collectives of one kind, group and element type that do not wait for each other share one
// message, which stands where the last of them stood; it says why for all of them.
// RUN: %mlir_opt %s --mlir-print-debuginfo --pass-pipeline='builtin.module(tessera-optimize)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize{bucket-bytes=40})' | FileCheck %s --check-prefix=BUCKET
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize{small-bytes=12})' | FileCheck %s --check-prefix=SMALL
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize{combine=false})' | FileCheck %s --check-prefix=OFF
shard.grid @g(shape = 2x2)

// CHECK-LABEL: func.func @three
// CHECK: %[[C:.*]] = tensor.concat dim(0) %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1xf32>, tensor<6xf32>, tensor<3xf32>) -> tensor<10xf32>
// CHECK: %[[R:.*]] = shard.all_reduce %[[C]] on @g grid_axes = [0] : tensor<10xf32> -> tensor<10xf32> loc([[LOC:.*]])
// CHECK-NOT: shard.all_reduce
// CHECK: %[[P:.*]] = tensor.extract_slice %[[R]][0] [1] [1]
// CHECK: tensor.collapse_shape %[[P]] [] : tensor<1xf32> into tensor<f32>
// CHECK: %[[Q:.*]] = tensor.extract_slice %[[R]][1] [6] [1]
// CHECK: tensor.expand_shape %[[Q]] {{\[\[}}0, 1]] output_shape [2, 3]
// CHECK: math.exp
// CHECK: return
// BUCKET-LABEL: func.func @three
// BUCKET-COUNT-2: shard.all_reduce
// SMALL-LABEL: func.func @three
// SMALL: shard.all_reduce {{.*}} tensor<2x3xf32>
// SMALL: shard.all_reduce {{.*}} tensor<4xf32>
// OFF-LABEL: func.func @three
// OFF-COUNT-3: shard.all_reduce
func.func @three(%a: tensor<f32>, %b: tensor<2x3xf32>, %c: tensor<3xf32>) -> (tensor<f32>, tensor<2x3xf32>, tensor<3xf32>) {
  %x = shard.all_reduce %a on @g grid_axes = [0] : tensor<f32> -> tensor<f32> loc("tessera.cause: of a"(unknown))
  %y = shard.all_reduce %b on @g grid_axes = [0] : tensor<2x3xf32> -> tensor<2x3xf32> loc("tessera.cause: of b"(unknown))
  %u = math.exp %y : tensor<2x3xf32>
  %v = math.sin %c : tensor<3xf32>
  %z = shard.all_reduce %v on @g grid_axes = [0] : tensor<3xf32> -> tensor<3xf32> loc("tessera.cause: of c"(unknown))
  return %x, %u, %z : tensor<f32>, tensor<2x3xf32>, tensor<3xf32>
}

// Of a chain none is combined with another, but each with what stands beside it.
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-2: shard.all_reduce {{.*}} tensor<8xf32>
// CHECK-NOT: shard.all_reduce
// CHECK: return
func.func @chain(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %x = shard.all_reduce %a on @g grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %y = math.exp %x : tensor<4xf32>
  %z = shard.all_reduce %y on @g grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %p = shard.all_reduce %b on @g grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %q = math.sin %p : tensor<4xf32>
  %r = shard.all_reduce %q on @g grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return %z, %r : tensor<4xf32>, tensor<4xf32>
}

// Two kinds that wait for each other crosswise: one of them is combined.
// CHECK-LABEL: func.func @crosswise
// CHECK-COUNT-3: shard.all_reduce
// CHECK-NOT: shard.all_reduce
// CHECK: return
func.func @crosswise(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %p = shard.all_reduce %a on @g grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %q = shard.all_reduce %p on @g grid_axes = [1] : tensor<4xf32> -> tensor<4xf32>
  %r = shard.all_reduce %b on @g grid_axes = [1] : tensor<4xf32> -> tensor<4xf32>
  %s = shard.all_reduce %r on @g grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return %q, %s : tensor<4xf32>, tensor<4xf32>
}

// Other reductions, groups and types are other kinds.
// CHECK-LABEL: func.func @kinds
// CHECK-COUNT-4: shard.all_reduce
func.func @kinds(%a: tensor<4xf32>, %b: tensor<4xf64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf64>) {
  %p = shard.all_reduce %a on @g grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %q = shard.all_reduce %a on @g grid_axes = [0] reduction = max : tensor<4xf32> -> tensor<4xf32>
  %r = shard.all_reduce %a on @g grid_axes = [1] : tensor<4xf32> -> tensor<4xf32>
  %s = shard.all_reduce %b on @g grid_axes = [0] : tensor<4xf64> -> tensor<4xf64>
  return %p, %q, %r, %s : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf64>
}

// Gathers and scattered sums along the first dimension: a row for each member, with the pieces of all.
// Those along another dimension stay as they are.
// CHECK-LABEL: func.func @gathers
// CHECK: %[[C:.*]] = tensor.concat dim(0) %{{.*}}, %{{.*}} : (tensor<2xf32>, tensor<6xf32>) -> tensor<8xf32>
// CHECK: %[[G:.*]] = shard.all_gather %[[C]] on @g grid_axes = [0] gather_axis = 0 : tensor<8xf32> -> tensor<16xf32>
// CHECK: %[[M:.*]] = tensor.expand_shape %[[G]] {{\[\[}}0, 1]] output_shape [2, 8]
// CHECK: %[[P:.*]] = tensor.extract_slice %[[M]][0, 0] [2, 2] [1, 1]
// CHECK: tensor.collapse_shape %[[P]] {{\[\[}}0, 1]] : tensor<2x2xf32> into tensor<4xf32>
// CHECK: %[[Q:.*]] = tensor.extract_slice %[[M]][0, 2] [2, 6] [1, 1]
// CHECK: %[[F:.*]] = tensor.collapse_shape %[[Q]] {{\[\[}}0, 1]] : tensor<2x6xf32> into tensor<12xf32>
// CHECK: tensor.expand_shape %[[F]] {{\[\[}}0, 1]] output_shape [4, 3]
// CHECK: shard.all_gather {{.*}} gather_axis = 1
// CHECK: return
func.func @gathers(%a: tensor<2xf32>, %b: tensor<2x3xf32>, %c: tensor<3x2xf32>) -> (tensor<4xf32>, tensor<4x3xf32>, tensor<3x4xf32>) {
  %x = shard.all_gather %a on @g grid_axes = [0] gather_axis = 0 : tensor<2xf32> -> tensor<4xf32>
  %y = shard.all_gather %b on @g grid_axes = [0] gather_axis = 0 : tensor<2x3xf32> -> tensor<4x3xf32>
  %z = shard.all_gather %c on @g grid_axes = [0] gather_axis = 1 : tensor<3x2xf32> -> tensor<3x4xf32>
  return %x, %y, %z : tensor<4xf32>, tensor<4x3xf32>, tensor<3x4xf32>
}

// CHECK-LABEL: func.func @scattered_sums
// CHECK: %[[A:.*]] = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [2, 2]
// CHECK: %[[C:.*]] = tensor.concat dim(1) %[[A]], %{{.*}} : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x8xf32>
// CHECK: %[[F:.*]] = tensor.collapse_shape %[[C]]
// CHECK: %[[S:.*]] = shard.reduce_scatter %[[F]] on @g grid_axes = [1] scatter_axis = 0 : tensor<16xf32> -> tensor<8xf32>
// CHECK: tensor.extract_slice %[[S]][0] [2] [1]
// CHECK: tensor.extract_slice %[[S]][2] [6] [1]
// CHECK: return
func.func @scattered_sums(%a: tensor<4xf32>, %b: tensor<4x3xf32>) -> (tensor<2xf32>, tensor<2x3xf32>) {
  %x = shard.reduce_scatter %a on @g grid_axes = [1] scatter_axis = 0 : tensor<4xf32> -> tensor<2xf32>
  %y = shard.reduce_scatter %b on @g grid_axes = [1] scatter_axis = 0 : tensor<4x3xf32> -> tensor<2x3xf32>
  return %x, %y : tensor<2xf32>, tensor<2x3xf32>
}

// Messages between two devices, and what may contain them, are passed by nothing.
// CHECK-LABEL: func.func @barrier
// CHECK: shard.all_reduce
// CHECK: shard.send
// CHECK: shard.all_reduce
func.func @barrier(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %p = shard.all_reduce %a on @g grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %s = shard.send %a on @g grid_axes = [0] destination = [0] : (tensor<4xf32>) -> tensor<4xf32>
  %q = shard.all_reduce %b on @g grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return %p, %q, %s : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK: [[LOC]] = loc("tessera.cause: of a; and of b; and of c"
