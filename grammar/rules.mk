# grammar/rules.mk: the scanner and the parser, made by flex and bison.

FLEX = flex
BISON = bison
GRAMMAR = $(BUILD)/generated/grammar

GENERATED += $(GRAMMAR)/atd.tab.h
GRAMMAR_OBJECTS = $(GRAMMAR)/atd.tab.o $(GRAMMAR)/atd.lex.o
EXTRA_OBJECTS += $(GRAMMAR_OBJECTS)

# With a line for each operator.
$(GRAMMAR)/atd.%: grammar/atd.% grammar/operators.awk plan/operators.def
	@mkdir -p $(@D)
	awk -f grammar/operators.awk plan/operators.def $< >$@

$(GRAMMAR)/atd.tab.c $(GRAMMAR)/atd.tab.h &: $(GRAMMAR)/atd.y
	@mkdir -p $(@D)
	$(BISON) -Wall -Werror -Wno-yacc --header=$(GRAMMAR)/atd.tab.h -o $(GRAMMAR)/atd.tab.c $<

$(GRAMMAR)/atd.lex.c: $(GRAMMAR)/atd.l
	@mkdir -p $(@D)
	$(FLEX) -o $@ $<

# The words that have a meaning of their own, as strings.
GENERATED += $(GRAMMAR)/words.h
$(GRAMMAR)/words.h: $(GRAMMAR)/atd.l
	awk -F'"' '/^"[a-z].* WORD\(/ { gsub(/\[[^]]*\]\+/, " "); print "\"" $$2 ($$4 != "" ? " " $$4 : "") "\"," }' $< | sort >$@

$(GRAMMAR_OBJECTS): $(GRAMMAR)/atd.tab.h
-include $(GRAMMAR_OBJECTS:.o=.d)
