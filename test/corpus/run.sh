#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Every program of this folder against its unpartitioned form, on the grids that its RUN-CHECK
# lines name, and once more after propagate, canonicalize and cse have rewritten it twice over, then with
# tensors on a device whose addresses fault outside of it and of compiled code. A line PASS or FAIL per
# program; exit status 1 after a FAIL.
#
# usage: test/corpus/run.sh BUILD [--filter REGEX] [ARGUMENT-OF-TESSERA-CHECK...]
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

build=$(cd "${1:?usage: test/corpus/run.sh BUILD [--filter REGEX] [ARGUMENT...]}" && pwd)
shift
filter=.
if [[ ${1:-} == --filter ]]; then
  filter=${2:?--filter takes a regular expression}
  shift 2
fi

export check=$build/bin/tessera-check logs=$build/corpus
export extra="$*"
[[ -x $check ]] || die "no $check"
# An instrumented plugin in a tool that is not needs the sanitizer's library from the start: lit
# knows where it is, so the rewritten programs are left to the plain build.
rewrite=
[[ -n ${TESSERA_SANITIZE:-} ]] || rewrite=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/rewrite.sh
export build rewrite
mkdir -p "$logs"

# rewritten FILE LOG: the program as propagate, canonicalize and cse leave it, on its own grid and the
# other device.
rewritten() {
  local file=$1 log=$2 again=${2%.log}.rewritten.mlir line
  "$rewrite" "$build" "$file" "$again" >>"$log" 2>&1 || return 1
  while IFS= read -r line; do
    # shellcheck disable=SC2086
    if ! TESSERA_DEVICE=tagged timeout --kill-after=5 120 "$check" "$again" $line $extra \
      >>"$log" 2>&1 </dev/null; then
      echo "failed after propagate, canonicalize, cse:" \
        "TESSERA_DEVICE=tagged tessera-check $again $line $extra" >>"$log"
      return 1
    fi
  done < <(sed -n 's/^.*RUN-CHECK://p' "$file" | sed -E 's/--grid [^ ]+//')
}

# one FILE
one() {
  local file=$1 name status=0 line
  name=$(basename "$1" .mlir)
  local log=$logs/$name.log
  : >"$log"
  grep -q '^// RUN-CHECK:' "$file" || { echo "no RUN-CHECK line" >"$log"; status=1; }
  while IFS= read -r line; do
    # The line's words are arguments.
    # shellcheck disable=SC2086
    timeout --kill-after=5 120 "$check" "$file" ${line#*RUN-CHECK:} $extra >>"$log" 2>&1 </dev/null
    local code=$?
    if ((code)); then
      status=1
      echo "exit status $code of: tessera-check $file ${line#*RUN-CHECK:} $extra" >>"$log"
    fi
  done < <(grep '^// RUN-CHECK:' "$file")
  [[ -z $rewrite ]] || ((status)) || rewritten "$file" "$log" || status=1
  if ((status)); then
    # One write, so that the lines of two programs are not mixed.
    printf 'FAIL %s\n%s\n' "$name" "$(tail -n 8 "$log" | cut -c1-300 | sed 's/^/     /')"
  else
    printf 'PASS %s\n' "$name"
  fi
}
export -f one rewritten

list=$(ls "$(dirname "${BASH_SOURCE[0]}")"/*.mlir | grep -E "$filter") ||
  die "no program matches '$filter'"
out=$logs/summary.log
xargs -P "$jobs" -I{} bash -c 'one {}' <<<"$list" | tee "$out"
! grep -q '^FAIL ' "$out"
