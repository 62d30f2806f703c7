-- upgrade_2.sql: version 2 had tables of a program's places that nothing filled, and procedures without compiled_in.
DROP TABLE IF EXISTS block;
DROP TABLE IF EXISTS edge;
DROP TABLE IF EXISTS source;
DROP TABLE IF EXISTS instruction;
DELETE FROM procedure;
