// One branch reads its neighbours' rows, the other a mean of all: each communicates what it needs itself.
// RUN-CHECK: --grid 2,3,4 --seed 1
// RUN-CHECK: --grid 4 --seed 2
// RUN-CHECK: --grid 4 --seed 5
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<13x6xf32>, %n_in: i32 {tessera.range = [0, 2]}) -> tensor<13x6xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<13x6xf32>
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.0625 : f32
  %c = arith.cmpi eq, %n_in, %one : i32
  %r = scf.if %c -> tensor<13x6xf32> {
    %e = tensor.empty() : tensor<13x6xf32>
    %last = tensor.extract_slice %x[12, 0] [1, 6] [1, 1] : tensor<13x6xf32> to tensor<1x6xf32>
    %others = tensor.extract_slice %x[0, 0] [12, 6] [1, 1] : tensor<13x6xf32> to tensor<12x6xf32>
    %begun = tensor.insert_slice %last into %e[0, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<13x6xf32>
    %turned = tensor.insert_slice %others into %begun[1, 0] [12, 6] [1, 1] : tensor<12x6xf32> into tensor<13x6xf32>
    scf.yield %turned : tensor<13x6xf32>
  } else {
    %e = tensor.empty() : tensor<6xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
    %sum = linalg.reduce ins(%x : tensor<13x6xf32>) outs(%f : tensor<6xf32>) dimensions = [0]
      (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        linalg.yield %s : f32
      }
    %d = tensor.empty() : tensor<13x6xf32>
    %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<13x6xf32>, tensor<6xf32>) outs(%d : tensor<13x6xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %t = arith.mulf %b, %scale : f32
      %s = arith.subf %a, %t : f32
      linalg.yield %s : f32
    } -> tensor<13x6xf32>
    scf.yield %m : tensor<13x6xf32>
  }
  return %r : tensor<13x6xf32>
}
