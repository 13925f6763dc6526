// Comparisons that leave no loop a single step, or not surely: all steps are done, and compared.
// RUN: %mlir_opt %s --split-input-file --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// 0 times an infinity is a NaN, which every row gets.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK-NOT: arith.cmpi ult
// CHECK: arith.cmpi eq
// CHECK-NOT: arith.cmpi ult
// CHECK: return
func.func @times_zero(%x: tensor<12x20xf32>, %at: tensor<12xi32>, %init: tensor<40x20xf32>) -> tensor<40x20xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(v, d, t) -> (t, d)>, affine_map<(v, d, t) -> (t)>, affine_map<(v, d, t) -> (v, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %at : tensor<12x20xf32>, tensor<12xi32>) outs(%init : tensor<40x20xf32>) {
  ^bb0(%u: f32, %p: i32, %o: f32):
    %v = linalg.index 0 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %v, %q : index
    %m = arith.uitofp %c : i1 to f32
    %n = arith.mulf %m, %u : f32
    %s = arith.addf %o, %n : f32
    linalg.yield %s : f32
  } -> tensor<40x20xf32>
  return %r : tensor<40x20xf32>
}

// -----

// What is added where they differ is something.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK-NOT: arith.cmpi ult
// CHECK: arith.cmpi eq
// CHECK-NOT: arith.cmpi ult
// CHECK: return
func.func @not_neutral(%x: tensor<12x20xf32>, %at: tensor<12xi32>, %init: tensor<40x20xf32>) -> tensor<40x20xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(v, d, t) -> (t, d)>, affine_map<(v, d, t) -> (t)>, affine_map<(v, d, t) -> (v, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %at : tensor<12x20xf32>, tensor<12xi32>) outs(%init : tensor<40x20xf32>) {
  ^bb0(%u: f32, %p: i32, %o: f32):
    %v = linalg.index 0 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %v, %q : index
    %one = arith.constant 1.0 : f32
    %m = arith.select %c, %u, %one : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<40x20xf32>
  return %r : tensor<40x20xf32>
}

// -----

// 0 minus the sum is not the sum.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK-NOT: arith.cmpi ult
// CHECK: arith.cmpi eq
// CHECK-NOT: arith.cmpi ult
// CHECK: return
func.func @taken_from(%x: tensor<12x20xf32>, %at: tensor<12xi32>, %init: tensor<40x20xf32>) -> tensor<40x20xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(v, d, t) -> (t, d)>, affine_map<(v, d, t) -> (t)>, affine_map<(v, d, t) -> (v, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %at : tensor<12x20xf32>, tensor<12xi32>) outs(%init : tensor<40x20xf32>) {
  ^bb0(%u: f32, %p: i32, %o: f32):
    %v = linalg.index 0 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %v, %q : index
    %zero = arith.constant 0.0 : f32
    %m = arith.select %c, %u, %zero : f32
    %s = arith.subf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<40x20xf32>
  return %r : tensor<40x20xf32>
}

// -----

// Where one comparison fails the other may hold.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK-NOT: arith.cmpi ult
// CHECK: arith.cmpi eq
// CHECK-NOT: arith.cmpi ult
// CHECK: return
func.func @either(%x: tensor<12x20xf32>, %at: tensor<12xi32>, %init: tensor<40x20xf32>) -> tensor<40x20xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(v, d, t) -> (t, d)>, affine_map<(v, d, t) -> (t)>, affine_map<(v, d, t) -> (v, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %at : tensor<12x20xf32>, tensor<12xi32>) outs(%init : tensor<40x20xf32>) {
  ^bb0(%u: f32, %p: i32, %o: f32):
    %v = linalg.index 0 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %v, %q : index
    %five = arith.constant 5 : index
    %b = arith.cmpi eq, %v, %five : index
    %e = arith.ori %b, %c : i1
    %s = arith.addf %o, %u : f32
    %m = arith.select %e, %s, %o : f32
    linalg.yield %m : f32
  } -> tensor<40x20xf32>
  return %r : tensor<40x20xf32>
}

// -----

// Many rows are less.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK-NOT: arith.cmpi ult
// CHECK: arith.cmpi slt
// CHECK-NOT: arith.cmpi ult
// CHECK: return
func.func @several(%x: tensor<12x20xf32>, %at: tensor<12xi32>, %init: tensor<40x20xf32>) -> tensor<40x20xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(v, d, t) -> (t, d)>, affine_map<(v, d, t) -> (t)>, affine_map<(v, d, t) -> (v, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %at : tensor<12x20xf32>, tensor<12xi32>) outs(%init : tensor<40x20xf32>) {
  ^bb0(%u: f32, %p: i32, %o: f32):
    %v = linalg.index 0 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi slt, %v, %q : index
    %s = arith.addf %o, %u : f32
    %m = arith.select %c, %s, %o : f32
    linalg.yield %m : f32
  } -> tensor<40x20xf32>
  return %r : tensor<40x20xf32>
}

// -----

// What the row is compared with is known when it is there.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK-NOT: arith.cmpi ult
// CHECK: arith.cmpi eq
// CHECK-NOT: arith.cmpi ult
// CHECK: return
func.func @by_result(%x: tensor<12x20xf32>, %at: tensor<12xi32>, %init: tensor<40x20xf32>) -> tensor<40x20xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(v, d, t) -> (t, d)>, affine_map<(v, d, t) -> (t)>, affine_map<(v, d, t) -> (v, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %at : tensor<12x20xf32>, tensor<12xi32>) outs(%init : tensor<40x20xf32>) {
  ^bb0(%u: f32, %p: i32, %o: f32):
    %v = linalg.index 0 : index
    %q = arith.fptosi %o : f32 to i64
    %w = arith.index_cast %v : index to i64
    %c = arith.cmpi eq, %w, %q : i64
    %s = arith.addf %o, %u : f32
    %m = arith.select %c, %s, %o : f32
    linalg.yield %m : f32
  } -> tensor<40x20xf32>
  return %r : tensor<40x20xf32>
}

// -----

// An index that was cut to 8 bits and widened again is not what it was.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK-NOT: arith.cmpi ult
// CHECK: arith.cmpi eq
// CHECK-NOT: arith.cmpi ult
// CHECK: return
func.func @widened(%x: tensor<6x5xf32>, %at: tensor<6xi32>, %init: tensor<300x5xf32>) -> tensor<300x5xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(v, d, t) -> (t, d)>, affine_map<(v, d, t) -> (t)>, affine_map<(v, d, t) -> (v, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %at : tensor<6x5xf32>, tensor<6xi32>) outs(%init : tensor<300x5xf32>) {
  ^bb0(%u: f32, %p: i32, %o: f32):
    %v = linalg.index 0 : index
    %b = arith.index_cast %v : index to i8
    %w = arith.extsi %b : i8 to i32
    %c = arith.cmpi eq, %w, %p : i32
    %s = arith.addf %o, %u : f32
    %m = arith.select %c, %s, %o : f32
    linalg.yield %m : f32
  } -> tensor<300x5xf32>
  return %r : tensor<300x5xf32>
}

// -----

// The last of the rows in the order of the table stays, and not of the places: these are a later loop.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK-NOT: arith.cmpi ult
// CHECK: arith.cmpi eq
// CHECK-NOT: arith.cmpi ult
// CHECK: return
func.func @later(%x: tensor<12x5xf32>, %at: tensor<9xi32>, %init: tensor<40x5xf32>) -> tensor<40x5xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(a, v, t, d) -> (v, d)>, affine_map<(a, v, t, d) -> (t)>, affine_map<(a, v, t, d) -> (a, d)>],
                       iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
      ins(%x, %at : tensor<12x5xf32>, tensor<9xi32>) outs(%init : tensor<40x5xf32>) {
  ^bb0(%u: f32, %p: i32, %o: f32):
    %v = linalg.index 1 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %v, %q : index
    %m = arith.select %c, %u, %o : f32
    linalg.yield %m : f32
  } -> tensor<40x5xf32>
  return %r : tensor<40x5xf32>
}

// -----

// A comparison for each of a few steps, of elements that each have a place of their own.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK-NOT: arith.cmpi ult
// CHECK: arith.cmpi eq
// CHECK: return
func.func @few(%x: tensor<64x64xf32>, %at: tensor<64x64xi32>, %init: tensor<64x2x64xf32>) -> tensor<64x2x64xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, j)>, affine_map<(i, k, j) -> (i, j)>, affine_map<(i, k, j) -> (i, k, j)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %at : tensor<64x64xf32>, tensor<64x64xi32>) outs(%init : tensor<64x2x64xf32>) {
  ^bb0(%u: f32, %p: i32, %o: f32):
    %k = linalg.index 1 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %k, %q : index
    %s = arith.addf %o, %u : f32
    %m = arith.select %c, %s, %o : f32
    linalg.yield %m : f32
  } -> tensor<64x2x64xf32>
  return %r : tensor<64x2x64xf32>
}

// -----

// Indices that may be in the memory that is written.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK-NOT: arith.cmpi ult
// CHECK: arith.cmpi eq
// CHECK: return
func.func @same_memory(%at: memref<50xindex>, %counts: memref<40xindex>) {
  linalg.generic {indexing_maps = [affine_map<(v, t) -> (t)>, affine_map<(v, t) -> (v)>], iterator_types = ["parallel", "reduction"]}
      ins(%at : memref<50xindex>) outs(%counts : memref<40xindex>) {
  ^bb0(%p: index, %o: index):
    %one = arith.constant 1 : index
    %v = linalg.index 0 : index
    %c = arith.cmpi eq, %v, %p : index
    %s = arith.addi %o, %one : index
    %m = arith.select %c, %s, %o : index
    linalg.yield %m : index
  }
  return
}

// -----

// A body that fails does so for any row.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK-NOT: arith.cmpi ult
// CHECK: arith.cmpi eq
// CHECK: return
func.func @asserts(%at: tensor<50xi32>, %init: tensor<40xi32>) -> tensor<40xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(v, t) -> (t)>, affine_map<(v, t) -> (v)>], iterator_types = ["parallel", "reduction"]}
      ins(%at : tensor<50xi32>) outs(%init : tensor<40xi32>) {
  ^bb0(%p: i32, %o: i32):
    %one = arith.constant 1 : i32
    %seven = arith.constant 7 : index
    %v = linalg.index 0 : index
    %q = arith.index_cast %p : i32 to index
    %fine = arith.cmpi ne, %v, %seven : index
    cf.assert %fine, "seven"
    %c = arith.cmpi eq, %v, %q : index
    %s = arith.addi %o, %one : i32
    %m = arith.select %c, %s, %o : i32
    linalg.yield %m : i32
  } -> tensor<40xi32>
  return %r : tensor<40xi32>
}
