/* version.h: this atomc's version. */
#ifndef ATOMC_VERSION
#define ATOMC_VERSION "0.1"
#endif
