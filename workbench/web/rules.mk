# rules.mk: the libraries of the workbench's pages: fetched once for each lock file, one bundle a library. No Node is needed but for this.
# They are the same in each build, so they are below build/, whatever BUILD is.
WEB_LOCK := $(shell sha256sum workbench/web/package-lock.json | cut -c1-16)
WEB_MODULES = build/workbench/npm-$(WEB_LOCK)
WEB_LIB = build/workbench/web/lib
WEB_BUNDLES = $(patsubst %,$(WEB_LIB)/%,preact.js codemirror.js plot.js dagre.js LICENCES.txt)

# The lock file has a hash of each package and no address: npm asks the registry that it is set up with. No package's scripts are run.
$(WEB_MODULES)/ready:
	rm -rf $(@D) && mkdir -p $(@D)
	cp workbench/web/package.json workbench/web/package-lock.json $(@D)
	cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
	touch $@

$(WEB_BUNDLES) &: $(WEB_MODULES)/ready workbench/web/bundle.mjs workbench/web/licences.mjs
	node workbench/web/bundle.mjs $(WEB_MODULES) $(WEB_LIB).new
	rm -rf $(WEB_LIB) && mv $(WEB_LIB).new $(WEB_LIB)

# The pages of Help, at /web/contents.json: those for people first, in the README's order.
HELP_FIRST = $(wildcard $(addprefix docs/,workbench.md tutorial.md cookbook.md coming-from.md language.md c-routines.md reference.md tools.md command.md results.md faq.md))
HELP_PAGES = $(HELP_FIRST) $(filter-out $(HELP_FIRST),$(wildcard docs/*.md)) $(wildcard docs/internals/*.md) $(wildcard docs/internals/engine/*.md) $(wildcard docs/internals/runtime/*.md)
WEB_CONTENTS = build/workbench/web/contents.json
$(WEB_CONTENTS): workbench/web/contents.awk $(HELP_PAGES)
	@mkdir -p $(@D)
	awk -f workbench/web/contents.awk $(HELP_PAGES) >$@

# Pages to begin with in Author, at /web/examples.json: each with what its tool line says.
EXAMPLE_PAGES = $(filter-out %/mistakes.atd,$(sort $(wildcard docs/examples/cookbook/*.atd docs/examples/tutorial/*.atd)))
WEB_EXAMPLES = build/workbench/web/examples.json
$(WEB_EXAMPLES): workbench/web/examples.awk $(EXAMPLE_PAGES)
	@mkdir -p $(@D)
	awk -f workbench/web/examples.awk $(EXAMPLE_PAGES) >$@

# What is served below /web/ beside what is written; its paths there are those behind build/workbench/web/.
WEB_LIBRARIES = $(WEB_BUNDLES) $(WEB_CONTENTS) $(WEB_EXAMPLES)
