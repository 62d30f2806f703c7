-- schema.sql: a project: programs, tools, runs and their results in one SQLite file. `atomc collect`, campaigns
-- and the workbench write it (runs/results/store.c), any program reads it. Versions: results/upgrade_N.sql.
PRAGMA application_id = 0x61746d63; -- "atmc"
PRAGMA user_version = 4;

-- ---- what a project has -------------------------------------------------------------------------------------
CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID; -- value: JSON
CREATE TABLE text(id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE) STRICT;           -- texts of places and rows, each once
CREATE TABLE file( -- bytes kept in the project: the folder objects/ beside this file, ab/cdef... by SHA-256, .zst if compressed
    id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL, stored INTEGER NOT NULL,
    compressed INTEGER NOT NULL CHECK(compressed IN (0, 1)),
    kind TEXT NOT NULL) STRICT; -- program, object, source, input, tool
CREATE TABLE program(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL,
    digest TEXT NOT NULL,            -- SHA-256 of the file: another build is another program
    path TEXT NOT NULL DEFAULT '',   -- where it was; "": results name it, nobody added it
    file INTEGER REFERENCES file,    -- if the project keeps it
    build_id TEXT, is_static INTEGER, text_bytes INTEGER, added TEXT,
    UNIQUE(digest, name)) STRICT;
CREATE TABLE program_object(
    program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE, number INTEGER NOT NULL, name TEXT NOT NULL,
    path TEXT NOT NULL, file INTEGER REFERENCES file, base INTEGER NOT NULL,
    role TEXT NOT NULL CHECK(role IN ('main', 'library', 'linker', 'plugin')),
    PRIMARY KEY(program, number)) STRICT, WITHOUT ROWID;
CREATE TABLE tool(
    id INTEGER PRIMARY KEY, package TEXT NOT NULL DEFAULT '', name TEXT NOT NULL, description TEXT NOT NULL DEFAULT '',
    digest TEXT NOT NULL,             -- of the .atd, what it includes, and its C; "": only its results are known
    about TEXT NOT NULL DEFAULT '{}', -- atomc --help NAME --json
    UNIQUE(package, name, digest)) STRICT;
CREATE TABLE campaign(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, definition TEXT NOT NULL, created TEXT NOT NULL,
    engine TEXT NOT NULL, state TEXT NOT NULL) STRICT;

-- ---- a program's places -------------------------------------------------------------------------------------
CREATE TABLE procedure( -- filled when the list is first asked for
    program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE, pc INTEGER NOT NULL, object INTEGER NOT NULL,
    name INTEGER NOT NULL REFERENCES text, demangled INTEGER REFERENCES text, file INTEGER REFERENCES text, line INTEGER,
    size INTEGER NOT NULL, blocks INTEGER NOT NULL, instructions INTEGER NOT NULL,
    shape TEXT, -- digest of its instructions without addresses
    PRIMARY KEY(program, pc)) STRICT, WITHOUT ROWID;
CREATE TABLE compiled_in( -- the folders that sources with relative names are below; filled with procedure
    program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE, folder TEXT NOT NULL,
    PRIMARY KEY(program, folder)) STRICT, WITHOUT ROWID;
CREATE TABLE instruction( -- all of a program, or none: filled when somebody asks for it, as SQL needs it
    program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE, pc INTEGER NOT NULL,
    procedure INTEGER NOT NULL, -- its pc
    mnemonic INTEGER NOT NULL REFERENCES text, file INTEGER REFERENCES text, line INTEGER,
    PRIMARY KEY(program, pc)) STRICT, WITHOUT ROWID;

-- ---- runs ---------------------------------------------------------------------------------------------------
CREATE TABLE run(
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,                -- of what was asked for; of a folder without run.json: digest of its files of rows
    repeat INTEGER NOT NULL DEFAULT 0,
    name TEXT NOT NULL DEFAULT '',
    folder TEXT NOT NULL DEFAULT '',  -- with its results; relative: from the folder of this file
    program INTEGER REFERENCES program,
    campaign INTEGER REFERENCES campaign ON DELETE SET NULL, job INTEGER,
    request TEXT NOT NULL DEFAULT '{}', -- JSON: what was asked for, with all defaults
    input TEXT NOT NULL DEFAULT '', arguments TEXT NOT NULL DEFAULT '[]', objects TEXT NOT NULL DEFAULT 'main',
    state TEXT NOT NULL DEFAULT 'finished'
        CHECK(state IN ('queued', 'instrumenting', 'running', 'collecting', 'finished', 'failed', 'stopped')),
    reason TEXT,                      -- of failed and stopped: time, memory, output, disk, cancelled, instrument, sandbox, ...
    exit_status INTEGER, signal INTEGER, started TEXT, ended TEXT,
    instrument_seconds REAL, seconds REAL, cpu_seconds REAL, peak_kb INTEGER,
    host TEXT, atomc TEXT, emulator TEXT,
    isolation TEXT CHECK(isolation IN ('sandbox', 'plain')),
    statistics TEXT,                  -- JSON: of atomc -v --json
    about TEXT NOT NULL DEFAULT '{}', -- JSON: what else run.json says: job, commands, notes, stdout, stderr, ...
    repeatable INTEGER, note TEXT NOT NULL DEFAULT '', UNIQUE(key, repeat)) STRICT;
CREATE INDEX run_program ON run(program, started);
CREATE INDEX run_campaign ON run(campaign, job);
CREATE TABLE run_tool(
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, number INTEGER NOT NULL, tool INTEGER NOT NULL REFERENCES tool,
    PRIMARY KEY(run, number)) STRICT, WITHOUT ROWID;
CREATE TABLE run_parameter(
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, tool INTEGER NOT NULL REFERENCES tool, name TEXT NOT NULL,
    value ANY NOT NULL, -- a boolean is 'true' or 'false'
    given INTEGER, -- NULL: not known
    PRIMARY KEY(run, tool, name)) STRICT, WITHOUT ROWID;
CREATE TABLE artifact( -- what a run wrote beside rows: it stays in the run's folder
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, process INTEGER NOT NULL, name TEXT NOT NULL,
    path TEXT NOT NULL, -- below the run's folder
    bytes INTEGER NOT NULL, sha256 TEXT NOT NULL,
    format TEXT NOT NULL, -- output, folded, speedscope, callgrind, lcov, html, or file
    PRIMARY KEY(run, process, name)) STRICT, WITHOUT ROWID;
CREATE TABLE diagnostic(
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, number INTEGER NOT NULL, severity TEXT NOT NULL, id TEXT NOT NULL,
    message TEXT NOT NULL, hint TEXT, file TEXT, line INTEGER, "column" INTEGER,
    PRIMARY KEY(run, number)) STRICT, WITHOUT ROWID;

-- ---- tables that tools report: a shape for all reports of equal columns, a table of data for each shape -----
CREATE TABLE shape( -- what a report's header says of each run: not the process, the program, the parameters
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, report TEXT NOT NULL,
    header TEXT NOT NULL) STRICT;
CREATE TABLE shape_column(
    shape INTEGER NOT NULL REFERENCES shape ON DELETE CASCADE, number INTEGER NOT NULL, title TEXT NOT NULL,
    type TEXT NOT NULL CHECK(type IN ('text', 'integer', 'real', 'address')),
    unit TEXT NOT NULL, attribute TEXT NOT NULL,
    role TEXT NOT NULL CHECK(role IN ('key', 'label', 'measure', 'node', 'parent')),
    merge TEXT NOT NULL CHECK(merge IN ('same', 'sum', 'least', 'greatest', 'share', 'ratio', 'none')),
    numerator INTEGER, denominator INTEGER, hidden INTEGER NOT NULL, PRIMARY KEY(shape, number)) STRICT, WITHOUT ROWID;
CREATE TABLE report( -- one table that one process wrote
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    process INTEGER NOT NULL, parent INTEGER NOT NULL,
    number INTEGER NOT NULL,    -- of the tool's tables, from 1: the number in the file's name
    program INTEGER NOT NULL REFERENCES program,
    parameters TEXT NOT NULL,   -- JSON: of the tool
    shape INTEGER NOT NULL REFERENCES shape, rows INTEGER NOT NULL) STRICT;
CREATE INDEX report_run ON report(run);
CREATE INDEX report_shape ON report(shape);
-- For each shape N: data_N(report, row, c0, c1, ...): texts are text.id, addresses integers (negative from 2^63 on); a trigger
-- that removes a report's rows with it; and a view "TOOL REPORT N" with the columns' titles, texts as such, and addresses as
-- "... hex" too. A row that stands for all others ("all", without an address) is not in it, but in a view "TOOL REPORT N all".

-- Rows that have addresses, by procedure, source line or kind of instruction: join by run and pc. Libraries are there if the run
-- instrumented all: of others the tables have other addresses (2^42 and above) than the program's places.
CREATE VIEW place AS
    SELECT run.id AS run, i.pc AS pc, n.value AS procedure, ifnull(d.value, n.value) AS demangled, m.value AS mnemonic,
        f.value AS file, i.line AS line
    FROM run JOIN instruction AS i ON i.program = run.program JOIN procedure AS p ON p.program = i.program AND p.pc = i.procedure
    JOIN text AS n ON n.id = p.name JOIN text AS m ON m.id = i.mnemonic LEFT JOIN text AS d ON d.id = p.demangled
    LEFT JOIN text AS f ON f.id = i.file WHERE i.pc < 4398046511104 OR run.objects = 'all';

-- ---- what people add ----------------------------------------------------------------------------------------
CREATE TABLE view( -- a saved screen: its address as JSON
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, state TEXT NOT NULL, created TEXT NOT NULL) STRICT;
CREATE TABLE metric(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, formula TEXT NOT NULL, unit TEXT NOT NULL,
    better TEXT NOT NULL CHECK(better IN ('lower', 'higher', ''))) STRICT;
CREATE TABLE preset(
    id INTEGER PRIMARY KEY, package TEXT NOT NULL, tool TEXT NOT NULL, name TEXT NOT NULL, parameters TEXT NOT NULL,
    UNIQUE(package, tool, name)) STRICT;
CREATE TABLE mapping(prefix TEXT PRIMARY KEY, folder TEXT NOT NULL) STRICT, WITHOUT ROWID; -- where sources are
