// bufferize=false makes the records and leaves bufferization to a pass of the user's choice.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower{bufferize=false})' --mlir-print-local-scope | FileCheck %s --check-prefix=SITES
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower{bufferize=false},one-shot-bufferize{bufferize-function-boundaries=1},buffer-deallocation-pipeline,symbol-dce)' --mlir-print-local-scope | FileCheck %s --check-prefix=BUFFERS

shard.grid @g(shape = 4)
// SITES-LABEL: func.func @main
// SITES: shard.all_gather {{.*}} {tessera.site = @tessera.site.0}
// BUFFERS-LABEL: func.func @main
// BUFFERS: call @tessera.call.all_gather.1xf32.1xf32
func.func @main(%a: tensor<4xf32>) -> tensor<16xf32> {
  %r = shard.all_gather %a on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<16xf32>
  return %r : tensor<16xf32>
}
// SITES: llvm.mlir.global internal constant @tessera.site.0()
// BUFFERS-NOT: = shard.
// BUFFERS-NOT: shard.grid @
// BUFFERS: llvm.mlir.global internal constant @tessera.site.0()
