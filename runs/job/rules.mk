# rules.mk: atomc-job, which runs instrumented programs for other programs; atomc run --job starts it. Requires jansson and zstd.
$(BUILD)/atomc-job: $(BUILD)/runs/job/main.o $(LIBRARY)
	$(CC) $(LDFLAGS) $(BUILD)/runs/job/main.o $(LIBRARY) -ljansson -lmd -lzstd -Wl,--gc-sections -o $@
-include $(BUILD)/runs/job/main.d
