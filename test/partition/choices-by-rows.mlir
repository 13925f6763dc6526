// What devices tell each other of what they have found along a split loop is a price: of many rows of few
// columns the rows are split instead, which moves each element once.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s
#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
shard.grid @g(shape = 4)
// CHECK-LABEL: func.func @main
// CHECK: shard.all_to_all {{.*}} : tensor<1000x2xf32> -> tensor<250x8xf32>
// CHECK-NOT: shard.all_
// CHECK: return %{{.*}} : tensor<250xf32>, tensor<250xi64>
func.func @main(%x_in: tensor<1000x8xf32>) -> (tensor<1000xf32>, tensor<1000xi64>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<1000x8xf32>
  %low = arith.constant dense<0xFF800000> : tensor<1000xf32>
  %zero = arith.constant dense<0> : tensor<1000xi64>
  %0:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1000x8xf32>) outs(%low, %zero : tensor<1000xf32>, tensor<1000xi64>) {
  ^bb0(%in: f32, %best: f32, %at: i64):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %best : f32
    %c = arith.cmpf ogt, %in, %best : f32
    %k = arith.select %c, %j, %at : i64
    linalg.yield %m, %k : f32, i64
  } -> (tensor<1000xf32>, tensor<1000xi64>)
  return %0#0, %0#1 : tensor<1000xf32>, tensor<1000xi64>
}
