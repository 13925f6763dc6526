// Where a body reads is said of the op's loops, once: another run finds it said and changes nothing.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %mlir_opt %t.mlir --pass-pipeline='builtin.module(tessera-propagate)' | diff %t.mlir -

// CHECK: %[[SEVEN:.*]] = arith.constant 7 : index
// CHECK: %[[J:.*]] = linalg.index 1 : index
// CHECK: %[[BACK:.*]] = arith.subi %[[SEVEN]], %[[J]] : index
// CHECK: %[[I:.*]] = linalg.index 0 : index
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %[[BACK]], %[[I]]] : tensor<3x8x9xf32>
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<3x8x9xf32>, %row_in: tensor<5xindex>) -> tensor<5x8xf32> {
  %columns = shard.sharding @g split_axes = [[], [0], []] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<3x8x9xf32>
  %seven = arith.constant 7 : i32
  %e = tensor.empty() : tensor<5x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%row_in : tensor<5xindex>) outs(%e : tensor<5x8xf32>) {
  ^bb0(%row: index, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %other = arith.index_cast %i : index to i32
    %same = arith.index_cast %other : i32 to index
    %column = arith.index_cast %j : index to i32
    %behind = arith.subi %seven, %column : i32
    %back = arith.index_cast %behind : i32 to index
    %element = tensor.extract %x[%row, %back, %same] : tensor<3x8x9xf32>
    linalg.yield %element : f32
  } -> tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}
