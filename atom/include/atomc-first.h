/* atomc-first.h: an empty file, included before any C that atomc compiles: after another file, the compiler
   uses no precompiled header. Such a header could be put beside the sources by anybody, and would be loaded
   into the compiler in place of the readable text. */
