#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Set-up, build, and every test. Ends with one line `N passed, N failed`; the exit status is 0 only
# if nothing failed.
#
# usage: scripts/test.sh [--sanitize] [--filter REGEX] [--list]
#   --sanitize      everything built with ASan and UBSan (in build/sanitize), and the runtime's
#                   tests once more under valgrind
#   --filter REGEX  only the suites whose name matches; lit:REGEX gives lit's own filter
#   --list          the suites' names, and nothing else
set -euo pipefail

# name, seconds that it may take. `lit` stands for test/**/*.mlir and .test; every other suite is a script
# <directory>/run.sh BUILD that prints a line `PASS name`, `FAIL name` or `SKIP name` per test.
suites=(
  "lit 900" "runtime 1200" "layers 300" "cuda 600" "tools 600" "lowering 600" "reshard 600" "corpus 900" "reference 900"
  "fuzz 600" "coverage 600" "examples 600" "bench 600" "install 600" "kernels 600"
  "format 60" "tidy 300"
)

sanitize=no filter=. lit_filter=
while (($#)); do
  case $1 in
    --sanitize) sanitize=yes ;;
    --filter)
      [[ $# -ge 2 ]] || { echo "error: --filter takes a regular expression" >&2; exit 1; }
      filter=$2
      [[ $2 == lit:* ]] && filter='^lit$' lit_filter=${2#lit:}
      shift ;;
    --list) printf '%s\n' "${suites[@]%% *}"; exit 0 ;;
    *) sed -n '/^# usage/,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 1 ;;
  esac
  shift
done

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
"$root/scripts/setup.sh" test

out=$root/build
if [[ $sanitize == yes ]]; then
  out=$root/build/sanitize
  build sanitize "$out"
  # mlir-opt itself is not instrumented and never frees all; a leak there is none of ours.
  export TESSERA_SANITIZE=1
  # More memory than there is: NULL, as malloc says it.
  export ASAN_OPTIONS=exitcode=99:allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}
  export LSAN_OPTIONS=suppressions=$root/test/leaks.supp:print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}
  export UBSAN_OPTIONS=print_stacktrace=1:${UBSAN_OPTIONS:-}
else
  build release "$out"
fi

passed=0 failed=0 skipped=0
failures=()

# fail NAME LOG counts a failure that no FAIL line of the suite tells.
fail() {
  failed=$((failed + 1))
  failures+=("$1 ($2)")
}

# run NAME SECONDS COMMAND... runs one suite and counts its lines.
run() {
  local name=$1 limit=$2 start=$SECONDS status=0 log=$out/logs/$1.log good bad skip shower
  shift 2
  say "== $name"
  mkdir -p "$out/logs"
  : >"$log"
  # timeout passes on to its own process group what ends it.
  start timeout --kill-after=10 "$limit" "$@" </dev/null >"$log" 2>&1
  { tail -n +1 -f --pid="$child" "$log" | grep --line-buffered -E '^(PASS|FAIL|SKIP)[ :]'; } &
  shower=$!
  finish || status=$?
  wait "$shower" || true
  good=$(grep -cE '^PASS[ :]' "$log" || true)
  bad=$(grep -cE '^FAIL[ :]' "$log" || true)
  skip=$(grep -cE '^(SKIP|UNSUPPORTED)[ :]' "$log" || true)
  passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + skip))
  while IFS= read -r line; do
    failures+=("$name: ${line#FAIL?} ($log)")
  done < <(grep -E '^FAIL[ :]' "$log" || true)
  if ((status == 124 || status == 137)); then
    fail "$name: no end after $limit seconds" "$log"
  elif ((status != 0 && bad == 0)); then
    fail "$name: exit status $status" "$log"
  elif ((good + bad + skip == 0)); then
    fail "$name: ran no test" "$log"
  fi
  if ((bad || status)); then
    say "-- the end of $log:"
    tail -n 40 "$log"
  fi
  say "   $good passed, $bad failed in $((SECONDS - start))s"
}

selected=0
for entry in "${suites[@]}"; do
  read -r name limit <<<"$entry"
  [[ $name =~ $filter ]] || continue
  selected=$((selected + 1))
  [[ $sanitize == no ]] || limit=$((limit * 3)) # as much slower as the sanitizers make programs
  if [[ $name == lit ]]; then
    lit=$(command -v lit-22 || command -v llvm-lit || command -v lit) || die "lit is not installed"
    # mlir-opt is not ours, and does not free all that it takes.
    run lit "$limit" env "ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" \
      "$lit" -j "$jobs" --no-progress-bar -v ${lit_filter:+--filter "$lit_filter"} "$out/test"
  elif [[ ! -x $root/test/$name/run.sh ]]; then
    fail "$name" "test/$name/run.sh is missing"
  else
    run "$name" "$limit" "$root/test/$name/run.sh" "$out"
  fi
done
((selected)) || die "no suite matches '$filter'; --list shows them"

if [[ $sanitize == yes && runtime =~ $filter ]]; then
  # Valgrind and ASan exclude each other: valgrind runs the release build.
  build release "$root/build"
  out=$root/build
  unset TESSERA_SANITIZE
  run runtime-valgrind 1800 "$root/test/runtime/run.sh" "$out" --valgrind
fi

say ""
for line in "${failures[@]}"; do say "failed: $line"; done
((skipped == 0)) || say "$skipped skipped"
say "$passed passed, $failed failed"
((failed == 0 && passed > 0))
