// Rows that are combined: a warp does a short row by shuffles, a block a long one, and all that comes of
// it in the same kernel. Each thread keeps its part of the row in registers: memory is read once and written
// once, 16 bytes at a time, behind a branch for memory that begins elsewhere; what a later step overwrites is
// not written. Rows of which 16 bytes are no multiple are kept an element at a time. What comes to few
// elements is done by blocks as large as there are. Sums along columns, and what has to keep its order, are
// a thread's.
// REQUIRES: tesserac
// RUN: split-file %s %t
// RUN: %tesserac %t/short.mlir --target=cuda --emit=kernels -o - | FileCheck %s --check-prefix=SHORT
// RUN: %tesserac %t/long.mlir --target=cuda --emit=kernels -o - | FileCheck %s --check-prefix=LONG
// RUN: %tesserac %t/odd.mlir --target=cuda --emit=kernels -o - | FileCheck %s --check-prefix=ODD
// RUN: %tesserac %t/half.mlir --target=cuda --emit=kernels -o - | FileCheck %s --check-prefix=HALF
// RUN: %tesserac %t/unwritten.mlir --target=cuda --emit=kernels -o - | FileCheck %s --check-prefix=UNWRITTEN
// RUN: %tesserac %t/columns.mlir --target=cuda --emit=kernels -o - | FileCheck %s --check-prefix=COLUMNS
// RUN: %tesserac %t/all.mlir --target=cuda --emit=kernels -o - | FileCheck %s --check-prefix=ALL

// ALL: .maxntid 1024, 1, 1
// ALL-COUNT-20: shfl.sync.bfly.b32
// ALL-NOT: shfl

// SHORT: .entry
// SHORT: .maxntid 256, 1, 1
// SHORT-NOT: bar.sync
// SHORT: ld.global.v4.b32
// SHORT-NOT: {{(ld|st)}}.global
// SHORT: max.f32
// SHORT: shfl.sync.bfly.b32
// SHORT-NOT: {{(ld|st)}}.{{(shared|global)}}
// SHORT: st.global.v4.b32
// SHORT-NOT: {{(ld|st)}}.global
// SHORT-NOT: .entry

// LONG: .entry
// LONG: .maxntid 1024, 1, 1
// LONG: ld.global.v4.b32
// LONG-NOT: {{(ld|st)}}.global
// LONG: shfl.sync.bfly.b32 {{.*}}, 16, 31, -1
// LONG-NOT: {{(ld|st)}}.global
// LONG: bar.sync
// LONG-NOT: {{(ld|st)}}.global
// LONG: shfl.sync.bfly.b32 {{.*}}, 4, 31, -1
// LONG-NOT: {{(ld|st)}}.global
// LONG: bar.sync
// LONG-NOT: {{(ld|st)}}.global
// LONG: st.global.v4.b32
// LONG-NOT: {{(ld|st)}}.global
// LONG-NOT: .entry

// ODD: .entry
// ODD-NOT: .shared
// ODD-COUNT-4: ld.global
// ODD-NOT: ld.global
// ODD-COUNT-4: st.global
// ODD-NOT: {{(ld|st)}}.global

// HALF: .entry
// HALF: ld.global.v4.b32
// HALF-NOT: {{(ld|st)}}.global
// HALF: st.global.v4.b32
// HALF-NOT: {{(ld|st)}}.global

// UNWRITTEN: .entry

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
//--- odd.mlir
func.func @softmax(%x: tensor<64x101xf32>) -> tensor<64x101xf32> {
  %empty = tensor.empty() : tensor<64x101xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<64x101xf32>) outs(%empty : tensor<64x101xf32>)
      -> tensor<64x101xf32>
  return %y : tensor<64x101xf32>
}
//--- half.mlir
// What is f32 in between has no memory at all.
#map = affine_map<(i, j) -> (i, j)>
func.func @softmax(%x: tensor<64x256xbf16>) -> tensor<64x256xbf16> {
  %wide = tensor.empty() : tensor<64x256xf32>
  %narrow = tensor.empty() : tensor<64x256xbf16>
  %a = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x256xbf16>) outs(%wide : tensor<64x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %e = arith.extf %in : bf16 to f32
      linalg.yield %e : f32
  } -> tensor<64x256xf32>
  %b = linalg.softmax dimension(1) ins(%a : tensor<64x256xf32>) outs(%wide : tensor<64x256xf32>)
      -> tensor<64x256xf32>
  %c = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<64x256xf32>) outs(%narrow : tensor<64x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %t = arith.truncf %in : f32 to bf16
      linalg.yield %t : bf16
  } -> tensor<64x256xbf16>
  return %c : tensor<64x256xbf16>
}
//--- unwritten.mlir
// What nothing has written has any value.
#row = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> (i)>
func.func @unwritten(%x: tensor<4x256xf32>) -> tensor<4x256xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %all = tensor.empty() : tensor<4x256xf32>
  %other = tensor.empty() : tensor<4x256xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x256xf32>) outs(%zeros : tensor<4xf32>)
      dimensions = [1]
  %t = linalg.generic {indexing_maps = [#row, #one, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<4x256xf32>, tensor<4xf32>) outs(%all : tensor<4x256xf32>) {
    ^bb0(%a: f32, %m: f32, %o: f32):
      %is = arith.cmpf oeq, %o, %m : f32
      %c = arith.select %is, %a, %m : f32
      linalg.yield %c : f32
  } -> tensor<4x256xf32>
  %most = linalg.reduce { arith.addf } ins(%t : tensor<4x256xf32>) outs(%zeros : tensor<4xf32>)
      dimensions = [1]
  %r = linalg.generic {indexing_maps = [#row, #one, #row], iterator_types = ["parallel", "parallel"]}
      ins(%t, %most : tensor<4x256xf32>, tensor<4xf32>) outs(%other : tensor<4x256xf32>) {
    ^bb0(%a: f32, %m: f32, %o: f32):
      %d = arith.subf %a, %m : f32
      linalg.yield %d : f32
  } -> tensor<4x256xf32>
  return %r : tensor<4x256xf32>
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
