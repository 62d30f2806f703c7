-- schema.sql: results of many runs in one SQLite file: `atomc collect` writes it, any program reads it.
PRAGMA application_id = 0x61746d63; -- "atmc"
PRAGMA user_version = 1;
CREATE TABLE IF NOT EXISTS text(id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE) STRICT; -- texts of rows, each once
CREATE TABLE IF NOT EXISTS run( -- of a program under tools: a folder of results
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,   -- digest of its files of rows
    name TEXT NOT NULL          -- the folder's path when it was collected
) STRICT;
CREATE TABLE IF NOT EXISTS shape( -- what a report's header says, but for the process and the program
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, report TEXT NOT NULL, header TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS shape_column(
    shape INTEGER NOT NULL REFERENCES shape, number INTEGER NOT NULL, title TEXT NOT NULL,
    type TEXT NOT NULL CHECK(type IN ('text', 'integer', 'real', 'address')),
    unit TEXT NOT NULL, attribute TEXT NOT NULL,
    role TEXT NOT NULL CHECK(role IN ('key', 'label', 'measure', 'node', 'parent')),
    merge TEXT NOT NULL CHECK(merge IN ('same', 'sum', 'least', 'greatest', 'share', 'ratio', 'none')),
    numerator INTEGER, denominator INTEGER, hidden INTEGER NOT NULL, PRIMARY KEY(shape, number)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS report( -- one table that one process wrote
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    process INTEGER NOT NULL, parent INTEGER NOT NULL, program TEXT NOT NULL, program_digest TEXT NOT NULL,
    shape INTEGER NOT NULL REFERENCES shape, rows INTEGER NOT NULL) STRICT;
-- For each shape N: data_N(report, row, c0, c1, ...): texts are text.id, addresses integers (negative from 2^63 on); and a view
-- "TOOL REPORT" with the columns' titles, texts as such, and addresses as "... hex" too.
