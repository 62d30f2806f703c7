/* atomc-first.h: an empty file, included before any C that atomc compiles. The compiler uses a precompiled
   header only as the first file, so no precompiled header is used. Such a header could be put beside the
   sources by anybody, and would be loaded into the compiler in place of the readable text. */
