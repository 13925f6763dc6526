// Halo sizes and shard offsets that only the launch knows stay where their values are known; a public
// function gets one beside it that computes those of its arguments and results.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' -o %t.once
// RUN: %mlir_opt %t.once --pass-pipeline='builtin.module(tessera-propagate)' | diff %t.once -

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @f
// CHECK-SAME: %[[X:.*]]: tensor<10x8xf32> {tessera.layout = {{.*}}halo = array<i64: 1, -9223372036854775808, 0, 0>
// CHECK-SAME: %[[N:.*]]: i64, %[[M:.*]]: index)
// CHECK-SAME: offsets = [array<i64: 0, -9223372036854775808, 5, 5, 10>, array<i64>]
// CHECK-SAME: tessera.resolve = @f.layouts2
func.func @f(%x: tensor<10x8xf32>, %n: i64, %m: index) -> tensor<10x8xf32> {
  // The shape may be asked for before the layout is known.
  // CHECK: tensor.dim %[[X]]
  %zero = arith.constant 0 : index
  %rows = tensor.dim %x, %zero : tensor<10x8xf32>
  %two = arith.constant 2 : index
  // CHECK: %[[HALF:.*]] = arith.divui
  %half = arith.divui %rows, %two : index
  %least = arith.minui %half, %m : index
  // CHECK: %[[LEAST:.*]] = arith.index_cast
  %offset = arith.index_cast %least : index to i64
  // CHECK: %[[S:.*]] = shard.sharding @g split_axes = {{\[\[}}0]] halo_sizes = [1, %[[N]]]
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [1, %n] : !shard.sharding
  // CHECK: %[[O:.*]] = shard.sharding @g split_axes = {{\[\[}}0]] sharded_dims_offsets = [0, %[[LEAST]], 5, 5, 10]
  %o = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %offset, 5, 5, 10] : !shard.sharding
  // CHECK: %[[A:.*]] = shard.shard %[[X]] to %[[S]] :
  %a = shard.shard %x to %s : tensor<10x8xf32>
  // CHECK: %[[B:.*]] = shard.shard %[[A]] to %{{.*}} annotate_for_users
  // CHECK: %[[T:.*]] = math.tanh %[[B]]
  %t = math.tanh %a : tensor<10x8xf32>
  // CHECK: %[[C:.*]] = shard.shard %[[T]] to %[[O]] :
  %b = shard.shard %t to %o : tensor<10x8xf32>
  // CHECK: %[[AGAIN:.*]] = shard.sharding @g {{.*}}sharded_dims_offsets = [0, %{{.*}}, 5, 5, 10]
  // CHECK: %[[D:.*]] = shard.shard %[[C]] to %[[AGAIN]] annotate_for_users
  // CHECK: return %[[D]]
  return %b : tensor<10x8xf32>
}

// Takes what the function takes; its name is one that nobody has.
// CHECK: func.func private @f.layouts2(%[[X:.*]]: tensor<10x8xf32>, %[[N:.*]]: i64, %[[M:.*]]: index) -> (i64, i64)
// CHECK: %[[DIM:.*]] = tensor.dim %[[X]]
// CHECK: %[[HALF:.*]] = arith.divui %[[DIM]]
// CHECK: %[[LEAST:.*]] = arith.minui %[[HALF]], %[[M]]
// CHECK: %[[OFFSET:.*]] = arith.index_cast %[[LEAST]]
// CHECK: return %[[N]], %[[OFFSET]]
func.func private @f.layouts()

// Constants are no run-time numbers, and of a private function nobody has to compute them.
// CHECK-LABEL: func.func @constants
// CHECK-SAME: halo = array<i64: 1, 2, 0, 0>
// CHECK-NOT: tessera.resolve
func.func @constants(%x: tensor<10x8xf32>) -> tensor<10x8xf32> {
  %n = arith.constant 2 : i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [1, %n] : !shard.sharding
  %a = shard.shard %x to %s : tensor<10x8xf32>
  return %a : tensor<10x8xf32>
}

// CHECK-LABEL: func.func private @internal
// CHECK-NOT: tessera.resolve
// CHECK: return
func.func private @internal(%x: tensor<10x8xf32>, %sizes: tensor<2xi64>) -> tensor<10x8xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.extract %sizes[%zero] : tensor<2xi64>
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [1, %n] : !shard.sharding
  %a = shard.shard %x to %s : tensor<10x8xf32>
  return %a : tensor<10x8xf32>
}

// A number that is computed after the value is for those that use the annotation.
// CHECK-LABEL: func.func @late
func.func @late(%x_in: tensor<10x8xf32>, %n: i64) -> tensor<10x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  // CHECK: %[[T:.*]] = math.tanh
  // CHECK-NEXT: %[[PLAIN:.*]] = shard.shard %[[T]] to %{{.*}} :
  %t = math.tanh %x : tensor<10x8xf32>
  // CHECK: math.sin
  %u = math.sin %t : tensor<10x8xf32>
  %m = arith.addi %n, %n : i64
  // CHECK: %[[S:.*]] = shard.sharding @g split_axes = {{\[\[}}0]] halo_sizes = [%{{.*}}, 0]
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%m, 0] : !shard.sharding
  // CHECK: shard.shard %[[PLAIN]] to %[[S]]
  %a = shard.shard %t to %s : tensor<10x8xf32>
  %v = arith.addf %a, %u : tensor<10x8xf32>
  return %v : tensor<10x8xf32>
}
