// For a chip that is named a program has machine code beside PTX, where there is a ptxas; what that
// says of kernels that it does not take is an error.
// REQUIRES: tesserac
// RUN: rm -rf %t && mkdir -p %t/good %t/bad
// RUN: printf '#!/bin/sh\necho "$1 $2"; printf "machine code" >"$5"\n' >%t/good/ptxas
// RUN: printf '#!/bin/sh\necho "no such thing" >&2; exit 1\n' >%t/bad/ptxas
// RUN: chmod +x %t/good/ptxas %t/bad/ptxas
// RUN: env PATH=%t/good:$PATH %tesserac %s --target=cuda --chip=sm_90 --no-cache --emit=llvm -o %t/both.ll | FileCheck %s --check-prefix=ASKED
// RUN: FileCheck %s --check-prefix=BOTH --input-file=%t/both.ll
// RUN: env PATH=%t/good:$PATH %tesserac %s --target=cuda --no-cache --emit=llvm -o - | FileCheck %s --check-prefix=PTX
// RUN: env PATH=%t/bad:$PATH not %tesserac %s --target=cuda --chip=sm_90 --no-cache --emit=llvm -o - 2>&1 | FileCheck %s --check-prefix=FAILS

// ASKED: -arch=sm_90 -O3
// "machine code" in words of 64 bits, 12 bytes of it; the kind of the first image is 2.
// BOTH-DAG: [2 x i64] [i64 2334393380863435117, i64 1701080931]
// BOTH-DAG: @tessera.images = {{.*}} [2 x {{.*}} i32 2, {{.*}} i64 12 }, {{.*}} i32 1,
// PTX: @tessera.images = {{.*}} i32 1,
// FAILS: no such thing
// FAILS: error: --chip=sm_90: {{.*}}ptxas has made no machine code of the kernels

func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %y = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}
