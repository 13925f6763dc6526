#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Runs the block of examples/mlp on four MPI ranks with a trace, statistics and progress; then stops one rank of
# a long run, and shows how the job ends.
#
# usage: examples/operate/run.sh [BUILD]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../common.sh"

show tesserac "$here/../mlp/mlp.mlir" -o "$out/mlp.so"
random_inputs 64x256 256x1024 1024x256
arguments=(tessera-run "$out/mlp.so" --input "$out"/input{0,1,2}.npy)

TESSERA_TRACE=$out/trace.json TESSERA_STATS=1 on 4 "${arguments[@]}" --traffic --repeat 20
python3 -c '
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
print(len(events), "events of ranks", sorted({e["pid"] for e in events}))' "$out/trace.json"

say "a long run says how far it is:"
on 4 "${arguments[@]}" --repeat 30000 --progress 2>&1 | tee "$out/progress.log"
grep -q "calls: [0-9]* of 30000" "$out/progress.log" || die "no progress was told"

# Each rank is a shell that becomes tessera-run; the last one is stopped when it is under watch.
say "rank 3 is stopped:"
if TESSERA_TIMEOUT=2 "$launcher" -n 4 bash -c '
    if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 3 ]; then 
      (until grep -q memfd:tessera /proc/$$/maps; do sleep 0.2; done; sleep 2; kill -STOP $$) &
    fi
    exec "$@"' rank "${arguments[@]}" --repeat 1000000 >"$out/stopped.log" 2>&1; then
  die "the job has ended well without rank 3"
fi
grep -A 4 "rank 3 is stopped" "$out/stopped.log"
