#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Every C and C++ file is as clang-format-22 leaves it; the version is fixed because others leave
# files otherwise. No files of the compiler or of the runtime call each other in a circle, no name of a
# file or of a type stands for two things, what documents name is there, somebody calls each function, and the
# documents have each variable of the environment.
# usage: run.sh BUILD-DIRECTORY; prints a PASS, FAIL or SKIP line per folder, exits 1 after a FAIL.
set -uo pipefail
build=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
format=clang-format-22
status=0
for folder in bench examples include layers lowering plugin runtime test tools; do
  if ! command -v $format >/dev/null; then
    echo "SKIP $folder: $format is not installed"
  elif find $folder '(' -name '*.[ch]' -o -name '*.cpp' ')' -print0 |
    xargs -0 $format --dry-run -Werror 2>&1 | grep -F error: | sort -u -t: -k1,1
    [ "${PIPESTATUS[1]}" -ne 0 ]; then
    echo "FAIL $folder: these files are not as $format -i leaves them"
    status=1
  else
    echo "PASS $folder"
  fi
done
if python3 test/format/circles.py "$build" plugin lowering runtime; then
  echo "PASS circles"
else
  echo "FAIL circles"
  status=1
fi
for check in names paths unused variables; do
  if python3 test/format/$check.py; then
    echo "PASS $check"
  else
    echo "FAIL $check"
    status=1
  fi
done
exit $status
