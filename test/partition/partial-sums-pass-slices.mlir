// One all-reduce of what is left of a partial sum: behind a slice, a join and an insertion.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @slice
// CHECK: %[[P:.*]] = linalg.reduce
// CHECK: %[[S:.*]] = tensor.extract_slice %[[P]]
// CHECK: shard.all_reduce %[[S]] {{.*}} : tensor<2xf32>
func.func @slice(%x_in: tensor<8x6xf32>) -> tensor<2xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x6xf32>
  %zero = arith.constant dense<0.0> : tensor<6xf32>
  %p = linalg.reduce { arith.addf } ins(%x : tensor<8x6xf32>) outs(%zero : tensor<6xf32>) dimensions = [0]
  %0 = tensor.extract_slice %p[1] [2] [3] : tensor<6xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @join_and_insert
// CHECK: %[[P:.*]] = linalg.reduce
// CHECK: %[[Q:.*]] = linalg.reduce
// CHECK: %[[J:.*]] = tensor.concat dim(0) %[[P]], %[[Q]]
// CHECK: %[[R:.*]] = linalg.reduce
// CHECK: %[[I:.*]] = tensor.insert_slice %[[R]] into %[[J]]
// CHECK: shard.all_reduce %[[I]] {{.*}} : tensor<12xf32>
func.func @join_and_insert(%x_in: tensor<8x6xf32>, %y_in: tensor<8x6xf32>, %z_in: tensor<8x3xf32>) -> tensor<12xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x6xf32>
  %y = shard.shard %y_in to %s : tensor<8x6xf32>
  %z = shard.shard %z_in to %s : tensor<8x3xf32>
  %zero = arith.constant dense<0.0> : tensor<6xf32>
  %zeros = arith.constant dense<0.0> : tensor<3xf32>
  %p = linalg.reduce { arith.addf } ins(%x : tensor<8x6xf32>) outs(%zero : tensor<6xf32>) dimensions = [0]
  %q = linalg.reduce { arith.addf } ins(%y : tensor<8x6xf32>) outs(%zero : tensor<6xf32>) dimensions = [0]
  %j = tensor.concat dim(0) %p, %q : (tensor<6xf32>, tensor<6xf32>) -> tensor<12xf32>
  %r = linalg.reduce { arith.addf } ins(%z : tensor<8x3xf32>) outs(%zeros : tensor<3xf32>) dimensions = [0]
  %0 = tensor.insert_slice %r into %j[4] [3] [1] : tensor<3xf32> into tensor<12xf32>
  return %0 : tensor<12xf32>
}

// Of what is not a sum of both, the partial one is completed first; a destination that is all covered
// does not count.
// CHECK-LABEL: func.func @joined_with_another
// CHECK: %[[P:.*]] = linalg.reduce
// CHECK: %[[Q:.*]] = shard.all_reduce %[[P]] {{.*}} : tensor<6xf32>
// CHECK: tensor.concat dim(0) %[[Q]], %arg1
// CHECK: %[[R:.*]] = linalg.reduce
// CHECK: %[[I:.*]] = tensor.insert_slice %[[R]] into
// CHECK: shard.all_reduce %[[I]] {{.*}} : tensor<6xf32>
func.func @joined_with_another(%x_in: tensor<8x6xf32>, %y: tensor<6xf32>) -> (tensor<12xf32>, tensor<6xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x6xf32>
  %zero = arith.constant dense<0.0> : tensor<6xf32>
  %p = linalg.reduce { arith.addf } ins(%x : tensor<8x6xf32>) outs(%zero : tensor<6xf32>) dimensions = [0]
  %j = tensor.concat dim(0) %p, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<12xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<8x6xf32>) outs(%zero : tensor<6xf32>) dimensions = [0]
  %0 = tensor.insert_slice %r into %y[0] [6] [1] : tensor<6xf32> into tensor<6xf32>
  return %j, %0 : tensor<12xf32>, tensor<6xf32>
}

// CHECK-LABEL: func.func @maxima
// CHECK: %[[P:.*]] = linalg.reduce
// CHECK: %[[S:.*]] = tensor.extract_slice %[[P]]
// CHECK: shard.all_reduce %[[S]] {{.*}} reduction = max : tensor<2xi32>
// CHECK: %[[Q:.*]] = shard.all_reduce {{.*}} : tensor<6xi32>
// CHECK: %[[R:.*]] = shard.all_reduce {{.*}} : tensor<6xi32>
// CHECK: tensor.concat dim(0) %[[Q]], %[[R]]
func.func @maxima(%x_in: tensor<64x6xi32>) -> (tensor<2xi32>, tensor<12xi32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64x6xi32>
  %low = arith.constant dense<-1000> : tensor<6xi32>
  %p = linalg.reduce { arith.maxsi } ins(%x : tensor<64x6xi32>) outs(%low : tensor<6xi32>) dimensions = [0]
  %0 = tensor.extract_slice %p[1] [2] [3] : tensor<6xi32> to tensor<2xi32>
  %q = linalg.reduce { arith.maxsi } ins(%x : tensor<64x6xi32>) outs(%low : tensor<6xi32>) dimensions = [0]
  %r = linalg.reduce { arith.maxsi } ins(%x : tensor<64x6xi32>) outs(%low : tensor<6xi32>) dimensions = [0]
  %1 = tensor.concat dim(0) %q, %r : (tensor<6xi32>, tensor<6xi32>) -> tensor<12xi32>
  return %0, %1 : tensor<2xi32>, tensor<12xi32>
}
