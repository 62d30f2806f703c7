/* atomc-first.h: read before any C that atomc compiles, and empty: after another file, the compiler takes no precompiled
   header, which would be what somebody has put beside the sources, loaded into the compiler, and not the text that one sees. */
