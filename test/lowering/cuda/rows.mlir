// Rows that are combined: a warp does a short row by shuffles, a block a long one, several loads at a
// time, and all that comes of it in the same kernel; what comes to few elements is done by blocks as large
// as there are. Sums along columns, and what has to keep its order, are a thread's.
// REQUIRES: tesserac
// RUN: split-file %s %t
// RUN: %tesserac %t/short.mlir --target=cuda --emit=kernels -o - | FileCheck %s --check-prefix=SHORT
// RUN: %tesserac %t/long.mlir --target=cuda --emit=kernels -o - | FileCheck %s --check-prefix=LONG
// RUN: %tesserac %t/columns.mlir --target=cuda --emit=kernels -o - | FileCheck %s --check-prefix=COLUMNS
// RUN: %tesserac %t/all.mlir --target=cuda --emit=kernels -o - | FileCheck %s --check-prefix=ALL

// ALL: .maxntid 1024, 1, 1
// ALL-COUNT-10: shfl.sync.down.b32
// ALL-NOT: shfl

// SHORT: .entry
// SHORT: .shared
// SHORT: shfl.sync.down.b32
// SHORT: bar.warp.sync
// SHORT-NOT: bar.sync
// SHORT-NOT: .entry

// LONG: .entry
// LONG: .shared
// LONG-NOT: bar.warp.sync
// LONG: ld.global
// LONG: ld.global{{.*}}+1024
// LONG: shfl.sync.down.b32 {{.*}}, 16, 31, -1
// LONG: {{bar|barrier}}.{{(cta.)?}}sync
// LONG: shfl.sync.down.b32 {{.*}}, 4, 31, -1
// LONG-NOT: .entry

// COLUMNS: .entry
// COLUMNS-NOT: .shared
// COLUMNS-NOT: bar
// COLUMNS: st.global

//--- short.mlir
func.func @softmax(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %empty = tensor.empty() : tensor<64x128xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<64x128xf32>) outs(%empty : tensor<64x128xf32>)
      -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}
//--- long.mlir
func.func @softmax(%x: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  %empty = tensor.empty() : tensor<64x4096xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<64x4096xf32>) outs(%empty : tensor<64x4096xf32>)
      -> tensor<64x4096xf32>
  return %y : tensor<64x4096xf32>
}
//--- all.mlir
func.func @all(%x: tensor<32x512xf32>, %init: tensor<f32>) -> tensor<f32> {
  %y = linalg.reduce { arith.addf } ins(%x : tensor<32x512xf32>) outs(%init : tensor<f32>)
      dimensions = [0, 1]
  return %y : tensor<f32>
}
//--- columns.mlir
func.func @columns(%x: tensor<64x512xf32>, %init: tensor<512xf32>) -> tensor<512xf32> {
  %y = linalg.reduce { arith.addf } ins(%x : tensor<64x512xf32>) outs(%init : tensor<512xf32>)
      dimensions = [0]
  return %y : tensor<512xf32>
}
