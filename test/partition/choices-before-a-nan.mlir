// A maximum that is a NaN once one is seen, with the place of the best number before it (torch's maximum
// along a dimension), is found by each device in its piece: of each row three values move, the third the
// number that the place is of.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s
#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
shard.grid @g(shape = 4)
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<8x64xf32>) outs(%{{.*}} : tensor<8xf32>, tensor<8xi64>, tensor<8xf32>)
// CHECK: %[[BEST:.*]] = arith.maximumf
// CHECK: %[[BOTH:.*]] = arith.cmpf ord
// CHECK: arith.select %[[BOTH]], %[[BEST]]
// CHECK-NOT: tensor<8x256xf32>
// CHECK-COUNT-3: shard.all_gather {{.*}} : tensor<1x8x{{f32|i64}}> -> tensor<4x8x{{f32|i64}}>
// CHECK: linalg.generic {{.*}}["reduction", "parallel"]{{.*}} ins({{.*}}tensor<4x8xf32>, tensor<4x8xi64>, tensor<4x8xf32>)
// CHECK: ^bb0(%[[V:.*]]: f32, %[[I:.*]]: i64, %[[N:.*]]: f32, %[[VB:.*]]: f32, %[[IB:.*]]: i64):
// CHECK: %[[IS:.*]] = arith.cmpf ogt, %[[N]], %[[VB]]
// CHECK: arith.select %[[IS]], %[[I]], %[[IB]]
// CHECK: arith.maximumf %[[V]], %[[VB]]
func.func @main(%x_in: tensor<8x256xf32>) -> (tensor<8xf32>, tensor<8xi64>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<8x256xf32>
  %low = arith.constant dense<0xFF800000> : tensor<8xf32>
  %zero = arith.constant dense<0> : tensor<8xi64>
  %0:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x256xf32>) outs(%low, %zero : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%in: f32, %best: f32, %at: i64):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %best : f32
    %c = arith.cmpf ogt, %in, %best : f32
    %k = arith.select %c, %j, %at : i64
    linalg.yield %m, %k : f32, i64
  } -> (tensor<8xf32>, tensor<8xi64>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xi64>
}

// What takes the place of a NaN but not the NaN is no such thing.
// CHECK-LABEL: func.func @not_the_nan
// CHECK: shard.all_
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]{{.*}} ins(%{{.*}} : tensor<{{8x256|2x256}}xf32>)
func.func @not_the_nan(%x_in: tensor<8x256xf32>) -> (tensor<8xf32>, tensor<8xi64>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<8x256xf32>
  %low = arith.constant dense<0xFF800000> : tensor<8xf32>
  %zero = arith.constant dense<0> : tensor<8xi64>
  %0:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x256xf32>) outs(%low, %zero : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%in: f32, %best: f32, %at: i64):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %best : f32
    %c = arith.cmpf ugt, %in, %best : f32
    %k = arith.select %c, %j, %at : i64
    linalg.yield %m, %k : f32, i64
  } -> (tensor<8xf32>, tensor<8xi64>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xi64>
}
