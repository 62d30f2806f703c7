# rules.mk: atomc-package, which lists, adds, removes and makes packages of tools; atomc package starts it. Requires jansson and zstd.
$(BUILD)/atomc-package: $(BUILD)/packages/package/main.o $(LIBRARY)
	$(CC) $(LDFLAGS) $(BUILD)/packages/package/main.o $(LIBRARY) -ljansson -lmd -lzstd -Wl,--gc-sections -o $@
-include $(BUILD)/packages/package/main.d
