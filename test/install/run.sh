#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Installs a build into a prefix, moves it, and uses it as another project would: each header alone,
# CMake and pkg-config, C and C++, and programs that run. usage: run.sh BUILD-DIRECTORY; prints PASS,
# FAIL or SKIP lines, exits 1 after a FAIL.
project=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/project
build=$(cd "$1" && pwd)
# shellcheck source=../tools/prelude.sh
source "$(dirname "$0")/../tools/prelude.sh" "$1"

# What was installed in one place is used in another; nothing may remember the first.
cmake --install "$build" --prefix "$work/first" >log 2>&1 && mkdir moved && mv first moved/prefix
report "cmake --install" $?
prefix=$work/moved/prefix
lib=$(dirname "$(find "$prefix" -name libtessera.so)")
export PKG_CONFIG_PATH=$lib/pkgconfig
libraries=(libtessera.so) components=(runtime) packages=(tessera)
if [ -e "$prefix/bin/tesserac" ]; then
  libraries+=(libtessera_compile.so)
  components+=(compile passes)
  packages+=(tessera-compile tessera-passes)
fi
sanitizer=()
if nm -D --undefined-only "$lib/libtessera.so" | grep -q __asan_; then
  sanitizer=(-fsanitize=address,undefined)
  # libMLIR.so is not instrumented and never frees all.
  export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-}
fi

! grep -rl "$work/first" "$prefix" >log 2>&1
report "no installed file names the prefix" $?

# The part of the version that a program is bound to, and the symbols that it can be bound to.
for library in "${libraries[@]}"; do
  version=$(pkg-config --modversion tessera)
  want=${version%.*}
  [ "${version%%.*}" = 0 ] || want=${version%%.*}
  readelf -d "$lib/$library" | grep SONAME | tee log | grep -qF "[$library.$want]" &&
    [ "$(readlink -f "$lib/$library")" = "$(readlink -f "$lib/$library.$version")" ]
  report "$library is $library.$want, version $version" $?
  # Compiled code also calls conversions and powers that a compiler's own library may lack.
  nm -D --defined-only "$lib/$library" | awk '{ print $3 }' |
    grep -vE '^(__odr_asan|__(extend|trunc)[a-z]+2$|__powi[a-z]+2$)' >symbols
  grep -oEh '\b(_mlir_|tessera)\w+' "$prefix"/include/tessera/*.h | sort -u >declared
  grep -vxFf declared symbols >log
  [ $? -eq 1 ]
  report "$library exports what the headers declare" $?
done

# Every header alone, as the first include.
read -ra mlir <<<"$(pkg-config --cflags-only-other tessera-passes 2>/dev/null)"
for compiler in gcc clang-22; do
  if ! command -v $compiler >/dev/null; then
    echo "SKIP headers with $compiler: it is not installed"
    continue
  fi
  for header in "$prefix"/include/tessera/*.h; do
    echo "#include \"tessera/$(basename "$header")\"" >alone.c
    for language in c c++; do
      $compiler -x $language -std=${language}17 -pedantic -Wall -Wextra -Werror -fsyntax-only \
        "-I$prefix/include" "${mlir[@]}" alone.c >log 2>&1
      report "tessera/$(basename "$header") alone, $compiler -std=${language}17" $?
    done
  done
done

for header in "$prefix"/include/tessera/*.hpp; do
  echo "#include \"tessera/$(basename "$header")\"" >alone.cpp
  g++ -std=c++17 -pedantic -Wall -Wextra -Werror -fsyntax-only "-I$prefix/include" alone.cpp \
    >log 2>&1
  report "tessera/$(basename "$header") alone, g++ -std=c++17" $?
done

# The same sources by pkg-config and by CMake, as C and as C++.
by_pkg_config() { # FOLDER LANGUAGE COMPILER
  mkdir "$1" || return 1
  for i in "${!components[@]}"; do
    # shellcheck disable=SC2046
    $3 -x "$2" -std="${2}17" -Wall -Wextra -Werror "${sanitizer[@]}" \
      $(pkg-config --cflags "${packages[i]}") "$project/${components[i]}.c" -x none \
      -o "$1/use-${components[i]}" $(pkg-config --libs "${packages[i]}") "-Wl,-rpath,$lib" ||
      return 1
  done
}
by_cmake() { # FOLDER PART
  cmake -G Ninja -S "$project" -B "$1" -DPART="$2" -DCOMPONENTS="$(IFS=';' && echo "${components[*]}")" \
    -DCMAKE_PREFIX_PATH="$prefix" "-DCMAKE_${2}_FLAGS=${sanitizer[*]}" &&
    cmake --build "$1"
}
by_pkg_config pkg-config-c c "${CC:-cc}" >log 2>&1
report "pkg-config and a C compiler" $?
by_pkg_config pkg-config-c++ c++ "${CXX:-c++}" >log 2>&1
report "pkg-config and a C++ compiler" $?
by_cmake cmake-c C >log 2>&1
report "find_package, C" $?
by_cmake cmake-c++ CXX >log 2>&1
report "find_package, C++" $?

cmake -G Ninja -S "$project" -B cmake-none -DPART=C -DCOMPONENTS=nothing -DCMAKE_PREFIX_PATH="$prefix" >log 2>&1
grep -q 'no component nothing' log
report "find_package says which component is missing" $?
sed 's/Tessera 0.1/Tessera 0.9/' "$project/CMakeLists.txt" >CMakeLists.txt
cmake -G Ninja -S . -B cmake-later -DPART=C -DCOMPONENTS=runtime -DCMAKE_PREFIX_PATH="$prefix" >log 2>&1
grep -q 'version: 0.1' log
report "find_package refuses a version that promises nothing" $?

if [ ${#components[@]} -eq 1 ]; then
  echo "SKIP programs: the compiler is not built"
  exit $((failures > 0))
fi

# One answer from each: what the passes print, what the compiled program computes.
for way in pkg-config-c pkg-config-c++ cmake-c cmake-c++; do
  [ -x "$way/use-passes" ] || continue
  "$way/use-passes" "$project/model.mlir" >log 2>&1 && grep -q 'tensor<?xf32>' log
  report "the passes, $way" $?
  { "$way/use-compile" "$project/model.mlir" $way.so && "$way/use-runtime" $way.so; } >log 2>&1 &&
    grep -qx 'local 1: 0 2 4 6' log
  report "compile and run, $way" $?
done

# The backends are beside the library, wherever that is now.
for flavour in openmpi mpich; do
  if [ ! -e "$lib/libtessera_mpi_$flavour.so" ] || ! command -v mpirun.$flavour >/dev/null; then
    echo "SKIP $flavour: it is not installed"
    continue
  fi
  mpirun.$flavour -n 2 cmake-c/use-runtime cmake-c.so >log 2>&1 &&
    grep -qx "mpi-$flavour 2: 0 2 4 6" log
  report "the installed backend for $flavour" $?
done

# The installed tools and the plugin.
"$prefix/bin/tesserac" "$project/model.mlir" -o tool.so >log 2>&1 &&
  "$prefix/bin/tessera-check" "$project/model.mlir" --ranks 1,2,3 >>log 2>&1
report "the installed tools" $?
mlir_opt=$(sed -n 's/^mlir_libdir=//p' "$lib/pkgconfig/tessera-passes.pc")/../bin/mlir-opt
# mlir-opt is not instrumented: a sanitizer's library has to come first.
preload=$([ ${#sanitizer[@]} -eq 0 ] || cc -print-file-name=libasan.so)
LD_PRELOAD=$preload "$mlir_opt" --load-pass-plugin="$lib/TesseraPlugin.so" \
  --load-dialect-plugin="$lib/TesseraPlugin.so" \
  --pass-pipeline='builtin.module(tessera-propagate)' "$project/model.mlir" >log 2>&1
report "the installed plugin" $?
[ $failures -eq 0 ]
