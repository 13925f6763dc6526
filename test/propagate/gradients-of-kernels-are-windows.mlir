// What a body reads where the loop that goes along with the split rows reduces is a window: what goes along has the
// same pieces, and would be gathered for a lookup. Beside it, patches that do not overlap, of which nothing moves.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate{remarks=false})' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate{remarks=false},tessera-partition)' | FileCheck %s --check-prefix=MOVED
shard.grid @g(shape = 4)

// CHECK-DAG: #[[SHIFTED:.*]] = affine_map<(d0, d1, d2) -> (d0 + d2, d1)>
// CHECK-DAG: #[[PATCHES:.*]] = affine_map<(d0, d1, d2) -> (d0 + d2 * 4, d1)>

// CHECK-LABEL: @of_a_kernel
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[SHIFTED]], #{{.*}}]
// CHECK-NOT: tensor.extract %
// CHECK: return
// MOVED-LABEL: @of_a_kernel
// MOVED-COUNT-1: tessera.exchange
// MOVED-NOT: all_gather
// MOVED: shard.all_reduce
// MOVED: return
func.func @of_a_kernel(%x_in: tensor<1028x64xf32>, %g_in: tensor<1024x64xf32>) -> tensor<5x64xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<1028x64xf32>
  %g = shard.shard %g_in to %s : tensor<1024x64xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x64xf32>) -> tensor<5x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(k, c, h) -> (h, c)>, affine_map<(k, c, h) -> (k, c)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g : tensor<1024x64xf32>) outs(%f : tensor<5x64xf32>) {
  ^bb0(%in: f32, %o: f32):
    %k = linalg.index 0 : index
    %c = linalg.index 1 : index
    %h = linalg.index 2 : index
    %at = arith.addi %h, %k : index
    %v = tensor.extract %x[%at, %c] : tensor<1028x64xf32>
    %p = arith.mulf %v, %in : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<5x64xf32>
  return %r : tensor<5x64xf32>
}

// CHECK-LABEL: @of_patches
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[PATCHES]], #{{.*}}]
// CHECK-NOT: tensor.extract %
// CHECK: return
// MOVED-LABEL: @of_patches
// MOVED-NOT: exchange
// MOVED-NOT: all_gather
// MOVED: shard.all_reduce
// MOVED: return
func.func @of_patches(%x_in: tensor<1024x16xf32>, %g_in: tensor<256x16xf32>) -> tensor<4xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<1024x16xf32>
  %g = shard.shard %g_in to %s : tensor<256x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(k, c, h) -> (h, c)>, affine_map<(k, c, h) -> (k)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%g : tensor<256x16xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %k = linalg.index 0 : index
    %c = linalg.index 1 : index
    %h = linalg.index 2 : index
    %at = affine.apply affine_map<(h, k) -> (h * 4 + k)>(%h, %k)
    %v = tensor.extract %x[%at, %c] : tensor<1024x16xf32>
    %p = arith.mulf %v, %in : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
