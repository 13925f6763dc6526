// Equal collectives are done once, also where equal ops make their operands, and the one that stays
// says why for all of them. One that stands in a branch serves nobody outside of it.
// RUN: %mlir_opt %s --mlir-print-debuginfo --pass-pipeline='builtin.module(tessera-optimize)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize{equal=false combine=false})' | FileCheck %s --check-prefix=OFF
shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @transposed
// CHECK-COUNT-1: linalg.transpose
// CHECK-COUNT-1: shard.all_gather
// CHECK-NOT: shard.all_gather
// CHECK: return
// OFF-LABEL: func.func @transposed
// OFF-COUNT-2: shard.all_gather
func.func @transposed(%x: tensor<8x2xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<2x8xf32>
  %a = linalg.transpose ins(%x : tensor<8x2xf32>) outs(%e : tensor<2x8xf32>) permutation = [1, 0]
  %b = linalg.transpose ins(%x : tensor<8x2xf32>) outs(%e : tensor<2x8xf32>) permutation = [1, 0]
  %p = shard.all_gather %a on @g grid_axes = [0] gather_axis = 0
      : tensor<2x8xf32> -> tensor<8x8xf32> loc("tessera.cause: of x; needed by a"(unknown))
  %q = shard.all_gather %b on @g grid_axes = [0] gather_axis = 0
      : tensor<2x8xf32> -> tensor<8x8xf32> loc("tessera.cause: of x; needed by b"(unknown))
  return %p, %q : tensor<8x8xf32>, tensor<8x8xf32>
}

// CHECK-LABEL: func.func @branches
// CHECK-COUNT-3: shard.all_gather
func.func @branches(%x: tensor<2xf32>, %c: i1) -> (tensor<8xf32>, tensor<8xf32>) {
  %y = scf.if %c -> tensor<8xf32> {
    %a = shard.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<2xf32> -> tensor<8xf32>
    scf.yield %a : tensor<8xf32>
  } else {
    %a = shard.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<2xf32> -> tensor<8xf32>
    %b = math.exp %a : tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  %z = shard.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<2xf32> -> tensor<8xf32>
  return %y, %z : tensor<8xf32>, tensor<8xf32>
}

// CHECK: loc("tessera.cause: of x; needed by a; and of x; needed by b"
