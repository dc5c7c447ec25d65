// What a database asks of a write beside what the service says: columns that it does not know, and checks of domains.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { describe, test } from "node:test"
import pg from "pg"
import { dialects } from "../support/open-service.ts"
import { inspectSql, serveWriting } from "./databases.ts"

async function change(url: string, sql: string): Promise<void> {
  if (!url.startsWith("postgres")) {
    const file = new DatabaseSync(url)
    file.exec(sql)
    file.close()
    return
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

for (const database of dialects)
  describe(`${database}: a required column that is added while its table is served`, () => {
    test("makes no mistake of whoever writes, and is named to whoever runs the service", async (t) => {
      const made = await inspectSql(
        t,
        database,
        `CREATE TABLE ch (id varchar(10) PRIMARY KEY NOT NULL, name text NOT NULL, note text);`,
      )
      const service = await serveWriting(t, made)
      const unset = await service.ask("POST", "/ches", { id: "1", name: null })
      assert.equal(unset.json["code"], "invalid_value", JSON.stringify(unset.json))
      await change(
        made.url,
        database === "postgres"
          ? "ALTER TABLE ch ADD secret_column text NOT NULL"
          : "DROP TABLE ch; CREATE TABLE ch (id varchar(10) PRIMARY KEY NOT NULL, name text NOT NULL, note text, secret_column text NOT NULL)",
      )
      const byRest = await service.ask("POST", "/ches", { id: "1", name: "a" })
      assert.deepEqual([byRest.status, byRest.json["code"]], [503, "resource_unavailable"])
      assert.equal(
        byRest.json["detail"],
        "No ch can be made now: the database asks for more than the service knows of.",
      )
      const byGraphql = await service.mutate(
        `mutation { createCh(input: { id: "1", name: "a" }) { ch { id } } }`,
      )
      for (const { json } of [byRest, byGraphql]) assert.doesNotMatch(JSON.stringify(json), /secret_column/)
      assert.match(JSON.stringify(byGraphql.json), /resource_unavailable/)
      const told = await service.rest({
        method: "POST",
        path: "/ches",
        query: "",
        headers: { "content-type": "application/json" },
        body: Buffer.from(JSON.stringify({ id: "1", name: "a" })),
      })
      assert.match(String(told.unable?.cause), /column "secret_column" of the table "ch"/)
      assert.equal((await service.ask("GET", "/ches")).status, 200)
    })
  })

test("a domain's rule points to the fields that broke it", async (t) => {
  const made = await inspectSql(
    t,
    "postgres",
    `CREATE DOMAIN small AS integer CHECK (VALUE < 100);
     CREATE DOMAIN smaller AS small CHECK (VALUE > -100);
     CREATE DOMAIN smalls AS smaller[];
     CREATE DOMAIN word AS text CHECK (VALUE !~ ' ');
     CREATE TABLE box (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, width small, height small, depth smaller, sizes smalls, more smaller[], label word, name text);
     CREATE TABLE other (id integer PRIMARY KEY, label word);`,
  )
  const service = await serveWriting(t, made)
  const pointers = ({ json }: { readonly json: Readonly<Record<string, unknown>> }) => {
    assert.equal(json["code"], "rule_violated", JSON.stringify(json))
    return (json["errors"] as { pointer?: string; detail: string }[]).map(
      ({ pointer, detail }) => `${pointer}: ${detail}`,
    )
  }
  const rule = "must meet a rule that the database has for it, and does not."
  for (const [body, expected] of [
    [{ label: "two words", name: "a b" }, [`/label: \`label\` ${rule}`]],
    [{ width: 1, height: 100 }, [`/height: \`height\` ${rule}`]],
    [{ width: 100, height: 1, depth: 5 }, [`/width: \`width\` ${rule}`]],
    [{ depth: -100, width: -100 }, [`/depth: \`depth\` ${rule}`]],
    [{ depth: 1, sizes: [1, 2, 100], more: [3] }, [`/sizes: \`sizes\` ${rule}`]],
    [{ depth: 1, sizes: [1, 2], more: [-100] }, [`/more: \`more\` ${rule}`]],
  ] as const)
    assert.deepEqual(pointers(await service.ask("POST", "/boxes", body)), expected, JSON.stringify(body))
  const { json } = await service.ask("POST", "/boxes", { width: 1, label: "word" })
  assert.deepEqual(pointers(await service.ask("PATCH", `/boxes/${json["id"]}`, { label: "a b" })), [
    `/label: \`label\` ${rule}`,
  ])
  const refused = await service.mutate(
    `mutation { createBox(input: { width: 1, height: 100 }) { box { id } } }`,
  )
  assert.match(JSON.stringify(refused.json), /`height` must meet a rule/)
  assert.doesNotMatch(JSON.stringify(refused.json), /small|domain/)
})
