#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Products of f32 by the runtime on all cores, beside OpenBLAS called directly: what the libraries that it chooses
# between are worth on this machine.
# usage: bench/products.sh [BUILD] [--rounds N]; TESSERA_DNNL=none and OPENBLAS_CORETYPE say what is compared.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

build=$root/build rounds=31
while (($#)); do
  case $1 in
    --rounds)
      [[ $# -ge 2 ]] || die "$1 takes a value"
      rounds=$2
      shift ;;
    -*) die "there is no option $1" ;;
    *) build=$1 ;;
  esac
  shift
done
[[ -x $build/bench/bench-products ]] || die "no $build/bench/bench-products; run scripts/build.sh"
"$build/bench/bench-products" "$rounds"
