// Constants of every kind of element: splats whose pieces differ in size, slices of others, parts.
// RUN-CHECK: --grid 4,3,1,8
shard.grid @g(shape = 4)
func.func @main(%x: tensor<10xf32>) -> (tensor<10xui8>, tensor<10xsi16>, tensor<10xui8>, tensor<10xi4>, tensor<10xf8E5M2>, tensor<10xcomplex<f32>>,tensor<10xui8>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %o = shard.sharding @g split_axes = [[0]] halo_sizes = [1, 1] : !shard.sharding
  %p = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial max>]]} : !shard.sharding
  %q = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial sum>]]} : !shard.sharding
  %xx = shard.shard %x to %s : tensor<10xf32>
  %c = arith.constant dense<200> : tensor<10xui8>
  %d = arith.constant dense<-200> : tensor<10xsi16>
  %e = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 250, 251, 252]> : tensor<10xui8>
  %f = arith.constant dense<-3> : tensor<10xi4>
  %h = arith.constant dense<1.5> : tensor<10xf8E5M2>
  %z = arith.constant dense<(1.0, 2.0)> : tensor<10xcomplex<f32>>
  %c0 = shard.shard %c to %s : tensor<10xui8>
  %d0 = shard.shard %d to %o : tensor<10xsi16>
  %e0 = shard.shard %e to %s : tensor<10xui8>
  %f0 = shard.shard %f to %o : tensor<10xi4>
  %h0 = shard.shard %h to %s : tensor<10xf8E5M2>
  %z0 = shard.shard %z to %q : tensor<10xcomplex<f32>>
  %k = shard.shard %e to %p annotate_for_users : tensor<10xui8>
  return %c0, %d0, %e0, %f0, %h0, %z0, %k : tensor<10xui8>, tensor<10xsi16>, tensor<10xui8>, tensor<10xi4>, tensor<10xf8E5M2>, tensor<10xcomplex<f32>>,tensor<10xui8>
}
