# rules.mk: atomc-lsp, the language server for editors; atomc lsp starts it. It links nothing of atomc but support/.
LSP_OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(wildcard editors/lsp/*.c))
$(BUILD)/atomc-lsp: $(LSP_OBJECTS) $(LIBRARY)
	$(CC) $(LDFLAGS) $(LSP_OBJECTS) $(LIBRARY) -ljansson -o $@
-include $(LSP_OBJECTS:.o=.d)
