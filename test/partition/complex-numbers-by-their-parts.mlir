// Sums and products of complex numbers that are written as arithmetic on their parts are reductions
// like others; what only looks like one is not taken for it.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' | FileCheck %s

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @sum
// CHECK-NOT: all_gather
// CHECK: complex.add
// CHECK: shard.all_reduce {{.*}} : tensor<complex<f32>>
func.func @sum(%x_in: tensor<16x32xcomplex<f32>>) -> tensor<complex<f32>> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16x32xcomplex<f32>>
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %e = tensor.empty() : tensor<complex<f32>>
  %f = linalg.fill ins(%zero : complex<f32>) outs(%e : tensor<complex<f32>>) -> tensor<complex<f32>>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<16x32xcomplex<f32>>) outs(%f : tensor<complex<f32>>) {
  ^bb0(%in: complex<f32>, %out: complex<f32>):
    %a = complex.re %out : complex<f32>
    %b = complex.re %in : complex<f32>
    %c = arith.addf %a, %b : f32
    %d = complex.im %out : complex<f32>
    %i = complex.im %in : complex<f32>
    %j = arith.addf %i, %d : f32
    %k = complex.create %c, %j : complex<f32>
    linalg.yield %k : complex<f32>
  } -> tensor<complex<f32>>
  return %r : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @product
// CHECK-NOT: all_gather
// CHECK: complex.mul
// CHECK: shard.all_reduce {{.*}} : tensor<4xcomplex<f32>>
func.func @product(%x_in: tensor<4x16xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4x16xcomplex<f32>>
  %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  %f = linalg.fill ins(%one : complex<f32>) outs(%e : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x16xcomplex<f32>>) outs(%f : tensor<4xcomplex<f32>>) {
  ^bb0(%in: complex<f32>, %out: complex<f32>):
    %a = complex.re %out : complex<f32>
    %b = complex.re %in : complex<f32>
    %c = arith.mulf %a, %b : f32
    %d = complex.im %out : complex<f32>
    %i = complex.im %in : complex<f32>
    %j = arith.mulf %d, %i : f32
    %real = arith.subf %c, %j : f32
    %k = arith.mulf %a, %i : f32
    %l = arith.mulf %d, %b : f32
    %imaginary = arith.addf %k, %l : f32
    %m = complex.create %real, %imaginary : complex<f32>
    linalg.yield %m : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}

// The parts change places: no sum of complex numbers.
// CHECK-LABEL: func.func @turned
// CHECK: shard.all_gather
// CHECK: complex.create
func.func @turned(%x_in: tensor<16xcomplex<f32>>) -> tensor<complex<f32>> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16xcomplex<f32>>
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %e = tensor.empty() : tensor<complex<f32>>
  %f = linalg.fill ins(%zero : complex<f32>) outs(%e : tensor<complex<f32>>) -> tensor<complex<f32>>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]}
      ins(%x : tensor<16xcomplex<f32>>) outs(%f : tensor<complex<f32>>) {
  ^bb0(%in: complex<f32>, %out: complex<f32>):
    %a = complex.re %out : complex<f32>
    %b = complex.re %in : complex<f32>
    %c = arith.addf %a, %b : f32
    %d = complex.im %out : complex<f32>
    %i = complex.im %in : complex<f32>
    %j = arith.addf %d, %i : f32
    %k = complex.create %j, %c : complex<f32>
    linalg.yield %k : complex<f32>
  } -> tensor<complex<f32>>
  return %r : tensor<complex<f32>>
}
