// Foreign keys become relations both ways, and tables that only join two others become relations of those.
import assert from "node:assert/strict"
import { test } from "node:test"
import { dialects } from "../support/open-service.ts"
import { type Inspected, inspectSql } from "./databases.ts"

/** `artist: one artist (artistId)`, `albums: many album`. */
function relationsOf({ model }: Inspected, name: string): readonly string[] {
  const resource = model.resources.get(name)
  assert.ok(resource, name)
  return [...resource.relations.values()].map((it) => {
    const reference = it.kind === "one" && it.reference ? ` (${it.reference})` : ""
    const way = it.kind === "many" && it.through ? ` through ${it.through.table.name}` : ""
    return `${it.name}: ${it.kind === "one" && it.optional ? "optional " : ""}${it.kind} ${it.target}${way}${reference}`
  })
}

const fieldsOf = ({ model }: Inspected, name: string): readonly string[] => [
  ...(model.resources.get(name)?.fields.keys() ?? []),
]

const person = "CREATE TABLE person (id INTEGER PRIMARY KEY, name VARCHAR(9) UNIQUE);"

for (const database of dialects) {
  test(`${database}: a foreign key is named after its column, its far side after its table`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE artist (id INTEGER PRIMARY KEY);
       CREATE TABLE label (id INTEGER PRIMARY KEY);
       CREATE TABLE genre (code VARCHAR(3) PRIMARY KEY NOT NULL);
       CREATE TABLE album (id INTEGER PRIMARY KEY, artist_id INTEGER NOT NULL REFERENCES artist (id),
         "ProducerID" INTEGER REFERENCES artist (id), fk_label INTEGER REFERENCES label (id),
         genre_code VARCHAR(3) REFERENCES genre (code));`,
    )
    assert.deepEqual(relationsOf(made, "album"), [
      "artist: one artist (artistId)",
      "producer: optional one artist (producerId)",
      "label: optional one label (labelId)",
      "genre: optional one genre (genreId)",
    ])
    assert.deepEqual(fieldsOf(made, "album"), [])
    assert.deepEqual(relationsOf(made, "artist"), [
      "albumsByArtist: many album",
      "albumsByProducer: many album",
    ])
    assert.deepEqual(relationsOf(made, "label"), ["albums: many album"])
    assert.deepEqual(relationsOf(made, "genre"), ["albums: many album"])
  })

  test(`${database}: a foreign key without any sign between its words takes those of its target`, async (t) => {
    const { model } = await inspectSql(
      t,
      database,
      `CREATE TABLE product_subcategory (productsubcategoryid integer PRIMARY KEY);
       CREATE TABLE productcategory (productcategoryid integer PRIMARY KEY);
       CREATE TABLE address (addressid integer PRIMARY KEY);
       CREATE TABLE person (businessentityid integer PRIMARY KEY);
       CREATE TABLE currency (currencycode varchar(3) PRIMARY KEY);
       CREATE TABLE orchids (id integer PRIMARY KEY);
       CREATE TABLE product (
         productid integer PRIMARY KEY,
         productsubcategoryid integer REFERENCES product_subcategory (productsubcategoryid),
         productcategoryid integer REFERENCES productcategory (productcategoryid),
         shiptoaddressid integer REFERENCES address (addressid),
         businessentityid integer REFERENCES person (businessentityid),
         modifiedbyid integer REFERENCES person (businessentityid),
         currencycode varchar(3) REFERENCES currency (currencycode),
         orchid integer REFERENCES orchids (id),
         author integer REFERENCES person (businessentityid)
       );`,
    )
    assert.deepEqual(
      [...(model.resources.get("product")?.relations.keys() ?? [])],
      [
        "productSubcategory",
        "productcategory",
        "shiptoAddress",
        "businessentity",
        "modifiedby",
        "currency",
        "orchid",
        "author",
      ],
    )
  })

  test(`${database}: a table's foreign keys to itself say which way they lead`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE employee (id INTEGER PRIMARY KEY, reports_to INTEGER REFERENCES employee (id));`,
    )
    assert.deepEqual(relationsOf(made, "employee"), [
      "reportsTo: optional one employee (reportsToId)",
      "employeesByReportsTo: many employee",
    ])
  })

  test(`${database}: a unique foreign key leads back to one record`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `${person}
       CREATE TABLE badge (id INTEGER PRIMARY KEY, person_id INTEGER UNIQUE REFERENCES person (id));
       CREATE TABLE locker (id INTEGER PRIMARY KEY, owner_id INTEGER UNIQUE REFERENCES person (id),
         user_id INTEGER REFERENCES person (id));`,
    )
    assert.deepEqual(relationsOf(made, "person"), [
      "badge: optional one badge",
      "lockerByOwner: optional one locker",
      "lockersByUser: many locker",
    ])
    assert.deepEqual(made.declaration.resources["badge"]?.unique, [["person"]])
  })

  test(`${database}: a foreign key to another unique column is a relation, and the column stays a field`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `${person}
       CREATE TABLE visit (id INTEGER PRIMARY KEY, person_name VARCHAR(9) REFERENCES person (name));`,
    )
    assert.deepEqual(relationsOf(made, "visit"), ["person: optional one person"])
    assert.deepEqual(fieldsOf(made, "visit"), ["personName"])
    assert.equal(made.model.resources.get("visit")?.fields.get("personName")?.readonly, true)
    assert.deepEqual(relationsOf(made, "person"), ["visits: many visit"])
  })

  test(`${database}: a foreign key of several columns has a reference, and its columns stay fields`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE line (purchase INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (purchase, number));
       CREATE TABLE parcel (id INTEGER PRIMARY KEY, number INTEGER, purchase INTEGER,
         FOREIGN KEY (number, purchase) REFERENCES line (number, purchase));`,
    )
    assert.deepEqual(relationsOf(made, "parcel"), ["line: optional one line (lineId)"])
    assert.deepEqual(fieldsOf(made, "parcel"), ["number", "purchase"])
    assert.deepEqual(relationsOf(made, "line"), ["parcels: many parcel"])
    const line = made.model.resources.get("parcel")?.relations.get("line")
    assert.deepEqual(line?.kind === "one" && line.join.map(({ from, to }) => `${from} ${to}`), [
      "purchase purchase",
      "number number",
    ])
  })

  test(`${database}: a foreign key that names more than the target's key is told by the key`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE account (id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, UNIQUE (tenant, id));
       CREATE TABLE booking (id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, account_id INTEGER NOT NULL,
         FOREIGN KEY (tenant, account_id) REFERENCES account (tenant, id));`,
    )
    assert.deepEqual(relationsOf(made, "booking"), ["account: one account (accountId)"])
    assert.deepEqual(fieldsOf(made, "booking"), ["tenant"])
  })

  test(`${database}: a table that only joins two others becomes relations of both`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `${person}
       CREATE TABLE tag (id INTEGER PRIMARY KEY);
       CREATE TABLE person_tag (person_id INTEGER NOT NULL REFERENCES person (id), tag_id INTEGER NOT NULL
         REFERENCES tag (id), PRIMARY KEY (person_id, tag_id));`,
    )
    assert.deepEqual([...made.model.resources.keys()], ["person", "tag"])
    assert.deepEqual(relationsOf(made, "person"), ["tags: many tag through person_tag"])
    assert.deepEqual(relationsOf(made, "tag"), ["people: many person through person_tag"])
    assert.deepEqual(
      made.notes.map(({ what }) => what),
      ["served as the relations person.tags and tag.people"],
    )
  })

  test(`${database}: several tables that join the same two are told apart by their names`, async (t) => {
    const join = (name: string) =>
      `CREATE TABLE ${name} (person_id INTEGER NOT NULL REFERENCES person (id), tag_id INTEGER NOT NULL
         REFERENCES tag (id), PRIMARY KEY (person_id, tag_id));`
    const made = await inspectSql(
      t,
      database,
      `${person} CREATE TABLE tag (id INTEGER PRIMARY KEY); ${join("likes")} ${join("hates")}`,
    )
    assert.deepEqual(relationsOf(made, "person"), [
      "tagsByHates: many tag through hates",
      "tagsByLikes: many tag through likes",
    ])
  })

  test(`${database}: a table that joins another with itself is named after its columns`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `${person}
       CREATE TABLE follow (follower_id INTEGER NOT NULL REFERENCES person (id), followee_id INTEGER NOT NULL
         REFERENCES person (id), PRIMARY KEY (follower_id, followee_id));`,
    )
    assert.deepEqual(relationsOf(made, "person"), [
      "followees: many person through follow",
      "followers: many person through follow",
    ])
    const followees = made.model.resources.get("person")?.relations.get("followees")
    assert.deepEqual(followees?.kind === "many" && followees.through?.near, [
      { from: "id", to: "follower_id" },
    ])
  })

  test(`${database}: a table that holds more than two foreign keys, or is led to, stays a resource`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `${person}
       CREATE TABLE tag (id INTEGER PRIMARY KEY);
       CREATE TABLE dated (person_id INTEGER NOT NULL REFERENCES person (id), tag_id INTEGER NOT NULL
         REFERENCES tag (id), since DATE, PRIMARY KEY (person_id, tag_id));
       CREATE TABLE led (person_id INTEGER NOT NULL REFERENCES person (id), tag_id INTEGER NOT NULL
         REFERENCES tag (id), PRIMARY KEY (person_id, tag_id));
       CREATE TABLE remark (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, FOREIGN KEY (a, b)
         REFERENCES led (person_id, tag_id));
       CREATE TABLE loose (person_id INTEGER REFERENCES person (id), tag_id INTEGER REFERENCES tag (id));`,
    )
    assert.deepEqual([...made.model.resources.keys()], ["dated", "led", "loose", "person", "remark", "tag"])
    assert.deepEqual(made.declaration.resources["dated"]?.key, ["person", "tag"])
    assert.deepEqual(relationsOf(made, "remark"), ["led: optional one led (ledId)"])
  })

  test(`${database}: a relation gives way to a field of its name`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `${person}
       CREATE TABLE note (id INTEGER PRIMARY KEY, person VARCHAR(9), person_id INTEGER REFERENCES person (id));
       CREATE TABLE task (id INTEGER PRIMARY KEY, notes TEXT);
       CREATE TABLE notes_of_task (id INTEGER PRIMARY KEY, task_id INTEGER REFERENCES task (id), text TEXT);`,
    )
    assert.deepEqual(relationsOf(made, "note"), ["personRecord: optional one person (personRecordId)"])
    assert.deepEqual(relationsOf(made, "person"), ["notes: many note"])
  })

  test(`${database}: nothing leads to records without a key, or back to them`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE log (code VARCHAR(9) UNIQUE, text TEXT);
       CREATE TABLE entry (id INTEGER PRIMARY KEY, log_code VARCHAR(9) REFERENCES log (code));
       ${person}
       CREATE TABLE visit (person_id INTEGER NOT NULL REFERENCES person (id));`,
    )
    assert.deepEqual(relationsOf(made, "entry"), [])
    assert.deepEqual(fieldsOf(made, "entry"), ["logCode"])
    assert.deepEqual(relationsOf(made, "visit"), ["person: one person (personId)"])
    assert.deepEqual(relationsOf(made, "person"), [])
    const said = made.notes.map(({ place, what }) => `${place.at(-1)}: ${what}`)
    assert.ok(said.includes("log_code: no relation"), said.join())
    assert.ok(
      said.some((text) => /^person_id: no relation from (public\.)?person back to it$/.test(text)),
      said.join(),
    )
  })

  test(`${database}: a foreign key whose targets are missing may be without one`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      database === "sqlite"
        ? `${person} CREATE TABLE visit (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES person (id));
           INSERT INTO visit VALUES (1, 7);`
        : `${person} CREATE TABLE visit (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL);
           INSERT INTO visit VALUES (1, 7);
           ALTER TABLE visit ADD FOREIGN KEY (person_id) REFERENCES person (id) NOT VALID;`,
    )
    assert.deepEqual(relationsOf(made, "visit"), ["person: optional one person (personId)"])
    assert.deepEqual(
      made.notes.map(({ what }) => what),
      ["served as a relation that may be without a target"],
    )
  })
}

test("sqlite: foreign keys to nothing, or spelt in another case, are understood as SQLite does", async (t) => {
  const made = await inspectSql(
    t,
    "sqlite",
    `CREATE TABLE Person (Id INTEGER PRIMARY KEY);
     CREATE TABLE a (id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES PERSON (ID));
     CREATE TABLE b (id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES person);
     CREATE TABLE c (id INTEGER PRIMARY KEY, gone_id INTEGER REFERENCES gone (id));
     CREATE TABLE d (id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES person (missing));`,
  )
  assert.deepEqual(relationsOf(made, "a"), ["person: optional one person (personId)"])
  assert.deepEqual(relationsOf(made, "b"), ["person: optional one person (personId)"])
  assert.deepEqual(
    made.notes.map(({ place, reason }) => `${place.join(".")}: ${reason}`),
    [
      "c.gone_id: it leads to gone, which is not served",
      "d.person_id: it leads to columns that Person does not have",
    ],
  )
})
