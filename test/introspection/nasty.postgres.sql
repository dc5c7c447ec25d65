-- A PostgreSQL database whose values are hard to find again: padded, folded, ranged, nested and oddly named.

CREATE EXTENSION citext;
CREATE EXTENSION hstore;
CREATE EXTENSION ltree;

-- Keys ------------------------------------------------------------------------------------------------------------

CREATE TABLE padded (code char(5) PRIMARY KEY, name char(8) UNIQUE, kind char NOT NULL);
INSERT INTO padded VALUES ('ab', 'x', 'k'), ('abcde', 'a b', 'k'), ('a', NULL, 'l'), ('', 'y', ' '), ('Ab', 'z', 'k');
CREATE TABLE padded_line (code char(5) REFERENCES padded, number integer, note char(4)[], PRIMARY KEY (code, number));
INSERT INTO padded_line VALUES ('ab', 1, '{"x","yy  "}'), ('ab', 2, NULL), ('a', 1, '{}'), ('', 3, '{NULL}');
DELETE FROM padded_line WHERE number = 3;
INSERT INTO padded_line VALUES ('', 3, '{"z"}');
CREATE TABLE padded_parcel (id integer PRIMARY KEY, code char(5), number integer, alias char(8) REFERENCES padded (name),
  FOREIGN KEY (code, number) REFERENCES padded_line);
INSERT INTO padded_parcel VALUES (1, 'ab', 1, 'x'), (2, NULL, NULL, 'a b'), (3, '', 3, NULL);
CREATE TABLE wide_code (code varchar(10) PRIMARY KEY);
INSERT INTO wide_code VALUES ('ab'), ('cd');
CREATE TABLE narrow_code (id integer PRIMARY KEY, code varchar(5) REFERENCES wide_code);
INSERT INTO narrow_code VALUES (1, 'ab'), (2, 'cd'), (3, NULL);
CREATE DOMAIN iso AS char(3) CHECK (VALUE <> 'xxx');
CREATE DOMAIN iso_strict AS iso NOT NULL CHECK (VALUE = upper(VALUE));
CREATE TABLE currency (iso iso_strict PRIMARY KEY, near iso);
INSERT INTO currency VALUES ('EUR', 'EU'), ('CH', NULL);
CREATE TABLE price (id integer PRIMARY KEY, currency iso_strict REFERENCES currency, amount numeric(10, 2));
INSERT INTO price VALUES (1, 'EUR', 1.5), (2, 'CH', NULL);
CREATE TABLE folded (name citext PRIMARY KEY, note citext);
INSERT INTO folded VALUES ('Nick', 'A'), ('bob', 'a'), ('Zoe', NULL), ('amy', 'B');
CREATE TABLE folded_line (id integer PRIMARY KEY, name citext REFERENCES folded);
INSERT INTO folded_line VALUES (1, 'nick'), (2, 'BOB'), (3, NULL), (4, 'Zoe');
CREATE COLLATION loose_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE collated (name text COLLATE loose_case PRIMARY KEY, note text COLLATE loose_case);
INSERT INTO collated VALUES ('Nick', 'A'), ('bob', 'a'), ('Zoe', NULL);
CREATE TABLE collated_line (id integer PRIMARY KEY, name text COLLATE loose_case REFERENCES collated);
INSERT INTO collated_line VALUES (1, 'nick'), (2, 'BOB'), (3, NULL);
CREATE TYPE grade AS ENUM ('low', 'High', 'a~b', 'x y', '100%', 'it''s', '"quoted"', 'emoji 🙂', '__typename', 'null', 'true');
CREATE TABLE graded (grade grade PRIMARY KEY, others grade[]);
INSERT INTO graded VALUES ('low', '{High,"a~b"}'), ('a~b', '{}'), ('100%', NULL), ('"quoted"', '{"null","true"}'),
  ('emoji 🙂', '{__typename}'), ('null', NULL);
CREATE TABLE graded_pair (grade grade REFERENCES graded, day date, PRIMARY KEY (grade, day));
INSERT INTO graded_pair VALUES ('a~b', '2026-11-01'), ('100%', '2026-11-01');
CREATE TABLE host (address inet PRIMARY KEY, net cidr, card macaddr UNIQUE NOT NULL, card8 macaddr8);
INSERT INTO host VALUES ('10.0.0.9', '10.0.0.0/24', '08:00:2b:01:02:03', '08:00:2b:01:02:03:04:05'),
  ('10.0.0.10', '10.0.0.0/8', '08:00:2b:01:02:04', NULL), ('9.0.0.1/24', NULL, '00:00:2b:01:02:03', NULL),
  ('::1', '2001:db8::/32', 'ff:00:2b:01:02:03', NULL);
CREATE TABLE host_port (address inet REFERENCES host, port integer, PRIMARY KEY (address, port));
INSERT INTO host_port VALUES ('10.0.0.9', 80), ('10.0.0.10', 443), ('::1', 1);
CREATE TABLE spans (span interval PRIMARY KEY, note text);
INSERT INTO spans VALUES ('9 days', 'a'), ('10 days', 'b'), ('1 month', 'c'), ('-1 day', 'd'), ('30 days 00:00:01', 'e');
CREATE TABLE spread (id integer PRIMARY KEY, span interval);
INSERT INTO spread VALUES (1, '1 month'), (2, '30 days'), (3, '29 days 24:00'), (4, NULL), (5, '9 days'), (6, '10 days');
CREATE TABLE barred (flags bit(4) PRIMARY KEY, more bit varying(8));
INSERT INTO barred VALUES (B'0101', B'1'), (B'1111', B'01'), (B'0000', NULL);
CREATE TABLE paths (path ltree PRIMARY KEY);
INSERT INTO paths VALUES ('a.b'), ('a'), ('a_b.c');
CREATE TABLE periods (during daterange PRIMARY KEY, numbers numrange, several int4multirange);
INSERT INTO periods VALUES ('[2026-01-01,2026-02-01)', '(1.5,2]', '{[1,3),[5,7)}'), ('[2025-01-01,)', NULL, '{}'), ('empty', '[9,10]', NULL);
CREATE TABLE system_names (name name PRIMARY KEY, letter "char", object oid, kind regclass);
INSERT INTO system_names VALUES ('b', 'x', 10, 'pg_class'), ('a', 'y', 9, NULL);
CREATE TABLE costs (cash money PRIMARY KEY, late timetz);
INSERT INTO costs VALUES (9.5, '10:00+02'), (1000.25, '09:00+00'), (-3, '08:30-01');
CREATE TABLE texts (id text PRIMARY KEY, note text);
INSERT INTO texts VALUES ('', 'empty'), (' ', 'blank'), ('a ', 'a blank'), ('a', 'none'), ('a/b', 'slash'), ('a%2Fb', 'percent'), ('~', 'tilde'),
  ('%7E', 'percent tilde'), ('.', 'dot'), ('..', 'dots'), ('query', 'query'), ('transitions', 'word'), ('text_a', 'prefixed'), ('🙂', 'emoji'), ('a"b\c', 'quotes'), (E'a\nb', 'line'), ('É', 'composed'), (E'E\u0301', 'decomposed');
CREATE TABLE pairs (one text, other text, PRIMARY KEY (one, other));
INSERT INTO pairs VALUES ('', ''), ('a~', 'b'), ('a', '~b'), ('%', '/'), ('a b', ' ');

-- Types -----------------------------------------------------------------------------------------------------------

CREATE DOMAIN small AS integer CHECK (VALUE < 1000);
CREATE DOMAIN smaller AS small CHECK (VALUE > -1000);
CREATE DOMAIN smalls AS smaller[];
CREATE DOMAIN choice AS text CHECK (VALUE IN ('a', 'b'));
CREATE DOMAIN choices AS choice[];
CREATE DOMAIN graded_domain AS grade;
CREATE DOMAIN moment AS timestamp(3);
CREATE DOMAIN folded_domain AS citext;
CREATE DOMAIN document AS jsonb;
CREATE TYPE pair AS (a integer, b text);
CREATE DOMAIN pair_domain AS pair;
CREATE TYPE float_range AS RANGE (subtype = float8);
CREATE TABLE typed (
  id integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  one smaller, several smalls, listed smaller[], chosen choice, chosen_list choices, graded graded_domain, graded_list graded_domain[],
  at moment, at_list moment[], folded folded_domain, folded_list citext[], doc document, docs jsonb[], pair pair, pair_domain pair_domain,
  ranged float_range, ranges daterange[], f4 real, f4s real[], bs boolean[], days date[], times time[], stamps timestamptz[], uuids uuid[], bytes bytea[],
  numerics numeric[], big bigint[], varied varchar(4)[], fixed char(3)[], price_list numeric(6, 2)[],
  page xml, store hstore, words tsvector, query tsquery, place point, line lseg, box box, path path, circle circle, late timetz, lates timetz[], span interval, spans interval[],
  cash money, cashes money[], flags bit(3), net cidr, addresses inet[], json_text json, json_list json[], path_text jsonpath, lsn pg_lsn, snapshot pg_snapshot,
  doubled integer GENERATED ALWAYS AS (one * 2) STORED, upper_folded text GENERATED ALWAYS AS (upper(chosen)) STORED,
  exact numeric, tiny numeric(40, 30), big_number numeric(38, 0)
);
INSERT INTO typed (one, several, listed, chosen, chosen_list, graded, graded_list, at, at_list, folded, folded_list, doc, docs, pair, ranged, ranges, f4, f4s, bs, days, times, stamps, uuids, bytes,
  numerics, big, varied, fixed, price_list, page, store, words, query, place, line, box, path, circle, late, lates, span, spans, cash, cashes, flags, net, addresses, json_text, json_list, path_text, lsn, snapshot, exact, tiny, big_number)
VALUES (1, '{1,2}', '{3}', 'a', '{a,b}', 'a~b', '{low,"x y"}', '2026-11-01 10:00:00.123', '{"2026-11-01 10:00:00.5"}', 'Fold', '{Fold,fold}', '{"a":[1,{"b":null}]}', '{"1","{\"a\":2}"}', '(1,x)', '[1.5,2.5)', '{"[2026-01-01,2026-02-01)"}', 0.1, '{0.1,1e10}', '{true,false}', '{2026-11-01}', '{10:00:00}', '{"2026-11-01 10:00:00.000001+00"}',
  '{0190163d-8694-739b-aea5-966c26f8ad91}', '{"\\x00ff"}', '{1.50,2}', '{9007199254740993}', '{abcd}', '{"ab ","c"}', '{1.5}', '<a b="c">d</a>', 'a=>1, b=>NULL', 'a:1 b:2', 'a & b', '(1,2)', '[(0,0),(1,1)]', '((0,0),(1,1))', '((0,0),(1,1))', '<(0,0),1>', '10:00+02', '{10:00+02}', '1 mon', '{"1 day","24:00:00"}',
  12.34, '{1,2}', B'101', '10.0.0.0/8', '{10.0.0.1,::1}', '{"a": 1.0}', '{"{\"a\": 1}"}', '$.a', '16/B374D848', '10:20:10,14,15', 1.50000000000000000000000000000001, 0.000000000000000000000000000001, 99999999999999999999999999999999999999),
 (2, '{}', '{}', 'b', '{}', 'low', '{}', '2026-11-01 10:00:00', '{}', 'fold', '{}', '[]', '{}', NULL, 'empty', '{}', 1e10, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', NULL, '', '', '', NULL, NULL, NULL, NULL, NULL, '09:00+00', '{}', '30 days', '{}', -5, '{}', B'000', '9.0.0.0/8', '{}', '1', '{}', '$', '0/0', '10:20:', -0.5, -1.5, -1);
INSERT INTO typed DEFAULT VALUES;

-- Names -----------------------------------------------------------------------------------------------------------

CREATE SCHEMA "odd.schema";
CREATE TABLE "odd.schema"."ta/ble.dot" ("col/umn.dot" text PRIMARY KEY, "per%cent" integer, "question?" text, "tab	ulator" text, "new
line" text, "semi;colon" text, "back`tick" text, "dollar$1" text, "brace{}" text, "🙂🙂" text, "a""b" text, "''" text);
INSERT INTO "odd.schema"."ta/ble.dot" VALUES ('a/b', 5, 'q', 't', 'n', 's', 'b', 'd', '{}', ':)', 'ab', '''');
CREATE TABLE "SELECT" ("FROM" integer PRIMARY KEY, "where" text, "GROUP" text, "desc" text, "Where" text);
INSERT INTO "SELECT" VALUES (1, 'w', 'g', 'd', 'W'), (2, NULL, NULL, NULL, NULL);
CREATE TABLE "Name" ("Name" text, name text, "NAME" text, id integer PRIMARY KEY, "ID" integer, "Id" integer);
INSERT INTO "Name" VALUES ('N', 'n', 'NN', 1, 2, 3);
CREATE TABLE mutation (id integer PRIMARY KEY, subscription text, aggregate text, edges text, nodes text, cursor text, "pageInfo" text, "totalCount" text, "_id" text, "__type" text, filter text, sort text, "limit" text, after text, include text, fields text, count text, transitions text, history text, version text, etag text, key text, "where" text, input text);
INSERT INTO mutation VALUES (1, 's', 'a', 'e', 'n', 'c', 'p', 't', 'i', 't', 'f', 's', 'l', 'a', 'i', 'f', 'c', 't', 'h', 'v', 'e', 'k', 'w', 'i');
CREATE TABLE batch (id integer PRIMARY KEY); CREATE TABLE viewer (id integer PRIMARY KEY); CREATE TABLE openapi (id integer PRIMARY KEY); CREATE TABLE docs (id integer PRIMARY KEY); CREATE TABLE graphql (id integer PRIMARY KEY); CREATE TABLE health (id integer PRIMARY KEY); CREATE TABLE actions (id integer PRIMARY KEY); CREATE TABLE page_info (id integer PRIMARY KEY); CREATE TABLE "String" (id integer PRIMARY KEY); CREATE TABLE int (id integer PRIMARY KEY); CREATE TABLE id (id integer PRIMARY KEY); CREATE TABLE __schema (id integer PRIMARY KEY);
INSERT INTO batch VALUES (1); INSERT INTO viewer VALUES (1); INSERT INTO openapi VALUES (1); INSERT INTO docs VALUES (1); INSERT INTO graphql VALUES (1); INSERT INTO health VALUES (1); INSERT INTO actions VALUES (1); INSERT INTO page_info VALUES (1); INSERT INTO "String" VALUES (1); INSERT INTO int VALUES (1); INSERT INTO id VALUES (1); INSERT INTO __schema VALUES (1);

-- Tables ----------------------------------------------------------------------------------------------------------

CREATE TABLE measured (id integer, at date, code char(4), PRIMARY KEY (at, id)) PARTITION BY RANGE (at);
CREATE TABLE measured_old PARTITION OF measured FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE TABLE measured_rest PARTITION OF measured DEFAULT PARTITION BY LIST (id);
CREATE TABLE measured_rest_all PARTITION OF measured_rest DEFAULT;
INSERT INTO measured VALUES (1, '2025-05-05', 'a'), (2, '2026-05-05', 'b');
CREATE TABLE parent (id integer PRIMARY KEY, name text);
CREATE TABLE child (extra text) INHERITS (parent);
INSERT INTO parent VALUES (1, 'p'); INSERT INTO child VALUES (2, 'c', 'x');
CREATE TABLE twice (a integer, b text);
INSERT INTO twice VALUES (1, 'x'), (1, 'x'), (2, NULL), (NULL, NULL);
CREATE VIEW ruled AS SELECT id, name FROM parent;
CREATE RULE ruled_insert AS ON INSERT TO ruled DO INSTEAD INSERT INTO parent VALUES (new.id, new.name);
CREATE VIEW outer_join AS SELECT p.id, p.name, l.number, l.code, d.amount FROM parent p LEFT JOIN padded_line l ON l.number = p.id LEFT JOIN price d ON d.id = p.id + 5;
CREATE VIEW expressions AS SELECT id, id * 1.5 AS half, name || '!' AS loud, now() > '2000-01-01' AS late, ARRAY[id, id + 1] AS both, NULL AS nothing, 'k' AS letter, count(*) OVER () AS total FROM parent;
CREATE MATERIALIZED VIEW kept AS SELECT code, count(*) AS lines FROM padded_line GROUP BY code;
CREATE TABLE unlogged_line (id bigserial PRIMARY KEY, parent_id integer REFERENCES parent ON DELETE CASCADE, self_id bigint REFERENCES unlogged_line);
INSERT INTO unlogged_line VALUES (1, 1, NULL), (2, NULL, 1), (3, 1, 3);
