// What tables and columns with odd names are called, and who yields when two would be called the same.
import assert from "node:assert/strict"
import { test } from "node:test"
import { dialects } from "../support/open-service.ts"
import { inspectSql, serve } from "./databases.ts"

const names = (made: {
  readonly model: { readonly resources: ReadonlyMap<string, { readonly collection: string }> }
}) => Object.fromEntries([...made.model.resources].map(([name, { collection }]) => [name, collection]))

for (const database of dialects) {
  test(`${database}: tables are called in the singular, their lists in the plural`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      ["orders", "OrderLines", "people", "address", "statuses", "news", "sheep", "category"]
        .map((name) => `CREATE TABLE "${name}" (id INTEGER PRIMARY KEY);`)
        .join("\n"),
    )
    assert.deepEqual(names(made), {
      address: "addresses",
      category: "categories",
      news: "newsList",
      order: "orders",
      orderLine: "orderLines",
      person: "people",
      sheep: "sheepList",
      status: "statuses",
    })
    assert.deepEqual(made.notes, [])
  })

  test(`${database}: a path in another number, casing or with fewer words leads to the list that is meant`, async (t) => {
    const tables = ["orders", "order_lines", "staff", "product_category", "warehouses", "people", "personas"]
    const others = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta", "kappa", "lambda"]
    const made = await inspectSql(
      t,
      database,
      [...tables, ...others].map((name) => `CREATE TABLE "${name}" (id INTEGER PRIMARY KEY);`).join("\n"),
    )
    const service = await serve(t, made)
    const hints: Record<string, unknown> = {}
    const asked = [
      "staff",
      "order",
      "OrderLine",
      "order_line",
      "order-details",
      "lines",
      "categories",
      "Warehouse",
      "person",
    ]
    for (const name of asked) {
      const { status, body } = await service.rest({ method: "GET", path: `/${name}`, query: "" })
      assert.equal(status, 404, name)
      hints[name] = JSON.parse(body).errors[0].hint
    }
    assert.deepEqual(hints, {
      staff: 'Did you mean "staff-list"?',
      order: 'Did you mean "orders"?',
      OrderLine: 'Did you mean "order-lines"?',
      order_line: 'Did you mean "order-lines"?',
      "order-details": 'Did you mean "orders"?',
      lines: 'Did you mean "order-lines"?',
      categories: 'Did you mean "product-categories"?',
      Warehouse: 'Did you mean "warehouses"?',
      person: 'Did you mean "people"?',
    })
  })

  test(`${database}: names that no service can give away yield`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      ["node", "nodes", "query", "mutation", "viewer", "date", "page_info", "batch", "doc"]
        .map((name) => `CREATE TABLE "${name}" (id INTEGER PRIMARY KEY, "and" TEXT, "or" TEXT, "not" TEXT);`)
        .join("\n"),
    )
    assert.deepEqual(names(made), {
      batch: "batches",
      dateRecord: "dateRecords",
      doc: "docList",
      mutationRecord: "mutationRecords",
      node2: "node2s",
      nodeRecord: "nodeRecords",
      pageInfoRecord: "pageInfoRecords",
      queryRecord: "queryRecords",
      viewerRecord: "viewerRecords",
    })
    for (const { fields } of made.model.resources.values())
      assert.deepEqual([...fields.keys()], ["andValue", "orValue", "notValue"])
    assert.ok(made.notes.some(({ place, what }) => place.at(-1) === "and" && what === "called andValue"))
  })

  test(`${database}: names of spaces, quotes, digits, accents and signs become names of ASCII`, async (t) => {
    const columns = [
      "a b",
      'it\'s "x"',
      "2fa",
      "Größe",
      "年",
      "😀",
      "__x",
      "select",
      "a.b/c",
      "UPPER_CASE",
      "x1y2",
    ]
    const quoted = columns.map((name) => `"${name.replaceAll('"', '""')}" INTEGER`).join(", ")
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE "2 odd ones" (id INTEGER PRIMARY KEY, ${quoted}); CREATE TABLE "年" (id INTEGER PRIMARY KEY);`,
    )
    assert.deepEqual([...made.model.resources.keys()], ["table2OddOne", "u5e74"])
    const odd = made.model.resources.get("table2OddOne")
    assert.deepEqual(
      [...(odd?.fields.values() ?? [])].map(({ name, column }) => [column, name]),
      [
        ["a b", "aB"],
        ['it\'s "x"', "itSX"],
        ["2fa", "column2fa"],
        ["Größe", "grosse"],
        ["年", "u5e74"],
        ["😀", "u1f600"],
        ["__x", "x"],
        ["select", "select"],
        ["a.b/c", "aBC"],
        ["UPPER_CASE", "upperCase"],
        ["x1y2", "x1y2"],
      ],
    )
    assert.deepEqual(
      made.notes.map(({ place, reason }) => `${place.at(-1)}: ${reason}`),
      [
        "2 odd ones: a name cannot begin with a digit",
        "2fa: a name cannot begin with a digit",
        "年: its name has no letter or digit of ASCII",
        "😀: its name has no letter or digit of ASCII",
        "年: its name has no letter or digit of ASCII",
      ],
    )
  })

  test(`${database}: of two columns of one name the first keeps it, and the other is told`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE thing (id INTEGER PRIMARY KEY, user_id TEXT, "userId" TEXT, "User Id" TEXT);`,
    )
    assert.deepEqual(Object.keys(made.declaration.resources["thing"]?.fields ?? {}), [
      "userId",
      "userId2",
      "userId3",
    ])
    assert.deepEqual(
      made.notes.map(({ place, what, reason }) => `${place.at(-1)} ${what}, ${reason}`),
      [
        "User Id called userId3, userId is taken or reserved",
        "userId called userId2, userId is taken or reserved",
      ],
    )
  })

  test(`${database}: of two tables of one name the singular keeps it`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE orders (id INTEGER PRIMARY KEY); CREATE TABLE "Order" (id INTEGER PRIMARY KEY);
       CREATE TABLE order_line (id INTEGER PRIMARY KEY); CREATE TABLE orderline (id INTEGER PRIMARY KEY);`,
    )
    const tables = [...made.model.resources.values()].map(({ name, table }) => [name, table.name])
    assert.deepEqual(tables, [
      ["order", "Order"],
      ["orderLine", "order_line"],
      ["orderRecord", "orders"],
      ["orderlineRecord", "orderline"],
    ])
  })

  test(`${database}: an enumeration yields to a resource of its name`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE purchase (id INTEGER PRIMARY KEY, status VARCHAR(9) CHECK (status IN ('open', 'paid')));
       CREATE TABLE purchase_statuses (id INTEGER PRIMARY KEY);`,
    )
    assert.equal(made.model.resources.get("purchaseStatus")?.type, "PurchaseStatus")
    assert.equal(
      made.model.resources.get("purchase")?.fields.get("status")?.enumeration,
      "PurchaseStatusValue",
    )
  })
}

test("postgres: columns that differ only in case are both served", async (t) => {
  const made = await inspectSql(
    t,
    "postgres",
    `CREATE TABLE thing (id integer PRIMARY KEY, "Name" text, name text, "NAME" text);
     CREATE TABLE "Thing" (id integer PRIMARY KEY);`,
  )
  assert.deepEqual(
    [...(made.model.resources.get("thing")?.fields.values() ?? [])].map(({ name }) => name),
    made.model.resources.get("thing")?.table.name === "thing" ? ["name2", "name", "name3"] : [],
  )
  assert.equal(made.model.resources.size, 2)
})

test("postgres: tables of other schemas are led by their schema only where names clash", async (t) => {
  const made = await inspectSql(
    t,
    "postgres",
    `CREATE SCHEMA audit; CREATE SCHEMA "Sales 2024";
     CREATE TABLE person (id integer PRIMARY KEY);
     CREATE TABLE audit.person (id integer PRIMARY KEY, person_id integer REFERENCES public.person (id));
     CREATE TABLE audit.entry (id integer PRIMARY KEY);
     CREATE TABLE "Sales 2024".person (id integer PRIMARY KEY);`,
  )
  assert.deepEqual(
    [...made.model.resources.values()].map(({ name, table }) => [name, table]),
    [
      ["auditPerson", { schema: "audit", name: "person" }],
      ["entry", { schema: "audit", name: "entry" }],
      ["person", { name: "person" }],
      ["sales2024Person", { schema: "Sales 2024", name: "person" }],
    ],
  )
  assert.deepEqual([...(made.model.resources.get("person")?.relations.keys() ?? [])], ["auditPeople"])
})

test("postgres: what is called as the API would call it keeps its name, wherever it stands", async (t) => {
  const made = await inspectSql(
    t,
    "postgres",
    `CREATE TABLE "Thing" (id integer PRIMARY KEY);
     CREATE TABLE thing ("Name" text, "NAME" text, name text, "userID" text, user_id text, "ID" integer PRIMARY KEY, id text);`,
  )
  const thing = made.model.resources.get("thing")
  assert.equal(thing?.table.name, "thing")
  assert.equal(made.model.resources.get("thingRecord")?.table.name, "Thing")
  assert.deepEqual(
    [...(thing?.fields.values() ?? [])].map(({ name, column }) => [column, name]),
    [
      ["Name", "name2"],
      ["NAME", "name3"],
      ["name", "name"],
      ["userID", "userId2"],
      ["user_id", "userId"],
      ["id", "idValue"],
    ],
  )
  assert.deepEqual(made.notes.map(({ place, what }) => `${place.at(-1)} ${what}`).sort(), [
    "NAME called name3",
    "Name called name2",
    "Thing called thingRecord",
    "id called idValue",
    "userID called userId2",
  ])
})
