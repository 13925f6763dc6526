# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Writes files as arrays of C, with a zero behind each: OUTPUT, a header; FILES, each NAME.ptx becomes
# PREFIX_NAME_ptx.
set(text "/* Made when Tessera is built. */\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  string(REPLACE "." "_" name ${name})
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND text "static const char ${PREFIX}_${name}[] = {${bytes}0};\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
