// Side effects behind calls: an annotated function would repeat them on every device.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
func.func private @print(f32)
func.func private @inner(%x: tensor<8xf32>) {
  %i = arith.constant 0 : index
  %v = tensor.extract %x[%i] : tensor<8xf32>
  // expected-note@+1 {{here it calls a function that is not in the module; mark that `tessera.pure`}}
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
  // expected-error@+1 {{call of @outer, which has side effects that every device would repeat}}
  %c = func.call @outer(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
memref.global "private" @count : memref<1xf32> = dense<0.0>
func.func private @next() -> f32 {
  %i = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  // expected-note@+1 {{'memref.get_global' has side effects that outlive the call}}
  %m = memref.get_global @count : memref<1xf32>
  %v = memref.load %m[%i] : memref<1xf32>
  %w = arith.addf %v, %one : f32
  memref.store %w, %m[%i] : memref<1xf32>
  return %w : f32
}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{call of @next, which has side effects}}
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

// -----

// Functions that call each other: each has the other's effects, whichever is called.
shard.grid @g(shape = 4)
func.func private @print(f32)
func.func private @one(%n: i1, %v: f32) -> f32 {
  %false = arith.constant false
  %r = scf.if %n -> f32 {
    %p = func.call @other(%false, %v) : (i1, f32) -> f32
    scf.yield %p : f32
  } else {
    func.call @print(%v) : (f32) -> ()
    scf.yield %v : f32
  }
  return %r : f32
}
func.func private @other(%n: i1, %v: f32) -> f32 {
  %r = func.call @one(%n, %v) : (i1, f32) -> f32
  return %r : f32
}
func.func @f(%x: tensor<8xf32>, %n: i1, %v: f32) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{call of @other, which has side effects}}
  %r = func.call @other(%n, %v) : (i1, f32) -> f32
  return %a : tensor<8xf32>
}

// -----

// So have collectives.
shard.grid @g(shape = 4)
func.func private @one(%n: i1, %t: tensor<8xf32>) -> tensor<8xf32> {
  %false = arith.constant false
  %r = scf.if %n -> tensor<8xf32> {
    %p = func.call @other(%false, %t) : (i1, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %p : tensor<8xf32>
  } else {
    %q = shard.all_reduce %t on @g grid_axes = [0] : tensor<8xf32> -> tensor<8xf32>
    scf.yield %q : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
func.func private @other(%n: i1, %t: tensor<8xf32>) -> tensor<8xf32> {
  %r = func.call @one(%n, %t) : (i1, tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @f(%x: tensor<8xf32>, %n: i1) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{call of @other, which has explicit collectives}}
  %r = func.call @other(%n, %a) : (i1, tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func private @prints(%v: f32) {
  // expected-note@+1 {{'vector.print' has side effects}}
  vector.print %v : f32
  return
}
func.func @f(%x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{call of @prints, which has side effects}}
  func.call @prints(%v) : (f32) -> ()
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func private @stores(%v: f32, %n: i64) {
  %p = llvm.inttoptr %n : i64 to !llvm.ptr
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f32
  // expected-note@+1 {{'llvm.store' has side effects}}
  llvm.store %v, %q : f32, !llvm.ptr
  return
}
func.func @f(%x: tensor<8xf32>, %v: f32, %n: i64) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{call of @stores, which has side effects}}
  func.call @stores(%v, %n) : (f32, i64) -> ()
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func private @foreign(%v: f32, %p: !llvm.struct<(ptr, ptr, i64)>) {
  // expected-note@+1 {{'builtin.unrealized_conversion_cast' has side effects}}
  %m = builtin.unrealized_conversion_cast %p : !llvm.struct<(ptr, ptr, i64)> to memref<f32>
  memref.store %v, %m[] : memref<f32>
  return
}
func.func private @makes(%v: f32) {
  %p = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  func.call @foreign(%v, %p) : (f32, !llvm.struct<(ptr, ptr, i64)>) -> ()
  return
}
func.func @f(%x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{call of @makes, which has side effects}}
  func.call @makes(%v) : (f32) -> ()
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func private @reads(%p: !llvm.ptr) {
  return
}
func.func @f(%x: tensor<8xf32>, %p: !llvm.ptr) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{call that passes memrefs or pointers}}
  func.call @reads(%p) : (!llvm.ptr) -> ()
  return %a : tensor<8xf32>
}

// -----

// Memory that a call allocates is its own, and what it calls may have it.
shard.grid @g(shape = 4)
func.func private @sum(%m: memref<4xf32>, %into: memref<f32>) {
  linalg.reduce ins(%m : memref<4xf32>) outs(%into : memref<f32>) dimensions = [0]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  return
}
func.func private @local(%v: f32, %even: i1) -> f32 {
  cf.assert %even, "even"
  %i = arith.constant 2 : index
  %one = llvm.mlir.constant(4 : i64) : i64
  %p = llvm.alloca %one x f32 : (i64) -> !llvm.ptr
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f32
  llvm.store %v, %q : f32, !llvm.ptr
  %w = llvm.load %q : !llvm.ptr -> f32
  %m = memref.alloc() : memref<4xf32>
  %r = memref.alloca() : memref<f32>
  linalg.fill ins(%w : f32) outs(%m : memref<4xf32>)
  %half = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  scf.for %k = %i to %i step %i {
    memref.store %w, %half[%k] : memref<2xf32, strided<[1]>>
  }
  %old = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%now: f32):
    memref.atomic_yield %v : f32
  }
  func.call @sum(%m, %r) : (memref<4xf32>, memref<f32>) -> ()
  %u = memref.load %r[] : memref<f32>
  memref.dealloc %m : memref<4xf32>
  return %u : f32
}
func.func @f(%x: tensor<8xf32>, %v: f32, %even: i1) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  %w = func.call @local(%v, %even) : (f32, i1) -> f32
  %b = tensor.splat %w : tensor<8xf32>
  %c = arith.addf %a, %b : tensor<8xf32>
  return %c : tensor<8xf32>
}
