// Halo sizes and shard offsets that only the launch knows, of arguments whose annotations are folded
// or deleted between the passes: layouts, the function that computes their numbers, and what is
// computed stay in step.
// RUN: %mlir_opt %s -o %t.mlir \
// RUN:   --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate)'
// RUN: FileCheck %s --check-prefix=AGAIN < %t.mlir
// RUN: %mlir_opt %t.mlir --pass-pipeline='builtin.module(tessera-propagate)' | diff %t.mlir -
// RUN: %mlir_opt %t.mlir -o %t.local.mlir \
// RUN:   --pass-pipeline='builtin.module(canonicalize,cse,tessera-partition,canonicalize,cse)'
// RUN: FileCheck %s --check-prefix=LOCAL < %t.local.mlir
// RUN: %mlir_opt %s -o %t.lowered.mlir \
// RUN:   --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate,canonicalize,cse,tessera-partition,canonicalize,cse,tessera-lower)'

shard.grid @g(shape = 2)

// An argument that nothing uses.
// AGAIN-LABEL: func.func @unused
// AGAIN-SAME: %[[X:[^ ]*]]: tensor<8xf64> {tessera.layout = {{.*}}halo = array<i64: -9223372036854775808, 1>}}
// AGAIN-SAME: %[[H:[^ ]*]]: i64
// AGAIN-SAME: tessera.resolve = @unused.layouts}
// AGAIN: %[[S:.*]] = shard.sharding @g split_axes = {{\[\[}}0]] halo_sizes = [%[[H]], 1]
// AGAIN: shard.shard %[[X]] to %[[S]] :
// AGAIN: func.func private @unused.layouts(%{{.*}}: tensor<8xf64>, %{{.*}}: tensor<8xf64>, %[[N:.*]]: i64) -> i64
// AGAIN-NEXT: return %[[N]]
// LOCAL-LABEL: func.func @unused
// LOCAL-SAME: tensor<?xf64> {tessera.layout
// LOCAL-SAME: tessera.resolve = @unused.layouts}
func.func @unused(%x_in: tensor<8xf64>, %y_in: tensor<8xf64>, %h: i64) -> tensor<8xf64> {
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%h, 1] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8xf64>
  %y = shard.shard %y_in to %t : tensor<8xf64>
  return %y : tensor<8xf64>
}

// One that is asked for its shape alone; the numbers are computed, of that shape too.
// AGAIN-LABEL: func.func @asked
// AGAIN-SAME: %[[X:[^ ]*]]: tensor<?xf64> {tessera.layout = {{.*}}offsets = [array<i64: 0, -9223372036854775808, -9223372036854775808>]}}
// AGAIN: %[[ROWS:.*]] = tensor.dim %[[X]]
// AGAIN: %[[HALF:.*]] = arith.divui %[[ROWS]]
// AGAIN: %[[S:.*]] = shard.sharding @g {{.*}}sharded_dims_offsets = [0, %{{.*}}, %{{.*}}]
// AGAIN: shard.shard %[[X]] to %[[S]] :
// AGAIN: func.func private @asked.layouts
// AGAIN: arith.divui
// AGAIN: return %{{.*}}, %{{.*}} : i64, i64
// LOCAL-LABEL: func.func @asked
// LOCAL: %[[SUM:.*]] = shard.all_reduce
// LOCAL: tensor.extract %[[SUM]]
// LOCAL-LABEL: func.func private @asked.layouts
func.func @asked(%x_in: tensor<?xf64>, %y_in: tensor<8xf64>) -> (tensor<8xf64>, index) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %rows = tensor.dim %x_in, %zero : tensor<?xf64>
  %half = arith.divui %rows, %two : index
  %n = arith.index_cast %half : index to i64
  %m = arith.index_cast %rows : index to i64
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %n, %m] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?xf64>
  %y = shard.shard %y_in to %t : tensor<8xf64>
  return %y, %rows : tensor<8xf64>, index
}

// One of a function that is called; nobody but the passes needs its numbers.
// AGAIN-LABEL: func.func private @callee
// AGAIN-SAME: tessera.resolve = @callee.layouts}
// AGAIN: func.func private @callee.layouts
// LOCAL-NOT: @callee.layouts
// LOCAL-LABEL: func.func private @callee
// LOCAL-NOT: tessera.resolve
// LOCAL-LABEL: func.func @caller
// LOCAL: %[[PIECE:.*]] = tessera.exchange
// LOCAL-SAME: -> tensor<?xf64>
// LOCAL: call @callee(%[[PIECE]],
func.func private @callee(%x_in: tensor<8xf64>, %y_in: tensor<8xf64>, %h: i64) -> tensor<8xf64> {
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%h, 1] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8xf64>
  %z = math.tanh %y_in : tensor<8xf64>
  return %z : tensor<8xf64>
}
func.func @caller(%x_in: tensor<8xf64>, %h: i64) -> tensor<8xf64> {
  %t = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %t : tensor<8xf64>
  %y = func.call @callee(%x, %x, %h) : (tensor<8xf64>, tensor<8xf64>, i64) -> tensor<8xf64>
  return %y : tensor<8xf64>
}

// Two numbers, one of which is folded: it is a static one from then on, and nobody computes it.
// AGAIN-LABEL: func.func @folded
// AGAIN-SAME: halo = array<i64: 2, 1>
// AGAIN-SAME: halo = array<i64: -9223372036854775808, 0>
// AGAIN: func.func private @folded.layouts({{.*}}, %[[N:.*]]: i64) -> i64
// AGAIN-NEXT: return %[[N]] : i64
// LOCAL-LABEL: func.func @folded
// LOCAL-SAME: tensor<7xf64>
// LOCAL: func.func private @folded.layouts({{.*}}, %[[N:.*]]: i64) -> i64
func.func @folded(%x_in: tensor<8xf64>, %y_in: tensor<8xf64>, %h: i64)
    -> (tensor<8xf64>, tensor<8xf64>) {
  %one = arith.constant 1 : i64
  %two = arith.addi %one, %one : i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%two, 1] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] halo_sizes = [%h, 0] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8xf64>
  %y = shard.shard %y_in to %t : tensor<8xf64>
  %u = math.tanh %x : tensor<8xf64>
  %v = math.exp %y : tensor<8xf64>
  return %u, %v : tensor<8xf64>, tensor<8xf64>
}

// The same where its argument is not used: the number is a constant in the function that keeps it.
// AGAIN-LABEL: func.func @folded_and_unused
// AGAIN-SAME: halo = array<i64: 2, 1>
// AGAIN-SAME: halo = array<i64: -9223372036854775808, 0>
// AGAIN: shard.sharding @g split_axes = {{\[\[}}0]] halo_sizes = [2, 1]
// AGAIN: func.func private @folded_and_unused.layouts({{.*}}) -> i64
// LOCAL-LABEL: func.func @folded_and_unused
// LOCAL-SAME: tensor<7xf64>
func.func @folded_and_unused(%x_in: tensor<8xf64>, %y_in: tensor<8xf64>, %h: i64) -> tensor<8xf64> {
  %one = arith.constant 1 : i64
  %two = arith.addi %one, %one : i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%two, 1] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] halo_sizes = [%h, 0] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8xf64>
  %y = shard.shard %y_in to %t : tensor<8xf64>
  %v = math.exp %y : tensor<8xf64>
  return %v : tensor<8xf64>
}

// All of them: there is nothing to compute any more.
// AGAIN-LABEL: func.func @all_folded
// AGAIN-NOT: tessera.resolve
// AGAIN-NOT: func.func private @all_folded.layouts
func.func @all_folded(%x_in: tensor<8xf64>) -> tensor<8xf64> {
  %one = arith.constant 1 : i64
  %two = arith.addi %one, %one : i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%two, 1] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8xf64>
  %u = math.tanh %x : tensor<8xf64>
  return %u : tensor<8xf64>
}
