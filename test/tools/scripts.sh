#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Tests what the scripts share: a signal to a script ends what it has started.
# usage: scripts.sh BUILD-DIRECTORY; prints PASS or FAIL lines, exits 1 after a FAIL.
# shellcheck source=prelude.sh
source "$(dirname "$0")/prelude.sh" "$1"

cat >long.sh <<END
set -euo pipefail
source "$source/scripts/common.sh"
step "a long step" "$work/step.log" bash -c 'sleep 300 & echo \$! >"$work/pid"; wait'
END

for signal in TERM INT; do
  rm -f pid
  # The background of a script ignores SIGINT, and so does all that was started there.
  env --default-signal=INT bash long.sh >log 2>&1 &
  script=$!
  for _ in {1..100}; do
    [ -s pid ] && break
    sleep 0.1
  done
  kill -$signal $script
  wait $script
  status=$?
  sleeper=$(cat pid)
  # In a container nobody may have taken note of the end yet: a zombie is as good.
  { [ $status -eq 130 ] || [ $status -eq 143 ]; } && ! ps -o stat= -p "$sleeper" | grep -qv Z
  report "SIG$signal ends what a script has started" $?
  kill "$sleeper" 2>/dev/null
done

bash -c 'source "$0/scripts/common.sh"; step fails "$1/fails.log" bash -c "exit 3"' "$source" "$work" \
  >log 2>&1
[ $? -eq 1 ] && grep -q 'error: fails failed' log
report "a step that fails ends the script" $?
[ $failures -eq 0 ]
