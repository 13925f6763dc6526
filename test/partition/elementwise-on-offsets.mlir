// An elementwise op whose operands share explicit offsets runs on them: nothing is moved before it,
// and nothing behind it but for those that ask for something else.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-partition,canonicalize,cse)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition,canonicalize,cse)' | FileCheck %s

shard.grid @g(shape = 2)

// Constants, fills and destinations are built where they are needed; the result stays there.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: -> (tensor<?x8xf32> {tessera.layout = {{{.*}}offsets = [array<i64: 0, -9223372036854775808, 10>, array<i64>]
// CHECK-NOT: tessera.exchange
// CHECK: arith.addf {{.*}} : tensor<?x8xf32>
// CHECK-NOT: tessera.exchange
// CHECK: linalg.exp {{.*}} -> tensor<?x8xf32>
// CHECK-NOT: tessera.exchange
// CHECK: arith.mulf {{.*}} : tensor<?x8xf32>
// CHECK-NOT: tessera.exchange
// CHECK: return
func.func @chain(%x_in: tensor<10x8xf32>, %y_in: tensor<10x8xf32>, %n: i64) -> tensor<10x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %n, 10] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x8xf32>
  %y = shard.shard %y_in to %s : tensor<10x8xf32>
  %a = arith.addf %x, %y : tensor<10x8xf32>
  %e = tensor.empty() : tensor<10x8xf32>
  %b = linalg.exp ins(%a : tensor<10x8xf32>) outs(%e : tensor<10x8xf32>) -> tensor<10x8xf32>
  %two = arith.constant dense<2.0> : tensor<10x8xf32>
  %c = arith.mulf %b, %two : tensor<10x8xf32>
  return %c : tensor<10x8xf32>
}

// A reduction runs on balanced shards.
// CHECK-LABEL: func.func @reduced
// CHECK: %[[T:.*]] = math.tanh %{{.*}} : tensor<?x8xf32>
// CHECK-NEXT: %[[B:.*]] = tessera.exchange %[[T]] {{.*}} -> tensor<5x8xf32>
// CHECK: linalg.reduce ins(%[[B]] : tensor<5x8xf32>)
func.func @reduced(%x_in: tensor<10x8xf32>) -> tensor<10xf32> {
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 3, 10] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x8xf32>
  %t = math.tanh %x : tensor<10x8xf32>
  %zero = arith.constant dense<0.0> : tensor<10xf32>
  %r = linalg.reduce ins(%t : tensor<10x8xf32>) outs(%zero : tensor<10xf32>) dimensions = [1]
    (%in: f32, %acc: f32) {
      %sum = arith.addf %in, %acc : f32
      linalg.yield %sum : f32
    }
  return %r : tensor<10xf32>
}

// So do ops whose operands are not alike, and those that see indices.
// CHECK-LABEL: func.func @unlike
// CHECK: tessera.exchange
// CHECK: tessera.exchange
// CHECK: arith.addf {{.*}} : tensor<5x8xf32>
func.func @unlike(%x_in: tensor<10x8xf32>, %y_in: tensor<10x8xf32>) -> tensor<10x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 3, 10] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 4, 10] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x8xf32>
  %y = shard.shard %y_in to %t : tensor<10x8xf32>
  %a = arith.addf %x, %y : tensor<10x8xf32>
  return %a : tensor<10x8xf32>
}

// CHECK-LABEL: func.func @indexed
// CHECK: tessera.exchange
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<5x8xindex>)
func.func @indexed(%x_in: tensor<10x8xindex>) -> tensor<10x8xindex> {
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 3, 10] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x8xindex>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%x : tensor<10x8xindex>) {
    ^bb0(%old: index):
      %i = linalg.index 0 : index
      %sum = arith.addi %old, %i : index
      linalg.yield %sum : index
  } -> tensor<10x8xindex>
  return %y : tensor<10x8xindex>
}

// Types that know more or less of the extent make no difference.
// CHECK-LABEL: func.func @casts
// CHECK-NOT: tessera.exchange
// CHECK-NOT: all_gather
// CHECK: return
func.func @casts(%x_in: tensor<?x8xf32>, %y_in: tensor<10x8xf32>) -> (tensor<10x8xf32>, tensor<?x8xf32>, tensor<10x8xf32>) {
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 3, 10] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x8xf32>
  %y = shard.shard %y_in to %s : tensor<10x8xf32>
  %a = tensor.cast %x : tensor<?x8xf32> to tensor<10x8xf32>
  %b = math.tanh %a : tensor<10x8xf32>
  %c = tensor.cast %y : tensor<10x8xf32> to tensor<?x8xf32>
  %d = math.tanh %c : tensor<?x8xf32>
  %e = linalg.add ins(%x, %b : tensor<?x8xf32>, tensor<10x8xf32>) outs(%y : tensor<10x8xf32>) -> tensor<10x8xf32>
  return %b, %d, %e : tensor<10x8xf32>, tensor<?x8xf32>, tensor<10x8xf32>
}
