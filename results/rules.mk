# rules.mk: atomc-results, which works on the results of runs; atomc merge, diff and collect start it.
# Requires SQLite; atomc itself does not.
GENERATED += $(BUILD)/generated/results_schema.h

$(BUILD)/generated/results_schema.h: results/schema.sql
	@mkdir -p $(@D)
	{ echo 'static const char results_schema[] ='; sed -e 's/ *--.*//' -e '/^$$/d' -e 's/["\\]/\\&/g' -e 's/.*/    "&\\n"/' $<; echo '    ;'; } >$@

$(BUILD)/results/main.o: | $(GENERATED)
$(BUILD)/atomc-results: $(BUILD)/results/main.o $(LIBRARY)
	$(CC) $(LDFLAGS) $(BUILD)/results/main.o $(LIBRARY) -ljansson -lsqlite3 -lmd -lm -Wl,--gc-sections -o $@
-include $(BUILD)/results/main.d
