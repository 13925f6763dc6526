// Ops that write memory, print, mix tensors and memrefs, or are not known at all.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --allow-unregistered-dialect --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>, %m: memref<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  %i = arith.constant 0 : index
  %v = arith.constant 0.0 : f32
  // expected-error-re@+1 {{memref.store{{.*}}memory}}
  memref.store %v, %m[%i] : memref<8xf32>
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>, %m: memref<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{memrefs and tensors}}
  bufferization.materialize_in_destination %a in restrict writable %m
      : (tensor<8xf32>, memref<8xf32>) -> ()
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>, %m: memref<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{memrefs and tensors}}
  %t = bufferization.to_tensor %m restrict : memref<8xf32> to tensor<8xf32>
  %b = arith.addf %a, %t : tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  %i = arith.constant 0 : index
  %v = tensor.extract %a[%i] : tensor<8xf32>
  // expected-error@+1 {{vector.print}}
  vector.print %v : f32
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{some.op}}
  %b = "some.op"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>, %p: i1) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  %i = arith.constant 0 : index
  %v = tensor.extract %a[%i] : tensor<8xf32>
  scf.if %p {
    // expected-error@+1 {{'vector.print' may read or write memory in an annotated function}}
    vector.print %v : f32
  }
  %one = arith.constant 1 : index
  scf.parallel (%j) = (%i) to (%one) step (%one) {
    // expected-error@+1 {{'vector.print' may read or write memory, inside 'scf.parallel' in an annotated function}}
    vector.print %v : f32
  }
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func private @external(tensor<8xf32>) -> tensor<8xf32>
func.func @f(%x: tensor<8xf32>, %p: i1) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  %r = scf.if %p -> tensor<8xf32> {
    // expected-error@+1 {{call of the external function @external}}
    %b = func.call @external(%a) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  } else {
    scf.yield %a : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
