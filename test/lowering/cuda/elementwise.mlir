// On a GPU a chain of elementwise ops is one kernel. Each thread does neighbouring elements with
// accesses of 16 bytes, where there are many and memory is aligned, or one by one; functions of numbers
// have their code in the kernel.
// REQUIRES: tesserac
// RUN: %tesserac %s --target=cuda --emit=kernels -o - | FileCheck %s
// RUN: %tesserac %s --target=cuda --emit=lowered -o - | FileCheck %s --check-prefix=HOST
// RUN: %tesserac %s --target=cuda --chip=sm_80 --emit=kernels -o - | FileCheck %s --check-prefix=CHIP
// RUN: not %tesserac %s --target=cuda --chip=gfx90a --emit=kernels -o - 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %tesserac %s --emit=kernels -o - 2>&1 | FileCheck %s --check-prefix=CPU

// CHECK: .target sm_90
// CHIP: .target sm_80
// NONE: error: --chip=gfx90a: there is no such chip
// CPU: error: --emit=kernels: kernels for cpu are part of its code

// CHECK-NOT: __nv_
// CHECK: .entry tessera_kernel_0(
// CHECK: .maxntid 256, 1, 1
// CHECK-DAG: ld.global{{(.nc)?}}.b32
// CHECK-DAG: st.global.b32
// CHECK-DAG: ld.global{{(.nc)?}}.v4.b32
// CHECK-DAG: st.global.v4.b32
// CHECK-NOT: .entry

// HOST-NOT: mgpu
// HOST: call @tessera.kernel.0
// HOST: llvm.call @tessera_rt_launch
// HOST: gpu.module @tessera_kernels
// HOST: gpu.func @tessera_kernel_0{{.*}}llvm.noalias
func.func @chain(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %size = tensor.dim %x, %zero : tensor<?xf32>
  %empty = tensor.empty(%size) : tensor<?xf32>
  %e = linalg.exp ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %y = linalg.add ins(%e, %x : tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?xf32>)
      -> tensor<?xf32>
  return %y : tensor<?xf32>
}
