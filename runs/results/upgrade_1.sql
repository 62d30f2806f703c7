-- upgrade_1.sql: what version 1 had, as version 2 has it. Its tables are old_* here, and the new ones are there.
-- Shapes keep their digests, which were over the parameters too: later reports get shapes of their own.
INSERT INTO text SELECT * FROM old_text;
INSERT INTO program(name, digest) SELECT DISTINCT program, program_digest FROM old_report;
INSERT INTO run(id, key, name, folder, program)
    SELECT id, key, name, name, (SELECT p.id FROM old_report AS r JOIN program AS p ON p.name = r.program AND
        p.digest = r.program_digest WHERE r.run = old_run.id ORDER BY r.id LIMIT 1) FROM old_run;
INSERT INTO shape(id, digest, tool, report, header) SELECT id, digest, tool, report, header FROM old_shape;
INSERT INTO shape_column SELECT * FROM old_shape_column;
INSERT INTO report(id, run, process, parent, number, program, parameters, shape, rows)
    SELECT r.id, run, process, parent, 0, p.id, ifnull(json_extract(s.header, '$.parameters'), '{}'), shape, rows
    FROM old_report AS r JOIN program AS p ON p.name = r.program AND p.digest = r.program_digest
    JOIN old_shape AS s ON s.id = r.shape;
DROP TABLE old_report;
DROP TABLE old_shape_column;
DROP TABLE old_shape;
DROP TABLE old_run;
DROP TABLE old_text;
