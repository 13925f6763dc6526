// Side effects two calls away: an annotated function would repeat them on every device.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
func.func private @print(f32)
func.func private @inner(%x: tensor<8xf32>) {
  %i = arith.constant 0 : index
  %v = tensor.extract %x[%i] : tensor<8xf32>
  func.call @print(%v) : (f32) -> ()
  return
}
func.func private @outer(%x: tensor<8xf32>) -> tensor<8xf32> {
  func.call @inner(%x) : (tensor<8xf32>) -> ()
  return %x : tensor<8xf32>
}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{call of @outer, which uses a global variable or calls an external function}}
  %c = func.call @outer(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
memref.global "private" @count : memref<1xf32> = dense<0.0>
func.func private @next() -> f32 {
  %i = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %m = memref.get_global @count : memref<1xf32>
  %v = memref.load %m[%i] : memref<1xf32>
  %w = arith.addf %v, %one : f32
  memref.store %w, %m[%i] : memref<1xf32>
  return %w : f32
}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{call of @next, which uses a global variable}}
  %v = func.call @next() : () -> f32
  %b = tensor.splat %v : tensor<8xf32>
  %c = arith.addf %a, %b : tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// What is constant, or local to a call, may be read and written.
shard.grid @g(shape = 4)
memref.global "private" constant @one : memref<1xf32> = dense<1.0>
func.func private @pure(%v: f32) -> f32 {
  %i = arith.constant 0 : index
  %m = memref.get_global @one : memref<1xf32>
  %l = memref.alloca() : memref<1xf32>
  memref.store %v, %l[%i] : memref<1xf32>
  %a = memref.load %m[%i] : memref<1xf32>
  %b = memref.load %l[%i] : memref<1xf32>
  %w = arith.addf %a, %b : f32
  return %w : f32
}
func.func @f(%x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  %w = func.call @pure(%v) : (f32) -> f32
  %b = tensor.splat %w : tensor<8xf32>
  %c = arith.addf %a, %b : tensor<8xf32>
  return %c : tensor<8xf32>
}
