// What has no form in memory is named before it gets there.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --split-input-file \
// RUN:   --verify-diagnostics=only-expected

func.func @f(%x: tensor<8xf32>) -> f32 {
  // expected-error@+1 {{no code is known for 'builtin.unrealized_conversion_cast' on tensors: write what it computes}}
  %0 = builtin.unrealized_conversion_cast %x : tensor<8xf32> to f32
  return %0 : f32
}

// -----

func.func @f(%x: tensor<?x8xf32>, %y: tensor<?x2x?x4xf32>, %t: index) -> tensor<?x2x?x4xf32> {
  // expected-error@+1 {{cannot be taken apart into structured ops: expected inner tiles whose sizes are constants}}
  %0 = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [%t, 4] into %y
      : tensor<?x8xf32> -> tensor<?x2x?x4xf32>
  return %0 : tensor<?x2x?x4xf32>
}

// -----

func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'tosa.custom' has no code here: expected ops that say what is computed}}
  %0 = tosa.custom %x {domain_name = "d", implementation_attrs = "", operator_name = "o"}
      : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
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
