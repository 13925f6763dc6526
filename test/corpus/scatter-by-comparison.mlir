// Gradients of embeddings and segment sums as importers write them: comparisons of an index with
// data. With a choice between before and after, with two coordinates, of maxima; large and small.
// RUN-CHECK: --grid 1,2,3,4,8 --seed 1
shard.grid @g(shape = 4)
#rows = affine_map<(v, d, t) -> (t, d)>
#at = affine_map<(v, d, t) -> (t, 0)>
#to = affine_map<(v, d, t) -> (v, d)>
func.func @main(%rows_in: tensor<9x6xf64>, %ids_in: tensor<9x1xi32> {tessera.range = [0, 40]},
                %init_in: tensor<40x6xf64>, %few_in: tensor<3x6xf64>)
    -> (tensor<40x6xf64>, tensor<40x6xf64>, tensor<3x6xf64>, tensor<40x6xf64>) {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %rows_in to %split : tensor<9x6xf64>
  %ids = shard.shard %ids_in to %split : tensor<9x1xi32>
  %few = shard.shard %few_in to %split : tensor<3x6xf64>
  %c0 = arith.constant 0.0 : f64
  %low = arith.constant -1.0e30 : f64
  %e = tensor.empty() : tensor<40x6xf64>
  %z = linalg.fill ins(%c0 : f64) outs(%e : tensor<40x6xf64>) -> tensor<40x6xf64>
  %a = linalg.generic {indexing_maps = [#rows, #at, #to], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %ids : tensor<9x6xf64>, tensor<9x1xi32>) outs(%z : tensor<40x6xf64>) {
  ^bb0(%u: f64, %id: i32, %acc: f64):
    %v = linalg.index 0 : index
    %p = arith.index_cast %id : i32 to index
    %c = arith.cmpi eq, %v, %p : index
    %m = arith.select %c, %u, %c0 : f64
    %s = arith.addf %acc, %m : f64
    linalg.yield %s : f64
  } -> tensor<40x6xf64>
  %b = linalg.generic {indexing_maps = [#rows, #at, #to], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %ids : tensor<9x6xf64>, tensor<9x1xi32>) outs(%init_in : tensor<40x6xf64>) {
  ^bb0(%u: f64, %id: i32, %acc: f64):
    %v = linalg.index 0 : index
    %p = arith.index_cast %id : i32 to index
    %c = arith.cmpi eq, %p, %v : index
    %s = arith.addf %acc, %u : f64
    %m = arith.select %c, %s, %acc : f64
    linalg.yield %m : f64
  } -> tensor<40x6xf64>
  // Few segments: their sums are less than the rows.
  %g = linalg.generic {indexing_maps = [#rows, #at, #to], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %ids : tensor<9x6xf64>, tensor<9x1xi32>) outs(%few : tensor<3x6xf64>) {
  ^bb0(%u: f64, %id: i32, %acc: f64):
    %v = linalg.index 0 : index
    %p = arith.index_cast %id : i32 to index
    %c = arith.cmpi eq, %v, %p : index
    %s = arith.subf %acc, %u : f64
    %m = arith.select %c, %s, %acc : f64
    linalg.yield %m : f64
  } -> tensor<3x6xf64>
  %f = linalg.fill ins(%low : f64) outs(%e : tensor<40x6xf64>) -> tensor<40x6xf64>
  %h = linalg.generic {indexing_maps = [#rows, #at, #to], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %ids : tensor<9x6xf64>, tensor<9x1xi32>) outs(%f : tensor<40x6xf64>) {
  ^bb0(%u: f64, %id: i32, %acc: f64):
    %v = linalg.index 0 : index
    %p = arith.index_cast %id : i32 to index
    %c = arith.cmpi ne, %v, %p : index
    %s = arith.maximumf %u, %acc : f64
    %m = arith.select %c, %acc, %s : f64
    linalg.yield %m : f64
  } -> tensor<40x6xf64>
  return %a, %b, %g, %h : tensor<40x6xf64>, tensor<40x6xf64>, tensor<3x6xf64>, tensor<40x6xf64>
}
