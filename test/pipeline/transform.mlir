// transform.apply_registered_pass runs each pass, and the pipeline as a whole, on a module.
// RUN: %mlir_opt %s --transform-interpreter --split-input-file | FileCheck %s

// CHECK: module @payload
// CHECK: func.func @double(%{{.*}}: tensor<2x4xf32>
// CHECK-NOT: shard.shard
// CHECK: arith.addf {{.*}} : tensor<2x4xf32>
module attributes {transform.with_named_sequence} {
  module @payload {
    shard.grid @g(shape = 4)
    func.func @double(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
      %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
      %a = shard.shard %x to %s : tensor<8x4xf32>
      %0 = arith.addf %a, %a : tensor<8x4xf32>
      return %0 : tensor<8x4xf32>
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["builtin.module"]} attributes{sym_name = "payload"}
      in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.apply_registered_pass "tessera-propagate" to %0
      : (!transform.any_op) -> !transform.any_op
    %2 = transform.apply_registered_pass "canonicalize" to %1
      : (!transform.any_op) -> !transform.any_op
    transform.apply_registered_pass "tessera-partition" to %2
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: module @payload
// CHECK: func.func @tessera.fn.double(%{{.*}}: memref<2x4xf32
// CHECK: tessera_program
module attributes {transform.with_named_sequence} {
  module @payload {
    shard.grid @g(shape = 4)
    func.func @double(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
      %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
      %a = shard.shard %x to %s : tensor<8x4xf32>
      %0 = arith.addf %a, %a : tensor<8x4xf32>
      return %0 : tensor<8x4xf32>
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["builtin.module"]} attributes{sym_name = "payload"}
      in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_registered_pass "tessera-pipeline" to %0
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
