// What a loop carries lies otherwise only where that is fewer bytes with what it takes at first, and with what
// is brought back for the caller.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

// The vector of 4 KB moves, not the 4 MB that it is added to.
// CHECK-LABEL: func.func @taken_at_first
// CHECK: shard.all_gather {{.*}} : tensor<256xf32> -> tensor<1024xf32>
// CHECK: shard.all_reduce {{.*}} : tensor<f32>
func.func @taken_at_first(%x_in: tensor<1024x1024xf32>, %w_in: tensor<1024xf32>) -> tensor<f32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<1024x1024xf32>
  %w = shard.shard %w_in to %rows : tensor<1024xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %x) -> (tensor<1024x1024xf32>) {
    %e = tensor.empty() : tensor<1024x1024xf32>
    %v = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%u, %w : tensor<1024x1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024x1024xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %k = arith.addf %a, %b : f32
      linalg.yield %k : f32
    } -> tensor<1024x1024xf32>
    scf.yield %v : tensor<1024x1024xf32>
  }
  %e0 = tensor.empty() : tensor<f32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %q = linalg.reduce { arith.addf } ins(%r : tensor<1024x1024xf32>) outs(%f0 : tensor<f32>) dimensions = [0, 1]
  return %q : tensor<f32>
}

// A result of the argument's type lies as that, in rows, whatever the loop carries: columns.
// CHECK-LABEL: func.func @returned
// CHECK-SAME: -> (tensor<16x64xf32>
// CHECK: shard.all_to_all {{.*}} : tensor<16x64xf32> -> tensor<64x16xf32>
// CHECK: scf.for {{.*}} -> (tensor<64x16xf32>)
// CHECK: shard.all_to_all {{.*}} : tensor<64x16xf32> -> tensor<16x64xf32>
// CHECK: return
func.func @returned(%x_in: tensor<64x64xf32>, %w_in: tensor<20x64x64xf32>) -> tensor<64x64xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %cols = shard.sharding @g split_axes = [[], [], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<64x64xf32>
  %w = shard.shard %w_in to %cols : tensor<20x64x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %r = scf.for %i = %c0 to %c20 step %c1 iter_args(%u = %x) -> (tensor<64x64xf32>) {
    %v = math.tanh %u : tensor<64x64xf32>
    %ww = tensor.extract_slice %w[%i, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<20x64x64xf32> to tensor<64x64xf32>
    %s = arith.addf %v, %ww : tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// It is brought to rows once before the loop and back once behind it, not twice in each trip: the result lies as
// the argument does.
// CHECK-LABEL: func.func @contracted(
// CHECK-SAME: -> (tensor<64x16xf32>
// CHECK: shard.all_to_all {{.*}} : tensor<64x16xf32> -> tensor<16x64xf32>
// CHECK: scf.for {{.*}} -> (tensor<16x64xf32>)
// CHECK: shard.all_to_all {{.*}} : tensor<16x64xf32> -> tensor<64x16xf32>
// CHECK: return
func.func @contracted(%x_in: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<64x64xf32>
  %ww = shard.shard %w to %whole : tensor<64x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%u = %x) -> (tensor<64x64xf32>) {
    %e = tensor.empty() : tensor<64x64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    %v = linalg.matmul ins(%u, %ww : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
    %t = math.tanh %v : tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// The same of a loop that goes on while something holds, and passes on what it carries.
// CHECK-LABEL: func.func @while(
// CHECK-SAME: -> (tensor<64x16xf32>
// CHECK: shard.all_to_all {{.*}} : tensor<64x16xf32> -> tensor<16x64xf32>
// CHECK: scf.while {{.*}} -> (tensor<16x64xf32>, i32)
// CHECK: shard.all_to_all {{.*}} : tensor<16x64xf32> -> tensor<64x16xf32>
// CHECK: return
func.func @while(%x_in: tensor<64x64xf32>, %w: tensor<64x64xf32>, %times: i32) -> tensor<64x64xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<64x64xf32>
  %ww = shard.shard %w to %whole : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.while (%i = %c0, %u = %x) : (i32, tensor<64x64xf32>) -> (tensor<64x64xf32>, i32) {
    %more = arith.cmpi slt, %i, %times : i32
    scf.condition(%more) %u, %i : tensor<64x64xf32>, i32
  } do {
  ^bb0(%u: tensor<64x64xf32>, %i: i32):
    %e = tensor.empty() : tensor<64x64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    %v = linalg.matmul ins(%u, %ww : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
    %t = math.tanh %v : tensor<64x64xf32>
    %next = arith.addi %i, %c1 : i32
    scf.yield %next, %t : i32, tensor<64x64xf32>
  }
  return %r#0 : tensor<64x64xf32>
}

// An annotation of a loop's result says how it lies behind the loop: it is carried in rows, and brought to
// columns once.
// CHECK-LABEL: func.func @annotated(
// CHECK-SAME: -> (tensor<64x16xf32>
// CHECK: scf.for {{.*}} -> (tensor<16x64xf32>)
// CHECK: shard.all_to_all {{.*}} : tensor<16x64xf32> -> tensor<64x16xf32>
// CHECK: return
func.func @annotated(%x_in: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<64x64xf32>
  %ww = shard.shard %w to %whole : tensor<64x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%u = %x) -> (tensor<64x64xf32>) {
    %e = tensor.empty() : tensor<64x64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    %v = linalg.matmul ins(%u, %ww : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
    %t = math.tanh %v : tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  %res = shard.shard %r to %columns : tensor<64x64xf32>
  return %res : tensor<64x64xf32>
}

// Loops inside of each other carry it alike.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME: -> (tensor<64x16xf32>
// CHECK: shard.all_to_all {{.*}} : tensor<64x16xf32> -> tensor<16x64xf32>
// CHECK: scf.for {{.*}} -> (tensor<16x64xf32>)
// CHECK: scf.for {{.*}} -> (tensor<16x64xf32>)
// CHECK: shard.all_to_all {{.*}} : tensor<16x64xf32> -> tensor<64x16xf32>
// CHECK: return
func.func @nested(%x_in: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<64x64xf32>
  %ww = shard.shard %w to %whole : tensor<64x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%y = %x) -> (tensor<64x64xf32>) {
    %q = scf.for %k = %c0 to %c6 step %c1 iter_args(%u = %y) -> (tensor<64x64xf32>) {
      %e = tensor.empty() : tensor<64x64xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
      %v = linalg.matmul ins(%u, %ww : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
      %t = math.tanh %v : tensor<64x64xf32>
      scf.yield %t : tensor<64x64xf32>
    }
    scf.yield %q : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// One inside of the loop says how it is carried.
// CHECK-LABEL: func.func @annotated_inside(
// CHECK: shard.all_to_all {{.*}} : tensor<16x64xf32> -> tensor<64x16xf32>
// CHECK: scf.for {{.*}} -> (tensor<64x16xf32>)
// CHECK: shard.all_to_all {{.*}} : tensor<64x16xf32> -> tensor<16x64xf32>
// CHECK: shard.all_to_all {{.*}} : tensor<16x64xf32> -> tensor<64x16xf32>
// CHECK: scf.yield
// CHECK: return
func.func @annotated_inside(%x_in: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<64x64xf32>
  %ww = shard.shard %w to %whole : tensor<64x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%u = %x) -> (tensor<64x64xf32>) {
    %uc = shard.shard %u to %columns : tensor<64x64xf32>
    %e = tensor.empty() : tensor<64x64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    %v = linalg.matmul ins(%uc, %ww : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
    %t = math.tanh %v : tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}
