# rules.mk: the targets bench, bench-quick, bench-stock, bench-times, bench-host, bench-profiles, bench-dynamic, bench-aarch64, bench-aarch64-quick and bench-rewriting: what instrumentation costs (docs/internals/benchmark.md).
# Requires: variables of the Makefile; qemu-alpha with -plugin. Not part of check.

BENCH_PLUGINS = $(patsubst tests/bench/plugins/%.c,$(BUILD)/bench/plugins/%.so,$(wildcard tests/bench/plugins/*.c))
BENCH_BUILT = $(BUILD)/atomc $(BUILD)/bench/timed $(BENCH_PLUGINS)

bench: $(BENCH_BUILT)
	BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc tests/bench/bench.sh
	+$(MAKE) --no-print-directory bench-stock
	+$(MAKE) --no-print-directory bench-dynamic
	+$(MAKE) --no-print-directory bench-rewriting

# All stock tools as they are used, by instructions, with inputs as short as these: some take a hundred times the program's.
bench-stock: $(BENCH_BUILT)
	BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc BENCH_SCALE=$${BENCH_SCALE:-1} BENCH_LIST=tests/bench/stock.txt BENCH_TIERS= \
		tests/bench/bench.sh instructions

# What takes as long as a plugin that does the same: times of both, in turns.
bench-times: $(BENCH_BUILT)
	BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc BENCH_SCALE=$${BENCH_SCALE:-30} BENCH_RUNS=$${BENCH_RUNS:-5} BENCH_LIST=tests/bench/times.txt \
		BENCH_TIERS= BENCH_STOCK= BENCH_PLUGINS="blocks procedures branches predictor dcache64" tests/bench/bench.sh times

# Beside the same plugins, instructions of the host: they do not depend on what else the machine does.
bench-host: $(BENCH_BUILT)
	BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc tests/bench/host.sh

# The columns of this compiler in the stored table, which tests/run/costs.sh compares with.
bench-costs: $(BENCH_BUILT)
	BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc tests/bench/costs.sh >$(BUILD)/costs.found
	awk -v version=$$($(CROSS)gcc -dumpversion) -f tests/bench/stored.awk $(BUILD)/costs.found tests/bench/costs.txt >$(BUILD)/costs.new
	mv $(BUILD)/costs.new tests/bench/costs.txt

# What --profile gains.
bench-profiles: $(BENCH_BUILT)
	BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc BENCH_SCALE=$${BENCH_SCALE:-30} tests/bench/profiles.sh

# Programs linked dynamically, with and without their libraries.
bench-dynamic: $(BENCH_BUILT)
	BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc BENCH_SCALE=$${BENCH_SCALE:-20} BENCH_RUNS=$${BENCH_RUNS:-3} BENCH_LIST=tests/bench/dynamic.txt \
		BENCH_TIERS= BENCH_PLUGINS= BENCH_STOCK= BENCH_DYNAMIC=yes BENCH_PROGRAMS="$${BENCH_PROGRAMS:-bzip2 lua mawk minisat}" tests/bench/bench.sh

# A minute: instruction ratios of the tools on a few programs with short inputs.
bench-quick: $(BENCH_BUILT)
	BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc BENCH_SCALE=$${BENCH_SCALE:-3} \
		BENCH_PROGRAMS="$${BENCH_PROGRAMS:-bzip2 lua sqlite3 blas nqueens quicksort}" tests/bench/bench.sh instructions

# Programs for AArch64, with tools that have no C, beside the same plugins.
bench-aarch64: $(BENCH_BUILT) $(EMULATOR)/qemu-aarch64
	MACHINE=aarch64 QEMU=$(abspath $(EMULATOR))/qemu-aarch64 BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc BENCH_SCALE=$${BENCH_SCALE:-10} \
		BENCH_RUNS=$${BENCH_RUNS:-3} BENCH_LIST=tests/bench/aarch64.txt BENCH_TIERS= BENCH_STOCK= BENCH_PLUGINS="blocks procedures branches" \
		BENCH_PROGRAMS="$${BENCH_PROGRAMS:-bzip2 lua minisat mawk nqueens quicksort}" tests/bench/bench.sh

# A minute: the same by instructions only, with short inputs, and no plugins.
bench-aarch64-quick: $(BENCH_BUILT) $(EMULATOR)/qemu-aarch64
	MACHINE=aarch64 QEMU=$(abspath $(EMULATOR))/qemu-aarch64 BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc BENCH_SCALE=$${BENCH_SCALE:-3} \
		BENCH_LIST=tests/bench/aarch64.txt BENCH_TIERS= BENCH_STOCK= \
		BENCH_PROGRAMS="$${BENCH_PROGRAMS:-bzip2 lua minisat mawk nqueens quicksort}" tests/bench/bench.sh instructions

# Seconds, MB of text per second and memory of rewriting itself, with generated programs up to 100 MB of text.
bench-rewriting: $(BENCH_BUILT)
	BUILD=$(abspath $(BUILD)) ATOMC=$(abspath $(BUILD))/atomc tests/bench/rewriting.sh

$(BUILD)/bench/plugins/%.so: tests/bench/plugins/%.c tests/bench/plugins/plugin.h tests/oracle/qemu_plugin_api.h $(EMULATOR)/interface.h
	@mkdir -p $(@D)
	$(CC) -include $(EMULATOR)/interface.h -std=gnu11 -O2 -g $(WARNINGS) -I. -fPIC -shared -fvisibility=hidden $< -o $@
$(BUILD)/bench/plugins/predictor.so: tests/bench/plugins/branches.c
$(BUILD)/bench/plugins/dcache64.so: tests/bench/plugins/dcache.c

$(BUILD)/bench/timed: tests/bench/timed.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g $(WARNINGS) $< -o $@

.PHONY: bench bench-aarch64 bench-aarch64-quick bench-quick bench-stock bench-times bench-host bench-profiles bench-dynamic bench-rewriting bench-costs
