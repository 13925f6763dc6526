// Slices of what is padded by more than a device has, from dimensions that are shorter than the pad:
// the parts that devices read lie so that no offsets say them, and each takes its own out of all.
// RUN-CHECK: --grid 3,2,4,5,7 --seed 2
shard.grid @g(shape = 3)

func.func @main(%x_in: tensor<3xi32>, %y_in: tensor<6xf64>, %z_in: tensor<7xf64>)
    -> (tensor<9xi32>, tensor<4xi32>, tensor<4xi32>, tensor<11xf64>, tensor<10xf64>, tensor<7xf64>,
        tensor<3xf64>, tensor<7xf64>) {
  %sh = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %sh : tensor<3xi32>
  %y = shard.shard %y_in to %sh : tensor<6xf64>
  %z = shard.shard %z_in to %sh : tensor<7xf64>
  %two = arith.constant 2 : i32
  %half = arith.constant 0.5 : f64
  %px = tensor.pad %x low[1] high[5] {
  ^bb0(%i: index):
    tensor.yield %two : i32
  } : tensor<3xi32> to tensor<9xi32>
  %x0 = tensor.extract_slice %px[1] [4] [1] : tensor<9xi32> to tensor<4xi32>
  %x1 = tensor.extract_slice %px[4] [4] [1] : tensor<9xi32> to tensor<4xi32>
  %x2 = tensor.extract_slice %px[3] [4] [1] : tensor<9xi32> to tensor<4xi32>
  %x3 = arith.xori %x0, %x1 : tensor<4xi32>
  %x4 = arith.andi %x3, %x2 : tensor<4xi32>
  %py = tensor.pad %y low[0] high[5] {
  ^bb0(%i: index):
    tensor.yield %half : f64
  } : tensor<6xf64> to tensor<11xf64>
  %y0 = tensor.extract_slice %py[0] [10] [1] : tensor<11xf64> to tensor<10xf64>
  %y1 = tensor.extract_slice %py[1] [10] [1] : tensor<11xf64> to tensor<10xf64>
  %y2 = arith.addf %y0, %y1 : tensor<10xf64>
  // The first rows become every second one, twice.
  %z0 = tensor.extract_slice %z[0] [4] [2] : tensor<7xf64> to tensor<4xf64>
  %z1 = arith.addf %z0, %z0 : tensor<4xf64>
  %z2 = tensor.insert_slice %z1 into %z[0] [4] [1] : tensor<4xf64> into tensor<7xf64>
  %z3 = tensor.extract_slice %z2[2] [3] [2] : tensor<7xf64> to tensor<3xf64>
  %z4 = arith.mulf %z3, %z3 : tensor<3xf64>
  %z5 = tensor.insert_slice %z4 into %z2[0] [3] [1] : tensor<3xf64> into tensor<7xf64>
  return %px, %x3, %x4, %py, %y2, %z2, %z4, %z5
      : tensor<9xi32>, tensor<4xi32>, tensor<4xi32>, tensor<11xf64>, tensor<10xf64>, tensor<7xf64>,
        tensor<3xf64>, tensor<7xf64>
}
