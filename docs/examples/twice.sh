#!/bin/sh
./primes && ./primes
