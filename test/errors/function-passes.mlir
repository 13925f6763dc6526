// Each pass and the pipeline of ours say that they need the module.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(func.func(tessera-propagate))' --verify-diagnostics
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(func.func(tessera-partition))' --verify-diagnostics
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(func.func(tessera-lower))' --verify-diagnostics

// expected-error-re@+1 {{module{{.*}}func.func}}
func.func @f() {
  return
}
