// A loop of which a comparison with data leaves one step to do is that step: found where the data is
// loaded, and left out where the loop has none.
// RUN: %mlir_opt %s --split-input-file --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s
// RUN: %mlir_opt %s --split-input-file --pass-pipeline='builtin.module(tessera-lower{target=cuda})' | FileCheck %s --check-prefix=ALL

// Rows that are added where indices say: a loop over those, and what they say.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %{{c12[_0-9]*}}
// CHECK: %[[LOADED:.*]] = memref.load %{{.*}}[%[[T]]] : memref<?xi32>
// CHECK: %[[PLACE:.*]] = arith.index_cast %[[LOADED]]
// CHECK: %[[IS:.*]] = arith.cmpi ult, %[[PLACE]], %{{c40[_0-9]*}}
// CHECK: scf.if %[[IS]]
// CHECK: scf.for
// CHECK-NOT: arith.cmpi
// CHECK: memref.store
// CHECK: return
// Targets without code for that compare every row with every index.
// ALL-LABEL: func.func @tessera.fn.scatter
// ALL: arith.cmpi eq
// ALL-LABEL: func.func @tessera.fn.histogram
func.func @scatter(%x: tensor<12x20xf32>, %at: tensor<12xi32>, %init: tensor<40x20xf32>) -> tensor<40x20xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(v, d, t) -> (t, d)>, affine_map<(v, d, t) -> (t)>, affine_map<(v, d, t) -> (v, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %at : tensor<12x20xf32>, tensor<12xi32>) outs(%init : tensor<40x20xf32>) {
  ^bb0(%u: f32, %p: i32, %o: f32):
    %v = linalg.index 0 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %v, %q : index
    %s = arith.addf %o, %u : f32
    %m = arith.select %c, %s, %o : f32
    linalg.yield %m : f32
  } -> tensor<40x20xf32>
  return %r : tensor<40x20xf32>
}

// -----

// Counts: what an idle step adds is 0, in whatever words.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK: scf.for
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: memref.load
// CHECK-NOT: arith.cmpi
// CHECK-NOT: scf.for
// CHECK: return
func.func @histogram(%at: tensor<50xi64>, %init: tensor<32xi32>) -> tensor<32xi32> {
  %three = arith.constant 3 : i32
  %r = linalg.generic {indexing_maps = [affine_map<(v, t) -> (t)>, affine_map<(v, t) -> (v)>], iterator_types = ["parallel", "reduction"]}
      ins(%at : tensor<50xi64>) outs(%init : tensor<32xi32>) {
  ^bb0(%p: i64, %o: i32):
    %v = linalg.index 0 : index
    %w = arith.index_cast %v : index to i64
    %c = arith.cmpi ne, %p, %w : i64
    %yes = arith.constant true
    %is = arith.xori %c, %yes : i1
    %m = arith.extui %is : i1 to i32
    %n = arith.muli %m, %three : i32
    %s = arith.addi %n, %o : i32
    linalg.yield %s : i32
  } -> tensor<32xi32>
  return %r : tensor<32xi32>
}

// -----

// A sum over a table of which one row counts reads that row, once for all columns; where there is
// none the sum stays.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %{{c10[_0-9]*}}
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: scf.for %{{.*}} to %{{c70[_0-9]*}}
// CHECK-NOT: scf.for
// CHECK: return
func.func @gather(%table: tensor<24x70xf32>, %at: tensor<10xi32>, %init: tensor<10x70xf32>) -> tensor<10x70xf32> {
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(t, d, v) -> (v, d)>, affine_map<(t, d, v) -> (t)>, affine_map<(t, d, v) -> (t, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%table, %at : tensor<24x70xf32>, tensor<10xi32>) outs(%init : tensor<10x70xf32>) {
  ^bb0(%x: f32, %p: i32, %o: f32):
    %v = linalg.index 2 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %v, %q : index
    %m = arith.select %c, %x, %zero : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<10x70xf32>
  return %r : tensor<10x70xf32>
}

// -----

// Places of two coordinates, one of which counts from this device's first row.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK-SAME: %[[FIRST:arg[0-9]+]]: index
// CHECK: scf.for
// CHECK: %[[J:.*]] = arith.cmpi ult
// CHECK: scf.if %[[J]]
// CHECK: %[[LOCAL:.*]] = arith.subi %{{.*}}, %[[FIRST]] : index
// CHECK: %[[I:.*]] = arith.cmpi ult, %[[LOCAL]]
// CHECK: scf.if %[[I]]
// CHECK-NOT: scf.for
// CHECK: return
func.func @coordinates(%x: tensor<18xf64>, %at: tensor<18x2xi64>, %init: tensor<19x20xf64>, %first: index) -> tensor<19x20xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, t) -> (t)>, affine_map<(i, j, t) -> (t, 0)>, affine_map<(i, j, t) -> (t, 1)>, affine_map<(i, j, t) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %at, %at : tensor<18xf64>, tensor<18x2xi64>, tensor<18x2xi64>) outs(%init : tensor<19x20xf64>) {
  ^bb0(%u: f64, %p: i64, %q: i64, %o: f64):
    %i = linalg.index 0 : index
    %g = arith.addi %i, %first : index
    %j = linalg.index 1 : index
    %pi = arith.index_cast %p : i64 to index
    %qi = arith.index_cast %q : i64 to index
    %ci = arith.cmpi eq, %g, %pi : index
    %cj = arith.cmpi eq, %qi, %j : index
    %c = arith.andi %ci, %cj : i1
    %m = arith.select %c, %u, %o : f64
    linalg.yield %m : f64
  } -> tensor<19x20xf64>
  return %r : tensor<19x20xf64>
}

// -----

// An index that is compared in 8 bits stands for each 256th step of a long loop.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK: scf.for
// CHECK: %[[BYTE:.*]] = arith.index_castui %{{.*}} : i8 to index
// CHECK: %[[FIRST:.*]] = arith.andi %{{.*}}, %{{c255[_0-9]*}}
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %{{.*}} step %{{c256[_0-9]*}}
// CHECK-NOT: arith.cmpi
// CHECK: return
func.func @narrow(%at: tensor<50xi8>, %init: tensor<?xi32>) -> tensor<?xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(v, t) -> (t)>, affine_map<(v, t) -> (v)>], iterator_types = ["parallel", "reduction"]}
      ins(%at : tensor<50xi8>) outs(%init : tensor<?xi32>) {
  ^bb0(%p: i8, %o: i32):
    %v = linalg.index 0 : index
    %w = arith.index_cast %v : index to i8
    %c = arith.cmpi eq, %p, %w : i8
    %m = arith.extui %c : i1 to i32
    %s = arith.addi %m, %o : i32
    linalg.yield %s : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// -----

// The place is looked up by the body.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK-SAME: %[[PLACES:arg[0-9]+]]: memref<12xindex>
// CHECK: scf.for %[[T:.*]] =
// CHECK: memref.load %[[PLACES]][%[[T]]]
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK-NOT: arith.cmpi
// CHECK: return
func.func @looked_up(%x: tensor<12x20xf32>, %at: tensor<12xindex>, %init: tensor<40x20xf32>) -> tensor<40x20xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(v, d, t) -> (t, d)>, affine_map<(v, d, t) -> (v, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<12x20xf32>) outs(%init : tensor<40x20xf32>) {
  ^bb0(%u: f32, %o: f32):
    %v = linalg.index 0 : index
    %t = linalg.index 2 : index
    %p = tensor.extract %at[%t] : tensor<12xindex>
    %c = arith.cmpi eq, %v, %p : index
    %s = arith.maximumf %o, %u : f32
    %m = arith.select %c, %s, %o : f32
    linalg.yield %m : f32
  } -> tensor<40x20xf32>
  return %r : tensor<40x20xf32>
}

// -----

// Rows of a table that are added up: the sum stays in a register, and goes from block to block.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK: scf.for %{{.*}} to %{{c3[_0-9]*}}
// CHECK: scf.for %{{.*}} to %{{c20000[_0-9]*}} step %{{c4096[_0-9]*}} iter_args
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}})
// CHECK: arith.cmpi ult
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: else
// CHECK-NEXT: scf.yield %[[SUM]]
// CHECK-NOT: scf.for
// CHECK: return
func.func @bags(%table: tensor<50xf32>, %at: tensor<3x20000xi32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(b, t, v) -> (v)>, affine_map<(b, t, v) -> (b, t)>, affine_map<(b, t, v) -> (b)>],
                       iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%table, %at : tensor<50xf32>, tensor<3x20000xi32>) outs(%init : tensor<3xf32>) {
  ^bb0(%x: f32, %p: i32, %o: f32):
    %v = linalg.index 2 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %v, %q : index
    %m = arith.select %c, %x, %zero : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// Threads would each go through all places of a scatter: it is one thread's.
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK-NOT: tessera_rt_parallel
// CHECK: arith.cmpi ult
// CHECK: llvm.func internal @tessera.entry.alone
func.func @alone(%x: tensor<4000x200xf32>, %at: tensor<4000xi32>, %init: tensor<3000x200xf32>) -> tensor<3000x200xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(v, d, t) -> (t, d)>, affine_map<(v, d, t) -> (t)>, affine_map<(v, d, t) -> (v, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %at : tensor<4000x200xf32>, tensor<4000xi32>) outs(%init : tensor<3000x200xf32>) {
  ^bb0(%u: f32, %p: i32, %o: f32):
    %v = linalg.index 0 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %v, %q : index
    %s = arith.addf %o, %u : f32
    %m = arith.select %c, %s, %o : f32
    linalg.yield %m : f32
  } -> tensor<3000x200xf32>
  return %r : tensor<3000x200xf32>
}

// -----

// They share what says the step.
// CHECK-LABEL: func.func private @tessera.kernel.0.steps
// CHECK-SAME: %[[FROM:arg[0-9]+]]: index, %[[TO:arg[0-9]+]]: index)
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[TO]]
// CHECK: arith.cmpi ult
// CHECK: tessera_rt_parallel
func.func @shared(%table: tensor<3000x200xf32>, %at: tensor<4000xi32>, %init: tensor<4000x200xf32>) -> tensor<4000x200xf32> {
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(t, d, v) -> (v, d)>, affine_map<(t, d, v) -> (t)>, affine_map<(t, d, v) -> (t, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%table, %at : tensor<3000x200xf32>, tensor<4000xi32>) outs(%init : tensor<4000x200xf32>) {
  ^bb0(%x: f32, %p: i32, %o: f32):
    %v = linalg.index 2 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %v, %q : index
    %m = arith.select %c, %x, %zero : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<4000x200xf32>
  return %r : tensor<4000x200xf32>
}
