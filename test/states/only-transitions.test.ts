// Nothing but a transition changes a state: by no door of either face, on either database, also where the table is
// somebody else's and its column mere text.
import assert from "node:assert/strict"
import { join } from "node:path"
import { after, before, describe, it } from "node:test"
import { anyone, f, many, one, resource, service } from "../../src/index.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { connectFaces, dialects, type OpenService } from "../support/open-service.ts"
import { connectDesk, type Desk } from "./open-desk.ts"

const machines = {
  state: {
    initial: "open",
    final: "closed",
    transitions: { close: { from: "open", to: "closed", allow: anyone } },
  },
  paid: {
    initial: "no",
    final: "yes",
    transitions: { pay: { from: "no", to: "yes", allow: anyone } },
  },
}

/** `paid` is a text field of its own besides. */
const declared = (managed: boolean): ServiceDeclaration =>
  service({
    name: "bills",
    managed,
    resources: {
      shop: resource({
        id: "shp",
        key: ["code"],
        fields: { code: f.text() },
        relations: { bills: many("bill", { by: "shop", owned: true }) },
        allow: { read: anyone, create: anyone, update: anyone },
      }),
      bill: resource({
        id: "bil",
        key: ["number"],
        fields: { number: f.text(), note: f.text({ optional: true }), paid: f.text() },
        relations: { shop: one("shop") },
        states: machines,
        allow: { read: anyone, create: anyone, update: anyone, delete: anyone },
      }),
    },
  })

const tables = [
  `CREATE TABLE shop (code text PRIMARY KEY)`,
  `CREATE TABLE bill (number text PRIMARY KEY, note text, paid text NOT NULL, state text NOT NULL, shop_id text NOT NULL REFERENCES shop (code))`,
]
const managedColumns = `ALTER TABLE shop ADD COLUMN bifold_version bigint NOT NULL DEFAULT 1;ALTER TABLE bill ADD COLUMN bifold_version bigint NOT NULL DEFAULT 1`
const rows = [
  `INSERT INTO shop (code) VALUES ('s')`,
  `INSERT INTO bill (number, note, paid, state, shop_id) VALUES ('1', NULL, 'no', 'open', 's'), ('2', NULL, 'yes', 'closed', 's'), ('odd', NULL, 'no', 'lost', 's')`,
]

for (const database of dialects)
  for (const managed of [true, false])
    describe(`a state on ${database}, in tables of ${managed ? "Bifold's" : "somebody else's"},`, () => {
      const hooks = cleanUp(after)
      let open: OpenService
      let desk: Desk
      before(async () => {
        const address =
          database === "sqlite"
            ? join(await temporaryFolder(hooks), "bills.sqlite")
            : await temporaryPostgres(hooks)
        const commands = [...tables, ...(managed ? managedColumns.split(";") : []), ...rows]
        await setUp(
          address,
          commands.map((text) => ({ text, parameters: [] })),
        )
        const whole = load(declared(managed))
        const storage = await openStorage(address, { writes: "unsafe" })
        hooks.after(() => storage.close())
        open = connectFaces(openModel(whole), storage)
        desk = await connectDesk(hooks, whole, { address, resource: "bill" })
      })

      const body = (value: unknown) => Buffer.from(JSON.stringify(value))
      const json = { "content-type": "application/json" }
      const rest = async (
        method: string,
        path: string,
        value: unknown,
        headers: Readonly<Record<string, string>> = json,
        query = "",
      ) => {
        const answer = await open.rest({ method, path, query, headers, body: body(value) })
        return { status: answer.status, body: answer.body }
      }

      it("is refused as input by every door of REST", async () => {
        const patch = { "content-type": "application/merge-patch+json" }
        const jsonPatch = { "content-type": "application/json-patch+json" }
        const few = { ...patch, prefer: "max-affected=5" }
        for (const member of ["state", "paid"]) {
          const given = { [member]: member === "state" ? "closed" : "yes" }
          const made = { number: "9", shopId: "shp_s", ...given }
          const doors: readonly (readonly [
            string,
            string,
            unknown,
            Readonly<Record<string, string>>?,
            string?,
          ])[] = [
            ["POST", "/bills", made],
            ["POST", "/bills", [made]],
            ["PATCH", "/bills/1", given, patch],
            ["PATCH", "/bills/1", { note: "x", ...given }, json],
            ["PATCH", "/bills", given, few, "filter[number]=1"],
            ["PATCH", "/bills/1", [{ op: "replace", path: `/${member}`, value: given[member] }], jsonPatch],
            ["PUT", "/bills/1", { shopId: "shp_s", ...given }],
            ["PUT", "/bills/new", { shopId: "shp_s", ...given }],
            ["POST", "/shops", { code: "t", bills: { create: [{ number: "8", ...given }] } }],
            ["PATCH", "/shops/s", { bills: { update: [{ id: "bil_1", input: given }] } }, patch],
            ["PATCH", "/shops/s", { bills: { create: [{ number: "8", ...given }] } }, patch],
            ["POST", "/batch", { requests: [{ method: "PATCH", path: "/bills/1", body: given }] }],
          ]
          for (const [method, path, value, headers, query] of doors) {
            const answer = await rest(method, path, value, headers, query)
            const told = `${method} ${path} ${JSON.stringify(value)}: ${answer.status} ${answer.body}`
            assert.equal(answer.status, 400, told)
            assert.match(answer.body, /"readonly_field"/, told)
          }
        }
      })

      it("is no member of any input in GraphQL", async () => {
        const inputs = ["BillCreateInput", "BillUpdateInput"]
        const { body: told } = await open.graphql({
          body: { query: "{ __schema { types { name inputFields { name } } } }" },
        })
        const { types } = JSON.parse(told).data.__schema as {
          types: { name: string; inputFields: { name: string }[] | null }[]
        }
        for (const name of inputs)
          assert.ok(
            types.some((type) => type.name === name),
            name,
          )
        const writing = types.filter(
          ({ name }) => /Input$/.test(name) && /Create|Update|Upsert|Link|Nested/.test(name),
        )
        for (const { name, inputFields } of writing)
          for (const { name: member } of inputFields ?? [])
            assert.ok(!["state", "paid"].includes(member), `${name}.${member}`)
        const { body: refused } = await open.graphql({
          body: { query: 'mutation { updateBill(id: "1", input: {state: closed}) { bill { id } } }' },
        })
        assert.match(refused, /\\"BillUpdateInput\\" not to include unknown field \\"state\\"/)
      })

      it("is as it was, and what is new is in the first", async () => {
        assert.equal((await rest("PATCH", "/bills/1", { note: "x" })).status, 200)
        // Replaced as a whole, and made anew with what only it takes.
        assert.equal((await rest("PUT", "/bills/2", { shopId: "shp_s" })).status, 200)
        const made = await rest("PUT", "/bills/3", { shopId: "shp_s" })
        assert.equal(made.status, 201, made.body)
        assert.deepEqual([JSON.parse(made.body).state, JSON.parse(made.body).paid], ["open", "no"])
        const few = { "content-type": "application/json", prefer: "max-affected=5" }
        assert.equal((await rest("PATCH", "/bills", { note: "y" }, few, "filter[number]=2")).status, 200)
        const now = await Promise.all(["1", "2"].map((number) => desk.as("open").read("bill", number)))
        assert.deepEqual(
          now.map(({ state, paid, note }) => [state, paid, note]),
          [
            ["open", "no", "x"],
            ["closed", "yes", "y"],
          ],
        )
      })

      it("is changed by its transition", async () => {
        const fired = await desk.as("open").fire("1", "close")
        assert.deepEqual([fired["state"], fired["paid"]], ["closed", "no"])
        assert.equal((await desk.as("open").fire("1", "close"))["code"], "illegal_transition")
        assert.equal((await desk.as("anyone").fire("1", "pay"))["paid"], "yes")
      })

      if (!managed)
        it("that is none of the declared leads nowhere", async () => {
          assert.deepEqual(await desk.as("open").fire("odd", "close"), {
            code: "illegal_transition",
            // A value that is not declared is not told.
            message: `\`close\` is possible only where \`state\` is open.`,
            place: "input",
            more: 0,
          })
          const possible = await desk.as("open").possible("odd")
          assert.deepEqual(
            possible?.map(({ name, allowed }) => [name, allowed]),
            [
              ["close", false],
              ["pay", true],
            ],
          )
        })
    })
