#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func public @main(%arg0: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
    %cst = arith.constant 2.000000e-01 : f32
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %c0_i32 = arith.constant 0 : i32
    %c100_i32 = arith.constant 100 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg1 = %c0_i32 to %c100_i32 step %c1_i32 iter_args(%arg2 = %cst_0, %arg3 = %arg0) -> (tensor<i32>, tensor<2048x2048xf32>)  : i32 {
      %1 = tensor.empty() : tensor<i32>
      %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%1 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %17 = arith.addi %in, %c1_i32 : i32
        linalg.yield %17 : i32
      } -> tensor<i32>
      %extracted_slice = tensor.extract_slice %arg3[2047, 0] [1, 2048] [1, 1] : tensor<2048x2048xf32> to tensor<1x2048xf32>
      %extracted_slice_1 = tensor.extract_slice %arg3[0, 0] [2047, 2048] [1, 1] : tensor<2048x2048xf32> to tensor<2047x2048xf32>
      %3 = tensor.empty() : tensor<2048x2048xf32>
      %inserted_slice = tensor.insert_slice %extracted_slice into %3[0, 0] [1, 2048] [1, 1] : tensor<1x2048xf32> into tensor<2048x2048xf32>
      %inserted_slice_2 = tensor.insert_slice %extracted_slice_1 into %inserted_slice[1, 0] [2047, 2048] [1, 1] : tensor<2047x2048xf32> into tensor<2048x2048xf32>
      %extracted_slice_3 = tensor.extract_slice %arg3[1, 0] [2047, 2048] [1, 1] : tensor<2048x2048xf32> to tensor<2047x2048xf32>
      %extracted_slice_4 = tensor.extract_slice %arg3[0, 0] [1, 2048] [1, 1] : tensor<2048x2048xf32> to tensor<1x2048xf32>
      %4 = tensor.empty() : tensor<2048x2048xf32>
      %inserted_slice_5 = tensor.insert_slice %extracted_slice_3 into %4[0, 0] [2047, 2048] [1, 1] : tensor<2047x2048xf32> into tensor<2048x2048xf32>
      %inserted_slice_6 = tensor.insert_slice %extracted_slice_4 into %inserted_slice_5[2047, 0] [1, 2048] [1, 1] : tensor<1x2048xf32> into tensor<2048x2048xf32>
      %5 = tensor.empty() : tensor<2048x2048xf32>
      %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%inserted_slice_2, %inserted_slice_6 : tensor<2048x2048xf32>, tensor<2048x2048xf32>) outs(%5 : tensor<2048x2048xf32>) {
      ^bb0(%in: f32, %in_15: f32, %out: f32):
        %17 = arith.addf %in, %in_15 : f32
        linalg.yield %17 : f32
      } -> tensor<2048x2048xf32>
      %extracted_slice_7 = tensor.extract_slice %arg3[0, 2047] [2048, 1] [1, 1] : tensor<2048x2048xf32> to tensor<2048x1xf32>
      %extracted_slice_8 = tensor.extract_slice %arg3[0, 0] [2048, 2047] [1, 1] : tensor<2048x2048xf32> to tensor<2048x2047xf32>
      %7 = tensor.empty() : tensor<2048x2048xf32>
      %inserted_slice_9 = tensor.insert_slice %extracted_slice_7 into %7[0, 0] [2048, 1] [1, 1] : tensor<2048x1xf32> into tensor<2048x2048xf32>
      %inserted_slice_10 = tensor.insert_slice %extracted_slice_8 into %inserted_slice_9[0, 1] [2048, 2047] [1, 1] : tensor<2048x2047xf32> into tensor<2048x2048xf32>
      %8 = tensor.empty() : tensor<2048x2048xf32>
      %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %inserted_slice_10 : tensor<2048x2048xf32>, tensor<2048x2048xf32>) outs(%8 : tensor<2048x2048xf32>) {
      ^bb0(%in: f32, %in_15: f32, %out: f32):
        %17 = arith.addf %in, %in_15 : f32
        linalg.yield %17 : f32
      } -> tensor<2048x2048xf32>
      %extracted_slice_11 = tensor.extract_slice %arg3[0, 1] [2048, 2047] [1, 1] : tensor<2048x2048xf32> to tensor<2048x2047xf32>
      %extracted_slice_12 = tensor.extract_slice %arg3[0, 0] [2048, 1] [1, 1] : tensor<2048x2048xf32> to tensor<2048x1xf32>
      %10 = tensor.empty() : tensor<2048x2048xf32>
      %inserted_slice_13 = tensor.insert_slice %extracted_slice_11 into %10[0, 0] [2048, 2047] [1, 1] : tensor<2048x2047xf32> into tensor<2048x2048xf32>
      %inserted_slice_14 = tensor.insert_slice %extracted_slice_12 into %inserted_slice_13[0, 2047] [2048, 1] [1, 1] : tensor<2048x1xf32> into tensor<2048x2048xf32>
      %11 = tensor.empty() : tensor<2048x2048xf32>
      %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %inserted_slice_14 : tensor<2048x2048xf32>, tensor<2048x2048xf32>) outs(%11 : tensor<2048x2048xf32>) {
      ^bb0(%in: f32, %in_15: f32, %out: f32):
        %17 = arith.addf %in, %in_15 : f32
        linalg.yield %17 : f32
      } -> tensor<2048x2048xf32>
      %13 = tensor.empty() : tensor<2048x2048xf32>
      %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3, %12 : tensor<2048x2048xf32>, tensor<2048x2048xf32>) outs(%13 : tensor<2048x2048xf32>) {
      ^bb0(%in: f32, %in_15: f32, %out: f32):
        %17 = arith.addf %in, %in_15 : f32
        linalg.yield %17 : f32
      } -> tensor<2048x2048xf32>
      %15 = tensor.empty() : tensor<2048x2048xf32>
      %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<2048x2048xf32>) outs(%15 : tensor<2048x2048xf32>) {
      ^bb0(%in: f32, %out: f32):
        %17 = arith.mulf %in, %cst : f32
        linalg.yield %17 : f32
      } -> tensor<2048x2048xf32>
      scf.yield %2, %16 : tensor<i32>, tensor<2048x2048xf32>
    }
    return %0#1 : tensor<2048x2048xf32>
  }
}

