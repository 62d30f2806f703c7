# tests/rules.mk: the targets check (set up, build, run every test) and those it needs.
# Requires: variables of the Makefile; scripts/setup.sh installs what is missing. BUILD_CHECKED is the sanitized build.

BUILD_CHECKED = build-asan
SANITIZERS = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
UNIT_TESTS = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*.c))
ORACLE = $(BUILD)/tests/oracle.so $(BUILD)/tests/sequence.so $(BUILD)/tests/transitions.so

# The rest in a make of its own: set-up brings programs that makefiles ask when they are read.
check:
	scripts/setup.sh
	+$(MAKE) --no-print-directory -j2 check-built
	BUILD=$(abspath $(BUILD)) BUILD_CHECKED=$(abspath $(BUILD_CHECKED)) ATOMC=$(abspath $(BUILD))/atomc \
		ATOMC_CHECKED=$(abspath $(BUILD_CHECKED))/atomc tests/run-all.sh

# The stock tools on all test programs, against second computations: half an hour.
check-tools: check-built
	BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc TOOLS_ALL=1 tests/run-all.sh tools_
	cat $(BUILD)/tests/logs/tools_*.log | awk -f tests/tools/programs.awk

# Every switch with every tool on every test program: some hours. Ends in a table.
check-switches: check-built
	BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc SWITCHES_ALL=1 tests/run-all.sh switches
	awk -f tests/switches/table.awk $(BUILD)/tests/logs/switches.log

# Eight programs, and all stock tools, linked dynamically: a quarter of an hour.
check-dynamic: check-built
	BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc DYNAMIC_ALL=1 tests/run-all.sh dynamic

.PHONY: check-tools check-switches check-dynamic

# The second computations of the stock tools' numbers.
$(BUILD)/tests/replay: tests/oracle/replay.c tests/oracle/replay_heap.c tests/oracle/replay_calls.c tests/oracle/replay_arcs.c tests/oracle/replay_branches.c tests/oracle/replay_values.c tests/oracle/replay_blocks.c tests/oracle/replay.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g $(WARNINGS) $(filter %.c,$^) -o $@
oracle: $(BUILD)/tests/replay

# The sanitized build goes first: the link ./atomc is to lead to the other one.
check-built:
	+$(MAKE) --no-print-directory BUILD=$(BUILD_CHECKED) OPTIMIZE=-O1 SANITIZE="$(SANITIZERS)" all unit-tests fuzz-drivers
	+$(MAKE) --no-print-directory all unit-tests oracle
	ln -sf $(BUILD)/atomc atomc

unit-tests: $(UNIT_TESTS)
oracle: $(ORACLE) $(BUILD)/bench/plugins/count.so

# Those of GENERATED that later rules.mk files add are not needed here.
$(UNIT_TESTS:=.o): | $(GENERATED)
$(UNIT_TESTS): %: %.o $(LIBRARY)
	$(CXX) $(LDFLAGS) $< $(LIBRARY) $(MC_LIBRARIES) $(LDLIBS) -lcmocka -o $@

# QEMU loads it: no sanitizers. QEMU 7.2 has no room for large thread-local data, this is 32 bytes.
$(BUILD)/tests/%.so: tests/oracle/%.c tests/oracle/qemu_plugin_api.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g $(WARNINGS) -fPIC -shared -fvisibility=hidden -ftls-model=initial-exec $< -o $@

# Programs of 1, 10 and 100 MB of text; 4 GB of disk for a while.
scale:
	+$(MAKE) --no-print-directory all oracle
	BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc SCALE_KB="1000 10000 100000" bash tests/run/scale.sh

# Under a real kernel, in an emulated machine; it is built once, which takes 5 minutes.
soak:
	+$(MAKE) --no-print-directory all
	BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc bash tests/soak/soak.sh

# GCC's own run-time tests: about an hour on two cores.
torture: setup
	+$(MAKE) --no-print-directory all oracle
	BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc tests/torture/run.sh

.PHONY: torture scale soak check check-built unit-tests oracle
# ---- fuzzing (docs/testing.md) ----
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
