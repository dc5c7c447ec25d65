// Values of a service's own tables that others have set to what no enumeration has: null with `unrepresentable_value` in
// states, lists, own code, events, history and older versions.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { after, describe, test } from "node:test"
import pg from "pg"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, resource, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { type Database, dialects } from "../support/open-service.ts"

const [newest, older] = ["2026-09-01", "2026-01-01"]
const desk = load(
  withSystem(
    service({
      name: "desk",
      versions: {
        [newest]: [
          { renamed: "ticket.rank.lower", to: "low" },
          { renamed: "ticket.state.fresh", to: "open" },
          { renamed: "ticket.parts", to: "labels" },
        ],
        [older]: [],
      } as never,
      resources: {
        ticket: resource({
          id: "tic",
          history: true,
          fields: {
            title: f.text(),
            rank: f.oneOf(["low", "high"], { optional: true }),
            labels: f.list(f.oneOf(["red", "blue"]), { optional: true }),
          },
          states: { initial: "open", transitions: { close: { from: "open", to: "closed" } } },
          allow: { read: anyone, create: anyone, update: anyone },
        } as never),
      },
    }),
  ),
)

/** What another program does to all tickets. */
async function change(database: Database, url: string): Promise<void> {
  const set = "UPDATE ticket SET state = 'lost', rank = 'odd', labels ="
  if (database === "sqlite") {
    const other = new DatabaseSync(url)
    other.exec(`PRAGMA ignore_check_constraints = ON; ${set} '["red","odd"]'`)
    other.close()
    return
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    "SELECT conname FROM pg_constraint WHERE conrelid = 'ticket'::regclass AND contype = 'c'",
  )
  for (const { conname } of rows) await client.query(`ALTER TABLE ticket DROP CONSTRAINT "${conname}"`)
  await client.query(`${set} '{red,odd}'`)
  await client.end()
}

for (const database of dialects)
  describe(`values that no enumeration has on ${database}`, async () => {
    const hooks = cleanUp(after)
    const url = await openDatabase(hooks, database, desk)
    const server = await openServer(
      hooks,
      url,
      desk,
      {},
      { identify: withVersions(() => strangerTo(desk), desk) },
    )
    const send = async (version: string, [method, path]: readonly [string, string], body?: unknown) => {
      const answered = await fetch(`${server.url}${path}`, {
        method,
        headers: { "content-type": "application/json", "api-version": version },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { errors: answered.headers.get("value-errors"), body: JSON.parse(await answered.text()) }
    }
    const { body: made } = await send(newest, ["POST", "/tickets"], {
      title: "a",
      rank: "low",
      labels: ["red"],
    })
    await change(database, url)

    for (const [version, labels] of [
      [newest, "labels"],
      [older, "parts"],
    ] as const) {
      const missing = { rank: null, [labels]: null, state: null }

      test(`are null in records and lists of ${version}`, async () => {
        const alone = await send(version, ["GET", `/tickets/${made.id}`])
        assert.deepEqual(alone.body, { id: made.id, title: "a", ...missing })
        assert.match(alone.errors ?? "", /^count=3,/)
        const { body } = await send(version, ["GET", "/tickets"])
        assert.deepEqual(body.data, [alone.body])
        assert.deepEqual(
          body.errors.map(({ code, pointer }: { code: string; pointer: string }) => [code, pointer]),
          ["rank", labels, "state"].map((name) => ["unrepresentable_value", `/data/0/${name}`]),
        )
        const asked = await send(version, ["POST", "/graphql"], {
          query: `{ tickets { nodes { title rank ${labels} } } ticket(id: "${made.id}") { state } }`,
        })
        assert.deepEqual(asked.body.data, {
          tickets: { nodes: [{ title: "a", rank: null, [labels]: null }] },
          ticket: null,
        })
        assert.deepEqual(
          asked.body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code),
          Array.from({ length: 3 }, () => "unrepresentable_value"),
        )
      })

      test(`are null in answers of writes of ${version}`, async () => {
        const patched = await send(version, ["PATCH", `/tickets/${made.id}`], { title: "a" })
        assert.deepEqual(patched.body, { id: made.id, title: "a", ...missing })
        assert.match(patched.errors ?? "", /^count=3,/)
        const fired = await send(version, ["POST", `/tickets/${made.id}/transitions/close`])
        assert.equal(fired.body.code, "illegal_transition")
      })
    }

    test("are in no event, and in no entry of the history", async () => {
      await send(newest, ["PATCH", `/tickets/${made.id}`], { rank: "high", labels: ["blue"] })
      for (const path of ["/events", `/tickets/${made.id}/history`]) {
        const { body } = await send(newest, ["GET", path])
        assert.deepEqual(body.data.at(-1).changes, [
          { field: "rank", from: null, to: "high" },
          { field: "labels", from: null, to: ["blue"] },
        ])
        assert.doesNotMatch(JSON.stringify(body), /odd|lost/)
      }
    })
  })
