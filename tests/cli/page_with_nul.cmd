printf 'counter n\0 before program n++' | "$ATOMC" - "$PROGRAM/prog"
