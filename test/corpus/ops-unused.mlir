// What nobody uses, and what only that uses: places of maxima, a row read of a table at them, trips of a
// loop. What is annotated and unused besides stays, and lies as it says.
// RUN-CHECK: --grid 1,2,3,4 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<7x18xf32>, %table_in: tensor<18x10xf32>, %n: index {tessera.range = [0, 4]}) -> (tensor<7xf32>, tensor<7x18xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<7x18xf32>
  %table = shard.shard %table_in to %rows : tensor<18x10xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %first = arith.constant 0 : i64
  %least = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<7xf32>
  %empty_places = tensor.empty() : tensor<7xi64>
  %firsts = linalg.fill ins(%first : i64) outs(%empty_places : tensor<7xi64>) -> tensor<7xi64>
  %leasts = linalg.fill ins(%least : f32) outs(%empty : tensor<7xf32>) -> tensor<7xf32>
  %most:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<7x18xf32>) outs(%leasts, %firsts : tensor<7xf32>, tensor<7xi64>) {
  ^bb0(%in: f32, %out: f32, %place: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %more = arith.maximumf %in, %out : f32
    %is_more = arith.cmpf ogt, %in, %out : f32
    %where = arith.select %is_more, %here, %place : i64
    linalg.yield %more, %where : f32, i64
  } -> (tensor<7xf32>, tensor<7xi64>)
  %column = tensor.expand_shape %most#1 [[0, 1]] output_shape [7, 1] : tensor<7xi64> into tensor<7x1xi64>
  %wide = tensor.empty() : tensor<7x10xf32>
  %read = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%column : tensor<7x1xi64>) outs(%wide : tensor<7x10xf32>) {
  ^bb0(%place: i64, %out: f32):
    %row = arith.index_cast %place : i64 to index
    %j = linalg.index 1 : index
    %element = tensor.extract %table[%row, %j] : tensor<18x10xf32>
    linalg.yield %element : f32
  } -> tensor<7x10xf32>
  %unused = scf.for %i = %zero to %n step %one iter_args(%y = %read) -> tensor<7x10xf32> {
    %next = math.exp %y : tensor<7x10xf32>
    scf.yield %next : tensor<7x10xf32>
  }
  %sum = arith.addf %x, %x : tensor<7x18xf32>
  %annotated = shard.shard %sum to %rows : tensor<7x18xf32>
  %cut = tensor.extract_slice %annotated[0, 0] [7, 9] [1, 1] : tensor<7x18xf32> to tensor<7x9xf32>
  return %most#0, %sum : tensor<7xf32>, tensor<7x18xf32>
}
