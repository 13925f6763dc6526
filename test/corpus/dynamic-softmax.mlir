// A softmax of which neither extent is known before the launch, split along both.
// RUN-CHECK: --grid 1x1,2x2,4x1,1x4,3x2 --seed 1 --shape 0=7x9
// RUN-CHECK: --grid 2x2,2x3 --seed 2 --shape 0=1x4
// RUN-CHECK: --grid 2x2,2x4 --seed 3 --shape 0=8x1
// RUN-CHECK: --grid 2x2 --seed 3 --shape 0=0x5
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant -1.0e30 : f32
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %re = tensor.empty(%n) : tensor<?xf32>
  %rf = linalg.fill ins(%low : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<?x?xf32>) outs(%rf : tensor<?xf32>) dimensions = [1]
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %exp = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  } -> tensor<?x?xf32>
  %zf = linalg.fill ins(%zero : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<?x?xf32>) outs(%zf : tensor<?xf32>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
