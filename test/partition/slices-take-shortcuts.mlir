// A slice of what is joined, inserted or sliced is one of the part that it takes: what is rolled by one
// and thinned out to every second row moves nothing, nor does what lies beside an insertion.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' | FileCheck %s

shard.grid @g(shape = 2)

// CHECK-LABEL: func.func @rolled(
// CHECK-NOT: {{shard.all|exchange|halo}}
// CHECK: tensor.extract_slice %arg0{{.*}} tensor<4x6xf32> to tensor<{{.*}}x6xf32>
// CHECK-NOT: {{shard.all|exchange|halo}}
// CHECK: return {{.*}} : tensor<2x6xf32>
func.func @rolled(%x_in: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x6xf32>
  %tail = tensor.extract_slice %x[1, 0] [7, 6] [1, 1] : tensor<8x6xf32> to tensor<7x6xf32>
  %head = tensor.extract_slice %x[0, 0] [1, 6] [1, 1] : tensor<8x6xf32> to tensor<1x6xf32>
  %e = tensor.empty() : tensor<8x6xf32>
  %i = tensor.insert_slice %tail into %e[0, 0] [7, 6] [1, 1] : tensor<7x6xf32> into tensor<8x6xf32>
  %r = tensor.insert_slice %head into %i[7, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<8x6xf32>
  %even = tensor.extract_slice %r[0, 0] [4, 6] [2, 1] : tensor<8x6xf32> to tensor<4x6xf32>
  %t = math.tanh %even : tensor<4x6xf32>
  return %t : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @part(
// CHECK-NEXT: math.tanh %arg1 : tensor<4x6xf32>
// CHECK-NEXT: return
func.func @part(%x_in: tensor<8x6xf32>, %y_in: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x6xf32>
  %y = shard.shard %y_in to %rows : tensor<8x6xf32>
  %xy = tensor.concat dim(0) %x, %y : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<16x6xf32>
  %all = tensor.extract_slice %xy[8, 0] [8, 6] [1, 1] : tensor<16x6xf32> to tensor<8x6xf32>
  %t = math.tanh %all : tensor<8x6xf32>
  return %t : tensor<8x6xf32>
}
