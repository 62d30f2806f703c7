# rules.mk: atomc-results, which works on the results of runs; atomc merge, diff, export and collect start it.
# Requires SQLite; atomc itself does not.
# The C++ library demangles names.
GENERATED += $(BUILD)/generated/results_schema.h

# Each file of SQL as a string of its name: results_schema, results_upgrade_1.
$(BUILD)/generated/results_schema.h: $(sort $(wildcard runs/results/*.sql))
	@mkdir -p $(@D)
	for file in $^; do \
		echo "static const char results_$$(basename $$file .sql)[] ="; \
		sed -e 's/ *--.*//' -e '/^$$/d' -e 's/["\\]/\\&/g' -e 's/.*/    "&\\n"/' $$file; echo '    ;'; done >$@

# The page of atomc export --format=html, as a string.
GENERATED += $(BUILD)/generated/results_page.h
$(BUILD)/generated/results_page.h: runs/results/page.html
	@mkdir -p $(@D)
	(echo "static const char results_page[] ="; sed -e 's/["\\]/\\&/g' -e 's/.*/    "&\\n"/' $<; echo '    ;') >$@

$(BUILD)/runs/results/main.o: | $(GENERATED)
$(BUILD)/atomc-results: $(BUILD)/runs/results/main.o $(LIBRARY)
	$(CC) $(LDFLAGS) $(BUILD)/runs/results/main.o $(LIBRARY) -ljansson -lsqlite3 -lmd -lz -Wl,--gc-sections $(STATIC_CXX) -o $@
-include $(BUILD)/runs/results/main.d
