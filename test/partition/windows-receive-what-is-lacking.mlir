// What reads neighbours' indices along a split dimension receives those alone, once for all that read
// them; the local ops are the same on pieces with these.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition,canonicalize)' | FileCheck %s

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @difference(
// CHECK: tessera.exchange %arg0 {{.*}} to {{.*}}halo = array<i64: 0, 1, 0, 0>, offsets = [array<i64: 0, 255, 511, 767, 1023>, array<i64>]}
// CHECK-NOT: tessera.exchange
// CHECK-NOT: all_gather
// CHECK: return
func.func @difference(%a: tensor<1024x8xf32>) -> tensor<1023x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<1024x8xf32>
  %0 = tensor.extract_slice %x[1, 0] [1023, 8] [1, 1] : tensor<1024x8xf32> to tensor<1023x8xf32>
  %1 = tensor.extract_slice %x[0, 0] [1023, 8] [1, 1] : tensor<1024x8xf32> to tensor<1023x8xf32>
  %2 = arith.subf %0, %1 : tensor<1023x8xf32>
  return %2 : tensor<1023x8xf32>
}

// The inside is computed in the pieces that it is put into: one exchange, and none behind it.
// CHECK-LABEL: func.func @inside(
// CHECK: tessera.exchange %arg0 {{.*}} to {{.*}}halo = array<i64: 0, 2, 0, 0>, offsets = [array<i64: 0, 15, 31, 47, 62>, array<i64>]}
// CHECK: arith.addf {{.*}} : tensor<?x8xf32>
// CHECK-NOT: tessera.exchange
// CHECK: tensor.insert_slice {{.*}} into %arg0[%{{.*}}, 0] [%{{.*}}, 8] [1, 1] : tensor<?x8xf32> into tensor<16x8xf32>
// CHECK-NOT: tessera.exchange
// CHECK: return
func.func @inside(%a: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<64x8xf32>
  %0 = tensor.extract_slice %x[0, 0] [62, 8] [1, 1] : tensor<64x8xf32> to tensor<62x8xf32>
  %1 = tensor.extract_slice %x[2, 0] [62, 8] [1, 1] : tensor<64x8xf32> to tensor<62x8xf32>
  %2 = arith.addf %0, %1 : tensor<62x8xf32>
  %3 = tensor.insert_slice %2 into %x[1, 0] [62, 8] [1, 1] : tensor<62x8xf32> into tensor<64x8xf32>
  %r = shard.shard %3 to %s : tensor<64x8xf32>
  return %r : tensor<64x8xf32>
}

// Convolutions stay the ops that they are; both read one exchange of what is not padded yet.
// CHECK-LABEL: func.func @convolutions(
// CHECK: %[[X:.*]] = tessera.exchange %arg0 {{.*}} to {{.*}}halo = array<i64: 0, 0, 0, 2, 0, 0, 0, 0>, offsets = [array<i64>, array<i64: 0, 7, 15, 23, 30>, array<i64>, array<i64>]}
// CHECK-NOT: tessera.exchange
// CHECK: linalg.conv_2d_nhwc_hwcf ins(%{{.*}}, %{{.*}} : tensor<2x10x34x3xf32>, tensor<3x3x3x4xf32>) outs(%{{.*}} : tensor<2x8x32x4xf32>)
// CHECK: linalg.conv_2d_nhwc_hwcf ins(%{{.*}}, %{{.*}} : tensor<2x10x34x3xf32>, tensor<3x3x3x4xf32>) outs(%{{.*}} : tensor<2x8x32x4xf32>)
func.func @convolutions(%a: tensor<2x32x32x3xf32>, %k: tensor<3x3x3x4xf32>, %l: tensor<3x3x3x4xf32>)
    -> (tensor<2x32x32x4xf32>, tensor<2x32x32x4xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<2x32x32x3xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%b: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x32x32x3xf32> to tensor<2x34x34x3xf32>
  %e = tensor.empty() : tensor<2x32x32x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x32x32x4xf32>) -> tensor<2x32x32x4xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%p, %k : tensor<2x34x34x3xf32>, tensor<3x3x3x4xf32>)
      outs(%f : tensor<2x32x32x4xf32>) -> tensor<2x32x32x4xf32>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%p, %l : tensor<2x34x34x3xf32>, tensor<3x3x3x4xf32>)
      outs(%f : tensor<2x32x32x4xf32>) -> tensor<2x32x32x4xf32>
  return %0, %1 : tensor<2x32x32x4xf32>, tensor<2x32x32x4xf32>
}

// A row that all devices need is sent to them, and nothing else.
// CHECK-LABEL: func.func @row(
// CHECK: tessera.exchange %arg0 {{.*}} to {factors = {{\[\[\[}}64, []]], {{.*}}offsets = [array<i64: 40, 41>, array<i64>]} : tensor<16x8xf32> -> tensor<1x8xf32>
// CHECK-NOT: tessera.exchange
// CHECK-NOT: all_gather
// CHECK: return
func.func @row(%a: tensor<64x8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<64x8xf32>
  %0 = tensor.extract_slice %x[40, 0] [1, 8] [1, 1] : tensor<64x8xf32> to tensor<8xf32>
  %1 = math.exp %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Corners come along where they are read.
shard.grid @h(shape = 2x2)

// CHECK-LABEL: func.func @corners(
// CHECK: tessera.exchange %arg0 {{.*}}halo = array<i64: 0, 1, 0, 2>, offsets = [array<i64: 0, 3, 7>, array<i64: 0, 2, 4>]
// CHECK-NOT: tessera.exchange
// CHECK: return
func.func @corners(%a: tensor<8x6xf32>) -> tensor<7x4xf32> {
  %s = shard.sharding @h split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<8x6xf32>
  %0 = tensor.extract_slice %x[1, 2] [7, 4] [1, 1] : tensor<8x6xf32> to tensor<7x4xf32>
  %1 = tensor.extract_slice %x[0, 0] [7, 4] [1, 1] : tensor<8x6xf32> to tensor<7x4xf32>
  %2 = tensor.extract_slice %x[1, 0] [7, 4] [1, 1] : tensor<8x6xf32> to tensor<7x4xf32>
  %3 = tensor.extract_slice %x[0, 2] [7, 4] [1, 1] : tensor<8x6xf32> to tensor<7x4xf32>
  %4 = arith.addf %0, %1 : tensor<7x4xf32>
  %5 = arith.addf %2, %3 : tensor<7x4xf32>
  %6 = arith.mulf %4, %5 : tensor<7x4xf32>
  return %6 : tensor<7x4xf32>
}

// An image of twice the size has each row of the image twice: nobody lacks any.
// CHECK-LABEL: func.func @doubled(
// CHECK-NOT: tessera.exchange
// CHECK-NOT: shard.all
// CHECK: tensor.extract %arg0[%{{.*}}, %{{.*}}] : tensor<8x8xf32>
// CHECK: return
func.func @doubled(%a: tensor<32x8xf32>) -> tensor<64x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<32x8xf32>
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<64x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<64x8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %h = arith.divui %i, %c2 : index
    %v = tensor.extract %x[%h, %j] : tensor<32x8xf32>
    linalg.yield %v : f32
  } -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}

// A window that looks ahead further than a piece is long: the last device holds more than it reads, the
// others no more than that.
// CHECK-LABEL: func.func @ahead(
// CHECK: tessera.exchange %arg0 {{.*}}halo = array<i64: 0, 9>, offsets = [array<i64: 0, 8, 16, 23, 23>]
// CHECK-NOT: shard.all
// CHECK: return
func.func @ahead(%a: tensor<32xf32>) -> tensor<32xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<32xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0] high[9] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<32xf32> to tensor<41xf32>
  %b = tensor.extract_slice %p[9] [32] [1] : tensor<41xf32> to tensor<32xf32>
  %c = tensor.extract_slice %p[0] [32] [1] : tensor<41xf32> to tensor<32xf32>
  %d = tensor.extract_slice %p[4] [32] [1] : tensor<41xf32> to tensor<32xf32>
  %e = arith.addf %b, %c : tensor<32xf32>
  %f = arith.addf %e, %d : tensor<32xf32>
  return %f : tensor<32xf32>
}
