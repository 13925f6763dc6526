#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Tests tessera-check on hand-written programs, with a stand-in for the compiler.
# usage: check.sh BUILD-DIRECTORY; prints PASS or FAIL lines, exits 1 after a FAIL.
# shellcheck source=prelude.sh
source "$(dirname "$0")/prelude.sh" "$1"

build check "-I$source/tools" "-I$source/tools/check" '-DTESSERA_VERSION="0.0.0"' \
  "$source/tools/check/main.c" "$here/fake_compile.c" "$lib/libtessera_check.a" \
  "$lib/libtessera_tools.a" || exit 1
program p1x1 1 1 && program p2x2 2 2 && program p3x1 3 1 && program p1x2 1 2 || exit 1
for rank in 0 3; do program pwrong$rank 2 2 -DWRONG_RANK=$rank || exit 1; done
mkdir temporary
export TMPDIR=$work/temporary

build numbers "-I$source/tools/check" "$here/numbers.c" "$lib/libtessera_check.a" >log 2>&1 &&
  ./numbers >log 2>&1
report "numbers" $?

# NAME TEXT COMMAND...: exits with 0, prints lines that match TEXT, leaves no file behind.
agrees() {
  local name=$1 text=$2
  shift 2
  timeout 120 ./check "$@" >log 2>&1 && grep -Eq -- "$text" log && [ -z "$(ls temporary)" ]
  report "$name" $?
}

# The same for a failure: one message that contains TEXT.
refuses() {
  local name=$1 text=$2
  shift 2
  timeout 120 ./check "$@" >log 2>&1
  local status=$?
  [ $status -eq 1 ] && [ "$(grep -c 'error:' log)" -eq 1 ] && grep -qF -- "$text" log &&
    [ -z "$(ls temporary)" ]
  local found=$?
  [ $found -eq 0 ] || echo "exit status $status, wanted: $text" >>log
  report "refuses $name" $found
}

number='[0-9.e+-]+'
for entry in matmul matmul_reduced stencil halos offsets factors \
  moved_{i1,i4,i8,u16,i64,index,f16,bf16,f8,c64,c128} \
  partial_{sum_f16,average_f32,max_f32,maxnum_f32,min_i8,umin_i32,product_f64,and_i64,xor_i16}; do
  agrees "$entry" "^m.mlir: $entry on 2x2: 1 result agrees \(max error $number\)$" \
    m.mlir --entry "$entry"
done
agrees "scalars" "^m.mlir: scalars on 2x2: 2 results agree" m.mlir --entry scalars
agrees "several grids" "on 3x1: 1 result agrees" m.mlir --entry matmul --grid 2x2,3x1,1x1,1x2
agrees "named grids" "on 3x1: 1 result agrees" \
  m.mlir --entry matmul --grid @g=2x2,@h=4,@g=3x1,@h=3
agrees "dynamic shape" "on 2x2: 1 result agrees" m.mlir --entry dynamic --shape 0=10x3
agrees "empty tensor" "on 2x2: 1 result agrees" m.mlir --entry dynamic --shape 0=0x3
agrees "ranks that repeat" "on 2x2: 1 result agrees" m.mlir --entry matmul --ranks 4
agrees "verbose" "^  result 1: tensor<f64>: max error 0$" m.mlir --entry scalars --verbose
agrees "range" "max error 0\)" m.mlir --entry moved_i8 --range 0=3:5
"$python" "$here/arrays.py" make "$work" >log 2>&1 &&
  agrees "input file" "max error 0\)" m.mlir --entry moved_bf16 --input 0=bf16_bits.npy &&
  agrees "unsigned input file" "max error 0\)" m.mlir --entry moved_i32 --input 0=unsigned32.npy

# What a checker is for: one wrong element on one rank, in a piece or in a replica.
refuses "a wrong piece" "m.mlir: moved_i64 on 2x2: rank 3: result 0 differs at [5]: got " \
  m.mlir --entry moved_i64 --grid wrong3
refuses "a wrong first rank" "m.mlir: moved_f16 on 2x2: rank 0: result 0 differs at [0]: got " \
  m.mlir --entry moved_f16 --grid wrong0
refuses "a wrong replica" "m.mlir: offsets on 2x2: rank 3: result 0 differs at [3]: got " \
  m.mlir --entry offsets --grid wrong3
refuses "a wrong halo" "m.mlir: halos on 2x2: rank 3: result 0 differs at [3]: got " \
  m.mlir --entry halos --grid wrong3
refuses "a wrong partial value" "m.mlir: partial_sum_f16 on 2x2: rank " \
  m.mlir --entry partial_sum_f16 --grid wrong0
refuses "a per-device function" "'which' has no shard.shard" m.mlir --entry which
refuses "a failing collective" "program.mlir:20:3" m.mlir --entry fails
refuses "unknown entry" "no entry 'nothing'" m.mlir --entry nothing
refuses "unknown shape" "the shape of argument 0 (x, tensor<?x3xf32>) is not known: say --shape 0" \
  m.mlir --entry dynamic
refuses "wrong shape" "has another extent in dimension 1" m.mlir --entry dynamic --shape 0=10x4
refuses "an argument that is not there" "has no argument 7" m.mlir --entry matmul --range 7=0:1
refuses "other ranks" "needs exactly 4 ranks, but --ranks says 3" m.mlir --entry matmul --ranks 3
refuses "a model that does not compile" "cannot be compiled" m.mlir --entry matmul --grid 9x9
refuses "an empty grid" "an item of the list is empty" m.mlir --grid 2x2,
refuses "a bad range" "'0=5:3' is not understood" m.mlir --range 0=5:3
agrees "the limits of a type" "max error 0" m.mlir --entry moved_i64 \
  --range 0=-9223372036854775808:9223372036854775808
refuses "a range beyond the type" "range 200:300: it goes beyond what the element type holds" \
  m.mlir --entry moved_i8 --range 0=200:300
refuses "a range beyond booleans" "range 0:5: it goes beyond" m.mlir --entry moved_i1 --range 0=0:5
refuses "a range beyond all" "range 0:1e+30: it goes" m.mlir --entry moved_i64 --range 0=0:1e30
refuses "a range beyond small floats" "it goes" m.mlir --entry moved_f16 --range 0=0:70000
refuses "a range between integers" "no whole number lies in it" \
  m.mlir --entry moved_i64 --range 0=0.2:0.7
refuses "a range of bits" "8-bit floats are drawn by their bits" \
  m.mlir --entry moved_f8 --range 0=0:1
agrees "an entry without results" "^m.mlir: sleeps on 1x1: no results, so nothing was compared$" \
  m.mlir --entry sleeps --grid 1x1
agrees "integers within a tolerance" "1 result agrees" m.mlir --entry moved_i8 --grid wrong3 --atol 16
refuses "integers beyond a tolerance" "result 0 differs" \
  m.mlir --entry moved_i8 --grid wrong3 --atol 15
refuses "integers under a relative tolerance" "result 0 differs" \
  m.mlir --entry moved_i8 --grid wrong3 --rtol 1
refuses "a division by zero" "error: m.mlir: divides on 2x2: rank 0: the program's own code made" \
  m.mlir --entry divides
refuses "unknown option" "unknown option '--nothing'" m.mlir --nothing
refuses "no model" "no model given"
./check m.mlir --grid slow >log 2>&1 &
sleep 1
ls temporary/*/ >/dev/null 2>>log && kill -TERM $! && ! wait $! 2>>log && [ -z "$(ls temporary)" ]
report "a signal leaves nothing behind" $?
./check --help >log 2>&1 && grep -q -- --atol log
report "help" $?
./check --version >log 2>&1 && grep -Eq '^tessera-check [0-9.]+$' log
report "version" $?

if [ $has_mpi -eq 1 ]; then
  export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-} # as in prelude.sh
  agrees "mpi" "^m.mlir: matmul on 2x2: 1 result agrees" m.mlir --entry matmul --mpi
  agrees "mpi, grids" "^m.mlir: moved_bf16 on 3x1: 1 result agrees" \
    m.mlir --entry moved_bf16 --mpi --grid 1x2,3x1 --rtol 0
  refuses "a wrong piece, mpi" "m.mlir: moved_i64 on 2x2: rank 3: result 0 differs at [5]: got " \
    m.mlir --entry moved_i64 --grid wrong3 --mpi
  refuses "a division by zero, mpi" "error: m.mlir: divides on 2x2: rank 0: the program's own" \
    m.mlir --entry divides --mpi
  ! TESSERA_BACKEND=local ./check m.mlir --entry matmul --mpi >log 2>&1 &&
    grep -q 'mpirun was to start 4 ranks, but this process finds 1' log
  report "refuses ranks that know nothing of each other" $?
  ./check m.mlir --entry sleeps --mpi >log 2>&1 &
  for _ in {1..100}; do
    pgrep -f -- "--worker $work" >/dev/null && break
    sleep 0.2
  done
  pgrep -f -- "--worker $work" >/dev/null && kill -TERM $! && ! wait $! 2>>log &&
    [ -z "$(ls temporary)" ] && ! pgrep -lf -- "--worker $work" >>log
  report "a signal ends the MPI job" $?
  refuses "a failing collective, mpi" "program.mlir:20:3" m.mlir --entry fails --mpi
else
  echo "SKIP mpi: Open MPI or its backend is missing"
fi
[ $failures -eq 0 ]
