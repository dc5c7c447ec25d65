// Declarations as service files: what is printed is formatted source that loads to an equal Model.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { it } from "node:test"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import fc from "fast-check"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { f, many, one, resource, service } from "../../src/model/declaration/service.ts"
import { parseDeclaration } from "../../src/model/language/declaration.ts"
import { printDeclaration } from "../../src/model/language/print.ts"
import { load } from "../../src/model/load.ts"
import { desk } from "../services/desk.ts"
import { declarations } from "./arbitrary-declaration.ts"
import { compile } from "./compile.ts"
import { evaluate } from "./evaluate.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

it("what is printed loads to an equal Model, and is printed the same again", () => {
  fc.assert(
    fc.property(declarations, (declaration) => {
      const source = printDeclaration(declaration)
      const read = evaluate(source)
      assert.deepStrictEqual(load(read), load(declaration))
      assert.equal(printDeclaration(read), source)
    }),
    { numRuns: 300 },
  )
})

it("the storefront is printed and read back", async () => {
  const { code, ...declaration } = evaluate(
    await readFile(join(root, "examples/storefront/service.ts"), "utf8"),
  )
  assert.ok(code, "functions, which are not printed")
  assert.deepStrictEqual(load(evaluate(printDeclaration({ ...declaration, code }))), load(declaration))
})

it("states are printed and read back", () => {
  const read = evaluate(printDeclaration(desk))
  assert.deepStrictEqual(load(read), load(desk))
  assert.equal(printDeclaration(read), printDeclaration(desk))
  const { ticket } = read.resources
  assert.deepStrictEqual(ticket?.states, desk.resources.ticket.states)
  assert.equal(read.resources["note"]?.history, true)
})

it("one machine is printed without a name, and values of a transition by their builders", () => {
  const declaration: ServiceDeclaration = {
    name: "shop",
    viewer: "order",
    resources: {
      order: {
        fields: { note: { scalar: "text", optional: true }, extra: { scalar: "json", optional: true } },
        relations: { by: { kind: "one", target: "order", optional: true } },
        states: {
          initial: "cart",
          final: ["paid"],
          states: { paid: { description: "Done.", was: ["payed", "sold"] } },
          transitions: {
            pay: {
              from: "cart",
              to: "paid",
              input: { why: { scalar: "text", max: 9 } },
              set: { note: { given: "why" }, byId: { viewer: "id" }, extra: { given: "a", more: [1, null] } },
            },
          },
        },
      },
    },
  }
  const source = printDeclaration(declaration)
  assert.deepStrictEqual(load(evaluate(source)), load(declaration))
  assert.equal(
    source.slice(source.indexOf("      states:"), source.indexOf("    }),")),
    `      states: {
        initial: "cart",
        final: ["paid"],
        states: {
          paid: { description: "Done.", was: ["payed", "sold"] },
        },
        transitions: {
          pay: {
            from: "cart",
            to: "paid",
            input: { why: f.text({ max: 9 }) },
            set: { note: given("why"), byId: viewer.id, extra: { given: "a", more: [1, null] } },
          },
        },
      },
`,
  )
})

it("each member of a service that is not code is printed", () => {
  const declaration: ServiceDeclaration = {
    name: "hotel",
    title: "The hotel",
    description: "Rooms.",
    about: { version: "2.0.0", contact: { name: "Desk" } },
    roles: ["desk"],
    scopes: ["rooms"],
    viewer: "guest",
    identity: { keys: { manage: { role: "desk" }, grant: { desk: { role: "desk" } }, expires: "90 days" } },
    webhooks: { manage: { role: "desk" }, grant: { rooms: { role: "desk" } }, networks: ["10.0.0.0/8"] },
    log: { keep: "30 days" },
    versions: { "2026-11-01": [{ renamed: "guest.called", to: "name" }], "2026-01-01": [] },
    usage: { read: { role: "desk" } },
    documents: "allowed",
    federation: true,
    enums: { size: { values: ["small", "large"] } },
    resources: { guest: { fields: { name: { scalar: "text" } }, history: true } },
    limits: { page: { max: 50 }, cost: { perMinute: 1000 }, depth: 5 },
    managed: false,
  }
  const source = printDeclaration(declaration)
  const members = [...source.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name)
  assert.deepEqual(members.toSorted(), Object.keys(declaration).toSorted())
  assert.deepEqual(parseDeclaration(evaluate(source)), parseDeclaration(declaration))
})

it("what is so anyway is left out, and only what is used is imported", () => {
  const spelt: ServiceDeclaration = {
    name: "shop",
    title: "Shop",
    resources: {
      orderLine: {
        id: "orderline",
        plural: "orderLines",
        table: { name: "order_line" },
        readonly: false,
        fields: { placedAt: { scalar: "timestamp", optional: false, column: "placed_at", stored: "plain" } },
        relations: { parent: { kind: "one", target: "orderLine", columns: { parent_id: "id" } } },
      },
    },
  }
  assert.equal(
    printDeclaration(spelt),
    `import { f, one, resource, service } from "bifold"

export default service({
  name: "shop",
  resources: {
    orderLine: resource({
      fields: {
        placedAt: f.timestamp(),
      },
      relations: { parent: one("orderLine") },
    }),
  },
})
`,
  )
})

it("what is called like a member of every object is nothing special", () => {
  const declaration = service({
    name: "shop",
    resources: {
      pair: resource({
        key: {
          parts: [
            { column: "a", type: "integer" },
            { column: "b", type: "integer" },
          ],
        },
        fields: {},
        relations: {
          other: one("pair", { columns: { toString: "a", constructor: "b" } }),
          others: many("pair", { by: "other" }),
        },
      }),
      note: resource({
        fields: {
          data: f.json({ default: { ["__proto__"]: [1] } }),
          hasOwnProperty: f.text({ optional: true }),
        },
      }),
    },
  })
  assert.deepStrictEqual(load(evaluate(printDeclaration(declaration))), load(declaration))
})

it("what is printed compiles", async () => {
  const samples = fc.sample(declarations, { numRuns: 40, seed: 11 })
  assert.equal((await compile(samples.map(printDeclaration))).output, "")
})

it("Biome finds nothing to format in what is printed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bifold-print-"))
  try {
    const samples = fc.sample(declarations, { numRuns: 60, seed: 7 })
    await Promise.all(
      samples.map((declaration, index) =>
        writeFile(join(folder, `${index}.ts`), printDeclaration(declaration)),
      ),
    )
    const settings = {
      formatter: { indentStyle: "space", lineWidth: 110 },
      javascript: { formatter: { semicolons: "asNeeded" } },
    }
    await mkdir(join(folder, "settings"))
    await writeFile(join(folder, "settings/biome.json"), JSON.stringify(settings))
    const biome = join(root, "node_modules/@biomejs/biome/bin/biome")
    const { stderr, stdout } = await promisify(execFile)(
      process.execPath,
      [
        biome,
        ...["format", "--colors=off", `--config-path=${join(folder, "settings")}`],
        ...samples.map((_, index) => `${index}.ts`),
      ],
      { cwd: folder },
    )
    assert.match(stdout + stderr, /Checked 60 files/)
  } finally {
    await rm(folder, { recursive: true })
  }
})
