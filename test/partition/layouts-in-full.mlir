// Halo sizes, shard offsets and partial axes that the source states are what arguments, intermediates
// and results have, before and after partitioning. That the numbers are right does not show this.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' | FileCheck %s --check-prefix=ANNOTATED
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition)' | FileCheck %s

shard.grid @g(shape = 4x2)

// ANNOTATED-LABEL: func.func @halos(
// ANNOTATED-SAME: %arg0: tensor<8x6xf32> {tessera.layout = {{{.*}}halo = array<i64: 1, 2, 0, 0>}}
// ANNOTATED-SAME: -> (tensor<8x6xf32> {tessera.layout = {{{.*}}halo = array<i64: 0, 1, 2, 0>}}
// ANNOTATED-SAME: tensor<8x6xf32> {tessera.layout = {{{.*}}halo = array<i64: 3, 0, 0, 0>}}
// ANNOTATED-DAG: %[[T:.*]] = shard.sharding @g split_axes = {{\[\[}}0], [1]] halo_sizes = [0, 1, 2, 0]
// ANNOTATED-DAG: %[[S:.*]] = shard.sharding @g split_axes = {{\[\[}}0]] halo_sizes = [1, 2]
// ANNOTATED-DAG: %[[U:.*]] = shard.sharding @g split_axes = {{\[\[}}1], [0]] halo_sizes = [3, 0, 0, 0]
// ANNOTATED: shard.shard %arg0 to %[[S]] : tensor<8x6xf32>
// ANNOTATED: %[[E:.*]] = math.exp
// ANNOTATED: %[[D:.*]] = shard.shard %[[E]] to %{{.*}} : tensor<8x6xf32>
// ANNOTATED: shard.shard %[[D]] to %[[U]] annotate_for_users

// CHECK-LABEL: func.func @halos(
// CHECK-SAME: %[[A:.*]]: tensor<5x6xf32> {tessera.layout = {{{.*}}halo = array<i64: 1, 2, 0, 0>}}
// CHECK-SAME: -> (tensor<3x5xf32> {tessera.layout = {{{.*}}halo = array<i64: 0, 1, 2, 0>}}, tensor<7x?xf32> {tessera.layout = {{{.*}}halo = array<i64: 3, 0, 0, 0>}}
// CHECK: tessera.exchange %[[A]] {{.*}} : tensor<5x6xf32> -> tensor<2x3xf32>
// CHECK: tessera.exchange {{.*}} : tensor<2x3xf32> -> tensor<3x5xf32>
// CHECK: tessera.exchange {{.*}} : tensor<3x5xf32> -> tensor<7x?xf32>
func.func @halos(%a: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [1, 2] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0], [1]] halo_sizes = [0, 1, 2, 0] : !shard.sharding
  %u = shard.sharding @g split_axes = [[1], [0]] halo_sizes = [3, 0, 0, 0] : !shard.sharding
  %0 = shard.shard %a to %s : tensor<8x6xf32>
  %1 = math.exp %0 : tensor<8x6xf32>
  %2 = shard.shard %1 to %t : tensor<8x6xf32>
  %3 = shard.shard %2 to %u annotate_for_users : tensor<8x6xf32>
  return %2, %3 : tensor<8x6xf32>, tensor<8x6xf32>
}

// ANNOTATED-LABEL: func.func @offsets(
// ANNOTATED-SAME: offsets = [array<i64: 0, 1, 1, 5, 8>, array<i64>]
// ANNOTATED-SAME: -> ({{.*}}offsets = [array<i64>, array<i64: 0, 5, 6>]
// ANNOTATED-SAME: offsets = [array<i64: 0, 2, 4, 5, 8>, array<i64>]
// ANNOTATED-DAG: %[[S:.*]] = shard.sharding @g split_axes = {{\[\[}}0]] sharded_dims_offsets = [0, 1, 1, 5, 8]
// ANNOTATED-DAG: %[[U:.*]] = shard.sharding @g split_axes = {{\[\[}}0]] sharded_dims_offsets = [0, 2, 4, 5, 8]
// ANNOTATED: shard.shard %arg0 to %[[S]] : tensor<8x6xf32>
// ANNOTATED: shard.shard %{{.*}} to %[[U]] annotate_for_users

// CHECK-LABEL: func.func @offsets(
// CHECK-SAME: %[[A:.*]]: tensor<?x6xf32> {tessera.layout = {{{.*}}offsets = [array<i64: 0, 1, 1, 5, 8>, array<i64>]}}
// CHECK-SAME: -> (tensor<8x?xf32> {tessera.layout = {{{.*}}offsets = [array<i64>, array<i64: 0, 5, 6>]}}, tensor<?x6xf32> {tessera.layout = {{{.*}}offsets = [array<i64: 0, 2, 4, 5, 8>, array<i64>]}}
// CHECK: %[[E:.*]] = math.exp %[[A]] : tensor<?x6xf32>
// CHECK-DAG: arith.constant dense<[5, 1]>
// CHECK-DAG: arith.constant dense<[2, 2, 1, 3]>
// CHECK-DAG: %[[U:.*]] = tessera.exchange %[[E]] {{.*}} : tensor<?x6xf32> -> tensor<?x6xf32>
// CHECK-DAG: tessera.exchange %[[U]] {{.*}} : tensor<?x6xf32> -> tensor<8x?xf32>
func.func @offsets(%a: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 1, 1, 5, 8] : !shard.sharding
  %t = shard.sharding @g split_axes = [[], [1]] sharded_dims_offsets = [0, 5, 6] : !shard.sharding
  %u = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 2, 4, 5, 8] : !shard.sharding
  %0 = shard.shard %a to %s : tensor<8x6xf32>
  %1 = math.exp %0 : tensor<8x6xf32>
  %2 = shard.shard %1 to %t : tensor<8x6xf32>
  %3 = shard.shard %2 to %u annotate_for_users : tensor<8x6xf32>
  return %2, %3 : tensor<8x6xf32>, tensor<8x6xf32>
}

// ANNOTATED-LABEL: func.func @parts(
// ANNOTATED-SAME: partial = {{\[\[}}1, #shard<partial sum>]]
// ANNOTATED-SAME: -> ({{.*}}partial = {{\[\[}}0, #shard<partial max>], [1, #shard<partial max>]]
// ANNOTATED-SAME: partial = {{\[\[}}0, #shard<partial average>]]
// ANNOTATED-DAG: %[[S:.*]] = shard.sharding @g split_axes = {{\[\[}}0]] {tessera.partial = {{\[\[}}1, #shard<partial sum>]]}
// ANNOTATED-DAG: %[[U:.*]] = shard.sharding @g split_axes = {{\[\[}}], [1]] {tessera.partial = {{\[\[}}0, #shard<partial average>]]}
// ANNOTATED: shard.shard %arg0 to %[[S]] : tensor<8x6xf32>
// ANNOTATED: shard.shard %{{.*}} to %[[U]] annotate_for_users

// What is partial is made whole for exp; asked to be partial along the axis that splits it, each piece is
// put in its place among neutral elements, and along another one it is on one device alone; from one kind
// to another it is combined by the first.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME: %[[A:.*]]: tensor<2x6xf32> {tessera.layout = {{{.*}}partial = {{\[\[}}1, #shard<partial sum>]]}}
// CHECK-SAME: -> (tensor<8x6xf32> {tessera.layout = {{{.*}}partial = {{\[\[}}0, #shard<partial max>], [1, #shard<partial max>]]}}, tensor<8x3xf32> {tessera.layout = {{{.*}}partial = {{\[\[}}0, #shard<partial average>]]}}
// CHECK: %[[W:.*]] = shard.all_reduce %[[A]] on @g grid_axes = [1] :
// CHECK: %[[E:.*]] = math.exp %[[W]]
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: %[[G:.*]] = tensor.insert_slice %[[E]] into %{{.*}} : tensor<2x6xf32> into tensor<8x6xf32>
// CHECK: %[[P:.*]] = arith.select %{{.*}}, %[[G]], %{{.*}} : tensor<8x6xf32>
// CHECK: %[[R:.*]] = shard.reduce_scatter %[[P]] on @g grid_axes = [1] reduction = max scatter_axis = 1
// CHECK: shard.all_reduce %[[R]] on @g grid_axes = [0] reduction = max
func.func @parts(%a: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %s = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial sum>]]} : !shard.sharding
  %t = shard.sharding @g split_axes = [[]] {tessera.partial = [[1, #shard<partial max>], [0, #shard<partial max>]]} : !shard.sharding
  %u = shard.sharding @g split_axes = [[], [1]] {tessera.partial = [[0, #shard<partial average>]]} : !shard.sharding
  %0 = shard.shard %a to %s : tensor<8x6xf32>
  %1 = math.exp %0 : tensor<8x6xf32>
  %2 = shard.shard %1 to %t : tensor<8x6xf32>
  %3 = shard.shard %2 to %u annotate_for_users : tensor<8x6xf32>
  return %2, %3 : tensor<8x6xf32>, tensor<8x6xf32>
}
