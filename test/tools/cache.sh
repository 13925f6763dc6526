#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Tests the compiler's cache on disk: what is found again and what must not be, damage, compilers at
# the same time, its size. usage: cache.sh BUILD-DIRECTORY; prints PASS or FAIL lines, exits 1 after a
# FAIL.
# shellcheck source=prelude.sh
source "$(dirname "$0")/prelude.sh" "$1"
unset TESSERA_CACHE_SIZE
export TESSERA_CACHE=$work/cache
tesserac=$bin/tesserac

cat >model.mlir <<'END'
shard.grid @g(shape = 2)
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<4x8xf32>
  %b = shard.shard %w to %t : tensor<8x6xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>)
      outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
func.func @other(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
END

compile() { "$tesserac" --verbose "$@" >log 2>&1; }
cached() { grep -qE '^tesserac: cached +[0-9.]+ ms  [0-9a-f]{64}$' log; }
hit() { compile "$@" && cached; }
miss() { compile "$@" && ! cached; }
entries() { find "$TESSERA_CACHE" -maxdepth 1 -type f -name '[0-9a-f]*' | wc -l; }
remarks() { grep -v '^tesserac:' "$1"; }

# Elsewhere than on a terminal there is none.
if command -v script >/dev/null; then
  TESSERA_CACHE=none script -qefc "$tesserac --verbose model.mlir -o bar.so" bar.log >/dev/null 2>&1
  grep -aq '\[#* *\] bufferize' bar.log && grep -aq '\[#\{32\}\] link' bar.log &&
    TESSERA_CACHE=none compile model.mlir -o want.so && ! grep -q '#' log
  report "a bar of stages" $?
  # What the linker and tesserac say is shorter than the bar that was there.
  mkdir full && printf '#!/bin/sh\necho "ld: full" >&2\nexit 1\n' >full/ld.lld-22 && chmod +x full/ld.lld-22
  ! TESSERA_CACHE=none PATH=$work/full:$PATH script -qefc "$tesserac --verbose model.mlir -o f.so" bar.log \
    >/dev/null 2>&1 && "$python" "$here/screen.py" bar.log >log && grep -qx 'ld: full' log &&
    grep -qx 'tesserac: error: f.so could not be linked by ld.lld-22' log &&
    ! TESSERA_CACHE=none script -qefc "$tesserac --verbose model.mlir -o none/f.so" bar.log >/dev/null 2>&1 &&
    grep -aq "$(printf 'link\033\\[K\r\033\\[Ktesserac: error: none/f.so cannot be written')" bar.log
  report "errors take the bar away" $?
fi

TESSERA_CACHE=none compile model.mlir -o want.so && TESSERA_CACHE=none compile model.mlir \
  --emit=obj -o want.o && remarks log >want.log && [ -s want.log ] && [ ! -e cache ]
report "without a cache there is none" $?

# ---- found again ---------------------------------------------------------------------------------

"$tesserac" model.mlir -o first.so >log 2>&1 && [ ! -s log ] && [ "$(entries)" -eq 1 ] &&
  [ "$(stat -c %a cache)" = 700 ]
report "what is compiled is kept" $?
hit model.mlir -o again.so && cmp again.so want.so >>log && [ -x again.so ] && [ "$(entries)" -eq 1 ]
report "the same again" $?
remarks log | cmp - want.log >>log 2>&1
report "the same is said again, remarks of an entry that was made without them too" $?
"$tesserac" model.mlir -o quiet.so >log 2>&1 && [ ! -s log ]
report "nothing more is said again" $?
hit model.mlir --emit=obj -o again.o && cmp again.o want.o >>log && [ "$(entries)" -eq 1 ]
report "the object of a shared object" $?
hit model.mlir --march=native -o again.so
report "native is what it is called" $?
"$tesserac" - -o pipe.so <model.mlir >log 2>&1 && hit - -o pipe.so <model.mlir
report "standard input" $?

# ---- not the same --------------------------------------------------------------------------------

# NAME ARGUMENT...: is another compilation, which is found again itself.
differs() {
  local name=$1
  shift
  miss "$@" -o other.so && hit "$@" -o other.so
  report "miss: $name" $?
}
cp model.mlir copy.mlir
echo '// more' | cat model.mlir - >longer.mlir
differs "another path, which messages name" copy.mlir
differs "another path to the same" ./model.mlir
differs "another entry" model.mlir --entry main
differs "another entry, again" model.mlir --entry other
differs "another grid" model.mlir --grid 1
differs "another grid, by name" model.mlir --grid @g=1
differs "the oracle" model.mlir --oracle
differs "-O0" model.mlir -O0
differs "-O1" model.mlir -O1
differs "another processor" model.mlir --march=generic
differs "an option of a pass" model.mlir --pass-option=tessera-lower.reassociate=false
differs "its other value" model.mlir --pass-option=tessera-lower.reassociate=true
differs "options in another order" model.mlir --pass-option=tessera-lower.reassociate=true \
  --pass-option=tessera-lower.approximate-math=false
cp longer.mlir copy.mlir
differs "another source" copy.mlir
rm -rf cache
compile model.mlir -o first.so && before=$(entries)
miss model.mlir --no-cache -o other.so && miss copy.mlir --no-cache -o other.so &&
  TESSERA_CACHE=none miss model.mlir -o other.so && miss model.mlir --emit=llvm -o other.ll &&
  miss model.mlir --emit=llvm -o other.ll && miss model.mlir --print-after=entries -o other.so &&
  [ "$(grep -c '^// ---- after entries' log)" -eq 1 ] && [ "$(entries)" -eq "$before" ]
report "neither looked for nor kept" $?
! compile missing.mlir -o other.so && ! compile model.mlir --grid 0 -o other.so &&
  ! compile model.mlir --grid 0 -o other.so && grep -q 'error: ' log && [ "$(entries)" -eq "$before" ]
report "mistakes are not kept" $?

# Another build of the compiler's library: the same bytes are the same compiler, wherever they lie.
mkdir lib
cp "$lib"/libtessera_compile.so.*.* lib/
LD_LIBRARY_PATH=$work/lib hit model.mlir -o other.so
report "the same compiler elsewhere" $?
id=$(readelf -n lib/libtessera_compile.so.* | sed -n 's/.*Build ID: //p' | head -1)
"$python" - lib/libtessera_compile.so.* "$id" >log 2>&1 <<'END' &&
import pathlib, sys
path, build = pathlib.Path(sys.argv[1]), bytes.fromhex(sys.argv[-1])
text = path.read_bytes()
assert text.count(build) == 1
path.write_bytes(text.replace(build, bytes([build[0] ^ 1]) + build[1:]))
END
  export LD_LIBRARY_PATH=$work/lib && differs "another build of the compiler" model.mlir
unset LD_LIBRARY_PATH
hit model.mlir -o other.so
report "the first build finds what is its own" $?

# ---- damage --------------------------------------------------------------------------------------

# NAME COMMAND...: after COMMAND on the only entry, the right thing is compiled, and kept again.
heals() {
  local name=$1 entry
  shift
  rm -rf cache
  compile model.mlir -o other.so
  entry=$(find cache -type f)
  "$@" "$entry" >log 2>&1 && miss model.mlir -o other.so && cmp other.so want.so >>log 2>&1 &&
    hit model.mlir -o other.so && cmp other.so want.so >>log 2>&1 && [ "$(entries)" -eq 1 ]
  report "damage: $name" $?
}
flip() { # OFFSET FILE: another bit, from the end if negative
  "$python" -c '
import sys
text = bytearray(open(sys.argv[2], "rb").read())
text[int(sys.argv[1])] ^= 4
open(sys.argv[2], "wb").write(text)' "$@"
}
exchange() { # FILE: what another key stands for
  local entry=$1
  mv "$entry" kept
  TESSERA_CACHE=$work/elsewhere compile model.mlir -O0 -o other.so
  mv elsewhere/* "$entry"
}
for offset in 0 20 60 112 120 130 300 -1; do
  heals "a bit at $offset" flip $offset
done
heals "cut" truncate -s -1
heals "cut to the head" truncate -s 128
heals "cut in the head" truncate -s 40
heals "longer" truncate -s +1
heals "empty" truncate -s 0
heals "the entry of another key" exchange
for what in mkdir mkfifo; do
  entry=$(find cache -type f)
  rm "$entry" && $what "$entry"
  compile model.mlir -o other.so && ! cached && grep -q '^tesserac: no cache: ' log &&
    cmp other.so want.so >>log 2>&1
  report "a place that is taken: $what" $?
  rm -rf cache && compile model.mlir -o other.so
done

# ---- at the same time ----------------------------------------------------------------------------

together() { # TIMES FILE...: compiles each so many times, all at once; 1 if one is wrong
  local times=$1 file i jobs=() status=0
  shift
  : >together.log
  for file; do
    for ((i = 0; i < times; i++)); do
      "$tesserac" "$file" -o "$file.$i.so" >>together.log 2>&1 &
      jobs+=($!)
    done
  done
  for i in "${jobs[@]}"; do wait "$i" || status=1; done
  for file; do
    for ((i = 0; i < times; i++)); do cmp "$file.$i.so" "$file.want" >>together.log 2>&1 || status=1; done
  done
  cp together.log log
  return $status
}
cp model.mlir same.mlir && "$tesserac" --no-cache same.mlir -o same.mlir.want || exit 1
for i in 0 1 2 3 4 5 6 7; do
  sed "s/0\.0 : f32/$i.5 : f32/" model.mlir >part$i.mlir
  "$tesserac" --no-cache part$i.mlir -o part$i.mlir.want || exit 1
done
rm -rf cache
together 8 same.mlir && [ ! -s log ] && [ "$(entries)" -eq 1 ] && [ "$(ls -A cache | wc -l)" -eq 1 ] &&
  hit same.mlir -o other.so && cmp other.so same.mlir.want >>log
report "8 compilers of the same" $?
rm -rf cache
together 1 part?.mlir && [ ! -s log ] && [ "$(ls -A cache | wc -l)" -eq 8 ] && together 1 part?.mlir
report "8 compilers of different files" $?
size=$(stat -c %s cache/* | sort -n | tail -1)
export TESSERA_CACHE_SIZE=$((2 * size + size / 2))
rm -rf cache
together 1 part?.mlir && [ ! -s log ] && [ "$(ls -A cache | wc -l)" -le 2 ] &&
  [ "$(entries)" -ge 1 ] && together 1 part?.mlir
report "8 compilers, room for 2" $?

# ---- size ----------------------------------------------------------------------------------------

rm -rf cache
mkdir cache
echo mine >cache/notes && echo half >cache/.tessera-1-0.tmp && echo half >cache/.tessera-2-0.tmp
touch -d '2 hours ago' cache/.tessera-1-0.tmp
compile part0.mlir -o other.so && compile part1.mlir -o other.so && hit part0.mlir -o other.so &&
  compile part2.mlir -o other.so && [ "$(entries)" -eq 2 ] && hit part0.mlir -o other.so &&
  hit part2.mlir -o other.so && miss part1.mlir -o other.so
report "what was not used goes first" $?
[ -e cache/notes ] && [ ! -e cache/.tessera-1-0.tmp ] && [ -e cache/.tessera-2-0.tmp ]
report "what a writer left goes, what is no entry stays" $?
rm -rf cache
for size in 0 1K; do
  TESSERA_CACHE_SIZE=$size compile model.mlir -o other.so && [ "$(entries)" -eq 0 ] &&
    grep -q '^tesserac: no cache: .*File too large' log && cmp other.so want.so >>log
  report "no room: $size" $?
done
for size in 1M 1G 4096; do
  TESSERA_CACHE_SIZE=$size compile model.mlir -o other.so
  TESSERA_CACHE_SIZE=$size compile model.mlir -o other.so && [ "$size" = 4096 ] || cached
  report "a size: $size" $?
done
for size in -1 1T x 1Kx 99999999999999999999 99999999999G; do
  ! TESSERA_CACHE_SIZE=$size compile model.mlir -o other.so &&
    grep -qF "error: TESSERA_CACHE_SIZE=$size: expected" log
  report "no size: $size" $?
done
unset TESSERA_CACHE_SIZE

# ---- where ---------------------------------------------------------------------------------------

echo file >taken
TESSERA_CACHE=$work/taken compile model.mlir -o other.so && cmp other.so want.so >>log &&
  grep -q '^tesserac: no cache: .*/taken: ' log &&
  TESSERA_CACHE=$work/taken/below compile model.mlir -o other.so && cmp other.so want.so >>log &&
  grep -q '^tesserac: no cache: .*/taken/below: Not a directory' log &&
  TESSERA_CACHE=$work/taken "$tesserac" model.mlir -o other.so >log 2>&1 && [ ! -s log ]
report "a folder that cannot be written to" $?
TESSERA_CACHE=/proc/none compile model.mlir -o other.so && grep -q '^tesserac: no cache: /proc/none' log
report "a folder that cannot be created" $?
TESSERA_CACHE=new/deep/ compile model.mlir -o other.so && [ "$(find new/deep -type f | wc -l)" -eq 1 ]
report "a relative folder, with those above it" $?
(
  unset TESSERA_CACHE
  export XDG_CACHE_HOME=$work/xdg HOME=$work/home
  compile model.mlir -o other.so && [ "$(find xdg/tessera -type f | wc -l)" -eq 1 ] &&
    XDG_CACHE_HOME=not/absolute compile model.mlir -o other.so && [ ! -e not ] &&
    [ "$(find home/.cache/tessera -type f | wc -l)" -eq 1 ] && unset XDG_CACHE_HOME &&
    hit model.mlir -o other.so && unset HOME && miss model.mlir -o other.so &&
    miss model.mlir -o other.so && cmp other.so want.so >>log
)
report "the user's folder for caches" $?
[ $failures -eq 0 ]
