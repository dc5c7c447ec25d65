-- A SQLite database whose values are hard to find again: stored in any form, folded, virtual and oddly named.

-- Keys ------------------------------------------------------------------------------------------------------------

CREATE TABLE texts (id TEXT PRIMARY KEY NOT NULL, note TEXT);
INSERT INTO texts VALUES ('', 'empty'), (' ', 'blank'), ('a ', 'a blank'), ('a', 'none'), ('a/b', 'slash'), ('a%2Fb', 'percent'), ('~', 'tilde'),
  ('%7E', 'percent tilde'), ('.', 'dot'), ('..', 'dots'), ('query', 'query'), ('transitions', 'word'), ('text_a', 'prefixed'), ('🙂', 'emoji'), ('a"b\c', 'quotes'), ('É', 'composed'), ('E' || char(769), 'decomposed');
CREATE TABLE pairs (one TEXT, other TEXT, PRIMARY KEY (one, other)) WITHOUT ROWID;
INSERT INTO pairs VALUES ('', ''), ('a~', 'b'), ('a', '~b'), ('%', '/'), ('a b', ' ');
CREATE TABLE padded (code CHAR(5) PRIMARY KEY NOT NULL COLLATE RTRIM, name TEXT COLLATE RTRIM);
INSERT INTO padded VALUES ('ab   ', 'x'), ('abcde', 'y '), ('a', NULL);
CREATE TABLE padded_line (id INTEGER PRIMARY KEY, code CHAR(5) REFERENCES padded (code));
INSERT INTO padded_line VALUES (1, 'ab'), (2, 'a  '), (3, NULL);
CREATE TABLE folded (name TEXT PRIMARY KEY NOT NULL COLLATE NOCASE, note TEXT COLLATE NOCASE);
INSERT INTO folded VALUES ('Nick', 'A'), ('bob', 'a'), ('Zoe', NULL);
CREATE TABLE folded_line (id INTEGER PRIMARY KEY, name TEXT REFERENCES folded (name));
INSERT INTO folded_line VALUES (1, 'nick'), (2, 'BOB'), (3, NULL);
CREATE TABLE mixed_key (id PRIMARY KEY NOT NULL, note TEXT);
INSERT INTO mixed_key VALUES (1, 'number'), ('one', 'text'), (2.5, 'real');
CREATE TABLE numeric_key (id NUMERIC PRIMARY KEY NOT NULL, note TEXT);
INSERT INTO numeric_key VALUES (1, 'number'), (10, 'ten'), (2.5, 'real');
CREATE TABLE decimal_key (id DECIMAL(10, 2) PRIMARY KEY NOT NULL, note TEXT);
INSERT INTO decimal_key VALUES (1, 'number'), (2.5, 'real');
CREATE TABLE real_key (id REAL PRIMARY KEY NOT NULL, note TEXT);
INSERT INTO real_key VALUES (1, 'number'), (2.5, 'real');
CREATE TABLE bool_key (id BOOLEAN PRIMARY KEY NOT NULL, note TEXT);
INSERT INTO bool_key VALUES (1, 'yes'), (0, 'no');
CREATE TABLE uuid_key (id UUID PRIMARY KEY NOT NULL, note TEXT);
INSERT INTO uuid_key VALUES ('0190163D-8694-739B-AEA5-966C26F8AD91', 'upper'), (x'0190163d8694739baea5966c26f8ad92', 'bytes');
CREATE TABLE uuid_line (id INTEGER PRIMARY KEY, key UUID REFERENCES uuid_key (id));
INSERT INTO uuid_line VALUES (1, '0190163D-8694-739B-AEA5-966C26F8AD91'), (2, x'0190163d8694739baea5966c26f8ad92');
CREATE TABLE day_key (day DATE PRIMARY KEY NOT NULL, note TEXT);
INSERT INTO day_key VALUES ('2026-11-01', 'text'), (1762500000, 'seconds'), ('2026-11-03 10:00:00', 'moment');
CREATE TABLE wide_key (id BIGINT PRIMARY KEY NOT NULL, note TEXT);
INSERT INTO wide_key VALUES (9007199254740993, 'wide'), (-9223372036854775808, 'least'), (5, 'small');

-- Types -----------------------------------------------------------------------------------------------------------

CREATE TABLE numbers (id INTEGER PRIMARY KEY, n38 NUMERIC(38, 10), n20 DECIMAL(20, 4), n DECIMAL, n2 NUMERIC(10, 2), money MONEY, r REAL, f FLOAT, i INTEGER, b BIGINT, t TEXT, whatever);
INSERT INTO numbers VALUES (1, 0.1, 12345.6789, 0.1, 0.005, 1.1, 0.1, 1e300, 5, 9223372036854775807, 5, 5),
  (2, 1234567890.0123456789, 9007199254740993, 1e20, 12.345, -0.0, -2.5, 1e-300, -5, -1, '5.0', 5.5),
  (3, 9223372036854775807, 0.00001, 1.5e-7, 1e15, 0.1, 3, 3, 7, 7, 'x', 'y'),
  (4, 123456789012345678, 123456789.123456789, 123456789012345680000, 0, 100, 0.30000000000000004, 0.1, 8, 8, '', 'text'),
  (5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE moments (id INTEGER PRIMARY KEY, day DATE, at DATETIME, clock TIME);
INSERT INTO moments VALUES (1, '2026-11-01', '2026-11-01 10:00:00', '10:00'), (2, 1762000000, 1762000000123, '10:00:00.5'), (3, 2461345.5, 2461345.75, NULL), (4, NULL, '2026-11-01T10:00:00.123456+02:00', '23:59:59');
CREATE TABLE strict_values (id INTEGER PRIMARY KEY, i INT, r REAL, t TEXT, b BLOB, a ANY) STRICT;
INSERT INTO strict_values VALUES (1, 9007199254740993, 0.1, '5', x'00', 5), (2, NULL, 1e300, '', x'', '5'), (3, 5, NULL, 'é', NULL, 5.5);
CREATE TABLE generated (id INTEGER PRIMARY KEY, a INTEGER, twice INTEGER GENERATED ALWAYS AS (a * 2), half REAL AS (a / 2.0) STORED, untyped AS (a || '!'));
INSERT INTO generated (id, a) VALUES (1, 5), (2, NULL), (3, 6);
CREATE TABLE described (id INTEGER PRIMARY KEY, doc JSON, flag BOOLEAN, raw BLOB, unknown FROBNICATE, note VARCHAR(5), choice TEXT CHECK (choice IN ('a', 'b')));
INSERT INTO described VALUES (1, '{"a":[1]}', 1, x'00ff', 5, 'abcde', 'a'), (2, '1', 'true', 'text', 'x', '', 'b'), (3, NULL, 0, NULL, 2.5, NULL, NULL);

-- Names -----------------------------------------------------------------------------------------------------------

CREATE TABLE "ta/ble.dot" ("col/umn.dot" TEXT PRIMARY KEY NOT NULL, "per%cent" INTEGER, "question?" TEXT, "new
line" TEXT, "semi;colon" TEXT, "back`tick" TEXT, "brace{}" TEXT, "🙂🙂" TEXT, "a""b" TEXT, "''" TEXT, [in brackets] TEXT);
INSERT INTO "ta/ble.dot" VALUES ('a/b', 5, 'q', 'n', 's', 'b', '{}', ':)', 'ab', '''', 'br');
CREATE TABLE "SELECT" ("FROM" INTEGER PRIMARY KEY, "where" TEXT, "GROUP" TEXT, "desc" TEXT, "rowid" TEXT);
INSERT INTO "SELECT" VALUES (1, 'w', 'g', 'd', 'r'), (2, NULL, NULL, NULL, NULL);
CREATE TABLE mutation (id INTEGER PRIMARY KEY, subscription TEXT, aggregate TEXT, edges TEXT, nodes TEXT, cursor TEXT, pageInfo TEXT, totalCount TEXT, _id TEXT, __type TEXT, filter TEXT, sort TEXT, "limit" TEXT, after TEXT, include TEXT, fields TEXT, count TEXT, transitions TEXT, history TEXT, version TEXT, etag TEXT, key TEXT, "where" TEXT, input TEXT);
INSERT INTO mutation VALUES (1, 's', 'a', 'e', 'n', 'c', 'p', 't', 'i', 't', 'f', 's', 'l', 'a', 'i', 'f', 'c', 't', 'h', 'v', 'e', 'k', 'w', 'i');
CREATE TABLE batch (id INTEGER PRIMARY KEY); CREATE TABLE viewer (id INTEGER PRIMARY KEY); CREATE TABLE openapi (id INTEGER PRIMARY KEY); CREATE TABLE actions (id INTEGER PRIMARY KEY); CREATE TABLE page_info (id INTEGER PRIMARY KEY); CREATE TABLE "String" (id INTEGER PRIMARY KEY); CREATE TABLE __schema (id INTEGER PRIMARY KEY);
INSERT INTO batch VALUES (1); INSERT INTO viewer VALUES (1); INSERT INTO openapi VALUES (1); INSERT INTO actions VALUES (1); INSERT INTO page_info VALUES (1); INSERT INTO "String" VALUES (1); INSERT INTO __schema VALUES (1);
CREATE TABLE a_name_that_is_very_long_indeed_and_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on (id INTEGER PRIMARY KEY, a_column_that_is_very_long_indeed_and_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on TEXT);
INSERT INTO a_name_that_is_very_long_indeed_and_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on VALUES (1, 'long');

-- Tables ----------------------------------------------------------------------------------------------------------

CREATE TABLE twice (a INTEGER, b TEXT);
INSERT INTO twice VALUES (1, 'x'), (1, 'x'), (2, NULL), (NULL, NULL);
CREATE TABLE self (id INTEGER PRIMARY KEY, self_id INTEGER REFERENCES self (id), other_id REFERENCES texts (id));
INSERT INTO self VALUES (1, 1, 'a'), (2, NULL, ''), (3, 1, NULL);
CREATE VIEW expressions AS SELECT n.id, n.i * 2 AS doubled, n.i * 1.5 AS half, 'x' || n.t AS loud, n.i > 6 AS late, count(*) OVER () AS total, n.b AS b, NULL AS nothing_here, n.raw AS raw, max(n.r, 0.5) AS greatest, CAST(n.i AS TEXT) AS written FROM (SELECT *, x'00ff' AS raw FROM numbers) n;
CREATE VIEW grouped AS SELECT note, sum(id) AS total, avg(id) AS mean, group_concat(id) AS ids FROM self LEFT JOIN texts ON texts.id = self.other_id GROUP BY note;
CREATE VIEW nested AS SELECT total, mean * 2 AS more FROM grouped;
CREATE VIRTUAL TABLE search USING fts5 (title, body);
INSERT INTO search VALUES ('hello', 'world'), ('it''s', '"quoted"');
CREATE VIRTUAL TABLE boxes USING rtree (id, minX, maxX);
INSERT INTO boxes VALUES (1, 0, 10), (2, 5.5, 6);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (search, row);
