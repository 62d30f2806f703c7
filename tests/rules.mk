# tests/rules.mk: the targets check-quick, check and check-all (set up, build, run tests), and what they need.
# Requires: variables of the Makefile; scripts/setup.sh installs what is missing. BUILD_CHECKED is the sanitized build.

BUILD_CHECKED = build-asan
SANITIZERS = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
UNIT_TESTS = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*.c))
EMULATOR = $(BUILD)/tests/emulator
PLUGINS = oracle sequence transitions addresses
ORACLE = $(EMULATOR)/qemu-alpha $(EMULATOR)/qemu-aarch64 $(PLUGINS:%=$(BUILD)/tests/%.so)

# check-quick: unit tests, diagnostics, one real program. check: every kind of test, on small inputs. check-all: every input and
# level there is, some hours; PARTS are words of job names: make check-all PARTS="tools_ dynamic". SITTINGS=FILE keeps there what
# has passed, and leaves it out the next time: make check-all SITTINGS=build/sittings
# The runner sets up and builds: set-up brings programs that makefiles ask when they are read.
RUN_TESTS = +BUILD=$(abspath $(BUILD)) BUILD_CHECKED=$(abspath $(BUILD_CHECKED)) SITTINGS=$(abspath $(SITTINGS)) tests/runner.sh
PARTS =

check-quick:
	$(RUN_TESTS) quick
check:
	$(RUN_TESTS) check
check-all:
	$(RUN_TESTS) all $(PARTS)

# Parts that have names: the stock tools on all programs (half an hour), every switch (hours), programs linked dynamically
# (a quarter of an hour), campaigns on a Slurm cluster, GCC's run-time tests (an hour), 100 MB of text (4 GB of disk), under a real kernel.
check-tools check-switches check-dynamic check-slurm check-vscode torture scale soak:
	$(RUN_TESTS) all $(@:check-%=%)
# All real programs, or these: make programs PARTS="xz zstd"
programs:
	$(RUN_TESTS) all $(if $(PARTS),$(addprefix program/,$(PARTS)),program/)

# Each point of tests/interruptions/list, under load: what depends on the moment TIMES times; hours. POINTS="1.1 5" for some. What has been run
# stays in build/interruptions, and is not run again; then the table of docs/internals/testing.md is written.
TIMES = 200
POINTS = all
interruptions:
	+mkdir -p build/interruptions && RESULTS=$(CURDIR)/build/interruptions/results POINTS="$(POINTS)" TIMES=$(TIMES) LOAD=$(or $(LOAD),$(shell nproc)) \
		BUILD_CHECKED= tests/runner.sh all interruptions; status=$$?; \
		tests/interruptions/table.sh build/interruptions/results docs/internals/testing.md && exit $$status

# The README's two commands in a fresh minimal Debian 12 or 13, as root.
check-bookworm check-trixie:
	scripts/fresh.sh $(@:check-%=%) "make try" "make check-quick" "make check"

# make check, TIMES times in a row, beside LOAD busy loops: nothing may fail. What each run said is in build/loaded/results.
check-loaded: LOAD = 16
check-loaded: TIMES = 5
check-loaded:
	+BUILD=$(abspath $(BUILD)) BUILD_CHECKED=$(abspath $(BUILD_CHECKED)) PARTS="$(PARTS)" tests/loaded.sh $(TIMES) $(LOAD)

# The browser tests with answers that are late: a test that does not wait for what it looks at, and a page that forgets what was late, fail.
check-late: LATENCY = 600
check-late:
	+LATENCY=$(LATENCY) LONGEST=150 BUILD=$(abspath $(BUILD)) BUILD_CHECKED= tests/runner.sh check workbench_web/

# The pictures of the workbench in docs/, as its browser tests draw them.
workbench-pictures:
	+BUILD_CHECKED= tests/runner.sh check workbench_web
	for picture in build/workbench/pictures/workbench-*.png; do \
		node tests/web/pictures/shrink.mjs $$picture docs/pictures/$$(basename $$picture) || exit; done
	cp build/workbench/pictures/chart-*.svg docs/pictures

# Each step of the four journeys, in four looks, with the checks of looks: pictures in build/workbench/pictures. Five minutes.
workbench-journeys:
	+STEPS=1 BUILD_CHECKED= tests/runner.sh check workbench_web/journeys workbench_web/teacher workbench_web/questions

# What people see first of each tool: the page docs/internals/first-lines.md.
first-lines:
	+FIRST_LINES=$(CURDIR)/docs/internals/first-lines.md BUILD_CHECKED= tests/runner.sh all first_lines

# What the workbench takes, beside what is asked of it: the table of docs/internals/testing.md. For a machine that does nothing else; 3 minutes.
bench-workbench:
	+rm -f build/workbench/bars.md && BARS=$(CURDIR)/build/workbench/bars.md BUILD_CHECKED= \
		tests/runner.sh check workbench_web/bars workbench_web/results_large workbench_web/program
	tests/web/bars.sh build/workbench/bars.md docs/internals/testing.md

# Each kind of test fails when the code is wrong: one mutation a kind. A quarter of an hour.
mutations:
	tests/mutations/run.sh

# The second computations of the stock tools' numbers.
$(BUILD)/tests/replay: tests/oracle/replay.c tests/oracle/replay_heap.c tests/oracle/replay_calls.c tests/oracle/replay_arcs.c tests/oracle/replay_branches.c tests/oracle/replay_values.c tests/oracle/replay_blocks.c tests/oracle/replay.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g $(WARNINGS) $(filter %.c,$^) -o $@
oracle: $(BUILD)/tests/replay

# The sanitized build goes first: the link ./atomc is to lead to the other one. Of it there is what the tests run.
# (Without optimization it would build in a third of the time, and run in two to four times as much.)
check-built:
	+$(MAKE) --no-print-directory BUILD=$(BUILD_CHECKED) OPTIMIZE="-O1 -g1" SANITIZE="$(SANITIZERS)" \
		$(BUILD_CHECKED)/atomc $(BUILD_CHECKED)/atomc-results $(BUILD_CHECKED)/atomc-campaign \
		$(BUILD_CHECKED)/atomc-lsp unit-tests fuzz-drivers
	+$(MAKE) --no-print-directory all $(BUILD)/atomc-workbench unit-tests oracle
	ln -sf $(BUILD)/atomc atomc

unit-tests: $(UNIT_TESTS)
oracle: $(ORACLE) $(BUILD)/bench/plugins/count.so

# Those of GENERATED that later rules.mk files add are not needed here.
$(UNIT_TESTS:=.o): | $(GENERATED)
$(UNIT_TESTS): %: %.o $(LIBRARY)
	$(CXX) $(LDFLAGS) $< $(LIBRARY) $(MC_LIBRARIES) $(LDLIBS) -lsqlite3 -lcmocka -o $@

# The emulator as tests call it, and one that loads plugins: built once, if the distribution's does not. Looked at each time.
$(EMULATOR)/interface.h: always
	@tests/oracle/emulator.sh $(@D)
$(EMULATOR)/qemu-alpha: tests/oracle/emulate.c $(EMULATOR)/interface.h
	$(CC) -include $(EMULATOR)/interface.h -std=gnu11 -O2 $(WARNINGS) $< -o $@
$(EMULATOR)/qemu-aarch64: tests/oracle/emulate.c $(EMULATOR)/interface.h
	$(CC) -include $(EMULATOR)/interface.h -DFOR_AARCH64 -std=gnu11 -O2 $(WARNINGS) $< -o $@

# QEMU loads it: no sanitizers. QEMU 7.2 has no room for large thread-local data, this is 32 bytes.
$(BUILD)/tests/%.so: tests/oracle/%.c tests/oracle/qemu_plugin_api.h $(EMULATOR)/interface.h
	@mkdir -p $(@D)
	$(CC) -include $(EMULATOR)/interface.h -std=gnu11 -O2 -g $(WARNINGS) -fPIC -shared -fvisibility=hidden -ftls-model=initial-exec $< -o $@

.PHONY: check-bookworm check-trixie check-loaded check-late check-quick check check-all check-tools check-switches check-dynamic check-slurm check-vscode torture scale soak programs interruptions workbench-pictures workbench-journeys bench-workbench mutations check-built unit-tests oracle always

# ---- fuzzing (docs/internals/testing.md) ----
FUZZERS = compiler elf rewrite
FUZZ_SECONDS = 60
BUILD_FUZZ = build-fuzz

# Without clang: driver.c changes a corpus, the same way each time. tests/run/fuzz.sh runs these for some seconds.
$(BUILD)/tests/fuzz/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/driver.o $(LIBRARY)
	$(CXX) $(LDFLAGS) $^ $(MC_LIBRARIES) $(LDLIBS) -o $@
$(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/fuzz/*.c)): | $(GENERATED)
# This one links analysis code with the runtime.
$(BUILD)/tests/fuzz/fuzz_rewrite $(BUILD)/tests/fuzz/libfuzzer_rewrite: | $(RUNTIME)
fuzz-drivers: $(FUZZERS:%=$(BUILD)/tests/fuzz/fuzz_%)

# clang calls NULL + 0 an error, which C no longer does (C2y, N3322); gcc's sanitizer, in make check, looks for
# overflow of pointers and lets that be.
# With clang, its libFuzzer looks for inputs that reach new code; FUZZ_SECONDS for each fuzzer.
$(BUILD)/tests/fuzz/libfuzzer_%: $(BUILD)/tests/fuzz/fuzz_%.o $(LIBRARY)
	$(CXX) $(LDFLAGS) -fsanitize=fuzzer $^ $(MC_LIBRARIES) $(LDLIBS) -o $@

fuzz:
	tests/fuzz/corpus.sh $(BUILD_FUZZ)/corpus
	if command -v clang >/dev/null; then \
		$(MAKE) --no-print-directory BUILD=$(BUILD_FUZZ) CC=clang CXX=clang++ OPTIMIZE=-O1 MC_LIBRARIES="$(MC_LIBRARIES)" \
			SANITIZE="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow -fno-sanitize-recover=all" \
			$(FUZZERS:%=$(BUILD_FUZZ)/tests/fuzz/libfuzzer_%); \
	else \
		$(MAKE) --no-print-directory BUILD=$(BUILD_FUZZ) OPTIMIZE=-O1 SANITIZE="$(SANITIZERS)" fuzz-drivers; \
	fi
	for fuzzer in $(FUZZERS); do tests/fuzz/run.sh $(BUILD_FUZZ) $$fuzzer $(FUZZ_SECONDS) || exit 1; done

-include $(UNIT_TESTS:=.d) $(wildcard $(BUILD)/tests/fuzz/*.d)
