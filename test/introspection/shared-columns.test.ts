// Foreign keys that share a column with the key, as where each table is led by its tenant.
import assert from "node:assert/strict"
import { test } from "node:test"
import { dialects } from "../support/open-service.ts"
import { inspectSql, serveWriting } from "./databases.ts"

const tables = `CREATE TABLE acct (tenant INTEGER NOT NULL, id INTEGER NOT NULL, parent_id INTEGER, name TEXT,
    PRIMARY KEY (tenant, id), FOREIGN KEY (tenant, parent_id) REFERENCES acct (tenant, id));
  CREATE TABLE note (tenant INTEGER NOT NULL, no INTEGER NOT NULL, acct_id INTEGER, title TEXT,
    PRIMARY KEY (tenant, no), FOREIGN KEY (tenant, acct_id) REFERENCES acct (tenant, id));
  INSERT INTO acct VALUES (1, 1, NULL, 'a'), (1, 2, NULL, 'b'), (2, 1, NULL, 'c');
  INSERT INTO note VALUES (1, 9, 1, 'first');`

for (const database of dialects) {
  test(`${database}: a column of the key is given when the record is made, and references agree with it`, async (t) => {
    const service = await serveWriting(t, await inspectSql(t, database, tables))
    const create = async (body: object) => {
      const { status, json } = await service.ask("POST", "/notes", body)
      return [status, json["id"] ?? json["detail"]]
    }
    assert.deepEqual(await create({ tenant: 1, no: 3 }), [201, "note_1~3"])
    assert.deepEqual(await create({ no: 4, acctRecordId: "1~2" }), [201, "note_1~4"])
    assert.deepEqual(await create({ tenant: 2, no: 4, acctRecordId: "2~1" }), [201, "note_2~4"])
    assert.deepEqual(await create({ tenant: 2, no: 5, acctRecordId: null }), [201, "note_2~5"])
    assert.deepEqual(await create({ no: 5 }), [400, "`tenant` or `acctRecordId` must be given."])
    assert.deepEqual(await create({ no: 5, acctRecordId: null }), [
      400,
      "`tenant` or `acctRecordId` must be given.",
    ])
    const disagreement = (name: string, one: number, other: string, two: number) =>
      `\`${name}\` and \`${other}\` must agree: they have a part in common, which is ${one} in \`${name}\` and ${two} in \`${other}\`.`
    assert.deepEqual(await create({ tenant: 1, no: 6, acctRecordId: "2~1" }), [
      400,
      disagreement("acctRecordId", 2, "tenant", 1),
    ])
    assert.deepEqual(await create({ tenant: 1, no: 6, acctRecord: { create: { tenant: 2, idValue: 7 } } }), [
      400,
      disagreement("acctRecordId", 2, "tenant", 1),
    ])
    assert.deepEqual(await create({ tenant: 1, no: 6, acctRecord: { create: { tenant: 1, idValue: 7 } } }), [
      201,
      "note_1~6",
    ])
    assert.deepEqual(await create({ no: 7, acctRecord: { create: { tenant: 3, idValue: 1 } } }), [
      201,
      "note_3~7",
    ])
  })

  test(`${database}: a record that leads to one of its own kind is made`, async (t) => {
    const service = await serveWriting(t, await inspectSql(t, database, tables))
    const first = await service.ask("POST", "/accts", { tenant: 4, idValue: 1 })
    assert.deepEqual([first.status, first.json["id"]], [201, "acct_4~1"], JSON.stringify(first.json))
    const child = await service.ask("POST", "/accts", { tenant: 4, idValue: 2, acctId: "4~1" })
    assert.deepEqual([child.status, child.json["acctId"]], [201, "acct_4~1"], JSON.stringify(child.json))
    const nested = await service.ask("POST", "/accts?include=notes", {
      tenant: 5,
      idValue: 1,
      notes: { create: [{ no: 1 }, { tenant: 5, no: 2 }] },
    })
    assert.equal(nested.status, 201, JSON.stringify(nested.json))
    const apart = await service.ask("POST", "/accts", {
      tenant: 6,
      idValue: 1,
      notes: { create: [{ tenant: 5, no: 3 }] },
    })
    assert.deepEqual(
      [apart.status, (apart.json["errors"] as readonly { pointer: string }[])[0]?.pointer],
      [400, "/notes/create/0/tenant"],
    )
  })

  test(`${database}: PUT makes a record with what it is known by, and refuses to change that of one that is there`, async (t) => {
    const service = await serveWriting(t, await inspectSql(t, database, tables))
    const put = async (id: string, body: object) => {
      const { status, json } = await service.ask("PUT", `/notes/${id}`, body)
      return [status, json["acctRecordId"] ?? json["detail"]]
    }
    const refused = "`acctRecordId` is given when the record is made, and never changes."
    assert.deepEqual(await put("1~9", { acctRecordId: "1~2", title: "x" }), [400, refused])
    assert.deepEqual(await put("1~9", { acctRecordId: null, title: "x" }), [400, refused])
    assert.deepEqual(await put("1~9", { acctRecordId: "1~1", title: "y" }), [200, "acct_1~1"])
    assert.deepEqual(await put("1~10", { acctRecordId: "1~2" }), [201, "acct_1~2"])
    const other = await put("1~11", { acctRecordId: "2~1" })
    assert.match(String(other[1]), /`acctRecordId` and `tenant` must agree/)
    const { json } = await service.ask("GET", "/notes/1~9")
    assert.deepEqual([json["title"], json["acctRecordId"]], ["y", "acct_1~1"])
    const patched = await service.ask("PATCH", "/notes/1~9", { acctRecordId: "1~2" })
    assert.equal(patched.status, 400)
  })
}
