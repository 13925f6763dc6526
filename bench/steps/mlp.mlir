#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<() -> ()>
#map3 = affine_map<(d0, d1) -> (d1, d0)>
module {
  func.func public @main(%arg0: tensor<512x2048xf32>, %arg1: tensor<2048x2048xf32>, %arg2: tensor<2048x512xf32>, %arg3: tensor<512x512xf32>, %arg4: tensor<512x512xf32>) -> (tensor<f32>, tensor<512x2048xf32>, tensor<2048x2048xf32>, tensor<2048x512xf32>) {
    %cst = arith.constant 3.81469727E-6 : f32
    %cst_0 = arith.constant 0.00999999977 : f32
    %cst_1 = arith.constant 2.621440e+05 : f32
    %cst_2 = arith.constant 2.000000e+00 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<512x2048xf32>
    %1 = linalg.fill ins(%cst_3 : f32) outs(%0 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
    %2 = linalg.matmul ins(%arg3, %arg0 : tensor<512x512xf32>, tensor<512x2048xf32>) outs(%1 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
    %3 = tensor.empty() : tensor<512x2048xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<512x2048xf32>) outs(%3 : tensor<512x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.maximumf %in, %cst_3 : f32
      linalg.yield %81 : f32
    } -> tensor<512x2048xf32>
    %5 = tensor.empty() : tensor<512x2048xi1>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<512x2048xf32>) outs(%5 : tensor<512x2048xi1>) {
    ^bb0(%in: f32, %out: i1):
      %81 = arith.cmpf ogt, %in, %cst_3 : f32
      linalg.yield %81 : i1
    } -> tensor<512x2048xi1>
    %7 = tensor.empty() : tensor<512x2048xf32>
    %8 = linalg.fill ins(%cst_3 : f32) outs(%7 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
    %9 = linalg.matmul ins(%4, %arg1 : tensor<512x2048xf32>, tensor<2048x2048xf32>) outs(%8 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
    %10 = tensor.empty() : tensor<512x2048xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<512x2048xf32>) outs(%10 : tensor<512x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.maximumf %in, %cst_3 : f32
      linalg.yield %81 : f32
    } -> tensor<512x2048xf32>
    %12 = tensor.empty() : tensor<512x2048xi1>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<512x2048xf32>) outs(%12 : tensor<512x2048xi1>) {
    ^bb0(%in: f32, %out: i1):
      %81 = arith.cmpf ogt, %in, %cst_3 : f32
      linalg.yield %81 : i1
    } -> tensor<512x2048xi1>
    %14 = tensor.empty() : tensor<512x512xf32>
    %15 = linalg.fill ins(%cst_3 : f32) outs(%14 : tensor<512x512xf32>) -> tensor<512x512xf32>
    %16 = linalg.matmul ins(%11, %arg2 : tensor<512x2048xf32>, tensor<2048x512xf32>) outs(%15 : tensor<512x512xf32>) -> tensor<512x512xf32>
    %17 = tensor.empty() : tensor<512x512xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%16, %arg4 : tensor<512x512xf32>, tensor<512x512xf32>) outs(%17 : tensor<512x512xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %81 = arith.subf %in, %in_4 : f32
      linalg.yield %81 : f32
    } -> tensor<512x512xf32>
    %19 = tensor.empty() : tensor<512x512xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<512x512xf32>) outs(%19 : tensor<512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.mulf %in, %in : f32
      linalg.yield %81 : f32
    } -> tensor<512x512xf32>
    %21 = tensor.empty() : tensor<512x512xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<512x512xf32>) outs(%21 : tensor<512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.mulf %in, %cst_2 : f32
      linalg.yield %81 : f32
    } -> tensor<512x512xf32>
    %23 = tensor.empty() : tensor<f32>
    %24 = linalg.fill ins(%cst_3 : f32) outs(%23 : tensor<f32>) -> tensor<f32>
    %25 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%20 : tensor<512x512xf32>) outs(%24 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %out, %in : f32
      linalg.yield %81 : f32
    } -> tensor<f32>
    %26 = tensor.empty() : tensor<f32>
    %27 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%25 : tensor<f32>) outs(%26 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.divf %in, %cst_1 : f32
      linalg.yield %81 : f32
    } -> tensor<f32>
    %28 = tensor.empty() : tensor<f32>
    %29 = linalg.generic {indexing_maps = [#map2], iterator_types = []} outs(%28 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %30 = tensor.empty() : tensor<512x512xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<f32>) outs(%30 : tensor<512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x512xf32>
    %32 = tensor.empty() : tensor<512x512xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%31, %22 : tensor<512x512xf32>, tensor<512x512xf32>) outs(%32 : tensor<512x512xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %81 = arith.mulf %in, %in_4 : f32
      linalg.yield %81 : f32
    } -> tensor<512x512xf32>
    %34 = tensor.empty() : tensor<512x512xf32>
    %35 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%33 : tensor<512x512xf32>) outs(%34 : tensor<512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x512xf32>
    %36 = tensor.empty() : tensor<512x2048xf32>
    %37 = linalg.fill ins(%cst_3 : f32) outs(%36 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
    %38 = linalg.matmul ins(%35, %11 : tensor<512x512xf32>, tensor<512x2048xf32>) outs(%37 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
    %39 = tensor.empty() : tensor<2048x512xf32>
    %40 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<512x2048xf32>) outs(%39 : tensor<2048x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2048x512xf32>
    %41 = tensor.empty() : tensor<512x2048xf32>
    %42 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<2048x512xf32>) outs(%41 : tensor<512x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x2048xf32>
    %43 = tensor.empty() : tensor<512x2048xf32>
    %44 = linalg.fill ins(%cst_3 : f32) outs(%43 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
    %45 = linalg.matmul ins(%33, %42 : tensor<512x512xf32>, tensor<512x2048xf32>) outs(%44 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
    %46 = tensor.empty() : tensor<512x2048xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %45 : tensor<512x2048xi1>, tensor<512x2048xf32>) outs(%46 : tensor<512x2048xf32>) {
    ^bb0(%in: i1, %in_4: f32, %out: f32):
      %81 = arith.select %in, %in_4, %cst_3 : f32
      linalg.yield %81 : f32
    } -> tensor<512x2048xf32>
    %48 = tensor.empty() : tensor<2048x512xf32>
    %49 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<512x2048xf32>) outs(%48 : tensor<2048x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2048x512xf32>
    %50 = tensor.empty() : tensor<2048x2048xf32>
    %51 = linalg.fill ins(%cst_3 : f32) outs(%50 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %52 = linalg.matmul ins(%49, %4 : tensor<2048x512xf32>, tensor<512x2048xf32>) outs(%51 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %53 = tensor.empty() : tensor<2048x2048xf32>
    %54 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%52 : tensor<2048x2048xf32>) outs(%53 : tensor<2048x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2048x2048xf32>
    %55 = tensor.empty() : tensor<2048x2048xf32>
    %56 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<2048x2048xf32>) outs(%55 : tensor<2048x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2048x2048xf32>
    %57 = tensor.empty() : tensor<512x2048xf32>
    %58 = linalg.fill ins(%cst_3 : f32) outs(%57 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
    %59 = linalg.matmul ins(%47, %56 : tensor<512x2048xf32>, tensor<2048x2048xf32>) outs(%58 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
    %60 = tensor.empty() : tensor<512x2048xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %59 : tensor<512x2048xi1>, tensor<512x2048xf32>) outs(%60 : tensor<512x2048xf32>) {
    ^bb0(%in: i1, %in_4: f32, %out: f32):
      %81 = arith.select %in, %in_4, %cst_3 : f32
      linalg.yield %81 : f32
    } -> tensor<512x2048xf32>
    %62 = tensor.empty() : tensor<2048x512xf32>
    %63 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%61 : tensor<512x2048xf32>) outs(%62 : tensor<2048x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2048x512xf32>
    %64 = tensor.empty() : tensor<2048x512xf32>
    %65 = linalg.fill ins(%cst_3 : f32) outs(%64 : tensor<2048x512xf32>) -> tensor<2048x512xf32>
    %66 = linalg.matmul ins(%63, %arg3 : tensor<2048x512xf32>, tensor<512x512xf32>) outs(%65 : tensor<2048x512xf32>) -> tensor<2048x512xf32>
    %67 = tensor.empty() : tensor<512x2048xf32>
    %68 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%66 : tensor<2048x512xf32>) outs(%67 : tensor<512x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x2048xf32>
    %69 = tensor.empty() : tensor<512x2048xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%68 : tensor<512x2048xf32>) outs(%69 : tensor<512x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.mulf %in, %cst_0 : f32
      linalg.yield %81 : f32
    } -> tensor<512x2048xf32>
    %71 = tensor.empty() : tensor<512x2048xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %70 : tensor<512x2048xf32>, tensor<512x2048xf32>) outs(%71 : tensor<512x2048xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %81 = arith.subf %in, %in_4 : f32
      linalg.yield %81 : f32
    } -> tensor<512x2048xf32>
    %73 = tensor.empty() : tensor<2048x2048xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%54 : tensor<2048x2048xf32>) outs(%73 : tensor<2048x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.mulf %in, %cst_0 : f32
      linalg.yield %81 : f32
    } -> tensor<2048x2048xf32>
    %75 = tensor.empty() : tensor<2048x2048xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %74 : tensor<2048x2048xf32>, tensor<2048x2048xf32>) outs(%75 : tensor<2048x2048xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %81 = arith.subf %in, %in_4 : f32
      linalg.yield %81 : f32
    } -> tensor<2048x2048xf32>
    %77 = tensor.empty() : tensor<2048x512xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%40 : tensor<2048x512xf32>) outs(%77 : tensor<2048x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.mulf %in, %cst_0 : f32
      linalg.yield %81 : f32
    } -> tensor<2048x512xf32>
    %79 = tensor.empty() : tensor<2048x512xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2, %78 : tensor<2048x512xf32>, tensor<2048x512xf32>) outs(%79 : tensor<2048x512xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %81 = arith.subf %in, %in_4 : f32
      linalg.yield %81 : f32
    } -> tensor<2048x512xf32>
    return %27, %72, %76, %80 : tensor<f32>, tensor<512x2048xf32>, tensor<2048x2048xf32>, tensor<2048x512xf32>
  }
}

