# rules.mk: atomc-package, which lists, adds, removes and makes packages of tools; atomc package starts it. Requires jansson and zstd.
$(BUILD)/atomc-package: $(BUILD)/package/main.o $(LIBRARY)
	$(CC) $(LDFLAGS) $(BUILD)/package/main.o $(LIBRARY) -ljansson -lmd -lzstd -Wl,--gc-sections -o $@
-include $(BUILD)/package/main.d
