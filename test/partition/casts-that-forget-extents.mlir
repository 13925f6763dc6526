// Importers join what is rolled behind casts that forget its extents: who reads these reads what is cast, so that
// a roll by three rows moves three rows. Parts of unknown extents are not taken for equal ones.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate{remarks=false},tessera-partition,canonicalize,cse)' | FileCheck %s

shard.grid @g(shape = 4)
// CHECK-LABEL: func.func @rolled(
// CHECK-NOT: shard.all_to_all
// CHECK: tessera.exchange {{.*}} offsets = [array<i64: 29, 32, 32, 32, 32>
// CHECK: tessera.exchange {{.*}} offsets = [array<i64: 0, 5, 13, 21, 29>
// CHECK: return {{.*}} : tensor<8x8xf32>
func.func @rolled(%x_in: tensor<32x8xf32>) -> tensor<32x8xf32> {
  %rows = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<32x8xf32>
  %last = tensor.extract_slice %x[29, 0] [3, 8] [1, 1] : tensor<32x8xf32> to tensor<3x8xf32>
  %last_cast = tensor.cast %last : tensor<3x8xf32> to tensor<?x8xf32>
  %rest = tensor.extract_slice %x[0, 0] [29, 8] [1, 1] : tensor<32x8xf32> to tensor<29x8xf32>
  %rest_cast = tensor.cast %rest : tensor<29x8xf32> to tensor<?x8xf32>
  %rolled = tensor.concat dim(0) %last_cast, %rest_cast : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<32x8xf32>
  return %rolled : tensor<32x8xf32>
}

// CHECK-LABEL: func.func @of_unknown_extents(
// CHECK-NOT: tensor.expand_shape
// CHECK: tensor.concat
// CHECK: linalg.matmul
func.func @of_unknown_extents(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>, %w_in: tensor<8x16xf32>) -> tensor<16x16xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %w = shard.shard %w_in to %columns : tensor<8x16xf32>
  %both = tensor.concat dim(0) %a, %b : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<16x8xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x16xf32>) -> tensor<16x16xf32>
  %y = linalg.matmul ins(%both, %w : tensor<16x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}
