// Databases of somebody else's: a column that is there already is declared as the state, as introspection found it.
import assert from "node:assert/strict"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import type { MachineDeclaration, ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { anyone } from "../../src/model/declaration/service.ts"
import { declare } from "../../src/model/introspection/declare.ts"
import { load } from "../../src/model/load.ts"
import { inspect } from "../../src/storage/introspection/inspect.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { connectDesk, type Desk } from "./open-desk.ts"

const life: MachineDeclaration = {
  initial: "Open",
  final: "Won't fix",
  transitions: {
    work: { from: "Open", to: "in progress" },
    refuse: { from: "any", to: "Won't fix" },
  },
}
const values = "('Open', 'in progress', 'Won''t fix')"
const rows = `INSERT INTO "Bug" ("Title", "Status") VALUES ('One', 'Open'), ('Two', 'in progress')`

interface Kind {
  readonly name: string
  readonly database: "sqlite" | "postgres"
  readonly tables: readonly string[]
}

const kinds: readonly Kind[] = [
  {
    name: "a text of SQLite",
    database: "sqlite",
    tables: [
      `CREATE TABLE "Bug" ("BugId" INTEGER PRIMARY KEY, "Title" NVARCHAR(80) NOT NULL, "Status" NVARCHAR(20) NOT NULL DEFAULT 'Open')`,
    ],
  },
  {
    name: "a checked text of SQLite",
    database: "sqlite",
    tables: [
      `CREATE TABLE "Bug" ("BugId" INTEGER PRIMARY KEY, "Title" TEXT NOT NULL, "Status" TEXT NOT NULL CHECK ("Status" IN ${values}))`,
    ],
  },
  {
    name: "a text of PostgreSQL",
    database: "postgres",
    tables: [
      `CREATE TABLE "Bug" ("BugId" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, "Title" text NOT NULL, "Status" varchar(20) NOT NULL DEFAULT 'Open')`,
    ],
  },
  {
    name: "an enumeration of PostgreSQL",
    database: "postgres",
    tables: [
      `CREATE TYPE "BugStatus" AS ENUM ${values}`,
      `CREATE TABLE "Bug" ("BugId" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, "Title" text NOT NULL, "Status" "BugStatus" NOT NULL DEFAULT 'Open')`,
    ],
  },
]

for (const { name, database, tables } of kinds)
  describe(`${name} that is declared as the state`, () => {
    const hooks = cleanUp(after)

    async function open(): Promise<Desk> {
      const address =
        database === "sqlite" ? join(await temporaryFolder(hooks), "bugs.db") : await temporaryPostgres(hooks)
      const put = database === "sqlite" ? rows : rows.replace(") VALUES", ") OVERRIDING SYSTEM VALUE VALUES")
      await setUp(
        address,
        [...tables, put].map((text) => ({ text, parameters: [] })),
      )
      const { declaration } = declare(await inspect(address), "bugs")
      const { bug } = declaration.resources
      assert.ok(bug)
      const allow = { read: anyone, create: anyone, update: anyone }
      const service: ServiceDeclaration = {
        ...declaration,
        resources: { bug: { ...bug, states: { status: life }, allow } },
      }
      return connectDesk(hooks, load(service), { address, resource: "bug" })
    }

    it("is read as it was, given to what is new, and changed by transitions only", async () => {
      const desk = await open()
      const anybody = desk.as("anyone")
      assert.equal((await anybody.read("bug", "2"))["status"], "in progress")
      assert.equal((await anybody.fire("1", "work"))["status"], "in progress")
      const again = await anybody.fire("1", "work")
      assert.deepEqual(
        [again["code"], again["message"]],
        ["illegal_transition", "`work` is possible only where `status` is Open; here it is in progress."],
      )
      assert.equal((await anybody.fire("1", "refuse"))["status"], "Won't fix")
      const created = await anybody.create("bug", { title: "Three" })
      assert.deepEqual([created["title"], created["status"]], ["Three", "Open"])
      const { code } = await anybody.update("bug", "2", { status: "Open" })
      assert.equal(code, "readonly_field")
    })
  })
