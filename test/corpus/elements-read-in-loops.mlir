// Loops that read an element of a split tensor in each trip: of a short one, of a long one, and of one that
// they make anew; and one element beside loops.
// RUN-CHECK: --entry short --grid 2,3,4
// RUN-CHECK: --entry long --grid 2,3,4
// RUN-CHECK: --entry once --grid 2,3,4
// RUN-CHECK: --entry kept --grid 2,3,4
#same = affine_map<(i) -> (i)>
shard.grid @g(shape = 2)
func.func @short(%x_in: tensor<16x4xf32>, %ids_in: tensor<16xindex> {tessera.range = [0, 16]}) -> tensor<16x4xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16x4xf32>
  %ids = shard.shard %ids_in to %t : tensor<16xindex>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 16 : index
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%u = %x) -> tensor<16x4xf32> {
    %k = tensor.extract %ids[%i] : tensor<16xindex>
    %a = tensor.extract_slice %u[%k, 0] [1, 4] [1, 1] : tensor<16x4xf32> to tensor<1x4xf32>
    %b = math.absf %a : tensor<1x4xf32>
    %c = tensor.insert_slice %b into %u[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<16x4xf32>
    scf.yield %c : tensor<16x4xf32>
  }
  return %r : tensor<16x4xf32>
}

func.func @long(%x_in: tensor<4x4xf32>, %ids_in: tensor<8192xindex> {tessera.range = [0, 4]}) -> tensor<4x4xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4x4xf32>
  %ids = shard.shard %ids_in to %t : tensor<8192xindex>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 4 : index
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%u = %x) -> tensor<4x4xf32> {
    %k = tensor.extract %ids[%i] : tensor<8192xindex>
    %a = tensor.extract_slice %u[%k, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
    %b = math.absf %a : tensor<1x4xf32>
    %c = tensor.insert_slice %b into %u[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<4x4xf32>
    scf.yield %c : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

func.func @once(%x_in: tensor<16x4xf32>, %ids_in: tensor<16xindex> {tessera.range = [0, 16]}) -> tensor<1x4xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16x4xf32>
  %ids = shard.shard %ids_in to %t : tensor<16xindex>
  %c5 = arith.constant 5 : index
  %k = tensor.extract %ids[%c5] : tensor<16xindex>
  %a = tensor.extract_slice %x[%k, 0] [1, 4] [1, 1] : tensor<16x4xf32> to tensor<1x4xf32>
  return %a : tensor<1x4xf32>
}

func.func @kept(%x_in: tensor<16x4xf32>, %ids_in: tensor<16xindex> {tessera.range = [0, 16]}) -> (tensor<16x4xf32>, tensor<16xindex>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16x4xf32>
  %ids = shard.shard %ids_in to %t : tensor<16xindex>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %end = arith.constant 16 : index
  %r:2 = scf.for %i = %c0 to %end step %c1 iter_args(%u = %x, %v = %ids) -> (tensor<16x4xf32>, tensor<16xindex>) {
    %k = tensor.extract %v[%i] : tensor<16xindex>
    %a = tensor.extract_slice %u[%k, 0] [1, 4] [1, 1] : tensor<16x4xf32> to tensor<1x4xf32>
    %c = tensor.insert_slice %a into %u[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<16x4xf32>
    %e = tensor.empty() : tensor<16xindex>
    %w = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]}
        ins(%v : tensor<16xindex>) outs(%e : tensor<16xindex>) {
    ^bb0(%p: index, %q: index):
      %h = arith.divui %p, %c2 : index
      linalg.yield %h : index
    } -> tensor<16xindex>
    scf.yield %c, %w : tensor<16x4xf32>, tensor<16xindex>
  }
  return %r#0, %r#1 : tensor<16x4xf32>, tensor<16xindex>
}
