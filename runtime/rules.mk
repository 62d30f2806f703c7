# The runtime: one Alpha object, which is linked with every tool's analysis routines, and one for tools in C that are compiled against
# ATOM's header.
RUNTIME_OBJECTS = $(patsubst %,$(BUILD)/runtime/%.o,start_s start system_calls executes descriptors signals objects libraries unforeseen crash \
	report report_format report_table report_file children series table keyed commands prints stacks counting records thread_counts threads copies stepping returns deferral again far_spills aside signal_stacks lent_room masks text memory run process_files evaluate)
RUNTIME = $(BUILD)/runtime/runtime.o $(BUILD)/runtime/atom_analysis.o $(BUILD)/runtime/analysis
$(BUILD)/runtime/runtime.o: $(RUNTIME_OBJECTS)
	$(CROSS)ld -r $^ -o $@

# The analysis image of tools without C, linked as engine/image/build.c links the others: such tools need no cross compiler.
$(BUILD)/runtime/analysis: $(BUILD)/runtime/runtime.o runtime/interface.h runtime/rules.mk
	$(CROSS)gcc -static -Wl,--no-relax -Wl,-e,atomc_start -Wl,--emit-relocs -Wl,--build-id=none -Wl,--wrap=__register_frame_info -Wl,--wrap=__deregister_frame_info \
		-Wl,-Ttext-segment=$$(sed -n 's/^#define LAYOUT_ANALYSIS *UINT32_C(\(0x[0-9a-f]*\)).*/\1/p' runtime/interface.h) $< -lm -o $@

RUNTIME_CFLAGS = -std=gnu11 -O2 -mtune=ev5 -g -Wall -Wextra -Werror -fno-stack-protector -I. -I$(BUILD)/generated

$(BUILD)/runtime/start_s.o: runtime/start.S runtime/entries.h plan/system_calls.def plan/system_calls.h codegen/registers.h codegen/words.h $(OPCODE_HEADERS)
	@mkdir -p $(@D)
	$(CROSS)gcc -I. -I$(BUILD)/generated -c $< -o $@

# It runs between the program's instructions, whose floating-point registers are not its to use.
$(BUILD)/runtime/keyed.o $(BUILD)/runtime/commands.o $(BUILD)/runtime/stacks.o $(BUILD)/runtime/system_calls.o $(BUILD)/runtime/executes.o $(BUILD)/runtime/descriptors.o $(BUILD)/runtime/signals.o $(BUILD)/runtime/unforeseen.o $(BUILD)/runtime/crash.o $(BUILD)/runtime/counting.o $(BUILD)/runtime/records.o $(BUILD)/runtime/thread_counts.o $(BUILD)/runtime/objects.o $(BUILD)/runtime/libraries.o $(BUILD)/runtime/threads.o $(BUILD)/runtime/copies.o $(BUILD)/runtime/stepping.o $(BUILD)/runtime/returns.o $(BUILD)/runtime/deferral.o $(BUILD)/runtime/again.o $(BUILD)/runtime/signal_stacks.o $(BUILD)/runtime/lent_room.o $(BUILD)/runtime/far_spills.o $(BUILD)/runtime/aside.o $(BUILD)/runtime/masks.o $(BUILD)/runtime/text.o $(BUILD)/runtime/memory.o $(BUILD)/runtime/run.o $(BUILD)/runtime/process_files.o $(BUILD)/runtime/evaluate.o: RUNTIME_CFLAGS += -mno-fp-regs

# A signal that comes in such code waits for its end, which is found the sooner the fewer tables of jumps there are (runtime/returns.c).
$(BUILD)/runtime/keyed.o $(BUILD)/runtime/commands.o $(BUILD)/runtime/prints.o: RUNTIME_CFLAGS += -fno-jump-tables

# Its loops are not to become calls of itself.
$(BUILD)/runtime/memory.o: RUNTIME_CFLAGS += -fno-tree-loop-distribute-patterns

# What instructions compute, as the engine knows it; in the image under names of atomc's own.
$(BUILD)/runtime/signals.o $(BUILD)/runtime/stepping.o $(BUILD)/runtime/unforeseen.o $(BUILD)/runtime/text.o $(BUILD)/runtime/returns.o $(BUILD)/runtime/deferral.o $(BUILD)/runtime/again.o $(BUILD)/runtime/system_calls.o $(BUILD)/runtime/masks.o $(BUILD)/runtime/evaluate.o: RUNTIME_CFLAGS += -Dalpha_evaluate=atomc_evaluate -Dalpha_condition=atomc_condition
$(BUILD)/runtime/signals.o $(BUILD)/runtime/stepping.o $(BUILD)/runtime/unforeseen.o $(BUILD)/runtime/text.o $(BUILD)/runtime/returns.o $(BUILD)/runtime/deferral.o $(BUILD)/runtime/again.o $(BUILD)/runtime/system_calls.o $(BUILD)/runtime/masks.o $(BUILD)/runtime/evaluate.o: codegen/alpha.h codegen/fields.h codegen/registers.h codegen/words.h $(OPCODE_HEADERS)
$(BUILD)/runtime/evaluate.o: codegen/evaluate.c
	@mkdir -p $(@D)
	$(CROSS)gcc $(RUNTIME_CFLAGS) -c $< -o $@

# What the language's operators give.
$(BUILD)/runtime/report.o $(BUILD)/runtime/commands.o $(BUILD)/runtime/prints.o: plan/operators.h plan/operators.def runtime/commands.h
$(BUILD)/runtime/report.o $(BUILD)/runtime/keyed.o $(BUILD)/runtime/commands.o $(BUILD)/runtime/prints.o $(BUILD)/runtime/stacks.o: plan/commands.h runtime/keyed.h runtime/stacks.h
$(BUILD)/runtime/stacks.o: stdtools/calls.c stdtools/calls.h stdtools/contexts.c stdtools/contexts.h stdtools/procedures.c
$(BUILD)/runtime/stacks.o: RUNTIME_CFLAGS += -Wno-unused-function

$(BUILD)/runtime/atom_analysis.o: atom/include/atom.anal.h

$(BUILD)/runtime/%.o: runtime/%.c runtime/runtime.h runtime/kernel.h runtime/entries.h runtime/stepping.h runtime/returns.h runtime/deferral.h runtime/again.h runtime/signal_stacks.h runtime/lent_room.h runtime/masks.h runtime/text.h runtime/unforeseen.h runtime/line.h runtime/interface.h runtime/report.h \
		runtime/numbers.h runtime/search.h runtime/counting.h runtime/records.h runtime/keyed.h plan/commands.h plan/operators.h plan/operators.def runtime/nonzero.h stdtools/table.h stdtools/addresses.h plan/system_calls.def plan/system_calls.h codegen/registers.h codegen/fields.h codegen/words.h codegen/system_call_words.h $(OPCODE_HEADERS)
	@mkdir -p $(@D)
	$(CROSS)gcc $(RUNTIME_CFLAGS) -c $< -o $@
