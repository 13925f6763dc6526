// What a body reads at sums of its loops' indices is a window of these: halos move, where the windows of places
// beside each other meet, and else nothing.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' | FileCheck %s
shard.grid @g(shape = 4)

// The places of maxima: found in what the maxima are of, and counted by indices of all of it.
// CHECK-LABEL: func.func @places(
// CHECK: %[[X:.*]] = tessera.exchange %arg0 {{.*}}halo = array<i64: 0, 0, 0, 1, 0, 0>
// CHECK-NOT: tessera.exchange
// CHECK-NOT: all_gather
// CHECK: linalg.generic {{.*}} ins({{.*}}, %[[X]] : tensor<2x4x16xf32>, tensor<3xf32>, tensor<2x9x16xf32>)
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @places(%x_in: tensor<2x33x16xf32>, %m_in: tensor<2x16x16xf32>) -> tensor<2x16x16xi64> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<2x33x16xf32>
  %m = shard.shard %m_in to %s : tensor<2x16x16xf32>
  %c2 = arith.constant 2 : index
  %none = arith.constant -1 : i64
  %window = tensor.empty() : tensor<3xf32>
  %e = tensor.empty() : tensor<2x16x16xi64>
  %f = linalg.fill ins(%none : i64) outs(%e : tensor<2x16x16xi64>) -> tensor<2x16x16xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, w, i) -> (b, h, w)>, affine_map<(b, h, w, i) -> (i)>, affine_map<(b, h, w, i) -> (b, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%m, %window : tensor<2x16x16xf32>, tensor<3xf32>) outs(%f : tensor<2x16x16xi64>) {
  ^bb0(%most: f32, %in: f32, %o: i64):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %w = linalg.index 2 : index
    %i = linalg.index 3 : index
    %h2 = arith.muli %h, %c2 : index
    %at = arith.addi %h2, %i : index
    %v = tensor.extract %x[%b, %at, %w] : tensor<2x33x16xf32>
    %n = arith.index_cast %at : index to i64
    %c = arith.cmpf oeq, %v, %most : f32
    %k = arith.select %c, %n, %o : i64
    linalg.yield %k : i64
  } -> tensor<2x16x16xi64>
  return %r : tensor<2x16x16xi64>
}

// Parts that do not meet, in steps of a number that affine.apply is told: each device has its own.
// CHECK-LABEL: func.func @parts(
// CHECK-NOT: {{exchange|gather|all_to_all}}
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<16x8xf32>)
// CHECK-NOT: {{exchange|gather|all_to_all}}
// CHECK: return %{{.*}} : tensor<4x4x8xf32>
func.func @parts(%x_in: tensor<64x8xf32>) -> tensor<16x4x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64x8xf32>
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<16x4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, i, c) -> (h, i, c)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<16x4x8xf32>) {
  ^bb0(%o: f32):
    %h = linalg.index 0 : index
    %i = linalg.index 1 : index
    %c = linalg.index 2 : index
    %at = affine.apply affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>(%h, %i)[%c4]
    %v = tensor.extract %x[%at, %c] : tensor<64x8xf32>
    linalg.yield %v : f32
  } -> tensor<16x4x8xf32>
  return %r : tensor<16x4x8xf32>
}

// A kernel that is turned, counted in integers of 32 bits, on one of several images: of that alone.
// CHECK-LABEL: func.func @turned(
// CHECK: tessera.exchange %arg0 {{.*}}halo = array<i64: 0, 0, 0, 2, 0, 0>, {{.*}} -> tensor<1x10x8xf32>
// CHECK-NOT: tessera.exchange
// CHECK-NOT: all_gather
// CHECK: return
func.func @turned(%x_in: tensor<5x34x8xf32>, %kernel: tensor<3xf32>) -> tensor<32x8xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<5x34x8xf32>
  %c2 = arith.constant 2 : i32
  %image = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x8xf32>) -> tensor<32x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, c, i) -> (i)>, affine_map<(h, c, i) -> (h, c)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%kernel : tensor<3xf32>) outs(%f : tensor<32x8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %h = linalg.index 0 : index
    %c = linalg.index 1 : index
    %i = linalg.index 2 : index
    %h32 = arith.index_cast %h : index to i32
    %i32 = arith.index_cast %i : index to i32
    %t = arith.addi %h32, %c2 : i32
    %n = arith.subi %t, %i32 : i32
    %at = arith.index_cast %n : i32 to index
    %v = tensor.extract %x[%image, %at, %c] : tensor<5x34x8xf32>
    %p = arith.mulf %v, %in : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<32x8xf32>
  return %r : tensor<32x8xf32>
}

// As many images as the run has, in all that the op reads and makes.
// CHECK-LABEL: func.func @images(
// CHECK: %[[X:.*]] = tessera.exchange %arg0 {{.*}}halo = array<i64: 0, 0, 0, 1>
// CHECK-NOT: {{exchange|gather|all_to_all}}
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<?x9xf32>)
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @images(%x_in: tensor<?x33xf32>) -> tensor<?x16x3xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x33xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x33xf32>
  %e = tensor.empty(%n) : tensor<?x16x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, w, i) -> (b, w, i)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<?x16x3xf32>) {
  ^bb0(%o: f32):
    %b = linalg.index 0 : index
    %w = linalg.index 1 : index
    %i = linalg.index 2 : index
    %w2 = arith.muli %w, %c2 : index
    %at = arith.addi %w2, %i : index
    %v = tensor.extract %x[%b, %at] : tensor<?x33xf32>
    linalg.yield %v : f32
  } -> tensor<?x16x3xf32>
  return %r : tensor<?x16x3xf32>
}
