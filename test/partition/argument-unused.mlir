// An argument that nothing uses has the layout of its annotation, or is whole; so says its attribute.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: func.func @main(%{{.*}}: tensor<?x4xf32> {tessera.layout = {{.*}}}, %{{.*}}: tensor<5x5xf32> {{.*}}, %{{.*}}: tensor<?x2xi32> {tessera.layout = {{.*}}6, [0]]{{.*}}global = tensor<6x2xi32>{{.*}}, %{{.*}}: i64

shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x4xf32>, %unused: tensor<5x5xf32>, %annotated: tensor<6x2xi32>,
                %scalar: i64) -> tensor<10x4xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x4xf32>
  %ignored = shard.shard %annotated to %rows : tensor<6x2xi32>
  %r = arith.addf %x, %x : tensor<10x4xf32>
  return %r : tensor<10x4xf32>
}
