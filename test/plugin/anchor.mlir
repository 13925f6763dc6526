// A pass that is nested in function passes says that it needs the module.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(func.func(tessera-propagate))' --verify-diagnostics
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(func.func(tessera-lower))' --verify-diagnostics

// expected-error@+1 {{needs a whole 'builtin.module', but was run on 'func.func'; do not nest it in the pass pipeline}}
func.func @f() {
  return
}
