// A transform script can apply the passes, with options, to a module.
// RUN: %mlir_opt %s --transform-interpreter | FileCheck %s

module attributes {transform.with_named_sequence} {
  module @payload {
    // CHECK: shard.grid @g
    shard.grid @g(shape = 4)
    // CHECK: func.func @double(%{{.*}}: tensor<2x4xf32>
    func.func @double(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
      %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
      %a = shard.shard %x to %s : tensor<8x4xf32>
      %0 = arith.addf %a, %a : tensor<8x4xf32>
      return %0 : tensor<8x4xf32>
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %module = transform.structured.match ops{["builtin.module"]}
      attributes{sym_name = "payload"} in %root : (!transform.any_op) -> !transform.any_op
    %propagated = transform.apply_registered_pass "tessera-propagate" to %module
      : (!transform.any_op) -> !transform.any_op
    transform.apply_registered_pass "tessera-partition" to %propagated
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
