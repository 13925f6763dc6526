#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map7 = affine_map<() -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> ()>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map12 = affine_map<(d0, d1, d2) -> ()>
#map13 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#map14 = affine_map<(d0, d1, d2) -> (d0)>
#map15 = affine_map<(d0, d1) -> (d1, d0)>
#map16 = affine_map<(d0, d1) -> (d0, d1)>
#map17 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map18 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map19 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d0, d1)>
#map20 = affine_map<(d0) -> (d0)>
module {
  func.func public @main(%arg0: tensor<1024xf32>, %arg1: tensor<256xf32>, %arg2: tensor<256xf32>, %arg3: tensor<256xf32>, %arg4: tensor<256xf32>, %arg5: tensor<256xf32>, %arg6: tensor<256x1024xf32>, %arg7: tensor<1024x256xf32>, %arg8: tensor<256x8x32xf32>, %arg9: tensor<8x32x256xf32>, %arg10: tensor<256x8x32xf32>, %arg11: tensor<256x8x32xf32>, %arg12: tensor<16x128x256xf32>, %arg13: tensor<16x128x256xf32>) -> (tensor<f32>, tensor<1024xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>) {
    %cst = arith.constant 1.90734863E-6 : f32
    %cst_0 = arith.constant 5.65685415 : f32
    %cst_1 = arith.constant 0.00999999977 : f32
    %cst_2 = arith.constant 5.242880e+05 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant 0.797884583 : f32
    %cst_5 = arith.constant 4.471500e-02 : f32
    %cst_6 = arith.constant 3.000000e+00 : f32
    %cst_7 = arith.constant -5.000000e-01 : f32
    %cst_8 = arith.constant 2.000000e+00 : f32
    %cst_9 = arith.constant 1.000000e+00 : f32
    %cst_10 = arith.constant 0xFF800000 : f32
    %cst_11 = arith.constant 9.99999974E-6 : f32
    %cst_12 = arith.constant 2.560000e+02 : f32
    %cst_13 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<16x128xf32>
    %1 = linalg.fill ins(%cst_13 : f32) outs(%0 : tensor<16x128xf32>) -> tensor<16x128xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg12 : tensor<16x128x256xf32>) outs(%1 : tensor<16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128xf32>
    %expanded = tensor.expand_shape %2 [[0], [1, 2]] output_shape [16, 128, 1] : tensor<16x128xf32> into tensor<16x128x1xf32>
    %3 = tensor.empty() : tensor<16x128x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<16x128x1xf32>) outs(%3 : tensor<16x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.divf %in, %cst_12 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1xf32>
    %5 = tensor.empty() : tensor<16x128x256xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<16x128x1xf32>) outs(%5 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x256xf32>
    %7 = tensor.empty() : tensor<16x128x256xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %6 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%7 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %9 = tensor.empty() : tensor<16x128x256xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<16x128x256xf32>) outs(%9 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %11 = tensor.empty() : tensor<16x128xf32>
    %12 = linalg.fill ins(%cst_13 : f32) outs(%11 : tensor<16x128xf32>) -> tensor<16x128xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<16x128x256xf32>) outs(%12 : tensor<16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128xf32>
    %expanded_14 = tensor.expand_shape %13 [[0], [1, 2]] output_shape [16, 128, 1] : tensor<16x128xf32> into tensor<16x128x1xf32>
    %14 = tensor.empty() : tensor<16x128x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<16x128x1xf32>) outs(%14 : tensor<16x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.divf %in, %cst_12 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1xf32>
    %16 = tensor.empty() : tensor<16x128x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<16x128x1xf32>) outs(%16 : tensor<16x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %in, %cst_11 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1xf32>
    %18 = tensor.empty() : tensor<16x128x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<16x128x1xf32>) outs(%18 : tensor<16x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = math.rsqrt %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1xf32>
    %20 = tensor.empty() : tensor<16x128x256xf32>
    %21 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<16x128x1xf32>) outs(%20 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x256xf32>
    %22 = tensor.empty() : tensor<16x128x256xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %21 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%22 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %24 = tensor.empty() : tensor<16x128x256xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<256xf32>) outs(%24 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x256xf32>
    %26 = tensor.empty() : tensor<16x128x256xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %25 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%26 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %28 = tensor.empty() : tensor<16x128x256xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<256xf32>) outs(%28 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x256xf32>
    %30 = tensor.empty() : tensor<16x128x256xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %29 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%30 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %collapsed = tensor.collapse_shape %31 [[0, 1], [2]] : tensor<16x128x256xf32> into tensor<2048x256xf32>
    %collapsed_15 = tensor.collapse_shape %arg10 [[0], [1, 2]] : tensor<256x8x32xf32> into tensor<256x256xf32>
    %32 = tensor.empty() : tensor<2048x256xf32>
    %33 = linalg.fill ins(%cst_13 : f32) outs(%32 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %34 = linalg.matmul ins(%collapsed, %collapsed_15 : tensor<2048x256xf32>, tensor<256x256xf32>) outs(%33 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %expanded_16 = tensor.expand_shape %34 [[0, 1], [2, 3]] output_shape [16, 128, 8, 32] : tensor<2048x256xf32> into tensor<16x128x8x32xf32>
    %collapsed_17 = tensor.collapse_shape %arg8 [[0], [1, 2]] : tensor<256x8x32xf32> into tensor<256x256xf32>
    %35 = tensor.empty() : tensor<2048x256xf32>
    %36 = linalg.fill ins(%cst_13 : f32) outs(%35 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %37 = linalg.matmul ins(%collapsed, %collapsed_17 : tensor<2048x256xf32>, tensor<256x256xf32>) outs(%36 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %expanded_18 = tensor.expand_shape %37 [[0, 1], [2, 3]] output_shape [16, 128, 8, 32] : tensor<2048x256xf32> into tensor<16x128x8x32xf32>
    %collapsed_19 = tensor.collapse_shape %arg11 [[0], [1, 2]] : tensor<256x8x32xf32> into tensor<256x256xf32>
    %38 = tensor.empty() : tensor<2048x256xf32>
    %39 = linalg.fill ins(%cst_13 : f32) outs(%38 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %40 = linalg.matmul ins(%collapsed, %collapsed_19 : tensor<2048x256xf32>, tensor<256x256xf32>) outs(%39 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %expanded_20 = tensor.expand_shape %40 [[0, 1], [2, 3]] output_shape [16, 128, 8, 32] : tensor<2048x256xf32> into tensor<16x128x8x32xf32>
    %41 = tensor.empty() : tensor<16x8x128x32xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<16x128x8x32xf32>) outs(%41 : tensor<16x8x128x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8x128x32xf32>
    %43 = tensor.empty() : tensor<16x8x32x128xf32>
    %44 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<16x128x8x32xf32>) outs(%43 : tensor<16x8x32x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8x32x128xf32>
    %collapsed_21 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<16x8x128x32xf32> into tensor<128x128x32xf32>
    %collapsed_22 = tensor.collapse_shape %44 [[0, 1], [2], [3]] : tensor<16x8x32x128xf32> into tensor<128x32x128xf32>
    %45 = tensor.empty() : tensor<128x128x128xf32>
    %46 = linalg.fill ins(%cst_13 : f32) outs(%45 : tensor<128x128x128xf32>) -> tensor<128x128x128xf32>
    %47 = linalg.batch_matmul ins(%collapsed_21, %collapsed_22 : tensor<128x128x32xf32>, tensor<128x32x128xf32>) outs(%46 : tensor<128x128x128xf32>) -> tensor<128x128x128xf32>
    %expanded_23 = tensor.expand_shape %47 [[0, 1], [2], [3]] output_shape [16, 8, 128, 128] : tensor<128x128x128xf32> into tensor<16x8x128x128xf32>
    %48 = tensor.empty() : tensor<f32>
    %49 = linalg.generic {indexing_maps = [#map7], iterator_types = []} outs(%48 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_0 : f32
    } -> tensor<f32>
    %50 = tensor.empty() : tensor<16x8x128x128xf32>
    %51 = linalg.generic {indexing_maps = [#map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<f32>) outs(%50 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8x128x128xf32>
    %52 = tensor.empty() : tensor<16x8x128x128xf32>
    %53 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_23, %51 : tensor<16x8x128x128xf32>, tensor<16x8x128x128xf32>) outs(%52 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.divf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128x128xf32>
    %54 = tensor.empty() : tensor<16x8x128xf32>
    %55 = linalg.fill ins(%cst_10 : f32) outs(%54 : tensor<16x8x128xf32>) -> tensor<16x8x128xf32>
    %56 = linalg.generic {indexing_maps = [#map5, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%53 : tensor<16x8x128x128xf32>) outs(%55 : tensor<16x8x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.maximumf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128xf32>
    %57 = tensor.empty() : tensor<16x8x128x128xf32>
    %58 = linalg.generic {indexing_maps = [#map9, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<16x8x128xf32>) outs(%57 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8x128x128xf32>
    %59 = tensor.empty() : tensor<16x8x128x128xf32>
    %60 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %58 : tensor<16x8x128x128xf32>, tensor<16x8x128x128xf32>) outs(%59 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128x128xf32>
    %61 = tensor.empty() : tensor<16x8x128x128xf32>
    %62 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<16x8x128x128xf32>) outs(%61 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = math.exp %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128x128xf32>
    %63 = tensor.empty() : tensor<16x8x128xf32>
    %64 = linalg.fill ins(%cst_13 : f32) outs(%63 : tensor<16x8x128xf32>) -> tensor<16x8x128xf32>
    %65 = linalg.generic {indexing_maps = [#map5, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%62 : tensor<16x8x128x128xf32>) outs(%64 : tensor<16x8x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128xf32>
    %expanded_24 = tensor.expand_shape %65 [[0], [1], [2, 3]] output_shape [16, 8, 128, 1] : tensor<16x8x128xf32> into tensor<16x8x128x1xf32>
    %66 = tensor.empty() : tensor<16x8x128x128xf32>
    %67 = linalg.generic {indexing_maps = [#map9, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<16x8x128xf32>) outs(%66 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8x128x128xf32>
    %68 = tensor.empty() : tensor<16x8x128x128xf32>
    %69 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %67 : tensor<16x8x128x128xf32>, tensor<16x8x128x128xf32>) outs(%68 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.divf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128x128xf32>
    %70 = tensor.empty() : tensor<16x8x128x1xf32>
    %71 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24 : tensor<16x8x128x1xf32>) outs(%70 : tensor<16x8x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128x1xf32>
    %72 = tensor.empty() : tensor<16x8x128x1xf32>
    %73 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<16x8x128x1xf32>) outs(%72 : tensor<16x8x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.divf %cst_9, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128x1xf32>
    %74 = tensor.empty() : tensor<16x8x32x128xf32>
    %75 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<16x128x8x32xf32>) outs(%74 : tensor<16x8x32x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8x32x128xf32>
    %76 = tensor.empty() : tensor<16x8x128x128xf32>
    %77 = linalg.generic {indexing_maps = [#map10, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<16x8x128x128xf32>) outs(%76 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8x128x128xf32>
    %collapsed_25 = tensor.collapse_shape %75 [[0, 1], [2], [3]] : tensor<16x8x32x128xf32> into tensor<128x32x128xf32>
    %collapsed_26 = tensor.collapse_shape %77 [[0, 1], [2], [3]] : tensor<16x8x128x128xf32> into tensor<128x128x128xf32>
    %78 = tensor.empty() : tensor<128x32x128xf32>
    %79 = linalg.fill ins(%cst_13 : f32) outs(%78 : tensor<128x32x128xf32>) -> tensor<128x32x128xf32>
    %80 = linalg.batch_matmul ins(%collapsed_25, %collapsed_26 : tensor<128x32x128xf32>, tensor<128x128x128xf32>) outs(%79 : tensor<128x32x128xf32>) -> tensor<128x32x128xf32>
    %expanded_27 = tensor.expand_shape %80 [[0, 1], [2], [3]] output_shape [16, 8, 32, 128] : tensor<128x32x128xf32> into tensor<16x8x32x128xf32>
    %81 = tensor.empty() : tensor<16x128x8x32xf32>
    %82 = linalg.generic {indexing_maps = [#map11, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27 : tensor<16x8x32x128xf32>) outs(%81 : tensor<16x128x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x8x32xf32>
    %collapsed_28 = tensor.collapse_shape %82 [[0, 1], [2, 3]] : tensor<16x128x8x32xf32> into tensor<2048x256xf32>
    %collapsed_29 = tensor.collapse_shape %arg9 [[0, 1], [2]] : tensor<8x32x256xf32> into tensor<256x256xf32>
    %83 = tensor.empty() : tensor<2048x256xf32>
    %84 = linalg.fill ins(%cst_13 : f32) outs(%83 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %85 = linalg.matmul ins(%collapsed_28, %collapsed_29 : tensor<2048x256xf32>, tensor<256x256xf32>) outs(%84 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %expanded_30 = tensor.expand_shape %85 [[0, 1], [2]] output_shape [16, 128, 256] : tensor<2048x256xf32> into tensor<16x128x256xf32>
    %86 = tensor.empty() : tensor<16x128x256xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %expanded_30 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%86 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %88 = tensor.empty() : tensor<16x128xf32>
    %89 = linalg.fill ins(%cst_13 : f32) outs(%88 : tensor<16x128xf32>) -> tensor<16x128xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%87 : tensor<16x128x256xf32>) outs(%89 : tensor<16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128xf32>
    %expanded_31 = tensor.expand_shape %90 [[0], [1, 2]] output_shape [16, 128, 1] : tensor<16x128xf32> into tensor<16x128x1xf32>
    %91 = tensor.empty() : tensor<16x128x1xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_31 : tensor<16x128x1xf32>) outs(%91 : tensor<16x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.divf %in, %cst_12 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1xf32>
    %93 = tensor.empty() : tensor<16x128x256xf32>
    %94 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<16x128x1xf32>) outs(%93 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x256xf32>
    %95 = tensor.empty() : tensor<16x128x256xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %94 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%95 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %97 = tensor.empty() : tensor<16x128x256xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<16x128x256xf32>) outs(%97 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %99 = tensor.empty() : tensor<16x128x256xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<16x128x256xf32>) outs(%99 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_8 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %101 = tensor.empty() : tensor<16x128xf32>
    %102 = linalg.fill ins(%cst_13 : f32) outs(%101 : tensor<16x128xf32>) -> tensor<16x128xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%98 : tensor<16x128x256xf32>) outs(%102 : tensor<16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128xf32>
    %expanded_32 = tensor.expand_shape %103 [[0], [1, 2]] output_shape [16, 128, 1] : tensor<16x128xf32> into tensor<16x128x1xf32>
    %104 = tensor.empty() : tensor<16x128x1xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<16x128x1xf32>) outs(%104 : tensor<16x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.divf %in, %cst_12 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1xf32>
    %106 = tensor.empty() : tensor<16x128x1xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<16x128x1xf32>) outs(%106 : tensor<16x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %in, %cst_11 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1xf32>
    %108 = tensor.empty() : tensor<16x128x1xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<16x128x1xf32>) outs(%108 : tensor<16x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = math.rsqrt %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1xf32>
    %110 = tensor.empty() : tensor<16x128x1xf32>
    %111 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %107 : tensor<16x128x1xf32>, tensor<16x128x1xf32>) outs(%110 : tensor<16x128x1xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.divf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1xf32>
    %112 = tensor.empty() : tensor<16x128x1xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111 : tensor<16x128x1xf32>) outs(%112 : tensor<16x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_7 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1xf32>
    %114 = tensor.empty() : tensor<16x128x256xf32>
    %115 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<16x128x1xf32>) outs(%114 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x256xf32>
    %116 = tensor.empty() : tensor<16x128x256xf32>
    %117 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %115 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%116 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %118 = tensor.empty() : tensor<16x128x256xf32>
    %119 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5 : tensor<256xf32>) outs(%118 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x256xf32>
    %120 = tensor.empty() : tensor<16x128x256xf32>
    %121 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %119 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%120 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %122 = tensor.empty() : tensor<16x128x256xf32>
    %123 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<256xf32>) outs(%122 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x256xf32>
    %124 = tensor.empty() : tensor<16x128x256xf32>
    %125 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %123 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%124 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %collapsed_33 = tensor.collapse_shape %125 [[0, 1], [2]] : tensor<16x128x256xf32> into tensor<2048x256xf32>
    %126 = tensor.empty() : tensor<2048x1024xf32>
    %127 = linalg.fill ins(%cst_13 : f32) outs(%126 : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
    %128 = linalg.matmul ins(%collapsed_33, %arg6 : tensor<2048x256xf32>, tensor<256x1024xf32>) outs(%127 : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
    %expanded_34 = tensor.expand_shape %128 [[0, 1], [2]] output_shape [16, 128, 1024] : tensor<2048x1024xf32> into tensor<16x128x1024xf32>
    %129 = tensor.empty() : tensor<16x128x1024xf32>
    %130 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1024xf32>) outs(%129 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x1024xf32>
    %131 = tensor.empty() : tensor<16x128x1024xf32>
    %132 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34, %130 : tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) outs(%131 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %133 = tensor.empty() : tensor<16x128x1024xf32>
    %134 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<16x128x1024xf32>) outs(%133 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %135 = tensor.empty() : tensor<16x128x1024xf32>
    %136 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134, %132 : tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) outs(%135 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %137 = tensor.empty() : tensor<16x128x1024xf32>
    %138 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134 : tensor<16x128x1024xf32>) outs(%137 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_6 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %139 = tensor.empty() : tensor<16x128x1024xf32>
    %140 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136 : tensor<16x128x1024xf32>) outs(%139 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_5 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %141 = tensor.empty() : tensor<16x128x1024xf32>
    %142 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132, %140 : tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) outs(%141 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %143 = tensor.empty() : tensor<16x128x1024xf32>
    %144 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142 : tensor<16x128x1024xf32>) outs(%143 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_4 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %145 = tensor.empty() : tensor<16x128x1024xf32>
    %146 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144 : tensor<16x128x1024xf32>) outs(%145 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = math.tanh %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %147 = tensor.empty() : tensor<16x128x1024xf32>
    %148 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146 : tensor<16x128x1024xf32>) outs(%147 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.subf %cst_9, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %149 = tensor.empty() : tensor<16x128x1024xf32>
    %150 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146 : tensor<16x128x1024xf32>) outs(%149 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %in, %cst_9 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %151 = tensor.empty() : tensor<16x128x1024xf32>
    %152 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%150 : tensor<16x128x1024xf32>) outs(%151 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_3 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %153 = tensor.empty() : tensor<16x128x1024xf32>
    %154 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132, %152 : tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) outs(%153 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %collapsed_35 = tensor.collapse_shape %154 [[0, 1], [2]] : tensor<16x128x1024xf32> into tensor<2048x1024xf32>
    %155 = tensor.empty() : tensor<2048x256xf32>
    %156 = linalg.fill ins(%cst_13 : f32) outs(%155 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %157 = linalg.matmul ins(%collapsed_35, %arg7 : tensor<2048x1024xf32>, tensor<1024x256xf32>) outs(%156 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %expanded_36 = tensor.expand_shape %157 [[0, 1], [2]] output_shape [16, 128, 256] : tensor<2048x256xf32> into tensor<16x128x256xf32>
    %158 = tensor.empty() : tensor<16x128x256xf32>
    %159 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %expanded_36 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%158 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %160 = tensor.empty() : tensor<16x128x256xf32>
    %161 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<256xf32>) outs(%160 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x256xf32>
    %162 = tensor.empty() : tensor<16x128x256xf32>
    %163 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%159, %161 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%162 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %164 = tensor.empty() : tensor<16x128x256xf32>
    %165 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163, %arg13 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%164 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %166 = tensor.empty() : tensor<16x128x256xf32>
    %167 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<16x128x256xf32>) outs(%166 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %168 = tensor.empty() : tensor<16x128x256xf32>
    %169 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<16x128x256xf32>) outs(%168 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_8 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %170 = tensor.empty() : tensor<f32>
    %171 = linalg.fill ins(%cst_13 : f32) outs(%170 : tensor<f32>) -> tensor<f32>
    %172 = linalg.generic {indexing_maps = [#map, #map12], iterator_types = ["reduction", "reduction", "reduction"]} ins(%167 : tensor<16x128x256xf32>) outs(%171 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<f32>
    %173 = tensor.empty() : tensor<f32>
    %174 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%172 : tensor<f32>) outs(%173 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.divf %in, %cst_2 : f32
      linalg.yield %462 : f32
    } -> tensor<f32>
    %175 = tensor.empty() : tensor<f32>
    %176 = linalg.generic {indexing_maps = [#map7], iterator_types = []} outs(%175 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %177 = tensor.empty() : tensor<16x128x256xf32>
    %178 = linalg.generic {indexing_maps = [#map12, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%176 : tensor<f32>) outs(%177 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x256xf32>
    %179 = tensor.empty() : tensor<16x128x256xf32>
    %180 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178, %169 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%179 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %181 = tensor.empty() : tensor<256xf32>
    %182 = linalg.fill ins(%cst_13 : f32) outs(%181 : tensor<256xf32>) -> tensor<256xf32>
    %183 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "reduction", "reduction"]} ins(%180 : tensor<16x128x256xf32>) outs(%182 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %expanded_37 = tensor.expand_shape %183 [[0, 1, 2]] output_shape [1, 1, 256] : tensor<256xf32> into tensor<1x1x256xf32>
    %184 = tensor.empty() : tensor<256xf32>
    %185 = linalg.fill ins(%cst_13 : f32) outs(%184 : tensor<256xf32>) -> tensor<256xf32>
    %186 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_37 : tensor<1x1x256xf32>) outs(%185 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %187 = tensor.empty() : tensor<256x16x128xf32>
    %188 = linalg.generic {indexing_maps = [#map13, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180 : tensor<16x128x256xf32>) outs(%187 : tensor<256x16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x16x128xf32>
    %collapsed_38 = tensor.collapse_shape %188 [[0], [1, 2]] : tensor<256x16x128xf32> into tensor<256x2048xf32>
    %189 = tensor.empty() : tensor<256x1024xf32>
    %190 = linalg.fill ins(%cst_13 : f32) outs(%189 : tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %191 = linalg.matmul ins(%collapsed_38, %collapsed_35 : tensor<256x2048xf32>, tensor<2048x1024xf32>) outs(%190 : tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %192 = tensor.empty() : tensor<1024x256xf32>
    %193 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%191 : tensor<256x1024xf32>) outs(%192 : tensor<1024x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x256xf32>
    %collapsed_39 = tensor.collapse_shape %180 [[0, 1], [2]] : tensor<16x128x256xf32> into tensor<2048x256xf32>
    %194 = tensor.empty() : tensor<256x1024xf32>
    %195 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%arg7 : tensor<1024x256xf32>) outs(%194 : tensor<256x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x1024xf32>
    %196 = tensor.empty() : tensor<2048x1024xf32>
    %197 = linalg.fill ins(%cst_13 : f32) outs(%196 : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
    %198 = linalg.matmul ins(%collapsed_39, %195 : tensor<2048x256xf32>, tensor<256x1024xf32>) outs(%197 : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
    %expanded_40 = tensor.expand_shape %198 [[0, 1], [2]] output_shape [16, 128, 1024] : tensor<2048x1024xf32> into tensor<16x128x1024xf32>
    %199 = tensor.empty() : tensor<16x128x1024xf32>
    %200 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132, %expanded_40 : tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) outs(%199 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %201 = tensor.empty() : tensor<16x128x1024xf32>
    %202 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_40, %152 : tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) outs(%201 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %203 = tensor.empty() : tensor<16x128x1024xf32>
    %204 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%200 : tensor<16x128x1024xf32>) outs(%203 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_3 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %205 = tensor.empty() : tensor<16x128x1024xf32>
    %206 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%204, %148 : tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) outs(%205 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %207 = tensor.empty() : tensor<16x128x1024xf32>
    %208 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206, %146 : tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) outs(%207 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %209 = tensor.empty() : tensor<16x128x1024xf32>
    %210 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206, %208 : tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) outs(%209 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %211 = tensor.empty() : tensor<16x128x1024xf32>
    %212 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%210 : tensor<16x128x1024xf32>) outs(%211 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_4 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %213 = tensor.empty() : tensor<16x128x1024xf32>
    %214 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%202, %212 : tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) outs(%213 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %215 = tensor.empty() : tensor<16x128x1024xf32>
    %216 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%212 : tensor<16x128x1024xf32>) outs(%215 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_5 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %217 = tensor.empty() : tensor<16x128x1024xf32>
    %218 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%216, %138 : tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) outs(%217 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %219 = tensor.empty() : tensor<16x128x1024xf32>
    %220 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%214, %218 : tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) outs(%219 : tensor<16x128x1024xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1024xf32>
    %221 = tensor.empty() : tensor<1024xf32>
    %222 = linalg.fill ins(%cst_13 : f32) outs(%221 : tensor<1024xf32>) -> tensor<1024xf32>
    %223 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "reduction", "reduction"]} ins(%220 : tensor<16x128x1024xf32>) outs(%222 : tensor<1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<1024xf32>
    %expanded_41 = tensor.expand_shape %223 [[0, 1, 2]] output_shape [1, 1, 1024] : tensor<1024xf32> into tensor<1x1x1024xf32>
    %224 = tensor.empty() : tensor<1024xf32>
    %225 = linalg.fill ins(%cst_13 : f32) outs(%224 : tensor<1024xf32>) -> tensor<1024xf32>
    %226 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_41 : tensor<1x1x1024xf32>) outs(%225 : tensor<1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<1024xf32>
    %227 = tensor.empty() : tensor<1024x16x128xf32>
    %228 = linalg.generic {indexing_maps = [#map13, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%220 : tensor<16x128x1024xf32>) outs(%227 : tensor<1024x16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x16x128xf32>
    %collapsed_42 = tensor.collapse_shape %228 [[0], [1, 2]] : tensor<1024x16x128xf32> into tensor<1024x2048xf32>
    %229 = tensor.empty() : tensor<1024x256xf32>
    %230 = linalg.fill ins(%cst_13 : f32) outs(%229 : tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %231 = linalg.matmul ins(%collapsed_42, %collapsed_33 : tensor<1024x2048xf32>, tensor<2048x256xf32>) outs(%230 : tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %232 = tensor.empty() : tensor<256x1024xf32>
    %233 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%231 : tensor<1024x256xf32>) outs(%232 : tensor<256x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x1024xf32>
    %collapsed_43 = tensor.collapse_shape %220 [[0, 1], [2]] : tensor<16x128x1024xf32> into tensor<2048x1024xf32>
    %234 = tensor.empty() : tensor<1024x256xf32>
    %235 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<256x1024xf32>) outs(%234 : tensor<1024x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x256xf32>
    %236 = tensor.empty() : tensor<2048x256xf32>
    %237 = linalg.fill ins(%cst_13 : f32) outs(%236 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %238 = linalg.matmul ins(%collapsed_43, %235 : tensor<2048x1024xf32>, tensor<1024x256xf32>) outs(%237 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %expanded_44 = tensor.expand_shape %238 [[0, 1], [2]] output_shape [16, 128, 256] : tensor<2048x256xf32> into tensor<16x128x256xf32>
    %239 = tensor.empty() : tensor<256xf32>
    %240 = linalg.fill ins(%cst_13 : f32) outs(%239 : tensor<256xf32>) -> tensor<256xf32>
    %241 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_44 : tensor<16x128x256xf32>) outs(%240 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %expanded_45 = tensor.expand_shape %241 [[0, 1, 2]] output_shape [1, 1, 256] : tensor<256xf32> into tensor<1x1x256xf32>
    %242 = tensor.empty() : tensor<256xf32>
    %243 = linalg.fill ins(%cst_13 : f32) outs(%242 : tensor<256xf32>) -> tensor<256xf32>
    %244 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_45 : tensor<1x1x256xf32>) outs(%243 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %245 = tensor.empty() : tensor<16x128x256xf32>
    %246 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %expanded_44 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%245 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %247 = tensor.empty() : tensor<256xf32>
    %248 = linalg.fill ins(%cst_13 : f32) outs(%247 : tensor<256xf32>) -> tensor<256xf32>
    %249 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "reduction", "reduction"]} ins(%246 : tensor<16x128x256xf32>) outs(%248 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %expanded_46 = tensor.expand_shape %249 [[0, 1, 2]] output_shape [1, 1, 256] : tensor<256xf32> into tensor<1x1x256xf32>
    %250 = tensor.empty() : tensor<16x128x256xf32>
    %251 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_44, %119 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%250 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %252 = tensor.empty() : tensor<256xf32>
    %253 = linalg.fill ins(%cst_13 : f32) outs(%252 : tensor<256xf32>) -> tensor<256xf32>
    %254 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_46 : tensor<1x1x256xf32>) outs(%253 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %255 = tensor.empty() : tensor<16x128x256xf32>
    %256 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %251 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%255 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %257 = tensor.empty() : tensor<16x128xf32>
    %258 = linalg.fill ins(%cst_13 : f32) outs(%257 : tensor<16x128xf32>) -> tensor<16x128xf32>
    %259 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%256 : tensor<16x128x256xf32>) outs(%258 : tensor<16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128xf32>
    %expanded_47 = tensor.expand_shape %259 [[0], [1, 2]] output_shape [16, 128, 1] : tensor<16x128xf32> into tensor<16x128x1xf32>
    %260 = tensor.empty() : tensor<16x128x256xf32>
    %261 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%251, %115 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%260 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %262 = tensor.empty() : tensor<16x128x1xf32>
    %263 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_47, %113 : tensor<16x128x1xf32>, tensor<16x128x1xf32>) outs(%262 : tensor<16x128x1xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1xf32>
    %264 = tensor.empty() : tensor<16x128x256xf32>
    %265 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%261 : tensor<16x128x256xf32>) outs(%264 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.negf %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %266 = tensor.empty() : tensor<16x128xf32>
    %267 = linalg.fill ins(%cst_13 : f32) outs(%266 : tensor<16x128xf32>) -> tensor<16x128xf32>
    %268 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%265 : tensor<16x128x256xf32>) outs(%267 : tensor<16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128xf32>
    %expanded_48 = tensor.expand_shape %268 [[0], [1, 2]] output_shape [16, 128, 1] : tensor<16x128xf32> into tensor<16x128x1xf32>
    %269 = tensor.empty() : tensor<16x128x256xf32>
    %270 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180, %261 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%269 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %271 = tensor.empty() : tensor<16x128x1xf32>
    %272 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%263 : tensor<16x128x1xf32>) outs(%271 : tensor<16x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.divf %in, %cst_12 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1xf32>
    %273 = tensor.empty() : tensor<16x128xf32>
    %274 = linalg.fill ins(%cst_13 : f32) outs(%273 : tensor<16x128xf32>) -> tensor<16x128xf32>
    %275 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%272 : tensor<16x128x1xf32>) outs(%274 : tensor<16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128xf32>
    %276 = tensor.empty() : tensor<16x128x256xf32>
    %277 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%275 : tensor<16x128xf32>) outs(%276 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x256xf32>
    %278 = tensor.empty() : tensor<16x128x256xf32>
    %279 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%277, %100 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%278 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %280 = tensor.empty() : tensor<16x128x256xf32>
    %281 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%279 : tensor<16x128x256xf32>) outs(%280 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.negf %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %282 = tensor.empty() : tensor<16x128xf32>
    %283 = linalg.fill ins(%cst_13 : f32) outs(%282 : tensor<16x128xf32>) -> tensor<16x128xf32>
    %284 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%281 : tensor<16x128x256xf32>) outs(%283 : tensor<16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128xf32>
    %expanded_49 = tensor.expand_shape %284 [[0], [1, 2]] output_shape [16, 128, 1] : tensor<16x128xf32> into tensor<16x128x1xf32>
    %285 = tensor.empty() : tensor<16x128x256xf32>
    %286 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%270, %279 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%285 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %287 = tensor.empty() : tensor<16x128x1xf32>
    %288 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_48, %expanded_49 : tensor<16x128x1xf32>, tensor<16x128x1xf32>) outs(%287 : tensor<16x128x1xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1xf32>
    %289 = tensor.empty() : tensor<16x128x1xf32>
    %290 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%288 : tensor<16x128x1xf32>) outs(%289 : tensor<16x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.divf %in, %cst_12 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x1xf32>
    %291 = tensor.empty() : tensor<16x128xf32>
    %292 = linalg.fill ins(%cst_13 : f32) outs(%291 : tensor<16x128xf32>) -> tensor<16x128xf32>
    %293 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%290 : tensor<16x128x1xf32>) outs(%292 : tensor<16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x128xf32>
    %294 = tensor.empty() : tensor<16x128x256xf32>
    %295 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%293 : tensor<16x128xf32>) outs(%294 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x256xf32>
    %296 = tensor.empty() : tensor<16x128x256xf32>
    %297 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%286, %295 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%296 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %298 = tensor.empty() : tensor<256x16x128xf32>
    %299 = linalg.generic {indexing_maps = [#map13, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%297 : tensor<16x128x256xf32>) outs(%298 : tensor<256x16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x16x128xf32>
    %collapsed_50 = tensor.collapse_shape %299 [[0], [1, 2]] : tensor<256x16x128xf32> into tensor<256x2048xf32>
    %300 = tensor.empty() : tensor<256x256xf32>
    %301 = linalg.fill ins(%cst_13 : f32) outs(%300 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %302 = linalg.matmul ins(%collapsed_50, %collapsed_28 : tensor<256x2048xf32>, tensor<2048x256xf32>) outs(%301 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %expanded_51 = tensor.expand_shape %302 [[0], [1, 2]] output_shape [256, 8, 32] : tensor<256x256xf32> into tensor<256x8x32xf32>
    %303 = tensor.empty() : tensor<8x32x256xf32>
    %304 = linalg.generic {indexing_maps = [#map17, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_51 : tensor<256x8x32xf32>) outs(%303 : tensor<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x32x256xf32>
    %collapsed_52 = tensor.collapse_shape %297 [[0, 1], [2]] : tensor<16x128x256xf32> into tensor<2048x256xf32>
    %305 = tensor.empty() : tensor<256x8x32xf32>
    %306 = linalg.generic {indexing_maps = [#map13, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg9 : tensor<8x32x256xf32>) outs(%305 : tensor<256x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x8x32xf32>
    %collapsed_53 = tensor.collapse_shape %306 [[0], [1, 2]] : tensor<256x8x32xf32> into tensor<256x256xf32>
    %307 = tensor.empty() : tensor<2048x256xf32>
    %308 = linalg.fill ins(%cst_13 : f32) outs(%307 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %309 = linalg.matmul ins(%collapsed_52, %collapsed_53 : tensor<2048x256xf32>, tensor<256x256xf32>) outs(%308 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %expanded_54 = tensor.expand_shape %309 [[0, 1], [2, 3]] output_shape [16, 128, 8, 32] : tensor<2048x256xf32> into tensor<16x128x8x32xf32>
    %310 = tensor.empty() : tensor<16x8x32x128xf32>
    %311 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_54 : tensor<16x128x8x32xf32>) outs(%310 : tensor<16x8x32x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8x32x128xf32>
    %312 = tensor.empty() : tensor<16x8x128x32xf32>
    %313 = linalg.generic {indexing_maps = [#map10, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%311 : tensor<16x8x32x128xf32>) outs(%312 : tensor<16x8x128x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8x128x32xf32>
    %collapsed_55 = tensor.collapse_shape %313 [[0, 1], [2], [3]] : tensor<16x8x128x32xf32> into tensor<128x128x32xf32>
    %314 = tensor.empty() : tensor<128x128x128xf32>
    %315 = linalg.fill ins(%cst_13 : f32) outs(%314 : tensor<128x128x128xf32>) -> tensor<128x128x128xf32>
    %316 = linalg.batch_matmul ins(%collapsed_55, %collapsed_25 : tensor<128x128x32xf32>, tensor<128x32x128xf32>) outs(%315 : tensor<128x128x128xf32>) -> tensor<128x128x128xf32>
    %expanded_56 = tensor.expand_shape %316 [[0, 1], [2], [3]] output_shape [16, 8, 128, 128] : tensor<128x128x128xf32> into tensor<16x8x128x128xf32>
    %collapsed_57 = tensor.collapse_shape %311 [[0, 1], [2], [3]] : tensor<16x8x32x128xf32> into tensor<128x32x128xf32>
    %collapsed_58 = tensor.collapse_shape %69 [[0, 1], [2], [3]] : tensor<16x8x128x128xf32> into tensor<128x128x128xf32>
    %317 = tensor.empty() : tensor<128x32x128xf32>
    %318 = linalg.fill ins(%cst_13 : f32) outs(%317 : tensor<128x32x128xf32>) -> tensor<128x32x128xf32>
    %319 = linalg.batch_matmul ins(%collapsed_57, %collapsed_58 : tensor<128x32x128xf32>, tensor<128x128x128xf32>) outs(%318 : tensor<128x32x128xf32>) -> tensor<128x32x128xf32>
    %expanded_59 = tensor.expand_shape %319 [[0, 1], [2], [3]] output_shape [16, 8, 32, 128] : tensor<128x32x128xf32> into tensor<16x8x32x128xf32>
    %320 = tensor.empty() : tensor<16x128x8x32xf32>
    %321 = linalg.generic {indexing_maps = [#map11, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_59 : tensor<16x8x32x128xf32>) outs(%320 : tensor<16x128x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x8x32xf32>
    %322 = tensor.empty() : tensor<16x8x128x128xf32>
    %323 = linalg.generic {indexing_maps = [#map18, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<16x8x128x1xf32>) outs(%322 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8x128x128xf32>
    %324 = tensor.empty() : tensor<16x8x128x128xf32>
    %325 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_56, %323 : tensor<16x8x128x128xf32>, tensor<16x8x128x128xf32>) outs(%324 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128x128xf32>
    %326 = tensor.empty() : tensor<16x8x128x128xf32>
    %327 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%325, %62 : tensor<16x8x128x128xf32>, tensor<16x8x128x128xf32>) outs(%326 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128x128xf32>
    %328 = tensor.empty() : tensor<16x8x128xf32>
    %329 = linalg.fill ins(%cst_13 : f32) outs(%328 : tensor<16x8x128xf32>) -> tensor<16x8x128xf32>
    %330 = linalg.generic {indexing_maps = [#map5, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%327 : tensor<16x8x128x128xf32>) outs(%329 : tensor<16x8x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128xf32>
    %331 = tensor.empty() : tensor<16x8x128xf32>
    %332 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%330 : tensor<16x8x128xf32>) outs(%331 : tensor<16x8x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.negf %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128xf32>
    %expanded_60 = tensor.expand_shape %332 [[0], [1], [2, 3]] output_shape [16, 8, 128, 1] : tensor<16x8x128xf32> into tensor<16x8x128x1xf32>
    %333 = tensor.empty() : tensor<16x8x128x128xf32>
    %334 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_56, %67 : tensor<16x8x128x128xf32>, tensor<16x8x128x128xf32>) outs(%333 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.divf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128x128xf32>
    %335 = tensor.empty() : tensor<16x8x128xf32>
    %336 = linalg.fill ins(%cst_13 : f32) outs(%335 : tensor<16x8x128xf32>) -> tensor<16x8x128xf32>
    %337 = linalg.generic {indexing_maps = [#map5, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_60 : tensor<16x8x128x1xf32>) outs(%336 : tensor<16x8x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128xf32>
    %338 = tensor.empty() : tensor<16x8x128x128xf32>
    %339 = linalg.generic {indexing_maps = [#map9, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%337 : tensor<16x8x128xf32>) outs(%338 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8x128x128xf32>
    %340 = tensor.empty() : tensor<16x8x128x128xf32>
    %341 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%334, %339 : tensor<16x8x128x128xf32>, tensor<16x8x128x128xf32>) outs(%340 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128x128xf32>
    %342 = tensor.empty() : tensor<16x8x128x128xf32>
    %343 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%341, %62 : tensor<16x8x128x128xf32>, tensor<16x8x128x128xf32>) outs(%342 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128x128xf32>
    %344 = tensor.empty() : tensor<16x8x128x128xf32>
    %345 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%343, %51 : tensor<16x8x128x128xf32>, tensor<16x8x128x128xf32>) outs(%344 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.divf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x8x128x128xf32>
    %346 = tensor.empty() : tensor<16x8x128x128xf32>
    %347 = linalg.generic {indexing_maps = [#map10, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%345 : tensor<16x8x128x128xf32>) outs(%346 : tensor<16x8x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8x128x128xf32>
    %collapsed_61 = tensor.collapse_shape %347 [[0, 1], [2], [3]] : tensor<16x8x128x128xf32> into tensor<128x128x128xf32>
    %348 = tensor.empty() : tensor<128x128x32xf32>
    %349 = linalg.fill ins(%cst_13 : f32) outs(%348 : tensor<128x128x32xf32>) -> tensor<128x128x32xf32>
    %350 = linalg.batch_matmul ins(%collapsed_61, %collapsed_21 : tensor<128x128x128xf32>, tensor<128x128x32xf32>) outs(%349 : tensor<128x128x32xf32>) -> tensor<128x128x32xf32>
    %expanded_62 = tensor.expand_shape %350 [[0, 1], [2], [3]] output_shape [16, 8, 128, 32] : tensor<128x128x32xf32> into tensor<16x8x128x32xf32>
    %351 = tensor.empty() : tensor<16x128x8x32xf32>
    %352 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_62 : tensor<16x8x128x32xf32>) outs(%351 : tensor<16x128x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x8x32xf32>
    %353 = tensor.empty() : tensor<16x8x128x32xf32>
    %354 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<16x128x8x32xf32>) outs(%353 : tensor<16x8x128x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8x128x32xf32>
    %collapsed_63 = tensor.collapse_shape %345 [[0, 1], [2], [3]] : tensor<16x8x128x128xf32> into tensor<128x128x128xf32>
    %collapsed_64 = tensor.collapse_shape %354 [[0, 1], [2], [3]] : tensor<16x8x128x32xf32> into tensor<128x128x32xf32>
    %355 = tensor.empty() : tensor<128x128x32xf32>
    %356 = linalg.fill ins(%cst_13 : f32) outs(%355 : tensor<128x128x32xf32>) -> tensor<128x128x32xf32>
    %357 = linalg.batch_matmul ins(%collapsed_63, %collapsed_64 : tensor<128x128x128xf32>, tensor<128x128x32xf32>) outs(%356 : tensor<128x128x32xf32>) -> tensor<128x128x32xf32>
    %expanded_65 = tensor.expand_shape %357 [[0, 1], [2], [3]] output_shape [16, 8, 128, 32] : tensor<128x128x32xf32> into tensor<16x8x128x32xf32>
    %358 = tensor.empty() : tensor<16x128x8x32xf32>
    %359 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_65 : tensor<16x8x128x32xf32>) outs(%358 : tensor<16x128x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128x8x32xf32>
    %360 = tensor.empty() : tensor<8x32x16x128xf32>
    %361 = linalg.generic {indexing_maps = [#map19, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%321 : tensor<16x128x8x32xf32>) outs(%360 : tensor<8x32x16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x32x16x128xf32>
    %collapsed_66 = tensor.collapse_shape %361 [[0, 1], [2, 3]] : tensor<8x32x16x128xf32> into tensor<256x2048xf32>
    %362 = tensor.empty() : tensor<256x256xf32>
    %363 = linalg.fill ins(%cst_13 : f32) outs(%362 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %364 = linalg.matmul ins(%collapsed_66, %collapsed : tensor<256x2048xf32>, tensor<2048x256xf32>) outs(%363 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %expanded_67 = tensor.expand_shape %364 [[0, 1], [2]] output_shape [8, 32, 256] : tensor<256x256xf32> into tensor<8x32x256xf32>
    %365 = tensor.empty() : tensor<256x8x32xf32>
    %366 = linalg.generic {indexing_maps = [#map13, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_67 : tensor<8x32x256xf32>) outs(%365 : tensor<256x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x8x32xf32>
    %collapsed_68 = tensor.collapse_shape %321 [[0, 1], [2, 3]] : tensor<16x128x8x32xf32> into tensor<2048x256xf32>
    %367 = tensor.empty() : tensor<8x32x256xf32>
    %368 = linalg.generic {indexing_maps = [#map17, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11 : tensor<256x8x32xf32>) outs(%367 : tensor<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x32x256xf32>
    %collapsed_69 = tensor.collapse_shape %368 [[0, 1], [2]] : tensor<8x32x256xf32> into tensor<256x256xf32>
    %369 = tensor.empty() : tensor<2048x256xf32>
    %370 = linalg.fill ins(%cst_13 : f32) outs(%369 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %371 = linalg.matmul ins(%collapsed_68, %collapsed_69 : tensor<2048x256xf32>, tensor<256x256xf32>) outs(%370 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %expanded_70 = tensor.expand_shape %371 [[0, 1], [2]] output_shape [16, 128, 256] : tensor<2048x256xf32> into tensor<16x128x256xf32>
    %372 = tensor.empty() : tensor<8x32x16x128xf32>
    %373 = linalg.generic {indexing_maps = [#map19, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%352 : tensor<16x128x8x32xf32>) outs(%372 : tensor<8x32x16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x32x16x128xf32>
    %collapsed_71 = tensor.collapse_shape %373 [[0, 1], [2, 3]] : tensor<8x32x16x128xf32> into tensor<256x2048xf32>
    %374 = tensor.empty() : tensor<256x256xf32>
    %375 = linalg.fill ins(%cst_13 : f32) outs(%374 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %376 = linalg.matmul ins(%collapsed_71, %collapsed : tensor<256x2048xf32>, tensor<2048x256xf32>) outs(%375 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %expanded_72 = tensor.expand_shape %376 [[0, 1], [2]] output_shape [8, 32, 256] : tensor<256x256xf32> into tensor<8x32x256xf32>
    %377 = tensor.empty() : tensor<256x8x32xf32>
    %378 = linalg.generic {indexing_maps = [#map13, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_72 : tensor<8x32x256xf32>) outs(%377 : tensor<256x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x8x32xf32>
    %collapsed_73 = tensor.collapse_shape %352 [[0, 1], [2, 3]] : tensor<16x128x8x32xf32> into tensor<2048x256xf32>
    %379 = tensor.empty() : tensor<8x32x256xf32>
    %380 = linalg.generic {indexing_maps = [#map17, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg8 : tensor<256x8x32xf32>) outs(%379 : tensor<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x32x256xf32>
    %collapsed_74 = tensor.collapse_shape %380 [[0, 1], [2]] : tensor<8x32x256xf32> into tensor<256x256xf32>
    %381 = tensor.empty() : tensor<2048x256xf32>
    %382 = linalg.fill ins(%cst_13 : f32) outs(%381 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %383 = linalg.matmul ins(%collapsed_73, %collapsed_74 : tensor<2048x256xf32>, tensor<256x256xf32>) outs(%382 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %expanded_75 = tensor.expand_shape %383 [[0, 1], [2]] output_shape [16, 128, 256] : tensor<2048x256xf32> into tensor<16x128x256xf32>
    %384 = tensor.empty() : tensor<16x128x256xf32>
    %385 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_70, %expanded_75 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%384 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %386 = tensor.empty() : tensor<8x32x16x128xf32>
    %387 = linalg.generic {indexing_maps = [#map19, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%359 : tensor<16x128x8x32xf32>) outs(%386 : tensor<8x32x16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x32x16x128xf32>
    %collapsed_76 = tensor.collapse_shape %387 [[0, 1], [2, 3]] : tensor<8x32x16x128xf32> into tensor<256x2048xf32>
    %388 = tensor.empty() : tensor<256x256xf32>
    %389 = linalg.fill ins(%cst_13 : f32) outs(%388 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %390 = linalg.matmul ins(%collapsed_76, %collapsed : tensor<256x2048xf32>, tensor<2048x256xf32>) outs(%389 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %expanded_77 = tensor.expand_shape %390 [[0, 1], [2]] output_shape [8, 32, 256] : tensor<256x256xf32> into tensor<8x32x256xf32>
    %391 = tensor.empty() : tensor<256x8x32xf32>
    %392 = linalg.generic {indexing_maps = [#map13, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_77 : tensor<8x32x256xf32>) outs(%391 : tensor<256x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x8x32xf32>
    %collapsed_78 = tensor.collapse_shape %359 [[0, 1], [2, 3]] : tensor<16x128x8x32xf32> into tensor<2048x256xf32>
    %393 = tensor.empty() : tensor<8x32x256xf32>
    %394 = linalg.generic {indexing_maps = [#map17, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg10 : tensor<256x8x32xf32>) outs(%393 : tensor<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x32x256xf32>
    %collapsed_79 = tensor.collapse_shape %394 [[0, 1], [2]] : tensor<8x32x256xf32> into tensor<256x256xf32>
    %395 = tensor.empty() : tensor<2048x256xf32>
    %396 = linalg.fill ins(%cst_13 : f32) outs(%395 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %397 = linalg.matmul ins(%collapsed_78, %collapsed_79 : tensor<2048x256xf32>, tensor<256x256xf32>) outs(%396 : tensor<2048x256xf32>) -> tensor<2048x256xf32>
    %expanded_80 = tensor.expand_shape %397 [[0, 1], [2]] output_shape [16, 128, 256] : tensor<2048x256xf32> into tensor<16x128x256xf32>
    %398 = tensor.empty() : tensor<16x128x256xf32>
    %399 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%385, %expanded_80 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%398 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.addf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %400 = tensor.empty() : tensor<256xf32>
    %401 = linalg.fill ins(%cst_13 : f32) outs(%400 : tensor<256xf32>) -> tensor<256xf32>
    %402 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "reduction", "reduction"]} ins(%399 : tensor<16x128x256xf32>) outs(%401 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %expanded_81 = tensor.expand_shape %402 [[0, 1, 2]] output_shape [1, 1, 256] : tensor<256xf32> into tensor<1x1x256xf32>
    %403 = tensor.empty() : tensor<256xf32>
    %404 = linalg.fill ins(%cst_13 : f32) outs(%403 : tensor<256xf32>) -> tensor<256xf32>
    %405 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_81 : tensor<1x1x256xf32>) outs(%404 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %406 = tensor.empty() : tensor<16x128x256xf32>
    %407 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %399 : tensor<16x128x256xf32>, tensor<16x128x256xf32>) outs(%406 : tensor<16x128x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.mulf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<16x128x256xf32>
    %408 = tensor.empty() : tensor<256xf32>
    %409 = linalg.fill ins(%cst_13 : f32) outs(%408 : tensor<256xf32>) -> tensor<256xf32>
    %410 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "reduction", "reduction"]} ins(%407 : tensor<16x128x256xf32>) outs(%409 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %expanded_82 = tensor.expand_shape %410 [[0, 1, 2]] output_shape [1, 1, 256] : tensor<256xf32> into tensor<1x1x256xf32>
    %411 = tensor.empty() : tensor<256xf32>
    %412 = linalg.fill ins(%cst_13 : f32) outs(%411 : tensor<256xf32>) -> tensor<256xf32>
    %413 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_82 : tensor<1x1x256xf32>) outs(%412 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.addf %out, %in : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %414 = tensor.empty() : tensor<1024xf32>
    %415 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel"]} ins(%226 : tensor<1024xf32>) outs(%414 : tensor<1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_1 : f32
      linalg.yield %462 : f32
    } -> tensor<1024xf32>
    %416 = tensor.empty() : tensor<1024xf32>
    %417 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel"]} ins(%arg0, %415 : tensor<1024xf32>, tensor<1024xf32>) outs(%416 : tensor<1024xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<1024xf32>
    %418 = tensor.empty() : tensor<256xf32>
    %419 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel"]} ins(%186 : tensor<256xf32>) outs(%418 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_1 : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %420 = tensor.empty() : tensor<256xf32>
    %421 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel"]} ins(%arg1, %419 : tensor<256xf32>, tensor<256xf32>) outs(%420 : tensor<256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %422 = tensor.empty() : tensor<256xf32>
    %423 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel"]} ins(%405 : tensor<256xf32>) outs(%422 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_1 : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %424 = tensor.empty() : tensor<256xf32>
    %425 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel"]} ins(%arg2, %423 : tensor<256xf32>, tensor<256xf32>) outs(%424 : tensor<256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %426 = tensor.empty() : tensor<256xf32>
    %427 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel"]} ins(%244 : tensor<256xf32>) outs(%426 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_1 : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %428 = tensor.empty() : tensor<256xf32>
    %429 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel"]} ins(%arg3, %427 : tensor<256xf32>, tensor<256xf32>) outs(%428 : tensor<256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %430 = tensor.empty() : tensor<256xf32>
    %431 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel"]} ins(%413 : tensor<256xf32>) outs(%430 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_1 : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %432 = tensor.empty() : tensor<256xf32>
    %433 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel"]} ins(%arg4, %431 : tensor<256xf32>, tensor<256xf32>) outs(%432 : tensor<256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %434 = tensor.empty() : tensor<256xf32>
    %435 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel"]} ins(%254 : tensor<256xf32>) outs(%434 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_1 : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %436 = tensor.empty() : tensor<256xf32>
    %437 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel"]} ins(%arg5, %435 : tensor<256xf32>, tensor<256xf32>) outs(%436 : tensor<256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<256xf32>
    %438 = tensor.empty() : tensor<256x1024xf32>
    %439 = linalg.generic {indexing_maps = [#map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%233 : tensor<256x1024xf32>) outs(%438 : tensor<256x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_1 : f32
      linalg.yield %462 : f32
    } -> tensor<256x1024xf32>
    %440 = tensor.empty() : tensor<256x1024xf32>
    %441 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%arg6, %439 : tensor<256x1024xf32>, tensor<256x1024xf32>) outs(%440 : tensor<256x1024xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<256x1024xf32>
    %442 = tensor.empty() : tensor<1024x256xf32>
    %443 = linalg.generic {indexing_maps = [#map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%193 : tensor<1024x256xf32>) outs(%442 : tensor<1024x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_1 : f32
      linalg.yield %462 : f32
    } -> tensor<1024x256xf32>
    %444 = tensor.empty() : tensor<1024x256xf32>
    %445 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%arg7, %443 : tensor<1024x256xf32>, tensor<1024x256xf32>) outs(%444 : tensor<1024x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<1024x256xf32>
    %446 = tensor.empty() : tensor<256x8x32xf32>
    %447 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%378 : tensor<256x8x32xf32>) outs(%446 : tensor<256x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_1 : f32
      linalg.yield %462 : f32
    } -> tensor<256x8x32xf32>
    %448 = tensor.empty() : tensor<256x8x32xf32>
    %449 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg8, %447 : tensor<256x8x32xf32>, tensor<256x8x32xf32>) outs(%448 : tensor<256x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<256x8x32xf32>
    %450 = tensor.empty() : tensor<8x32x256xf32>
    %451 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%304 : tensor<8x32x256xf32>) outs(%450 : tensor<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_1 : f32
      linalg.yield %462 : f32
    } -> tensor<8x32x256xf32>
    %452 = tensor.empty() : tensor<8x32x256xf32>
    %453 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg9, %451 : tensor<8x32x256xf32>, tensor<8x32x256xf32>) outs(%452 : tensor<8x32x256xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<8x32x256xf32>
    %454 = tensor.empty() : tensor<256x8x32xf32>
    %455 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%392 : tensor<256x8x32xf32>) outs(%454 : tensor<256x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_1 : f32
      linalg.yield %462 : f32
    } -> tensor<256x8x32xf32>
    %456 = tensor.empty() : tensor<256x8x32xf32>
    %457 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg10, %455 : tensor<256x8x32xf32>, tensor<256x8x32xf32>) outs(%456 : tensor<256x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<256x8x32xf32>
    %458 = tensor.empty() : tensor<256x8x32xf32>
    %459 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%366 : tensor<256x8x32xf32>) outs(%458 : tensor<256x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %462 = arith.mulf %in, %cst_1 : f32
      linalg.yield %462 : f32
    } -> tensor<256x8x32xf32>
    %460 = tensor.empty() : tensor<256x8x32xf32>
    %461 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11, %459 : tensor<256x8x32xf32>, tensor<256x8x32xf32>) outs(%460 : tensor<256x8x32xf32>) {
    ^bb0(%in: f32, %in_83: f32, %out: f32):
      %462 = arith.subf %in, %in_83 : f32
      linalg.yield %462 : f32
    } -> tensor<256x8x32xf32>
    return %174, %417, %421, %425, %429, %433, %437, %441, %445, %449, %453, %457, %461 : tensor<f32>, tensor<1024xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>
  }
}

