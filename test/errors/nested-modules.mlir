// Annotated functions must be in the module that the pass runs on, not in one inside.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' --verify-diagnostics
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-partition)' --verify-diagnostics
// The passes run on the inner module as on any other.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(builtin.module(tessera-propagate,tessera-partition))' \
// RUN:   | FileCheck %s

module {
  module @inner {
    shard.grid @g(shape = 4)
    // CHECK: func.func @f(%{{.*}}: tensor<2x8xf32>
    func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
      // expected-error@+1 {{annotation in a module or function inside another: expected it in a func.func at the top}}
      %a = shard.shard %x to %s : tensor<8x8xf32>
      return %a : tensor<8x8xf32>
    }
  }
}
