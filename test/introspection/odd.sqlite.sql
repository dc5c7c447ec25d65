-- A SQLite database that is hard to serve: every kind of table, key, foreign key, type and name there is.

-- Names -----------------------------------------------------------------------------------------------------------

CREATE TABLE "Order" (
  "Order Id" INTEGER PRIMARY KEY,
  "select" TEXT,
  "Größe" TEXT,
  "2fa code" TEXT,
  "😀" TEXT,
  "年" INTEGER,
  "it's ""quoted""" TEXT,
  "and" TEXT,
  user_id INTEGER,
  "userId" INTEGER,
  "back\slash" TEXT,
  "__typename" TEXT
);
INSERT INTO "Order" VALUES (1, 'a', 'groß', '123', '🙂', 2026, 'q', 'x', 7, 8, 'b', 't'),
  (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT);
INSERT INTO orders VALUES (1, 'the other table of that name');

CREATE TABLE "2024 sales" (id INTEGER PRIMARY KEY, amount REAL);
INSERT INTO "2024 sales" VALUES (1, 1.5);

CREATE TABLE "🙃" (id INTEGER PRIMARY KEY, mood TEXT);
INSERT INTO "🙃" VALUES (1, 'upside down');

CREATE TABLE node (id INTEGER PRIMARY KEY, "or" TEXT, "not" TEXT);
INSERT INTO node VALUES (1, 'o', 'n');

CREATE TABLE date (id INTEGER PRIMARY KEY, day DATE);
INSERT INTO date VALUES (1, '2026-11-01');

CREATE TABLE query (id INTEGER PRIMARY KEY, text TEXT);
CREATE TABLE news (id INTEGER PRIMARY KEY, headline TEXT);
CREATE TABLE sheep (id INTEGER PRIMARY KEY, wool TEXT);
CREATE TABLE statuses (id INTEGER PRIMARY KEY, label TEXT);
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO people VALUES (1, 'Ada'), (2, 'Grace'), (3, 'Edsger');

-- Keys ------------------------------------------------------------------------------------------------------------

CREATE TABLE country (code CHAR(2) PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO country VALUES ('DE', 'Germany'), ('FR', 'France');

CREATE TABLE session (id TEXT PRIMARY KEY NOT NULL, person_id INTEGER NOT NULL REFERENCES people (id));
INSERT INTO session VALUES ('s-1', 1), ('a~b%c', 2);

CREATE TABLE customer (CustomerID NCHAR(5) PRIMARY KEY NOT NULL, company TEXT);
INSERT INTO customer VALUES ('ALFKI', 'Alfreds');

CREATE TABLE token (token_uuid UUID PRIMARY KEY NOT NULL, scope TEXT);
INSERT INTO token VALUES ('0190163d-8694-739b-aea5-966c26f8ad91', 'all');

CREATE TABLE holiday (day DATE PRIMARY KEY NOT NULL, name TEXT);
INSERT INTO holiday VALUES ('2026-12-25', 'Christmas');

CREATE TABLE keyless (at DATETIME, message TEXT);
INSERT INTO keyless VALUES ('2026-11-01 10:00:00', 'one'), ('2026-11-01 10:00:00', 'one');

CREATE TABLE only_reference (person_id INTEGER NOT NULL REFERENCES people (id));
INSERT INTO only_reference VALUES (1), (1);

CREATE TABLE sample (at TIMESTAMP NOT NULL, sensor INTEGER NOT NULL, value REAL, PRIMARY KEY (at, sensor));
INSERT INTO sample VALUES ('2026-11-01T10:00:00Z', 1, 0.5);

CREATE TABLE unique_only (code TEXT NOT NULL UNIQUE, alias TEXT UNIQUE, note TEXT);
INSERT INTO unique_only VALUES ('a', NULL, 'x'), ('b', 'bee', 'y');

CREATE TABLE nullable_unique (code TEXT UNIQUE, note TEXT);
INSERT INTO nullable_unique VALUES (NULL, 'x'), ('b', 'y');

CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
INSERT INTO setting VALUES ('theme', 'dark');

CREATE TABLE counter (at BIGINT PRIMARY KEY, total INTEGER NOT NULL);
INSERT INTO counter VALUES (1762000000000, 5), (9007199254740993, 6);

CREATE TABLE "has rowid" (rowid TEXT, note TEXT);
INSERT INTO "has rowid" VALUES ('mine', 'n');

CREATE TABLE blob_key (hash BLOB PRIMARY KEY, size INTEGER, UNIQUE (size, hash));
INSERT INTO blob_key VALUES (x'00ff', 2);

-- Foreign keys ----------------------------------------------------------------------------------------------------

CREATE TABLE address (id INTEGER PRIMARY KEY, street TEXT, country_code CHAR(2) REFERENCES country (code));
INSERT INTO address VALUES (1, 'Main', 'DE'), (2, 'Rue', 'FR'), (3, 'Nowhere', NULL);

CREATE TABLE purchase (
  id INTEGER PRIMARY KEY,
  billing_address_id INTEGER NOT NULL REFERENCES address (id),
  shipping_address_id INTEGER REFERENCES address (id),
  buyer INTEGER REFERENCES people,
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'paid', 'it''s done')),
  note TEXT CHECK (note IS NULL OR note <> '')
);
INSERT INTO purchase VALUES (1, 1, 2, 1, 'open', NULL), (2, 1, NULL, NULL, 'paid', 'n');

CREATE TABLE purchase_line (
  purchase_id INTEGER NOT NULL REFERENCES purchase (id),
  number INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  PRIMARY KEY (purchase_id, number)
);
INSERT INTO purchase_line VALUES (1, 1, 3), (1, 2, 4), (2, 1, 1);

CREATE TABLE parcel (
  id INTEGER PRIMARY KEY,
  purchase_id INTEGER NOT NULL,
  line_number INTEGER NOT NULL,
  label TEXT,
  FOREIGN KEY (purchase_id, line_number) REFERENCES purchase_line (purchase_id, number)
);
INSERT INTO parcel VALUES (1, 1, 2, 'box');

CREATE TABLE employee (
  EmployeeId INTEGER PRIMARY KEY,
  ReportsTo INTEGER REFERENCES employee (EmployeeId),
  mentor_id INTEGER REFERENCES employee (EmployeeId),
  "artist" TEXT
);
INSERT INTO employee VALUES (1, NULL, NULL, 'a'), (2, 1, 1, 'b');

CREATE TABLE profile (person_id INTEGER PRIMARY KEY REFERENCES people (id), bio TEXT);
INSERT INTO profile VALUES (1, 'first');

CREATE TABLE badge (id INTEGER PRIMARY KEY, owner_id INTEGER UNIQUE REFERENCES people (id), number TEXT UNIQUE);
INSERT INTO badge VALUES (1, 2, 'B-1'), (2, NULL, NULL);

CREATE TABLE visa (id INTEGER PRIMARY KEY, country_name TEXT REFERENCES country (name));
INSERT INTO visa VALUES (1, 'France');

CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE);
INSERT INTO tag VALUES (1, 'new'), (2, 'old');

CREATE TABLE purchase_tag (
  purchase_id INTEGER NOT NULL REFERENCES purchase (id),
  tag_id INTEGER NOT NULL REFERENCES tag (id),
  PRIMARY KEY (purchase_id, tag_id)
);
INSERT INTO purchase_tag VALUES (1, 1), (1, 2), (2, 2);

CREATE TABLE follow (
  follower_id INTEGER NOT NULL REFERENCES people (id),
  followee_id INTEGER NOT NULL REFERENCES people (id),
  PRIMARY KEY (follower_id, followee_id)
);
INSERT INTO follow VALUES (1, 2), (2, 3), (1, 3);

CREATE TABLE membership (
  person_id INTEGER NOT NULL REFERENCES people (id),
  tag_id INTEGER NOT NULL REFERENCES tag (id),
  since DATE,
  PRIMARY KEY (person_id, tag_id)
);
INSERT INTO membership VALUES (1, 1, '2026-01-01');

CREATE TABLE clash (
  id INTEGER PRIMARY KEY,
  person TEXT,
  person_id INTEGER REFERENCES people (id),
  "personId" TEXT
);
INSERT INTO clash VALUES (1, 'text', 1, 'also text');

CREATE TABLE stray (id INTEGER PRIMARY KEY, gone_id INTEGER REFERENCES gone (id), log_id INTEGER REFERENCES keyless (at));
INSERT INTO stray VALUES (1, NULL, NULL);

CREATE TABLE loose_end (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES people (id));
INSERT INTO loose_end VALUES (1, 1), (2, 99);

CREATE TABLE account (id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, UNIQUE (tenant, id));
CREATE TABLE booking (
  id INTEGER PRIMARY KEY,
  tenant INTEGER NOT NULL,
  account_id INTEGER,
  FOREIGN KEY (tenant, account_id) REFERENCES account (tenant, id)
);
INSERT INTO account VALUES (1, 7);
INSERT INTO booking VALUES (1, 7, 1), (2, 7, NULL);

CREATE TABLE tenant_item (tenant INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, PRIMARY KEY (tenant, id));
CREATE TABLE tenant_link (
  tenant INTEGER NOT NULL,
  from_id INTEGER NOT NULL,
  to_id INTEGER,
  PRIMARY KEY (tenant, from_id),
  FOREIGN KEY (tenant, from_id) REFERENCES tenant_item (tenant, id),
  FOREIGN KEY (tenant, to_id) REFERENCES tenant_item (tenant, id)
);
INSERT INTO tenant_item VALUES (1, 1, 'a'), (1, 2, 'b');
INSERT INTO tenant_link VALUES (1, 1, 2);

-- Types -----------------------------------------------------------------------------------------------------------

CREATE TABLE types (
  id INTEGER PRIMARY KEY,
  i INT, i2 TINYINT, i3 MEDIUMINT, big BIGINT, big2 INT8, big3 UNSIGNED BIG INT,
  wide INTEGER,
  f FLOAT, f2 DOUBLE PRECISION, f3 REAL,
  d NUMERIC(10, 2), d2 DECIMAL, d3 DECIMAL(5), money MONEY,
  b BOOLEAN, b2 BOOL,
  day DATE, clock TIME, moment DATETIME, moment2 TIMESTAMP,
  t TEXT, t2 VARCHAR(20), t3 NVARCHAR(160), t4 CHARACTER VARYING(7), t5 CLOB, t6 STRING, t7,
  j JSON, u UUID, u2 GUID,
  raw BLOB, raw2 VARBINARY(16),
  odd FROBNICATE,
  doubled INTEGER GENERATED ALWAYS AS (i * 2) VIRTUAL,
  kept TEXT GENERATED ALWAYS AS (upper(t)) STORED,
  given TEXT NOT NULL DEFAULT 'x',
  made TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  empty_choice TEXT CHECK (empty_choice IN ('', 'a'))
);
INSERT INTO types (id, i, i2, i3, big, big2, big3, wide, f, f2, f3, d, d2, d3, money, b, b2, day, clock, moment, moment2,
  t, t2, t3, t4, t5, t6, t7, j, u, u2, raw, raw2, odd, empty_choice)
VALUES (1, 1, 2, 3, 9007199254740993, -9223372036854775808, 7, 1762000000000, 0.1, 1e100, -2.5, 12.5, 0.1, 7, 99.99, 1, 0,
  '2026-11-01', '10:30:00', '2026-11-01 10:30:00', '2026-11-01T10:30:00+02:00',
  't', 't2', 't3', 't4', 't5', 't6', 't7', '{"a": [1, null]}', '0190163D-8694-739B-AEA5-966C26F8AD91',
  '0190163d-8694-739b-aea5-966c26f8ad91', x'00ff', x'01', 'anything', '');
INSERT INTO types (id) VALUES (2);

CREATE TABLE strict_types (
  id INTEGER PRIMARY KEY,
  i INTEGER, i2 INT NOT NULL, r REAL, t TEXT, b BLOB, anything ANY,
  choice TEXT NOT NULL CHECK (choice IN ('a', 'b'))
) STRICT;
INSERT INTO strict_types VALUES (1, 1, 2, 0.5, 't', x'00', 'any', 'a');

CREATE INDEX strict_by_choice ON strict_types (choice, i DESC);
CREATE INDEX strict_partial ON strict_types (t) WHERE t IS NOT NULL;
CREATE INDEX strict_expression ON strict_types (lower(t));
CREATE UNIQUE INDEX strict_unique ON strict_types (i2, choice);

-- Not tables ------------------------------------------------------------------------------------------------------

CREATE VIEW open_purchases AS SELECT p.id, p.status, count(*) AS lines FROM purchase p GROUP BY p.id;
CREATE VIEW broken AS SELECT name FROM nowhere;
CREATE VIRTUAL TABLE search USING fts5 (title, body);
INSERT INTO search VALUES ('hello', 'world');
