#!/bin/bash
# list.sh: the names of GCC's tests that are meant to run, one a line, in order: FOLDER/NAME.EXTENSION
# Requires: fetch.sh to work. Tests that are only compiled, and parts of others, are none.
set -eu
cd "$("$(dirname "$0")/fetch.sh")"
{
    find gcc.c-torture/execute -name '*.c' ! -path '*/builtins/*'
    # A file with a second one of its own, and a main program for all.
    find gcc.c-torture/execute/builtins -maxdepth 1 -name '*.c' ! -name '*-lib.c'
    grep -l 'dg-do run' g++.dg/eh/*.C
    find gfortran.fortran-torture/execute -name '*.f90' -o -path '*fortran-torture/execute*' -name '*.f'
} | sort
