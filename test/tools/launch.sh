#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Tests tessera-run on the hand-written program, on threads and under mpirun, and its errors.
# usage: launch.sh BUILD-DIRECTORY; prints PASS or FAIL lines, exits 1 after a FAIL.
# shellcheck source=prelude.sh
source "$(dirname "$0")/prelude.sh" "$1"
run=$bin/tessera-run

for shape in "1 1" "1 2" "2 1" "3 1" "2 2"; do
  # shellcheck disable=SC2086
  program p${shape/ /x} $shape || exit 1
done
program other_version 1 1 -DVERSION=999 || exit 1
echo "int empty;" | "${CC:-cc}" -shared -fPIC -x c - -o empty.so || exit 1
"$python" "$here/arrays.py" make "$work" || exit 1

build pieces "-I$source/runtime" "$here/pieces.c" "$source"/runtime/layout/{pieces,words}.c \
  "$source"/runtime/{tensors/copy,support/error}.c >log 2>&1 && ./pieces >log 2>&1
report "pieces" $?
build api "$here/api.c" >log 2>&1 && ./api p1x1.so >log 2>&1
report "program.h" $?
build device "$here/device.c" >log 2>&1 && ./device p1x1.so host >log 2>&1
report "tensors on the host" $?
TESSERA_DEVICE=tagged ./device p1x1.so tagged >log 2>&1
report "tensors on another device" $?
{ "$bin/tesserac" "$here/donated.mlir" -o donated.so && build donated "$here/donated.c"; } >log 2>&1 &&
  ./donated donated.so >log 2>&1
report "donated arguments" $?
TESSERA_DEVICE=tagged ./donated donated.so >log 2>&1
report "donated arguments on another device" $?
"$python" -c 'import numpy; numpy.save("w.npy", numpy.arange(12, dtype="f4").reshape(4, 3))
numpy.save("m.npy", numpy.ones(3, "f4"))' && for times in "" 3; do
  "$run" donated.so --input w.npy m.npy w.npy ${times:+--repeat $times} --output u$times.npy m_$times.npy v$times.npy
done >log 2>&1 && for name in u m_ v; do cmp $name.npy ${name}3.npy; done >>log 2>&1 && cmp u3.npy v3.npy >>log 2>&1
report "donated arguments, repeated" $?
{ "$bin/tesserac" "$here/borrowed.mlir" -o borrowed.so && build borrowed "$here/borrowed.c"; } >log 2>&1 &&
  ./borrowed borrowed.so >log 2>&1
report "borrowed arguments" $?
"$python" -c 'import numpy
for i, shape in enumerate([(32, 16), (32, 16), (32, 15), (32, 16), (4, 16), (32, 16), ()]):
    numpy.save(f"in{i}.npy", numpy.random.default_rng(i).random(shape, "f4"))' &&
  "$run" borrowed.so --input in?.npy --repeat 2 --output out{0..6}.npy >log 2>&1 &&
  for i in {0..6}; do cmp in$i.npy out$i.npy; done >>log 2>&1
report "borrowed arguments that are returned" $?
build records "$here/records.c" >log 2>&1 && ./records >log 2>&1
report "damaged records" $?

# ENTRY "INPUTS" WANTED [TOLERANCE]: runs $program under $launch, compares its output with an array.
launch=()
check() {
  local entry=$1 inputs=$2 wanted=$3 tolerance=${4:-0}
  local files=()
  for input in $inputs; do files+=("$input.npy"); done
  rm -f y.npy
  "${launch[@]}" "$run" "$program" --entry "$entry" --input "${files[@]}" --output y.npy \
    >log 2>&1 && "$python" "$here/arrays.py" compare y.npy "$wanted.npy" "$tolerance" >>log 2>&1
  report "$how $entry $inputs" $?
}

unsigned_entry=([8]=moved_i8 [16]=moved_i16 [32]=moved_i32 [64]=moved_i64)
all_entries() {
  check matmul "a b" c 1e-5
  check matmul "a b_fortran" c 1e-5
  check matmul_reduced "a b" c 1e-5
  check stencil nine stencil 1e-12
  check halos nine nine
  check offsets twelve twelve
  for halo in 0 1 7; do check resolved "nine halo$halo" nine; done
  check factors factors factors_plus_one
  check dynamic dynamic11 twice_dynamic11
  check dynamic dynamic1 twice_dynamic1
  check dynamic dynamic0 twice_dynamic0
  for type in i1 i4 i8 u16 i64 index f16 bf16 f8 c64 c128; do
    check moved_$type moved_$type moved_$type
  done
  check moved_bf16 bf16_bits moved_bf16
  check moved_f8 f8_bits moved_f8
  # Bits without a sign are read from arrays with and without one, and written as numbers with one.
  for width in 8 16 32 64; do
    check "${unsigned_entry[$width]}" unsigned$width signless$width
    check "${unsigned_entry[$width]}" signless$width signless$width
  done
  # The average of three equal values is off by a rounding.
  check partial_average_f32 partial_average_f32 partial_average_f32 1e-6
  for kind in sum_f16 max_f32 maxnum_f32 min_i8 umin_i32 product_f64 and_i64 xor_i16; do
    check partial_$kind partial_$kind partial_$kind
  done
}

for shape in 1x1 1x2 2x1 3x1 2x2; do
  program=p$shape.so
  how="threads $shape"
  launch=()
  all_entries
done
for shape in 3x1 2x2; do
  program=p$shape.so
  how="another device $shape"
  launch=(env TESSERA_DEVICE=tagged)
  all_entries
done
if [ $has_mpi -eq 1 ]; then
  for shape in 1x1 1x2 3x1 2x2; do
    program=p$shape.so
    how="mpirun $shape"
    launch=("${mpirun[@]}" -n $((${shape%x*} * ${shape#*x})))
    check matmul "a b" c 1e-5
    check matmul_reduced "a b" c 1e-5
    check stencil nine stencil 1e-12
    check offsets twelve twelve
    check resolved "nine halo7" nine
    check factors factors factors_plus_one
    check dynamic dynamic11 twice_dynamic11
    check moved_bf16 moved_bf16 moved_bf16
    check partial_maxnum_f32 partial_maxnum_f32 partial_maxnum_f32
  done
else
  echo "SKIP mpirun: Open MPI or its backend is missing"
fi

# Several results; a rank's own result; what is printed.
launch=()
"$run" p2x2.so --entry scalars --input count.npy factor.npy --input zero_d.npy \
  --output y.npy --output z.npy >log 2>&1 &&
  "$python" "$here/arrays.py" compare y.npy product.npy >>log 2>&1 &&
  "$python" "$here/arrays.py" compare z.npy twice_zero_d.npy >>log 2>&1
report "scalars" $?
for rank in 0 3; do
  "$run" --entry=which --output-rank=$rank p2x2.so --output=y.npy >log 2>&1 &&
    "$python" "$here/arrays.py" compare y.npy "rank$rank.npy" >>log 2>&1
  report "output-rank $rank" $?
done
"$run" p2x2.so --entry which >log 2>&1 && [ ! -s log ]
report "no output" $?
"$run" p2x2.so --entry matmul_reduced --input a.npy b.npy --traffic >log 2>&1 &&
  grep -q 'shard.all_reduce *program.mlir:12:8 *1 x *100 bytes' log &&
  grep -q '^    of linalg.matmul (program.mlir:12:8)$' log &&
  grep -q 'total: 1 call, 100 bytes' log
report "traffic" $?
"$run" p2x2.so --entry matmul_reduced --input a.npy b.npy --repeat 5 --output y.npy >log 2>&1 &&
  grep -Eq '^time per call: min [0-9.e-]+ ms, median [0-9.e-]+ ms \(5 calls, slowest of 4 ranks\)$' log &&
  "$python" "$here/arrays.py" compare y.npy c.npy 1e-5 >>log 2>&1
report "repeat" $?
"$run" --help >log 2>&1 && grep -q -- --output-rank log
report "help" $?
"$run" --version >log 2>&1 && grep -Eq '^tessera-run [0-9]+\.[0-9]+\.[0-9]+$' log
report "version" $?

# NAME TEXT COMMAND...: exits with 1 after exactly one message, which contains TEXT.
refuses() {
  local name=$1 text=$2
  shift 2
  timeout 60 "$@" >log 2>&1
  local status=$?
  [ $status -eq 1 ] && [ "$(grep -c 'error: ' log)" -eq 1 ] && grep -qF -- "$text" log
  local found=$?
  [ $found -eq 0 ] || echo "exit status $status, wanted: $text" >>log
  report "refuses $name" $found
}

ab=(--input a.npy b.npy)
all_errors() { # PREFIX COMMAND...
  local prefix=$1
  shift
  refuses "$prefix unknown entry" "no entry 'nothing'; its entries: matmul, " \
    "$@" p2x2.so --entry nothing
  refuses "$prefix no main" "no single entry or 'main'" "$@" p2x2.so
  refuses "$prefix missing input" "no --input for argument 1 (b, tensor<7x5xf32>)" \
    "$@" p2x2.so --entry matmul --input a.npy
  refuses "$prefix too many inputs" "has 2 arguments, but 3 --input" \
    "$@" p2x2.so --entry matmul "${ab[@]}" b.npy
  refuses "$prefix count of outputs" "results 1, files for --output 2" \
    "$@" p2x2.so --entry matmul "${ab[@]}" --output y.npy z.npy
  refuses "$prefix element type" "argument 0 (a, tensor<10x7xf32>): the file double.npy holds tensor<10x7xf64>" \
    "$@" p2x2.so --entry matmul --input double.npy b.npy
  refuses "$prefix shape" "the file short_rows.npy holds tensor<9x7xf32>" \
    "$@" p2x2.so --entry matmul --input short_rows.npy b.npy
  refuses "$prefix missing file" "none.npy: No such file" \
    "$@" p2x2.so --entry matmul --input none.npy b.npy
  refuses "$prefix unwritable output" "none/y.npy: No such file" \
    "$@" p2x2.so --entry matmul "${ab[@]}" --output none/y.npy
  refuses "$prefix missing program" "none.so" "$@" none.so
  refuses "$prefix output rank" "there are only 4 ranks" \
    "$@" p2x2.so --entry which --output-rank 4
  refuses "$prefix failing collective" "program.mlir:20:3" "$@" p2x2.so --entry fails "${ab[@]}"
  refuses "$prefix division by zero" "tessera-run: error: divides: rank 0: the program's own code " \
    "$@" p2x2.so --entry divides
  refuses "$prefix division by zero before the call" \
    "tessera-run: error: resolved_by_division: rank " \
    "$@" p2x2.so --entry resolved_by_division --input nine.npy halo0.npy
  refuses "$prefix one file for two results" "two results cannot both be written to y.npy" \
    "$@" p2x2.so --entry scalars --input count.npy factor.npy zero_d.npy --output y.npy y.npy
  refuses "$prefix unknown option" "unknown option '--nothing'" "$@" p2x2.so --nothing
}
all_errors threads "$run"
refuses "negative halo" "argument 0: the halo of dimension 0 is -1 rows before each shard, expected at least 0" \
  "$run" p2x2.so --entry resolved --input nine.npy halo-1.npy
refuses "halo beyond memory" "rows before each shard, expected at least 0 and less than memory has" \
  "$run" p2x2.so --entry resolved --input nine.npy halo9223372036854775807.npy
refuses "no resolver" "its layouts depend on its arguments, but the program does not say how" \
  "$run" p2x2.so --entry unresolved --input nine.npy halo1.npy
refuses "miscounted numbers" "numbers open, but the program computes" \
  "$run" p2x2.so --entry miscounted --input nine.npy halo1.npy
refuses "a sign where there is none" "(x, tensor<7xui16>): the file signless16.npy holds tensor<7xi16>" \
  "$run" p1x1.so --entry moved_u16 --input signless16.npy
refuses "an index without a sign" "(x, tensor<7xindex>): the file unsigned64.npy holds tensor<7xui64>" \
  "$run" p1x1.so --entry moved_index --input unsigned64.npy
refuses "a number of another width" "(x, tensor<7xi32>): the file unsigned64.npy holds" \
  "$run" p1x1.so --entry moved_i32 --input unsigned64.npy
refuses "strings" "not supported" "$run" p1x1.so --entry matmul --input strings.npy b.npy
refuses "big-endian" "'>f4'" "$run" p1x1.so --entry matmul --input big_endian.npy b.npy
refuses "truncated file" "ends within its data" "$run" p1x1.so --entry matmul --input truncated.npy b.npy
refuses "longer file" "goes on after its data" "$run" p1x1.so --entry matmul --input longer.npy b.npy
refuses "text file" "not a .npy file" "$run" p1x1.so --entry matmul --input text.npy b.npy
refuses "no program" "no program given" "$run"
refuses "a file of another kind" "text.npy is not a compiled program but another kind of file" "$run" text.npy
refuses "another library" "has no symbol tessera_program" "$run" empty.so
refuses "another version" "version 999" "$run" other_version.so
refuses "wrong ranks, threads" "grid @g (2x2) needs exactly 4 ranks, but 3 are running" \
  "$run" p2x2.so --entry which --ranks 3
refuses "ranks that are no number" "'x' is not a number" "$run" p2x2.so --ranks x
refuses "option without value" "--entry needs a value" "$run" p2x2.so --entry
if [ $has_mpi -eq 1 ]; then
  all_errors mpirun "${mpirun[@]}" -n 4 "$run"
  refuses "wrong ranks, mpirun" "grid @g (2x2) needs exactly 4 ranks, but 3 are running" \
    "${mpirun[@]}" -n 3 "$run" p2x2.so --entry which
  refuses "ranks under a launcher" "--ranks cannot be used under a launcher" \
    "${mpirun[@]}" -n 2 "$run" p1x2.so --entry which --ranks 2
fi
[ $failures -eq 0 ]
