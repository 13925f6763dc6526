// Cuts and joins of split dimensions at any place: parts that lie on a few devices, single rows that
// all need, rows that are dropped, parts joined in another order, and what depends on its place.
// RUN-CHECK: --grid 1x1,4x1,1x3,2x2,3x2,2x4 --seed 7
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<14x9xf32>, %y_in: tensor<5x9xf32>, %z: tensor<14x9xi32>, %b_in: tensor<9xf32>)
    -> (tensor<6x9xf32>, tensor<14x9xf32>, tensor<14x9xf32>, tensor<24x9xf32>, tensor<14x9xf32>,
        tensor<14x9xf32>, tensor<4x9xi32>, tensor<8x5xf32>, tensor<14x9xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %both = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<14x9xf32>
  %y = shard.shard %y_in to %both : tensor<5x9xf32>
  %line = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %b = shard.shard %b_in to %line : tensor<9xf32>

  // A part on some devices alone, of what is computed.
  %e = math.tanh %x : tensor<14x9xf32>
  %part = tensor.extract_slice %e[7, 0] [6, 9] [1, 1] : tensor<14x9xf32> to tensor<6x9xf32>
  %sq = arith.mulf %part, %part : tensor<6x9xf32>

  // A row for everybody, kept and dropped.
  %row = tensor.extract_slice %x[9, 0] [1, 9] [1, 1] : tensor<14x9xf32> to tensor<1x9xf32>
  %flat = tensor.collapse_shape %row [[0, 1]] : tensor<1x9xf32> into tensor<9xf32>
  %be = tensor.empty() : tensor<14x9xf32>
  %rep = linalg.broadcast ins(%flat : tensor<9xf32>) outs(%be : tensor<14x9xf32>) dimensions = [0]
  %kept = arith.addf %rep, %x : tensor<14x9xf32>
  %dropped = tensor.extract_slice %x[3, 0] [1, 9] [1, 1] : tensor<14x9xf32> to tensor<9xf32>
  %db = arith.mulf %dropped, %b : tensor<9xf32>
  %rep2 = linalg.broadcast ins(%db : tensor<9xf32>) outs(%be : tensor<14x9xf32>) dimensions = [0]
  %kept2 = arith.addf %rep2, %x : tensor<14x9xf32>

  // Joined in another order.
  %tail = tensor.extract_slice %x[11, 0] [3, 9] [1, 1] : tensor<14x9xf32> to tensor<3x9xf32>
  %some = tensor.extract_slice %x[0, 0] [2, 9] [1, 1] : tensor<14x9xf32> to tensor<2x9xf32>
  %joined = tensor.concat dim(0) %tail, %y, %x, %some
      : (tensor<3x9xf32>, tensor<5x9xf32>, tensor<14x9xf32>, tensor<2x9xf32>) -> tensor<24x9xf32>

  // A box put into another place, and over that a second one.
  %box = tensor.extract_slice %x[2, 1] [5, 4] [1, 2] : tensor<14x9xf32> to tensor<5x4xf32>
  %in = tensor.insert_slice %box into %x[8, 5] [5, 4] [1, 1] : tensor<5x4xf32> into tensor<14x9xf32>
  %over = tensor.insert_slice %y into %in[9, 0] [5, 9] [1, 1] : tensor<5x9xf32> into tensor<14x9xf32>

  // Rotated by five, without an annotation of its own, and back.
  %r0 = tensor.extract_slice %x[5, 0] [9, 9] [1, 1] : tensor<14x9xf32> to tensor<9x9xf32>
  %r1 = tensor.extract_slice %x[0, 0] [5, 9] [1, 1] : tensor<14x9xf32> to tensor<5x9xf32>
  %rot = tensor.concat dim(0) %r0, %r1 : (tensor<9x9xf32>, tensor<5x9xf32>) -> tensor<14x9xf32>
  %rt = math.tanh %rot : tensor<14x9xf32>
  %q0 = tensor.extract_slice %rt[9, 0] [5, 9] [1, 1] : tensor<14x9xf32> to tensor<5x9xf32>
  %q1 = tensor.extract_slice %rt[0, 0] [9, 9] [1, 1] : tensor<14x9xf32> to tensor<9x9xf32>
  %back = tensor.concat dim(0) %q0, %q1 : (tensor<5x9xf32>, tensor<9x9xf32>) -> tensor<14x9xf32>

  // Numbers of rows, of which a part is taken.
  %ie = tensor.empty() : tensor<14x9xi32>
  %iota = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%ie : tensor<14x9xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    linalg.yield %n : i32
  } -> tensor<14x9xi32>
  %zs = shard.shard %z to %rows : tensor<14x9xi32>
  %sum = arith.addi %iota, %zs : tensor<14x9xi32>
  %numbers = tensor.extract_slice %sum[6, 0] [4, 9] [2, 1] : tensor<14x9xi32> to tensor<4x9xi32>

  // The part is what a product sums over.
  %cut = tensor.extract_slice %x[3, 2] [8, 5] [1, 1] : tensor<14x9xf32> to tensor<8x5xf32>
  %ce = tensor.empty() : tensor<5x5xf32>
  %zero = arith.constant 0.0 : f32
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<5x5xf32>) -> tensor<5x5xf32>
  %ct = tensor.empty() : tensor<5x8xf32>
  %tr = linalg.transpose ins(%cut : tensor<8x5xf32>) outs(%ct : tensor<5x8xf32>) permutation = [1, 0]
  %gram = linalg.matmul ins(%tr, %cut : tensor<5x8xf32>, tensor<8x5xf32>) outs(%cf : tensor<5x5xf32>) -> tensor<5x5xf32>
  %pe = tensor.empty() : tensor<8x5xf32>
  %pf = linalg.fill ins(%zero : f32) outs(%pe : tensor<8x5xf32>) -> tensor<8x5xf32>
  %prod = linalg.matmul ins(%cut, %gram : tensor<8x5xf32>, tensor<5x5xf32>) outs(%pf : tensor<8x5xf32>) -> tensor<8x5xf32>
  return %sq, %kept, %kept2, %joined, %over, %back, %numbers, %prod, %rot
      : tensor<6x9xf32>, tensor<14x9xf32>, tensor<14x9xf32>, tensor<24x9xf32>, tensor<14x9xf32>,
        tensor<14x9xf32>, tensor<4x9xi32>, tensor<8x5xf32>, tensor<14x9xf32>
}
