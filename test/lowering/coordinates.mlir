// A coordinate outside of the tensor ends a gather and a scatter, with their place: neither reads or
// writes other memory.
// REQUIRES: tesserac
// RUN: %tesserac %s -o %t.so
// RUN: not %tessera_run %t.so --entry gather 2>&1 | FileCheck %s --check-prefix=GATHER --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry negative 2>&1 | FileCheck %s --check-prefix=NEGATIVE --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry scatter 2>&1 | FileCheck %s --check-prefix=SCATTER --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry run_time_size 2>&1 | FileCheck %s --check-prefix=SIZE --implicit-check-not=error:
// RUN: %tessera_run %t.so --entry inside

shard.grid @g(shape = 2)

// GATHER: coordinates.mlir:[[@LINE+6]]:8: error: 'cf.assert' on rank {{[01]}}: a coordinate is outside of dimension 1{{$}}
func.func @gather() -> tensor<2xf32> {
  %c = arith.constant dense<[[3, 0], [0, 2]]> : tensor<2x2xi32>
  %v = arith.constant dense<1.0> : tensor<4x2xf32>
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %v to %s : tensor<4x2xf32>
  %r = tensor.gather %x[%c] gather_dims([0, 1]) : (tensor<4x2xf32>, tensor<2x2xi32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// NEGATIVE: coordinates.mlir:[[@LINE+4]]:8: error: 'cf.assert' on rank {{[01]}}: a coordinate is outside of dimension 0{{$}}
func.func @negative() -> tensor<2x2xf32> {
  %c = arith.constant dense<[[3], [-1]]> : tensor<2x1xi8>
  %x = arith.constant dense<1.0> : tensor<4x2xf32>
  %r = tensor.gather %x[%c] gather_dims([0]) : (tensor<4x2xf32>, tensor<2x1xi8>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// SCATTER: coordinates.mlir:[[@LINE+5]]:8: error: 'tensor.scatter' on rank {{[01]}}: a coordinate is outside of dimension 0{{$}}
func.func @scatter() -> tensor<4xf32> {
  %c = arith.constant dense<[[0], [4], [2]]> : tensor<3x1xindex>
  %v = arith.constant dense<1.0> : tensor<3xf32>
  %x = arith.constant dense<0.0> : tensor<4xf32>
  %r = tensor.scatter %v into %x[%c] scatter_dims([0]) unique : (tensor<3xf32>, tensor<4xf32>, tensor<3x1xindex>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// SIZE: coordinates.mlir:[[@LINE+9]]:8: error: 'tensor.scatter' on rank 0: a coordinate is outside of dimension 0{{$}}
func.func @run_time_size() -> tensor<?xf32> {
  %c = arith.constant dense<[[3], [4]]> : tensor<2x1xindex>
  %v = arith.constant dense<1.0> : tensor<2xf32>
  %four = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %i = shard.process_linear_index on @g : index
  %n = arith.addi %i, %four : index
  %x = tensor.splat %one[%n] : tensor<?xf32>
  %r = tensor.scatter %v into %x[%c] scatter_dims([0]) unique : (tensor<2xf32>, tensor<?xf32>, tensor<2x1xindex>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @inside() -> (tensor<2xf32>, tensor<4xf32>) {
  %c = arith.constant dense<[[0], [3]]> : tensor<2x1xindex>
  %x = arith.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %r = tensor.gather %x[%c] gather_dims([0]) : (tensor<4xf32>, tensor<2x1xindex>) -> tensor<2xf32>
  %w = tensor.scatter %r into %x[%c] scatter_dims([0]) unique : (tensor<2xf32>, tensor<4xf32>, tensor<2x1xindex>) -> tensor<4xf32>
  return %r, %w : tensor<2xf32>, tensor<4xf32>
}
