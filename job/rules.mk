# rules.mk: atomc-job, which runs instrumented programs for other programs; atomc run --job starts it. Requires jansson and zstd.
$(BUILD)/atomc-job: $(BUILD)/job/main.o $(LIBRARY)
	$(CC) $(LDFLAGS) $(BUILD)/job/main.o $(LIBRARY) -ljansson -lmd -lzstd -Wl,--gc-sections -o $@
-include $(BUILD)/job/main.d
