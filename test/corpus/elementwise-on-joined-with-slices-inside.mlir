// Elementwise ops on a roll, whose bodies slice another tensor: they go with the op that is taken apart.
// RUN-CHECK: --grid 1,2,4 --seed 1
#id = affine_map<(i, j) -> (i, j)>
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<128x256xf32>, %w: tensor<16xf32>) -> tensor<128x256xf32> {
  %by_rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %k0 = shard.shard %x_in to %by_rows : tensor<128x256xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s0 = tensor.extract_slice %k0[10, 0] [118, 256] [1, 1] : tensor<128x256xf32> to tensor<118x256xf32>
  %t0 = tensor.extract_slice %k0[0, 0] [10, 256] [1, 1] : tensor<128x256xf32> to tensor<10x256xf32>
  %j0 = tensor.concat dim(0) %s0, %t0 : (tensor<118x256xf32>, tensor<10x256xf32>) -> tensor<128x256xf32>
  %e0 = tensor.empty() : tensor<128x256xf32>
  %k1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%j0 : tensor<128x256xf32>) outs(%e0 : tensor<128x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = tensor.extract_slice %w[0] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %p = tensor.extract_slice %w[5] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %a) -> f32 {
      %u = tensor.extract %q[%i] : tensor<4xf32>
      %v = tensor.extract %p[%i] : tensor<4xf32>
      %y = arith.mulf %u, %v : f32
      %z = arith.addf %acc, %y : f32
      scf.yield %z : f32
    }
    linalg.yield %sum : f32
  } -> tensor<128x256xf32>
  %s1 = tensor.extract_slice %k1[10, 0] [118, 256] [1, 1] : tensor<128x256xf32> to tensor<118x256xf32>
  %t1 = tensor.extract_slice %k1[0, 0] [10, 256] [1, 1] : tensor<128x256xf32> to tensor<10x256xf32>
  %j1 = tensor.concat dim(0) %s1, %t1 : (tensor<118x256xf32>, tensor<10x256xf32>) -> tensor<128x256xf32>
  %e1 = tensor.empty() : tensor<128x256xf32>
  %k2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%j1 : tensor<128x256xf32>) outs(%e1 : tensor<128x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = tensor.extract_slice %w[1] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %p = tensor.extract_slice %w[6] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %a) -> f32 {
      %u = tensor.extract %q[%i] : tensor<4xf32>
      %v = tensor.extract %p[%i] : tensor<4xf32>
      %y = arith.mulf %u, %v : f32
      %z = arith.addf %acc, %y : f32
      scf.yield %z : f32
    }
    linalg.yield %sum : f32
  } -> tensor<128x256xf32>
  %s2 = tensor.extract_slice %k2[10, 0] [118, 256] [1, 1] : tensor<128x256xf32> to tensor<118x256xf32>
  %t2 = tensor.extract_slice %k2[0, 0] [10, 256] [1, 1] : tensor<128x256xf32> to tensor<10x256xf32>
  %j2 = tensor.concat dim(0) %s2, %t2 : (tensor<118x256xf32>, tensor<10x256xf32>) -> tensor<128x256xf32>
  %e2 = tensor.empty() : tensor<128x256xf32>
  %k3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%j2 : tensor<128x256xf32>) outs(%e2 : tensor<128x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = tensor.extract_slice %w[2] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %p = tensor.extract_slice %w[7] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %a) -> f32 {
      %u = tensor.extract %q[%i] : tensor<4xf32>
      %v = tensor.extract %p[%i] : tensor<4xf32>
      %y = arith.mulf %u, %v : f32
      %z = arith.addf %acc, %y : f32
      scf.yield %z : f32
    }
    linalg.yield %sum : f32
  } -> tensor<128x256xf32>
  %s3 = tensor.extract_slice %k3[10, 0] [118, 256] [1, 1] : tensor<128x256xf32> to tensor<118x256xf32>
  %t3 = tensor.extract_slice %k3[0, 0] [10, 256] [1, 1] : tensor<128x256xf32> to tensor<10x256xf32>
  %j3 = tensor.concat dim(0) %s3, %t3 : (tensor<118x256xf32>, tensor<10x256xf32>) -> tensor<128x256xf32>
  %e3 = tensor.empty() : tensor<128x256xf32>
  %k4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%j3 : tensor<128x256xf32>) outs(%e3 : tensor<128x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = tensor.extract_slice %w[3] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %p = tensor.extract_slice %w[8] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %a) -> f32 {
      %u = tensor.extract %q[%i] : tensor<4xf32>
      %v = tensor.extract %p[%i] : tensor<4xf32>
      %y = arith.mulf %u, %v : f32
      %z = arith.addf %acc, %y : f32
      scf.yield %z : f32
    }
    linalg.yield %sum : f32
  } -> tensor<128x256xf32>
  return %k4 : tensor<128x256xf32>
}
