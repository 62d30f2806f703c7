# rules.mk: from Alpha.td to MC tables, the decode table and the objects of codegen/alpha/; from LLVM's AArch64 target to the table of
# codegen/aarch64/.
# Defines MC_LIBRARIES; adds to GENERATED and EXTRA_OBJECTS. Requires LLVM 19's headers, archives and llvm-tblgen.

TABLEGEN = $(LLVM)/bin/llvm-tblgen
# The C++ library is static too: loading it costs 0.3 ms at each start.
STATIC_CXX = -static-libgcc -static-libstdc++ -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic -lm
# LLVM's own target of AArch64 is linked, too: atomc prints its instructions, and make_aarch64_tables probes it. Its tables of
# addresses cost 0.7 ms at each start.
MC_LIBRARIES = -L$(LLVM)/lib -lLLVMAArch64Disassembler -lLLVMAArch64Desc -lLLVMAArch64Info -lLLVMAArch64Utils \
	-lLLVMMCDisassembler -lLLVMMC -lLLVMTargetParser -lLLVMBinaryFormat -lLLVMSupport -lLLVMDemangle -Wl,--gc-sections $(STATIC_CXX) \
	-Wl,--as-needed -lzstd -Wl,--no-as-needed

MC_GENERATED = $(BUILD)/generated/mc
MC_TABLES = $(addprefix $(MC_GENERATED)/Alpha,Registers.inc Instructions.inc Encoder.inc Decoder.inc Printer.inc Facts.inc)
MC_OBJECTS = $(BUILD)/codegen/alpha/mc_target.o $(BUILD)/codegen/alpha/mc_facade.o
DECODE_TABLE = $(BUILD)/generated/alpha_table
CXXFLAGS = -std=c++17 -g $(OPTIMIZE) -fno-exceptions -ffunction-sections -fdata-sections $(WARNINGS) $(SANITIZE)

OPCODE_HEADERS = $(BUILD)/generated/alpha_opcodes.h $(BUILD)/generated/alpha_words.h
GENERATED += $(OPCODE_HEADERS)
EXTRA_OBJECTS += $(DECODE_TABLE).o $(MC_OBJECTS)

# tables WHICH,OPTION
define tables
$(MC_GENERATED)/Alpha$(1).inc: $(wildcard codegen/alpha/*.td)
	@mkdir -p $$(@D)
	$(TABLEGEN) $(2) -I $(LLVM)/include -I codegen/alpha codegen/alpha/Alpha.td -o $$@
endef
$(eval $(call tables,Registers,-gen-register-info))
$(eval $(call tables,Instructions,-gen-instr-info))
$(eval $(call tables,Encoder,-gen-emitter))
$(eval $(call tables,Decoder,-gen-disassembler))
$(eval $(call tables,Printer,-gen-asm-writer))
$(eval $(call tables,Facts,-gen-searchable-tables))

# MC's headers want NDEBUG as the packaged archives were built; -isystem keeps their warnings out.
$(BUILD)/codegen/alpha/%.o: codegen/alpha/%.cpp $(MC_TABLES)
	@mkdir -p $(@D)
	$(CXX) $(CPPFLAGS) -DNDEBUG -isystem $(MC_GENERATED) -isystem $(LLVM)/include $(CXXFLAGS) -c $< -o $@

$(BUILD)/codegen/alpha/mc_facade.o $(DECODE_TABLE).o: | $(OPCODE_HEADERS)

$(BUILD)/make_tables: $(BUILD)/codegen/alpha/make_tables.o $(BUILD)/codegen/alpha/mc_target.o
	$(CXX) $(LDFLAGS) $^ $(MC_LIBRARIES) -o $@

# One run makes all.
$(OPCODE_HEADERS) $(DECODE_TABLE).c &: $(BUILD)/make_tables
	$(BUILD)/make_tables $(OPCODE_HEADERS) $(DECODE_TABLE).c

-include $(MC_OBJECTS:.o=.d) $(BUILD)/codegen/alpha/make_tables.d $(DECODE_TABLE).d

# ---- aarch64: LLVM has the target, whose facts are probed ----
AARCH64_TABLE = $(BUILD)/generated/aarch64_table
AARCH64_PROBE = $(addprefix $(BUILD)/codegen/aarch64/,make_tables.o mc_probe.o names.o)
AARCH64_TEXT = $(BUILD)/codegen/aarch64/mc_text.o
AARCH64_OPCODES = $(BUILD)/generated/aarch64_opcodes.h
GENERATED += $(AARCH64_OPCODES)
EXTRA_OBJECTS += $(AARCH64_TABLE).o $(AARCH64_TEXT)

$(BUILD)/codegen/aarch64/%.o: codegen/aarch64/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(CPPFLAGS) -DNDEBUG -isystem $(LLVM)/include $(CXXFLAGS) -c $< -o $@

# GCC 14 with sanitizers takes members of <regex>'s unions for uninitialized.
$(BUILD)/codegen/aarch64/names.o: CXXFLAGS += -Wno-maybe-uninitialized

$(BUILD)/make_aarch64_tables: $(AARCH64_PROBE)
	$(CXX) $(LDFLAGS) $^ $(MC_LIBRARIES) -o $@

# One run makes both.
$(AARCH64_TABLE).c $(AARCH64_OPCODES) &: $(BUILD)/make_aarch64_tables
	$< $(AARCH64_TABLE).c $(AARCH64_OPCODES)

-include $(AARCH64_PROBE:.o=.d) $(AARCH64_TEXT:.o=.d) $(AARCH64_TABLE).d
