// A loop with a condition that counts is as long as it says: for many trips the weights are moved once, for
// few ones the small vectors in each trip.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' | FileCheck %s
#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#one = affine_map<() -> ()>
shard.grid @g(shape = 2)
// CHECK-LABEL: func.func @upwards
// CHECK: shard.all_to_all {{.*}} tensor<64x256xf32> -> tensor<32x512xf32>
// CHECK: scf.while
// CHECK-NOT: shard.all_
func.func @upwards(%x_in: tensor<64xf32>, %w_in: tensor<64x512xf32>) -> tensor<64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64xf32>
  %w = shard.shard %w_in to %t : tensor<64x512xf32>
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %first = arith.constant 0 : index
  %by = arith.constant 2 : index
  %end = arith.constant 199 : index
  %k, %r = scf.while (%i = %first, %u = %x) : (index, tensor<64xf32>) -> (index, tensor<64xf32>) {
    %more = arith.cmpi sle, %i, %end : index
    scf.condition(%more) %i, %u : index, tensor<64xf32>
  } do {
  ^bb0(%i: index, %u: tensor<64xf32>):
    %next = linalg.generic {indexing_maps = [#rows, #all, #rows], iterator_types = ["parallel", "reduction"]}
        ins(%u, %w : tensor<64xf32>, tensor<64x512xf32>) outs(%zeros : tensor<64xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %0, %c : f32
      linalg.yield %1 : f32
    } -> tensor<64xf32>
    %j = arith.addi %i, %by : index
    scf.yield %j, %next : index, tensor<64xf32>
  }
  %rs = shard.shard %r to %s : tensor<64xf32>
  return %rs : tensor<64xf32>
}

// CHECK-LABEL: func.func @few
// CHECK-NOT: shard.all_to_all
// CHECK: } do {
// CHECK: shard.reduce_scatter
func.func @few(%x_in: tensor<64xf32>, %w_in: tensor<64x512xf32>) -> tensor<64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64xf32>
  %w = shard.shard %w_in to %t : tensor<64x512xf32>
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %first = arith.constant 0 : index
  %by = arith.constant 1 : index
  %end = arith.constant 2 : index
  %k, %r = scf.while (%i = %first, %u = %x) : (index, tensor<64xf32>) -> (index, tensor<64xf32>) {
    %more = arith.cmpi slt, %i, %end : index
    scf.condition(%more) %i, %u : index, tensor<64xf32>
  } do {
  ^bb0(%i: index, %u: tensor<64xf32>):
    %next = linalg.generic {indexing_maps = [#rows, #all, #rows], iterator_types = ["parallel", "reduction"]}
        ins(%u, %w : tensor<64xf32>, tensor<64x512xf32>) outs(%zeros : tensor<64xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %0, %c : f32
      linalg.yield %1 : f32
    } -> tensor<64xf32>
    %j = arith.addi %i, %by : index
    scf.yield %j, %next : index, tensor<64xf32>
  }
  %rs = shard.shard %r to %s : tensor<64xf32>
  return %rs : tensor<64xf32>
}

// CHECK-LABEL: func.func @downwards
// CHECK: shard.all_to_all {{.*}} tensor<64x256xf32> -> tensor<32x512xf32>
// CHECK: scf.while
// CHECK-NOT: shard.all_
func.func @downwards(%x_in: tensor<64xf32>, %w_in: tensor<64x512xf32>) -> tensor<64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64xf32>
  %w = shard.shard %w_in to %t : tensor<64x512xf32>
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %first = arith.constant 300 : i32
  %by = arith.constant 3 : i32
  %end = arith.constant 0 : i32
  %r, %k = scf.while (%u = %x, %i = %first) : (tensor<64xf32>, i32) -> (tensor<64xf32>, i32) {
    %more = arith.cmpi slt, %end, %i : i32
    scf.condition(%more) %u, %i : tensor<64xf32>, i32
  } do {
  ^bb0(%u: tensor<64xf32>, %i: i32):
    %next = linalg.generic {indexing_maps = [#rows, #all, #rows], iterator_types = ["parallel", "reduction"]}
        ins(%u, %w : tensor<64xf32>, tensor<64x512xf32>) outs(%zeros : tensor<64xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %0, %c : f32
      linalg.yield %1 : f32
    } -> tensor<64xf32>
    %j = arith.subi %i, %by : i32
    scf.yield %next, %j : tensor<64xf32>, i32
  }
  %rs = shard.shard %r to %s : tensor<64xf32>
  return %rs : tensor<64xf32>
}

// CHECK-LABEL: func.func @until
// CHECK: shard.all_to_all {{.*}} tensor<64x256xf32> -> tensor<32x512xf32>
// CHECK: scf.while
// CHECK-NOT: shard.all_
func.func @until(%x_in: tensor<64xf32>, %w_in: tensor<64x512xf32>) -> tensor<64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64xf32>
  %w = shard.shard %w_in to %t : tensor<64x512xf32>
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %first = arith.constant 0 : index
  %by = arith.constant 1 : index
  %end = arith.constant 100 : index
  %k, %r = scf.while (%i = %first, %u = %x) : (index, tensor<64xf32>) -> (index, tensor<64xf32>) {
    %next = linalg.generic {indexing_maps = [#rows, #all, #rows], iterator_types = ["parallel", "reduction"]}
        ins(%u, %w : tensor<64xf32>, tensor<64x512xf32>) outs(%zeros : tensor<64xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %0, %c : f32
      linalg.yield %1 : f32
    } -> tensor<64xf32>
    %j = arith.addi %i, %by : index
    %more = arith.cmpi ne, %j, %end : index
    scf.condition(%more) %j, %next : index, tensor<64xf32>
  } do {
  ^bb0(%i: index, %u: tensor<64xf32>):
    scf.yield %i, %u : index, tensor<64xf32>
  }
  %rs = shard.shard %r to %s : tensor<64xf32>
  return %rs : tensor<64xf32>
}

// CHECK-LABEL: func.func @tensors
// CHECK: shard.all_to_all {{.*}} tensor<64x256xf32> -> tensor<32x512xf32>
// CHECK: scf.while
// CHECK-NOT: shard.all_
func.func @tensors(%x_in: tensor<64xf32>, %w_in: tensor<64x512xf32>) -> tensor<64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64xf32>
  %w = shard.shard %w_in to %t : tensor<64x512xf32>
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %first = arith.constant dense<0> : tensor<i32>
  %by = arith.constant dense<1> : tensor<i32>
  %end = arith.constant dense<100> : tensor<i32>
  %none = tensor.empty() : tensor<i32>
  %bit = tensor.empty() : tensor<i1>
  %r, %k = scf.while (%u = %x, %i = %first) : (tensor<64xf32>, tensor<i32>) -> (tensor<64xf32>, tensor<i32>) {
    %less = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = []}
        ins(%i, %end : tensor<i32>, tensor<i32>) outs(%bit : tensor<i1>) {
    ^bb0(%a: i32, %b: i32, %c: i1):
      %0 = arith.cmpi slt, %a, %b : i32
      linalg.yield %0 : i1
    } -> tensor<i1>
    %more = tensor.extract %less[] : tensor<i1>
    scf.condition(%more) %u, %i : tensor<64xf32>, tensor<i32>
  } do {
  ^bb0(%u: tensor<64xf32>, %i: tensor<i32>):
    %next = linalg.generic {indexing_maps = [#rows, #all, #rows], iterator_types = ["parallel", "reduction"]}
        ins(%u, %w : tensor<64xf32>, tensor<64x512xf32>) outs(%zeros : tensor<64xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %0, %c : f32
      linalg.yield %1 : f32
    } -> tensor<64xf32>
    %j = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = []}
        ins(%i, %by : tensor<i32>, tensor<i32>) outs(%none : tensor<i32>) {
    ^bb0(%a: i32, %b: i32, %c: i32):
      %0 = arith.addi %a, %b : i32
      linalg.yield %0 : i32
    } -> tensor<i32>
    scf.yield %next, %j : tensor<64xf32>, tensor<i32>
  }
  %rs = shard.shard %r to %s : tensor<64xf32>
  return %rs : tensor<64xf32>
}
