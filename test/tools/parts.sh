#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Tests code that is made in parts: the same on any number of cores, and the same numbers as code that
# is made at once. usage: parts.sh BUILD-DIRECTORY; prints PASS or FAIL lines, exits 1 after a FAIL.
# shellcheck source=prelude.sh
source "$(dirname "$0")/prelude.sh" "$1"
"$python" "$here/parts.py" loops 100 >model.mlir || exit 1

"$bin/tesserac" model.mlir -o parts.so >log 2>&1 &&
  taskset -c 0 "$bin/tesserac" model.mlir -o again.so >>log 2>&1 && cmp parts.so again.so >>log
report "the same code on one core as on all" $?

names=$(nm -D --defined-only parts.so | awk '{ print $3 }')
echo "$names" >log
[ "$names" = tessera_program ]
report "a program shows its record alone" $?

linker=$(command -v ld.lld-22 || command -v ld.lld || command -v ld)
"$bin/tesserac" model.mlir --emit=obj -o whole.o >log 2>&1 &&
  "$linker" -shared whole.o -o whole.so >>log 2>&1 &&
  "$python" -c "import numpy as np
np.save('x.npy', np.random.default_rng(1).standard_normal((8, 2048)).astype('f4'))" &&
  "$bin/tessera-run" parts.so --input x.npy --output parts.npy >>log 2>&1 &&
  "$bin/tessera-run" whole.so --input x.npy --output whole.npy >>log 2>&1 &&
  cmp parts.npy whole.npy >>log && ! cmp -s parts.so whole.so
report "the same numbers as by one object" $?

"$python" "$here/parts.py" constants 3500 >constants.mlir &&
  "$bin/tesserac" constants.mlir -o constants.so >log 2>&1 &&
  "$python" -c "import numpy as np; np.save('i.npy', np.int64(2))" &&
  "$bin/tessera-run" constants.so --input i.npy --output sum.npy >>log 2>&1 &&
  "$python" -c "import numpy as np; assert np.load('sum.npy') == 3 * sum(range(3500))" >>log 2>&1
report "constants of another part" $?

# On a terminal the bar goes on with each part.
if command -v script >/dev/null; then
  script -qefc "$bin/tesserac --verbose model.mlir -o parts.so" bar.log >/dev/null 2>&1
  cp bar.log log
  grep -aq '\[#\{16\} \{16\}\] code' bar.log && grep -aq '\[#\{17,30\} *\] code, 1 of [0-9]* parts' bar.log &&
    grep -aqE '\[#{32}\] code, ([0-9]+) of \1 parts' bar.log
  report "a bar of parts" $?
fi

export TESSERA_CACHE=$work/cache
"$bin/tesserac" model.mlir -o first.so >log 2>&1 &&
  "$bin/tesserac" model.mlir -o cached.so --verbose >log 2>&1 && grep -q '^tesserac: cached' log &&
  cmp cached.so parts.so >>log
report "parts from the cache" $?
"$bin/tesserac" model.mlir --emit=obj -o cached.o --verbose >log 2>&1 &&
  ! grep -q '^tesserac: cached' log && cmp cached.o whole.o >>log &&
  "$bin/tesserac" model.mlir -o object.so --verbose >log 2>&1 && grep -q '^tesserac: cached' log
report "parts are no object, an object serves a program" $?

[ $failures -eq 0 ]
