// What has no form in memory is named before it gets there.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --split-input-file \
// RUN:   --verify-diagnostics=only-expected

func.func @f(%x: tensor<8x8xf32>, %y: tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32> {
  // expected-error@+1 {{'linalg.pack' on tensors cannot be turned into code on memory}}
  %0 = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %y
      : tensor<8x8xf32> -> tensor<2x2x4x4xf32>
  return %0 : tensor<2x2x4x4xf32>
}

// -----

func.func @f(%x: tensor<8xf32, "blocked">) -> tensor<8xf32, "blocked"> {
  // expected-error@+1 {{'arith.addf' on a tensor with an encoding}}
  %0 = arith.addf %x, %x : tensor<8xf32, "blocked">
  // expected-error@+1 {{'func.return' on a tensor with an encoding}}
  return %0 : tensor<8xf32, "blocked">
}

// -----

func.func @f(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  // expected-error@+1 {{on a tensor of 33 dimensions: expected 32 at most}}
  %0 = arith.negf %x : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
  return
}
