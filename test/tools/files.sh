#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Tests what the tools write: whole files in the place of others, or nothing; pipes and devices as
# they are. usage: files.sh BUILD-DIRECTORY; prints PASS or FAIL lines, exits 1 after a FAIL.
# shellcheck source=prelude.sh
source "$(dirname "$0")/prelude.sh" "$1"
program p1x1 1 1 || exit 1
model=$source/examples/mlp/mlp.mlir
"$python" -c 'import numpy; numpy.save("rows.npy", numpy.ones((4000, 3), "f4"))' || exit 1
mkdir out bad
run=("$bin/tessera-run" p1x1.so --entry dynamic --input rows.npy --output)
compile=("$bin/tesserac" "$model" -O0)

limited() { # BLOCKS COMMAND...: in files of at most so many KiB; its output goes to a pipe
  (ulimit -f "$1" && shift && exec "$@")
}

# NAME TEXT COMMAND...: fails with one message, which contains TEXT; out/file is as it was, and alone.
keeps() {
  local name=$1 text=$2 status
  shift 2
  echo before >out/file
  "$@" 2>&1 | cat >log
  status=${PIPESTATUS[0]}
  [ "$status" -eq 1 ] && [ "$(grep -c 'error: ' log)" -eq 1 ] && grep -qF -- "$text" log &&
    [ "$(cat out/file)" = before ] && [ "$(ls -A out)" = file ]
  local kept=$?
  [ $kept -eq 0 ] || { echo "exit status $status, wanted: $text"; ls -lA out; } >>log
  report "$name" $kept
}

for blocks in 0 8; do
  keeps "no room, $blocks KiB: npy" "out/file: File too large" limited $blocks "${run[@]}" out/file
done
for stage in partitioned lowered llvm obj; do
  keeps "no room: $stage" "out/file cannot be written: File too large" \
    limited 1 "${compile[@]}" --emit=$stage -o out/file
done
keeps "no room: object" ".o cannot be written: File too large" limited 1 "${compile[@]}" -o out/file
for name in ld.lld-22 ld.lld ld cc; do
  # shellcheck disable=SC2016
  printf '#!/bin/sh\necho half >"$3"\nexit 1\n' >bad/$name && chmod +x bad/$name
done
keeps "a linker that fails" "out/file could not be linked by ld.lld-22" \
  env PATH="$work/bad:$PATH" "${compile[@]}" -o out/file
# shellcheck disable=SC2016
printf '#!/bin/sh\nrm out/file\nmkdir out/file\n' >bad/ld.lld-22
! PATH=$work/bad:$PATH "${compile[@]}" -o out/file >log 2>&1 &&
  grep -q 'out/file cannot be written: Is a directory' log && [ "$(ls -A out)" = file ]
report "a place that is taken" $?
rm -rf out/*
keeps "a full device" "/dev/full: No space left" "${run[@]}" /dev/full
keeps "a full device: llvm" "/dev/full cannot be written: No space left" \
  "${compile[@]}" --emit=llvm -o /dev/full
keeps "no such folder" "none/file cannot be written: No such file" \
  "${compile[@]}" --emit=llvm -o none/file
keeps "no such folder: so" "none/file cannot be written: No such file" "${compile[@]}" -o none/file

# What is there is replaced, and keeps its mode; a link leads to the same place.
"${run[@]}" whole.npy >log 2>&1 && "${compile[@]}" --emit=partitioned -o whole.mlir >>log 2>&1 || exit 1
echo before >out/file && chmod 640 out/file && ln -s out/file link
"${run[@]}" link >log 2>&1 && cmp out/file whole.npy >>log 2>&1 && [ -L link ] &&
  [ "$(stat -c %a out/file)" = 640 ] && [ "$(ls -A out)" = file ]
report "a link to a file" $?
rm -f out/file
"${run[@]}" link >log 2>&1 && cmp out/file whole.npy >>log 2>&1 && [ -L link ]
report "a link to nothing" $?
"${compile[@]}" -o out/file >log 2>&1 && [ -x out/file ] && [ "$(ls -A out)" = file ]
report "a program" $?
(umask 027 && "${run[@]}" new.npy >log 2>&1) && [ "$(stat -c %a new.npy)" = 640 ]
report "the mode of a new file" $?

# NAME WANTED COMMAND...: what COMMAND writes to the FIFO `pipe` is WANTED, and it stays a FIFO.
mkfifo pipe
pipes() {
  local name=$1 wanted=$2
  shift 2
  timeout 60 cat pipe >got &
  timeout 60 "$@" >log 2>&1 && wait $! && cmp got "$wanted" >>log 2>&1 && [ -p pipe ]
  report "$name" $?
}
pipes "npy to a FIFO" whole.npy "${run[@]}" pipe
pipes "text to a FIFO" whole.mlir "${compile[@]}" --emit=partitioned -o pipe
for path in - /dev/stdout; do
  "${compile[@]}" --emit=partitioned -o $path 2>log | cmp - whole.mlir >>log 2>&1
  report "text to $path" $?
done
{ "${compile[@]}" --emit=partitioned -o /dev/stdout && echo after; } >got 2>log &&
  [ "$(wc -c <got)" -ge "$(wc -c <whole.mlir)" ] && grep -q after got
report "standard output is a file" $?
"${run[@]}" /dev/null >log 2>&1 && "${compile[@]}" --emit=llvm -o /dev/null >>log 2>&1 &&
  [ -c /dev/null ]
report "nowhere" $?
[ $failures -eq 0 ]
