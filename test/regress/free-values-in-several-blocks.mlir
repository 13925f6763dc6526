// Annotations of one plain value in several blocks make canonicalize build invalid IR: propagation writes none.
// RUN: %mlir_opt %S/../corpus/fill-around-loops.mlir -verify-each \
// RUN:   --pass-pipeline='builtin.module(canonicalize,cse,tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s
// RUN: %mlir_opt %S/../corpus/blocks-share-constant.mlir -verify-each \
// RUN:   --pass-pipeline='builtin.module(canonicalize,cse,tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s

// CHECK: func.func @main
// CHECK-NOT: shard.shard
