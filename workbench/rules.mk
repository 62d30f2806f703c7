# rules.mk: atomc-workbench, the local web application that atomc workbench starts: make workbench.
# Requires libmicrohttpd, jansson, SQLite and libzstd (scripts/setup.sh workbench); atomc itself does not.
WORKBENCH_SOURCES = $(wildcard workbench/*/*.c)
WORKBENCH_OBJECTS = $(WORKBENCH_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/workbench/server/embedded.o
# What it serves: its own pages as they are written, libraries as they were bundled (web/rules.mk), the documentation.
WEB = $(shell find workbench/web -type f \( -name '*.html' -o -name '*.js' -o -name '*.css' -o -name '*.svg' \) ! -path '*/node_modules/*' | LC_ALL=C sort)
WEB_DOCS = $(shell find docs -type f \( -name '*.md' -o -name '*.png' -o -name '*.svg' \) | LC_ALL=C sort) \
	$(EXAMPLE_PAGES) $(sort $(wildcard docs/examples/cookbook/*.[ch] docs/examples/tutorial/*.[ch])) docs/examples/questions.c

$(BUILD)/generated/workbench_embedded.S: workbench/server/embed.sh $(WEB) $(WEB_LIBRARIES) $(WEB_DOCS)
	@mkdir -p $(@D)
	workbench/server/embed.sh web/=workbench/web/ $(WEB) web/=build/workbench/web/ $(WEB_LIBRARIES) docs/=docs/ $(WEB_DOCS) >$@.new
	mv $@.new $@
$(BUILD)/workbench/server/embedded.o: $(BUILD)/generated/workbench_embedded.S
	@mkdir -p $(@D)
	$(CC) -c $< -o $@

$(WORKBENCH_OBJECTS): | $(GENERATED)
$(BUILD)/atomc-workbench: $(WORKBENCH_OBJECTS) $(LIBRARY)
	$(CC) $(LDFLAGS) $(WORKBENCH_OBJECTS) $(LIBRARY) -lmicrohttpd -ljansson -lsqlite3 -lzstd -lmd -lz -lpthread -Wl,--gc-sections $(STATIC_CXX) -o $@
-include $(WORKBENCH_SOURCES:%.c=$(BUILD)/%.d)

# The other make looks again at what setting up has brought. It begins after `all`: two makes that run at once would make the same archive.
workbench: setup-workbench all
	+$(MAKE) --no-print-directory $(BUILD)/atomc-workbench
setup-workbench:
	@scripts/setup.sh workbench
.PHONY: workbench setup-workbench
