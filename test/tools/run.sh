#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# All tests of tessera-run, tessera-check, the files that tools read and write, code in parts, the compiler's
# cache, other processors, and the scripts. usage: run.sh BUILD-DIRECTORY; prints PASS, FAIL or SKIP lines, exits 1
# after a FAIL.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
status=0
"$here/launch.sh" "$1" || status=1
"$here/check.sh" "$1" || status=1
"$here/files.sh" "$1" || status=1
"$here/cache.sh" "$1" || status=1
"$here/inputs.sh" "$1" || status=1
"$here/parts.sh" "$1" || status=1
"$here/march.sh" "$1" || status=1
"$here/scripts.sh" "$1" || status=1
exit $status
