# The runtime: one Alpha object, which is linked with every tool's analysis routines, and one for tools in C that are compiled against
# ATOM's header. runtime/rooms lists its folders, ground first.
RUNTIME_ALPHA = $(BUILD)/runtime/machine/alpha
RUNTIME_SOURCES = $(sort $(wildcard runtime/*/*.c runtime/machine/alpha/*.[cS]))
RUNTIME_OBJECTS = $(addprefix $(BUILD)/,$(addsuffix .o,$(basename $(RUNTIME_SOURCES)))) $(RUNTIME_ALPHA)/evaluate.o $(RUNTIME_ALPHA)/operators.o
RUNTIME = $(BUILD)/runtime/runtime.o $(BUILD)/runtime/atom_analysis.o $(BUILD)/runtime/analysis $(BUILD)/runtime/digests
$(BUILD)/runtime/runtime.o: $(RUNTIME_OBJECTS)
	$(CROSS)ld -r $^ -o $@

# The analysis image of tools without C, linked as engine/image/build.c links the others: such tools need no cross compiler.
$(BUILD)/runtime/analysis: $(BUILD)/runtime/runtime.o runtime/machine/alpha/layout.h runtime/rules.mk
	$(CROSS)gcc -static -Wl,--no-relax -Wl,-e,atomc_start -Wl,--emit-relocs -Wl,--build-id=none -Wl,--wrap=__register_frame_info -Wl,--wrap=__deregister_frame_info \
		-Wl,-Ttext-segment=$$(sed -n 's/^#define ALPHA_ANALYSIS *UINT64_C(\(0x[0-9a-f]*\)).*/\1/p' runtime/machine/alpha/layout.h) $< -lm -o $@

# By these, `atomc --version --json` identifies the build: to read eight megabytes for each job of a campaign would take longer than it all.
$(BUILD)/runtime/digests: $(BUILD)/runtime/runtime.o $(BUILD)/runtime/analysis
	cat $^ | sha256sum >$@

# In debug information all of it was compiled in one folder of this name, wherever it is built: so its code is told from the user's.
RUNTIME_FOLDER = -fdebug-prefix-map=$(CURDIR)=$(shell sed -n 's/^.define FOLDER_OF_RUNTIME "\(.*\)"/\1/p' plan/names.h)

# Code that runs between the program's instructions must not use floating-point registers. Reports are made at the end.
RUNTIME_CFLAGS = $(RUNTIME_FOLDER) -std=gnu11 -O2 -mtune=ev5 -g -Wall -Wextra -Werror -fno-stack-protector -I. -I$(BUILD)/generated -MMD -MP
RUNTIME_FLOATING = $(BUILD)/runtime/report/% $(BUILD)/runtime/commands/prints.o $(BUILD)/runtime/process/start.o \
	$(BUILD)/runtime/process/finish.o $(BUILD)/runtime/atom_analysis.o
$(filter-out $(RUNTIME_FLOATING),$(RUNTIME_OBJECTS)): RUNTIME_CFLAGS += -mno-fp-regs

# A signal that arrives in such code waits for its end, which is found the sooner the fewer tables of jumps there are (signals/returns.c).
$(BUILD)/runtime/counts/keyed.o $(BUILD)/runtime/commands/commands.o $(BUILD)/runtime/commands/prints.o $(BUILD)/runtime/commands/calls.o: RUNTIME_CFLAGS += -fno-jump-tables

# Its loops are not to become calls of itself.
$(RUNTIME_ALPHA)/memcpy.o: RUNTIME_CFLAGS += -fno-tree-loop-distribute-patterns
$(BUILD)/runtime/commands/stacks.o: RUNTIME_CFLAGS += -Wno-unused-function

# The results of instructions, by the engine's own source; in the image under names of atomc's own.
$(RUNTIME_OBJECTS): RUNTIME_CFLAGS += $(foreach name,alpha_evaluate alpha_condition alpha_condition_of \
	alpha_operator operator_evaluate condition_holds opposite_condition,-D$(name)=atomc_$(name))
$(RUNTIME_ALPHA)/evaluate.o: codegen/alpha/evaluate.c
$(RUNTIME_ALPHA)/operators.o: codegen/operators.c
$(RUNTIME_ALPHA)/evaluate.o $(RUNTIME_ALPHA)/operators.o:
	@mkdir -p $(@D)
	$(CROSS)gcc $(RUNTIME_CFLAGS) -c $< -o $@

$(RUNTIME_OBJECTS) $(BUILD)/runtime/atom_analysis.o: runtime/rules.mk | $(OPCODE_HEADERS)
$(BUILD)/runtime/%.o: runtime/%.S
	@mkdir -p $(@D)
	$(CROSS)gcc $(RUNTIME_FOLDER) -I. -I$(BUILD)/generated -MMD -MP -c $< -o $@
$(BUILD)/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(CROSS)gcc $(RUNTIME_CFLAGS) -c $< -o $@
-include $(RUNTIME_OBJECTS:.o=.d) $(BUILD)/runtime/atom_analysis.d

# ---- AArch64: the same rooms, and machine/aarch64/. Without the cross compiler, or its C library, atomc is built all the same, and
# refuses AArch64's programs by name. ----
CROSS_AARCH64 = aarch64-linux-gnu-
HAS_AARCH64 := $(filter /%,$(shell $(CROSS_AARCH64)gcc -print-file-name=libc.a 2>/dev/null))
RUNTIME_AARCH64 = $(BUILD)/runtime-aarch64
AARCH64_SOURCES = $(sort $(wildcard runtime/*/*.c runtime/machine/aarch64/*.[cS]))
AARCH64_OBJECTS = $(AARCH64_SOURCES:runtime/%=$(RUNTIME_AARCH64)/%)
AARCH64_OBJECTS := $(addsuffix .o,$(basename $(AARCH64_OBJECTS))) $(RUNTIME_AARCH64)/machine/aarch64/operators.o

AARCH64_CFLAGS = -std=gnu11 -O2 -march=armv8-a -mno-outline-atomics -DATOMC_AARCH64 -g -Wall -Wextra -Werror -fno-stack-protector -fno-pic -no-pie \
	-I. -I$(BUILD)/generated -MMD -MP $(foreach name,operator_evaluate condition_holds opposite_condition,-D$(name)=atomc_$(name))
# As above. stepping.c and the assembly name the vector registers that they keep.
AARCH64_FLOATING = $(RUNTIME_AARCH64)/report/% $(RUNTIME_AARCH64)/commands/prints.o $(RUNTIME_AARCH64)/process/start.o \
	$(RUNTIME_AARCH64)/process/finish.o $(RUNTIME_AARCH64)/atom_analysis.o
$(filter-out $(AARCH64_FLOATING),$(AARCH64_OBJECTS)): AARCH64_CFLAGS += -mgeneral-regs-only
$(RUNTIME_AARCH64)/counts/keyed.o $(RUNTIME_AARCH64)/commands/commands.o $(RUNTIME_AARCH64)/commands/prints.o $(RUNTIME_AARCH64)/commands/calls.o: AARCH64_CFLAGS += -fno-jump-tables
$(RUNTIME_AARCH64)/machine/aarch64/memcpy.o: AARCH64_CFLAGS += -fno-tree-loop-distribute-patterns
$(RUNTIME_AARCH64)/commands/stacks.o: AARCH64_CFLAGS += -Wno-unused-function

ifneq ($(HAS_AARCH64),)
RUNTIME += $(BUILD)/runtime/runtime-aarch64.o $(BUILD)/runtime/analysis-aarch64
endif
$(BUILD)/runtime/runtime-aarch64.o: $(AARCH64_OBJECTS)
	@mkdir -p $(@D)
	$(CROSS_AARCH64)ld -r $^ -o $@

# Objects are aligned to the largest page that a kernel may have.
$(BUILD)/runtime/analysis-aarch64: $(BUILD)/runtime/runtime-aarch64.o runtime/machine/aarch64/layout.h runtime/rules.mk
	$(CROSS_AARCH64)gcc -static -no-pie -Wl,--no-relax -Wl,-e,atomc_start -Wl,--emit-relocs -Wl,--build-id=none -Wl,-z,max-page-size=0x10000 \
		-Wl,--wrap=__register_frame_info -Wl,--wrap=__deregister_frame_info \
		-Wl,-Ttext-segment=$$(sed -n 's/^#define AARCH64_ANALYSIS *UINT64_C(\(0x[0-9a-f]*\)).*/\1/p' runtime/machine/aarch64/layout.h) $< -lm -o $@

$(RUNTIME_AARCH64)/machine/aarch64/operators.o: codegen/operators.c
	@mkdir -p $(@D)
	$(CROSS_AARCH64)gcc $(AARCH64_CFLAGS) -c $< -o $@
$(RUNTIME_AARCH64)/%.o: runtime/%.S
	@mkdir -p $(@D)
	$(CROSS_AARCH64)gcc -DATOMC_AARCH64 -I. -I$(BUILD)/generated -MMD -MP -c $< -o $@
$(RUNTIME_AARCH64)/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(CROSS_AARCH64)gcc $(AARCH64_CFLAGS) -c $< -o $@
-include $(AARCH64_OBJECTS:.o=.d) $(RUNTIME_AARCH64)/atom_analysis.d
