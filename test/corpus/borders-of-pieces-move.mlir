// Reshapes to rows that are not alike on all devices, cuts, pads, joins and insertions of what merges such
// rows, and both in a loop that sorts by pairs.
// RUN-CHECK: --grid 1,2,3,4,8 --seed 1
#id = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (i, -j + 2)>
shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<47xf64>, %b_in: tensor<23x4xf64>, %c_in: tensor<64xf64>)
    -> (tensor<15x3xf64>, tensor<90xf64>, tensor<99xf64>, tensor<92xf64>, tensor<46x2xf64>, tensor<64xf64>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %a = shard.shard %a_in to %s : tensor<47xf64>
  %b = shard.shard %b_in to %rows : tensor<23x4xf64>
  %c = shard.shard %c_in to %s : tensor<64xf64>
  %zero = arith.constant 0.0 : f64
  // To rows.
  %cut = tensor.extract_slice %a[1] [45] [1] : tensor<47xf64> to tensor<45xf64>
  %threes = tensor.expand_shape %cut [[0, 1]] output_shape [15, 3] : tensor<45xf64> into tensor<15x3xf64>
  %e = tensor.empty() : tensor<15x3xf64>
  %0 = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%threes : tensor<15x3xf64>) outs(%e : tensor<15x3xf64>) {
  ^bb0(%x: f64, %o: f64):
    %t = arith.addf %x, %x : f64
    linalg.yield %t : f64
  } -> tensor<15x3xf64>
  // From rows.
  %flat = tensor.collapse_shape %b [[0, 1]] : tensor<23x4xf64> into tensor<92xf64>
  %middle = tensor.extract_slice %flat[1] [90] [1] : tensor<92xf64> to tensor<90xf64>
  %1 = arith.mulf %middle, %middle : tensor<90xf64>
  %2 = tensor.pad %flat low[3] high[4] {
  ^bb0(%i: index):
    tensor.yield %zero : f64
  } : tensor<92xf64> to tensor<99xf64>
  %3 = tensor.insert_slice %1 into %flat[2] [90] [1] : tensor<90xf64> into tensor<92xf64>
  %back = tensor.expand_shape %3 [[0, 1]] output_shape [46, 2] : tensor<92xf64> into tensor<46x2xf64>
  // Pairs, and the pairs between them.
  %low = arith.constant 0 : index
  %step = arith.constant 1 : index
  %high = arith.constant 3 : index
  %sorted = scf.for %k = %low to %high step %step iter_args(%v = %c) -> (tensor<64xf64>) {
    %pairs = tensor.expand_shape %v [[0, 1]] output_shape [32, 2] : tensor<64xf64> into tensor<32x2xf64>
    %p = func.call @ordered32(%pairs) : (tensor<32x2xf64>) -> tensor<32x2xf64>
    %once = tensor.collapse_shape %p [[0, 1]] : tensor<32x2xf64> into tensor<64xf64>
    %inner = tensor.extract_slice %once[1] [62] [1] : tensor<64xf64> to tensor<62xf64>
    %odd = tensor.expand_shape %inner [[0, 1]] output_shape [31, 2] : tensor<62xf64> into tensor<31x2xf64>
    %q = func.call @ordered31(%odd) : (tensor<31x2xf64>) -> tensor<31x2xf64>
    %between = tensor.collapse_shape %q [[0, 1]] : tensor<31x2xf64> into tensor<62xf64>
    %next = tensor.insert_slice %between into %once[1] [62] [1] : tensor<62xf64> into tensor<64xf64>
    scf.yield %next : tensor<64xf64>
  }
  return %0, %1, %2, %3, %back, %sorted
      : tensor<15x3xf64>, tensor<90xf64>, tensor<99xf64>, tensor<92xf64>, tensor<46x2xf64>, tensor<64xf64>
}

func.func private @ordered32(%x: tensor<32x2xf64>) -> tensor<32x2xf64> {
  %l = tensor.extract_slice %x[0, 0] [32, 1] [1, 1] : tensor<32x2xf64> to tensor<32x1xf64>
  %r = tensor.extract_slice %x[0, 1] [32, 1] [1, 1] : tensor<32x2xf64> to tensor<32x1xf64>
  %least = arith.minimumf %l, %r : tensor<32x1xf64>
  %most = arith.maximumf %l, %r : tensor<32x1xf64>
  %p = tensor.concat dim(1) %least, %most : (tensor<32x1xf64>, tensor<32x1xf64>) -> tensor<32x2xf64>
  return %p : tensor<32x2xf64>
}

func.func private @ordered31(%x: tensor<31x2xf64>) -> tensor<31x2xf64> {
  %l = tensor.extract_slice %x[0, 0] [31, 1] [1, 1] : tensor<31x2xf64> to tensor<31x1xf64>
  %r = tensor.extract_slice %x[0, 1] [31, 1] [1, 1] : tensor<31x2xf64> to tensor<31x1xf64>
  %least = arith.minimumf %l, %r : tensor<31x1xf64>
  %most = arith.maximumf %l, %r : tensor<31x1xf64>
  %p = tensor.concat dim(1) %least, %most : (tensor<31x1xf64>, tensor<31x1xf64>) -> tensor<31x2xf64>
  return %p : tensor<31x2xf64>
}
