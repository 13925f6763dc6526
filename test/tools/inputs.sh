#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Tests folders and .npz archives as inputs and outputs, on the hand-written program, whole and damaged.
# usage: inputs.sh BUILD-DIRECTORY; prints PASS or FAIL lines, exits 1 after a FAIL.
# shellcheck source=prelude.sh
source "$(dirname "$0")/prelude.sh" "$1"
run=$bin/tessera-run
program p1x1 1 1 && program p2x2 2 2 || exit 1
"$python" "$here/arrays.py" make "$work" && "$python" "$here/inputs.py" make || exit 1

# NAME SAYS ENTRY INPUT WANTED...: runs, to a folder and to an archive, and says how it matched.
launch=()
reads() {
  local name=$1 says=$2 entry=$3 input=$4
  shift 4
  rm -rf out out.npz
  "${launch[@]}" "$run" p2x2.so --entry "$entry" --input "$input" --output out/ --verbose >log 2>&1 &&
    grep -qF -- "$says" log && "$python" "$here/inputs.py" compare out "$@" >>log 2>&1 &&
    "${launch[@]}" "$run" p2x2.so --entry "$entry" --input "$input" --output out.npz >>log 2>&1 &&
    "$python" "$here/inputs.py" compare out.npz "$@" >>log 2>&1
  report "$name" $?
}

all_inputs() { # PREFIX
  reads "$1 a folder by name" "arguments by name: a = a, b = b" matmul named c.npy=0
  reads "$1 an archive by name" "arguments by name: a = a, b = b" matmul named.npz c.npy=0
  reads "$1 a folder by order" "arguments by order: a = x2, b = x10" matmul ordered/ c.npy=0
  reads "$1 an archive by order" "arguments by order: a = arr_0, b = arr_1" matmul ordered.npz c.npy=0
}
all_inputs threads
reads "numbers by value" "a = arr_2, b = arr_10" matmul reordered.npz c.npy=0
reads "zip64" "by name" matmul large.npz c.npy=0
reads "0-d arrays" "by order" scalars scalars.npz product.npy=0 twice_zero_d.npy=1
reads "an empty array" "by name" dynamic nothing.npz twice_dynamic0.npy=x
reads "bf16" "by order" moved_bf16 bf16.npz moved_bf16.npy=x
reads "i4" "by order" moved_i4 i4.npz moved_i4.npy=x
reads "i1" "by order" moved_i1 i1.npz moved_i1.npy=x
reads "no arguments" "by order" which none.npz rank0.npy=0
if [ $has_mpi -eq 1 ]; then
  launch=("${mpirun[@]}" -n 4)
  all_inputs mpirun
  launch=()
fi

"$run" p1x1.so --entry matmul --input <(cat a.npy) b.npy --output y.npy >log 2>&1 &&
  "$python" "$here/arrays.py" compare y.npy c.npy 1e-5 >>log 2>&1
report "a file that cannot be mapped" $?
"$run" p1x1.so --entry matmul --input 1=b.npy 0=a.npy --output y.npy >log 2>&1 &&
  "$python" "$here/arrays.py" compare y.npy c.npy 1e-5 >>log 2>&1 &&
  "$run" p1x1.so --entry matmul --input 0=a.npy b.npy --output y.npy >>log 2>&1 &&
  "$python" "$here/arrays.py" compare y.npy c.npy 1e-5 >>log 2>&1
report "files by number" $?
cp named.npz same.npz && "$run" p1x1.so --entry moved_i8 --input moved_i8.npy --output same.npz >log 2>&1 &&
  "$python" "$here/inputs.py" compare same.npz moved_i8.npy=x >>log 2>&1
report "an archive in the place of another" $?
build reader "-I$source/runtime" -fsanitize=address,undefined -fno-sanitize-recover=all \
  "$here/reader.c" "$source"/runtime/program/files/{crc,npy_header,zip_read}.c "$source"/runtime/program/dense.c \
  "$source"/runtime/tensors/{copy,dtype,view}.c "$source"/runtime/support/error.c >log 2>&1 && ./reader a.npy named.npz large.npz reordered.npz >log 2>&1
report "damaged bytes" $?

# Names from the source, in both tools.
cat >named.mlir <<'END'
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<10x7xf32> {tessera.name = "a"}, %y: tensor<7x5xf32> {tessera.name = "b"})
    -> (tensor<10x5xf32> {tessera.name = "product"}) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x7xf32>
  %zero = arith.constant dense<0.0> : tensor<10x5xf32>
  %c = linalg.matmul ins(%x, %y : tensor<10x7xf32>, tensor<7x5xf32>)
                     outs(%zero : tensor<10x5xf32>) -> tensor<10x5xf32>
  return %c : tensor<10x5xf32>
}
END
"$bin/tesserac" named.mlir -o named.so >log 2>&1 &&
  "$run" named.so --input named.npz --output product.npz >>log 2>&1 &&
  "$python" "$here/inputs.py" compare product.npz c.npy=product >>log 2>&1
report "names of the source" $?
for input in named named.npz; do
  "$bin/tessera-check" named.mlir --input $input >log 2>&1 && grep -q '1 result agrees' log
  report "tessera-check --input $input" $?
done
for inputs in "--input a.npy b.npy" "--input 0=a.npy 1=b.npy" "--input 1=b.npy --seed 3"; do
  # shellcheck disable=SC2086
  "$bin/tessera-check" named.mlir $inputs >log 2>&1 && grep -q '1 result agrees' log
  report "tessera-check $inputs" $?
done
"$bin/tessera-check" --input 0=a.npy named.mlir >log 2>&1 && grep -q '1 result agrees' log
report "the model behind a numbered input" $?
! "$bin/tessera-check" named.mlir --input a.npy b.npy c.npy >log 2>&1 &&
  grep -q "option --input: entry 'main' has no argument 2; it has 2" log
report "tessera-check refuses one too many" $?
! "$bin/tessera-check" named.mlir --input slip >log 2>&1 &&
  grep -q "arguments: a, b; slip has 2 arrays: a, c" log
report "tessera-check refuses a slip in a name" $?

# A terminal gets a line where work is long, and nothing else does.
if command -v script >/dev/null; then
  timeout 8 script -qefc "$run p2x2.so --entry matmul_reduced --input named --repeat 2000000" log \
    >/dev/null 2>&1
  grep -aq 'calls: [0-9]* of 2000000, [0-9]* s' log
  report "a progress line" $?
  # Nearly all the time is the program's own.
  cat >long.mlir <<'END'
func.func @long() -> tensor<f32> {
  %from = arith.constant 0 : index
  %to = arith.constant 10000000 : index
  %one = arith.constant 1 : index
  %start = arith.constant 1.0 : f32
  %factor = arith.constant 0.9999 : f32
  %sum = scf.for %i = %from to %to step %one iter_args(%s = %start) -> (f32) {
    %a = arith.mulf %s, %factor : f32
    %b = arith.addf %a, %start : f32
    scf.yield %b : f32
  }
  %t = tensor.from_elements %sum : tensor<f32>
  return %t : tensor<f32>
}
END
  "$bin/tesserac" long.mlir -o long.so
  script -qefc "echo \$\$ >process; exec $run long.so --repeat 2000000" log >/dev/null 2>&1 &
  sleep 4
  kill -SEGV "$(cat process)"
  wait $!
  "$python" "$here/screen.py" log >screen
  grep -q "^tessera-run: error: long.*: the program's own code made an access to memory" screen &&
    grep -aq 'calls: [0-9]* of 2000000' log
  report "an error takes the progress line away" $?
fi

timeout 8 "$run" p2x2.so --entry matmul_reduced --input named --repeat 2000000 --progress >/dev/null 2>log
grep -q '^tessera-run: calls: [0-9]* of 2000000, 2 s, about [0-9]* s more$' log
report "lines of progress" $?

# NAME TEXT ARGUMENT...: exits with 1 after exactly one message, which contains TEXT.
refuses() {
  local name=$1 text=$2 status
  shift 2
  timeout 60 "$run" p1x1.so --entry "$@" >log 2>&1
  status=$?
  [ $status -eq 1 ] && [ "$(grep -c 'error: ' log)" -eq 1 ] && grep -qF -- "$text" log
  local found=$?
  [ $found -eq 0 ] || echo "exit status $status, wanted: $text" >>log
  report "refuses $name" $found
}
refuses "a slip in a name" "entry 'matmul' has 2 arguments: a, b; slip has 2 arrays: a, c" matmul --input slip
refuses "a slip in an archive" "has 2 arguments: a, b; slip.npz has 2 arrays: a, c" matmul --input slip.npz
refuses "one too many" "has 2 arguments: a, b; extra has 3 arrays: a, b, c" matmul --input extra
refuses "an empty folder" "empty has 0 arrays" matmul --input empty
refuses "an empty archive" "none.npz has 0 arrays" matmul --input none.npz
refuses "a folder that is not there" "nowhere/: No such file" matmul --input nowhere/
refuses "several" "it must be the only --input" matmul --input named a.npy
refuses "a number too many" "option --input: entry 'matmul' has no argument 2; it has 2" matmul --input 2=a.npy
refuses "an argument without a file" "entry 'matmul': no --input for argument 0" matmul --input 1=b.npy
refuses "several outputs" "it must be the only --output" scalars --input scalars.npz --output y.npz z.npy
refuses "a compressed archive" "member 'a.npy' is compressed (method 8); write the archive with numpy.savez" \
  matmul --input compressed.npz
refuses "a truncated archive" "cut.npz: not a whole .npz file: it has no list of members" matmul --input cut.npz
refuses "an archive without its start" "short.npz: not a whole .npz file" matmul --input short.npz
refuses "a file of no bytes" "zero.npz: not a whole .npz file" matmul --input zero.npz
refuses "a wrong checksum" "damaged.npz: member 'b.npy' is damaged: its checksum is wrong" \
  matmul --input damaged.npz
refuses "a name twice" "twice.npz: there are two members 'a.npy'" matmul --input twice.npz
refuses "no arrays within" "text.npz: member 'a.npy': not a .npy file" matmul --input text.npz
refuses "another shape" "argument 0 (x, tensor<3x20xf32>): the file nothing.npz: member 'x.npy' holds" \
  factors --input nothing.npz
refuses "a folder that cannot be made" "none/out/: No such file" matmul --input named --output none/out/
[ $failures -eq 0 ]
