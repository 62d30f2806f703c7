/* atomc-first.h: an empty file, included before any C that atomc compiles. The compiler uses a precompiled
   header only as the first file, so no precompiled header is used. Any user could put such a header beside
   the sources; the compiler would load it in place of the readable text. */
