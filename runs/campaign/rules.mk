# rules.mk: atomc-campaign, which makes many runs by one file, here or on a cluster; atomc campaign starts it.
# Requires jansson and SQLite; atomc itself does not need this.
CAMPAIGN_OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(wildcard runs/campaign/*.c))

$(CAMPAIGN_OBJECTS): | $(GENERATED)
$(BUILD)/atomc-campaign: $(CAMPAIGN_OBJECTS) $(LIBRARY)
	$(CC) $(LDFLAGS) $(CAMPAIGN_OBJECTS) $(LIBRARY) -ljansson -lsqlite3 -lmd -lz -lm -Wl,--gc-sections -o $@
-include $(CAMPAIGN_OBJECTS:.o=.d)
