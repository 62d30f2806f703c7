int instrument_nothing;
