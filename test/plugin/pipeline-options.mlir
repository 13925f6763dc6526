// The pipeline hands its options to its passes.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-pipeline{remarks=false entry={f,g}})' \
// RUN:   --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s
// RUN: not %mlir_opt %s --pass-pipeline='builtin.module(tessera-pipeline{remark=false})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN

// CHECK: tessera-import-mesh
// CHECK: tessera-propagate{{{.*}}remarks=false{{.*}}}
// CHECK: tessera-partition
// CHECK: tessera-lower{{.*}}bufferize=true entry=f,g 
// UNKNOWN: no such option remark

func.func @f() {
  return
}
func.func @g() {
  return
}
