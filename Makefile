# atomc: a declarative tool-description compiler for Alpha binaries.
#   make try     set up, build, and show the main job on a real program
#   make check   set up, build, run every test
#   make install, make uninstall, make deb
# What a build prints is in build/logs; with V=1 it is shown.
# Each folder of C is compiled by one pattern; rules.mk files hold what a folder needs beyond that.

# A build that a person has asked for is made by another make, which scripts/quiet.sh starts.
BUILDS = all install uninstall deb workbench unit-tests oracle build/%
ifeq ($(strip $(V)$(MAKELEVEL)$(foreach flag,n s q,$(findstring $(flag),$(firstword -$(MAKEFLAGS))))),0)
quiet := $(if $(filter-out $(BUILDS),$(MAKECMDGOALS)),,$(or $(MAKECMDGOALS),all))
endif
ifdef quiet
$(quiet): make-quietly
	@:
make-quietly:
	+@scripts/quiet.sh $(MAKE) $(quiet)
.PHONY: make-quietly $(quiet)
else

CC = gcc
CXX = g++
BUILD = build
PREFIX = /usr/local
LLVM = /usr/lib/llvm-19
CROSS = alpha-linux-gnu-
OPTIMIZE = -O2
SANITIZE =
WARNINGS = -Wall -Wextra -Werror
CFLAGS = -std=gnu11 -g $(OPTIMIZE) $(WARNINGS) $(SANITIZE)
CPPFLAGS = -I. -I$(BUILD)/generated -MMD -MP
LDFLAGS = $(SANITIZE)
LDLIBS = -lelf -ldw -ljansson -lmd -lz

# The rooms of engine/, ground floor first, as engine/rooms has them.
ROOMS = $(shell cat engine/rooms)
FOLDERS = support plan codegen codegen/alpha codegen/aarch64 grammar compiler engine $(ROOMS:%=engine/%) engine/machine/alpha engine/machine/aarch64 atom runs/job runs/results runs/run packages/package
SOURCES = $(filter-out %/main.c,$(foreach folder,$(FOLDERS),$(wildcard $(folder)/*.c)))
OBJECTS = $(SOURCES:%.c=$(BUILD)/%.o)
DRIVER_OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(wildcard driver/*.c))
LIBRARY = $(BUILD)/libatomc.a

.DEFAULT_GOAL = all
all: $(BUILD)/atomc $(BUILD)/atomc-results $(BUILD)/atomc-job $(BUILD)/atomc-package $(BUILD)/atomc-lsp $(BUILD)/atomc-campaign

-include codegen/rules.mk grammar/rules.mk editors/rules.mk runs/job/rules.mk packages/package/rules.mk editors/lsp/rules.mk runs/results/rules.mk runs/campaign/rules.mk workbench/web/rules.mk workbench/rules.mk runtime/rules.mk tests/rules.mk docs/rules.mk tests/bench/rules.mk

# GENERATED: headers and sources that rules.mk files make before any C is compiled.
$(OBJECTS) $(DRIVER_OBJECTS): | $(GENERATED)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

$(BUILD)/%.o: $(BUILD)/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

$(LIBRARY): $(OBJECTS) $(EXTRA_OBJECTS)
	@rm -f $@
	ar rcs $@ $^

# ATOM's interface is called from what atomc loads: all of atom/ is linked, and exported.
ATOM_OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(wildcard atom/*.c))
$(BUILD)/atomc: $(DRIVER_OBJECTS) $(LIBRARY) $(RUNTIME) atom/exports.list
	$(CXX) $(LDFLAGS) $(DRIVER_OBJECTS) $(ATOM_OBJECTS) $(LIBRARY) $(MC_LIBRARIES) $(LDLIBS) -Wl,--gc-sections -Wl,--dynamic-list=atom/exports.list -o $@
	[ $(BUILD) != build ] || ln -sf $@ atomc

# What is generated to be installed: manual pages, and completion for three shells.
SHARE = $(BUILD)/share/man/atomc.1 $(BUILD)/share/completion/bash
$(BUILD)/share/man/atomc.1: $(BUILD)/atomc scripts/man.sh scripts/man.awk $(wildcard docs/*.md)
	ATOMC=$(BUILD)/atomc scripts/man.sh $(@D)
$(BUILD)/share/completion/bash: $(BUILD)/atomc scripts/completion.sh
	@mkdir -p $(@D)
	for shell in zsh fish bash; do ATOMC=$(BUILD)/atomc scripts/completion.sh $$shell >$(@D)/$$shell || exit; done

install: all $(SHARE)
	scripts/installed.sh $(BUILD) $(RUNTIME) | while read -r mode file path; do \
		install -D -m $$mode $$file "$(DESTDIR)$(PREFIX)/$$path" || exit; done

# Folders of its own, and no others, are removed when they are empty.
uninstall: all $(SHARE)
	scripts/installed.sh $(BUILD) $(RUNTIME) | while read -r mode file path; do rm -f "$(DESTDIR)$(PREFIX)/$$path"; done
	for folder in lib/atomc share/atomc share/doc/atomc; do \
		[ ! -d "$(DESTDIR)$(PREFIX)/$$folder" ] || find "$(DESTDIR)$(PREFIX)/$$folder" -depth -type d -empty -delete; done

# The Debian packages atomc and atomc-doc, in $(BUILD)/deb.
deb: all $(SHARE)
	scripts/deb.sh $(BUILD) $(RUNTIME)

# Do all outputs stay byte for byte as those of BASE=COMMIT? SIZE=all: with each switch, on each test program that is built.
SIZE = short
identical: all
	scripts/identical.sh "$(BASE)" $(SIZE)

setup:
	@scripts/setup.sh build

try:
	+@V=$(V) MAKE="$(MAKE)" scripts/try.sh

RUNTIME_ROOMS = $(patsubst %/,%,$(sort $(dir $(wildcard runtime/*/*.[ch] runtime/*/*/*.c))))

# What people wrote in C and C++, but for C of 1994; generated files are not theirs.
WRITTEN = $(filter-out %.inst.c %.anal.c,$(foreach folder,$(FOLDERS) driver runs/campaign editors/lsp workbench/server workbench/project workbench/api runtime $(RUNTIME_ROOMS) stdtools docs/examples tests/unit tests/oracle tests/fuzz tests/bench tests/bench/plugins,$(wildcard \
	$(folder)/*.[ch] $(folder)/*.cpp)))

# And the list of the stock tools, which says how long they are, and the pages of the gallery, which are made from their tools.
format:
	clang-format -i $(WRITTEN)
	scripts/tools.sh >$(BUILD)/tools.md && mv $(BUILD)/tools.md docs/tools.md
	for page in packages/gallery/*/README.md; do \
		scripts/gallery.sh $$(basename $$(dirname $$page)) >$(BUILD)/page.md && mv $(BUILD)/page.md $$page || exit; done

# Warnings are errors: .clang-tidy says which checks, and why not others. A source is not looked at again until its object is
# compiled again, so that lint goes on where it was stopped; make -k lint finds all that is wrong.
TIDY = $(patsubst %.c,$(BUILD)/lint/%,$(SOURCES) $(wildcard driver/*.c workbench/*/*.c))
$(BUILD)/lint/%: %.c $(BUILD)/%.o .clang-tidy
	@mkdir -p $(@D)
	@! clang-tidy --quiet $< -- -I. -I$(BUILD)/generated -std=gnu11 2>&1 | grep -v "warnings\? generated" && touch $@
lint: $(TIDY) | $(GENERATED)
	clang-format --dry-run --Werror $(WRITTEN)
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
		--library=tests/cppcheck.cfg -I. -I$(BUILD)/generated $(filter-out engine/%,$(FOLDERS)) driver
	tsc -p workbench/web

clean:
	rm -rf $(BUILD) atomc

.PHONY: all identical install uninstall deb setup try format lint clean
-include $(OBJECTS:.o=.d) $(DRIVER_OBJECTS:.o=.d)
# Without its list of headers an object would stay as it is when one of them changes: it is compiled again.
$(foreach object,$(OBJECTS) $(DRIVER_OBJECTS) $(RUNTIME_OBJECTS),$(if $(wildcard $(object:.o=.d)),,$(eval $(object): always)))
endif
