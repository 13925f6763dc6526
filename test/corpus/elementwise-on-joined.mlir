// Large elementwise ops on rolled, joined and padded tensors: pieces are read where they lie, nested
// ones too, transposed, by several ops, and beside pieces that are computed.
// RUN-CHECK: --grid 1,2,2x2,3x1 --seed 1
shard.grid @g(shape = 2x2)
#id = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
#rows = affine_map<(i, j) -> (i, 0)>
func.func @main(%x_in: tensor<192x192xf32>, %y: tensor<192x192xf32>)
    -> (tensor<192x192xf32>, tensor<192x192xf32>, tensor<192x192xf32>, tensor<192x192xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<192x192xf32>
  %half = arith.constant 0.5 : f32
  %empty = tensor.empty() : tensor<192x192xf32>
  // Two rolls, one of the other.
  %a = tensor.extract_slice %x[0, 190] [192, 2] [1, 1] : tensor<192x192xf32> to tensor<192x2xf32>
  %b = tensor.extract_slice %x[0, 0] [192, 190] [1, 1] : tensor<192x192xf32> to tensor<192x190xf32>
  %right = tensor.concat dim(1) %a, %b : (tensor<192x2xf32>, tensor<192x190xf32>) -> tensor<192x192xf32>
  %c = tensor.extract_slice %right[191, 0] [1, 192] [1, 1] : tensor<192x192xf32> to tensor<1x192xf32>
  %d = tensor.extract_slice %right[0, 0] [191, 192] [1, 1] : tensor<192x192xf32> to tensor<191x192xf32>
  %down = tensor.concat dim(0) %c, %d : (tensor<1x192xf32>, tensor<191x192xf32>) -> tensor<192x192xf32>
  %0 = arith.subf %down, %x : tensor<192x192xf32>
  // Read in the other order, and by two ops.
  %turned = linalg.generic {indexing_maps = [#turned, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%down, %y : tensor<192x192xf32>, tensor<192x192xf32>) outs(%empty : tensor<192x192xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %1 = arith.mulf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<192x192xf32>
  // Slices of what is padded, and a padding of a padding.
  %pad = tensor.pad %x low[1, 2] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %half : f32
  } : tensor<192x192xf32> to tensor<194x194xf32>
  %zero = arith.constant 0.0 : f32
  %wide = tensor.pad %pad low[0, 3] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<194x194xf32> to tensor<194x197xf32>
  %up = tensor.extract_slice %wide[2, 1] [192, 192] [1, 1] : tensor<194x197xf32> to tensor<192x192xf32>
  %column = tensor.extract_slice %y[0, 5] [192, 1] [1, 1] : tensor<192x192xf32> to tensor<192x1xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]}
      ins(%up, %column : tensor<192x192xf32>, tensor<192x1xf32>) outs(%empty : tensor<192x192xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %1 = arith.addf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<192x192xf32>
  // A computed piece, put over what was there, and an op that adds to its destination.
  %part = tensor.extract_slice %y[7, 0] [50, 192] [1, 1] : tensor<192x192xf32> to tensor<50x192xf32>
  %exp = math.exp %part : tensor<50x192xf32>
  %over = tensor.insert_slice %exp into %y[100, 0] [50, 192] [1, 1] : tensor<50x192xf32> into tensor<192x192xf32>
  %both = tensor.insert_slice %a into %over[0, 64] [192, 2] [1, 1] : tensor<192x2xf32> into tensor<192x192xf32>
  %added = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%both : tensor<192x192xf32>) outs(%x : tensor<192x192xf32>) {
  ^bb0(%p: f32, %o: f32):
    %1 = arith.addf %p, %o : f32
    linalg.yield %1 : f32
  } -> tensor<192x192xf32>
  return %0, %turned, %scaled, %added
      : tensor<192x192xf32>, tensor<192x192xf32>, tensor<192x192xf32>, tensor<192x192xf32>
}
