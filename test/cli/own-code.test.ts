// What `bifold rules` and `bifold can` say of own code: who may have it run, what it is lent, who sees what it computes.
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, describe, test } from "node:test"
import { fileURLToPath } from "node:url"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { present } from "../../src/base/invariant.ts"
import { createLookup, type Lookup } from "../../src/cli/lookup.ts"
import { type AccessQuestion, decide, decideCall } from "../../src/cli/verdict.ts"
import { load } from "../../src/model/load.ts"
import type { Resource } from "../../src/model/model.ts"
import { type OpenCode, openCode } from "../code/open.ts"
import { clinic } from "../services/clinic.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { bifold } from "./run.ts"

const hooks = cleanUp(after)
const folder = await temporaryFolder(hooks)
const source = fileURLToPath(new URL("../services/clinic.ts", import.meta.url))

/** A service file that exports the clinic as it is, or as the text makes it. */
function serviceFile(name: string, text = "clinic"): string {
  const file = join(folder, `${name}.ts`)
  writeFileSync(file, `import { clinic } from ${JSON.stringify(source)}\nexport default ${text}\n`)
  return file
}

const file = serviceFile("service")

describe("the matrix of own code", () => {
  test("has who may have each action and operation run, and as whom", async () => {
    const { code, stderr } = await bifold(["rules", file, "--write"])
    assert.equal(code, 0, stderr)
    const text = readFileSync(join(folder, "service.rules"), "utf8")
    const lines = text.split("\n")
    const below = (title: string): readonly string[] => {
      const from = lines.indexOf(title)
      assert.notEqual(from, -1, `${title}\n${text}`)
      return lines.slice(from + 1, from + 1 + kinds.length).map((line) => line.trim())
    }
    const kinds = [
      "anyone",
      "signedIn",
      "patient:…",
      "role:doctor",
      "role:clerk",
      "role:boss",
      "scope:stock",
      "role:clerk+role:boss",
      "role:clerk+scope:stock",
      "role:doctor+role:boss",
      "patient:…+role:boss",
    ]
    const who = (title: string): Readonly<Record<string, string>> =>
      Object.fromEntries(
        below(title)
          .map((line) => line.split(/\s{2,}/))
          .filter(([, may]) => may !== "–")
          .map(([actor = "", may = ""]) => [actor, may]),
      )
    assert.deepEqual(
      below("  action reopen")
        .map((line) => line.split(/\s{2,}/)[0])
        .toSorted(),
      kinds.toSorted(),
    )
    assert.deepEqual(who("  action close, as role:clerk+scope:stock"), {
      "patient:…": "open = true and patient.id = viewer.id",
      "role:doctor": "all",
      "role:doctor+role:boss": "all",
      "patient:…+role:boss": "open = true and patient.id = viewer.id",
    })
    assert.deepEqual(who("  action bill"), { "role:clerk+scope:stock": "all" })
    assert.deepEqual(who("  action reopen"), {
      "role:clerk+role:boss": "all",
      "role:doctor+role:boss": "all",
      "patient:…+role:boss": "all",
    })
    assert.deepEqual(who("  action forget"), {})
    assert.deepEqual(who("  restock, as signedIn"), {
      "role:doctor": "all",
      "scope:stock": "all",
      "role:doctor+role:boss": "all",
      "role:clerk+scope:stock": "all",
    })
    // Less together: a boss who is a clerk too may not.
    assert.deepEqual(who("  audit"), {
      "role:boss": "all",
      "role:doctor+role:boss": "all",
      "patient:…+role:boss": "all",
    })
    assert.deepEqual(Object.keys(who("  ping")).length, kinds.length)
    assert.deepEqual(who("  wipe"), {})
    assert.ok(lines.indexOf("operations") > lines.indexOf("  action forget"))
    assert.match(text, /Actions and operations are user code/)
  })

  test("names what own code computes where it is kept from somebody", async () => {
    const { stdout } = await bifold(["rules", file, "--json"])
    const { resources, operations } = JSON.parse(stdout)
    const read = (name: string): Readonly<Record<string, unknown>> => {
      const { actions } = resources.find((one: { name: string }) => one.name === name)
      return Object.fromEntries(
        actions.read.map(({ actor, fields }: { actor: string; fields: readonly object[] }) => [
          actor,
          fields,
        ]),
      )
    }
    assert.deepEqual(read("patient")["role:clerk"], [
      { names: ["weight", "dose", "perKilo", "heavy"], records: null },
    ])
    assert.deepEqual(read("patient")["patient:…"], [
      { names: ["weight", "heavy"], records: "id = viewer.id" },
      { names: ["dose", "perKilo"], records: null },
    ])
    assert.deepEqual(read("patient")["role:doctor"], [])
    assert.deepEqual(read("visit")["role:clerk"], [{ names: ["place"], records: null }])
    const [, , visit] = resources
    assert.deepEqual(
      visit.ownActions.map(({ name, as }: { name: string; as: string | null }) => [name, as]),
      [
        ["close", "role:clerk+scope:stock"],
        ["bill", null],
        ["reopen", null],
        ["forget", null],
      ],
    )
    assert.deepEqual(
      operations.map(({ name, as }: { name: string; as: string | null }) => [name, as]),
      [
        ["restock", "signedIn"],
        ["audit", null],
        ["ping", null],
        ["wipe", null],
      ],
    )
  })

  test("is a table for the actions of each resource, and one for the operations", async () => {
    const { stdout } = await bifold(["rules", file])
    const tables = stdout.trimEnd().split("\n\n")
    assert.equal(tables.length, 3 + 1 + 1)
    assert.match(
      tables[3] ?? "",
      /^\s+action close, as\s+action bill\s+action reopen\s+action forget\n\s+role:clerk\+scope:stock\n/,
    )
    assert.match(tables[4] ?? "", /^operations\n\s+restock, as signedIn\s+audit\s+ping\s+wipe/)
    for (const line of stdout.split("\n")) assert.ok(line.length <= 100, line)
  })

  const changes: readonly (readonly [string, string, readonly string[]])[] = [
    [
      "an action that more may have run",
      `{ ...clinic, code: { ...clinic.code, actions: { visit: { ...clinic.code.actions.visit,
        forget: { ...clinic.code.actions.visit.forget, allow: { role: "clerk" } } } } } }`,
      ["-     role:clerk              –", "+     role:clerk              all"],
    ],
    [
      "an action that is lent more",
      `{ ...clinic, code: { ...clinic.code, actions: { visit: { ...clinic.code.actions.visit,
        bill: { ...clinic.code.actions.visit.bill, as: { roles: ["boss"] } } } } } }`,
      ["-   action bill", "+   action bill, as role:boss"],
    ],
    [
      "a hook that is lent roles",
      `{ ...clinic, code: { ...clinic.code, before: { visit: { create: { as: { roles: ["boss"] }, run() {} } } } } }`,
      ["+   hook create, as role:boss"],
    ],
    [
      "an operation that anybody may call",
      `{ ...clinic, code: { ...clinic.code, operations: { ...clinic.code.operations,
        wipe: { ...clinic.code.operations.wipe, allow: { anyone: true } } } } }`,
      ["-     anyone                  –", "+     anyone                  all"],
    ],
    [
      "an operation that is gone",
      `{ ...clinic, code: { ...clinic.code, operations: { ping: clinic.code.operations.ping } } }`,
      ["-   wipe"],
    ],
  ]
  for (const [index, [title, text, lines]] of changes.entries())
    test(`${title} fails the check, and is shown`, async () => {
      const agreed = join(folder, `agreed${index}.rules`)
      assert.equal((await bifold(["rules", file, "--write", "--file", agreed])).code, 0)
      assert.equal((await bifold(["rules", file, "--check", "--file", agreed])).code, 0)
      const changed = serviceFile(`changed${index}`, text)
      const { code, stdout, stderr } = await bifold(["rules", changed, "--check", "--file", agreed])
      assert.equal(code, 1, stderr)
      for (const line of lines) assert.ok(stdout.split("\n").includes(line), `${line}\n${stdout}`)
    })
})

const people = [
  "anyone",
  "signedIn",
  "patient:pat_ann",
  "patient:pat_bob",
  "patient:pat_none",
  "role:doctor",
  "role:clerk",
  "role:boss",
  "scope:stock",
  "role:clerk+scope:stock",
  "role:clerk+role:boss",
  "patient:pat_ann+role:boss",
]

describe("a verdict of own code", () => {
  const model = load(clinic)
  let opened: OpenCode
  let isFound: Lookup
  before(async () => {
    opened = await openCode(hooks, clinic, "sqlite")
    isFound = createLookup(opened.storage)
    await opened.add({
      patient: [
        { id: "pat_ann", name: "Ann", weight: 95, dose: 190 },
        { id: "pat_bob", name: "Bob", weight: 60, dose: 120 },
      ],
      room: [{ id: "roo_one", name: "One" }],
      visit: [
        { id: "vis_open", open: true, cost: 1, patientId: "pat_ann", roomId: "roo_one" },
        { id: "vis_done", open: false, cost: 2, patientId: "pat_ann", roomId: "roo_one" },
        { id: "vis_bob", open: true, cost: 3, patientId: "pat_bob", roomId: "roo_one" },
      ],
    })
  })

  /** Whether they may, of one record. */
  async function judge(
    who: string,
    resource: Resource,
    id: string,
    rest: Pick<AccessQuestion, "action" | "field" | "needs">,
  ): Promise<boolean> {
    const actor = actorFromText(model, who)
    const verdict = await decide(
      { actor, model, resource, ...rest },
      {
        includes: (of) => isFound({ ...actor, model: of.model }, resource, id),
      },
    )
    return verdict.allowed
  }

  function compared() {
    const [differences, counts] = [[] as string[], { yes: 0, no: 0 }]
    const compare = (what: string, said: boolean, done: boolean): void => {
      counts[said ? "yes" : "no"] += 1
      if (said !== done) differences.push(`${what}: said ${said}, done ${done}`)
    }
    return { differences, counts, compare }
  }

  test("is what is done, for every action and record", async () => {
    const { differences, counts, compare } = compared()
    const visit = present(model.resources.get("visit"), "there are visits")
    for (const who of people)
      for (const id of ["vis_open", "vis_done", "vis_bob"])
        for (const action of visit.actions?.values() ?? []) {
          const said = await judge(who, visit, id, { action })
          const { status } = await opened.as(who).rest("POST", `/visits/${id}/actions/${action.name}`)
          compare(`${who} ${action.name} ${id}`, said, status === 204)
        }
    assert.deepEqual(differences, [])
    assert.ok(counts.yes >= 14 && counts.no >= 130, JSON.stringify(counts))
  })

  test("is what is done, for every operation", async () => {
    const { differences, counts, compare } = compared()
    for (const who of people)
      for (const operation of model.operations?.values() ?? []) {
        const actor = actorFromText(model, who)
        const { allowed } = await decideCall({ actor, model, operation })
        const { status } = await opened.as(who).rest("POST", `/actions/${operation.name}`)
        compare(`${who} ${operation.name}`, allowed, status === 204)
      }
    assert.deepEqual(differences, [])
    assert.ok(counts.yes >= 15 && counts.no >= 25, JSON.stringify(counts))
  })

  test("is what is seen, for every field that own code computes", async () => {
    const { differences, counts, compare } = compared()
    const asked = { patient: ["pat_ann", "pat_bob"], visit: ["vis_open", "vis_bob"] }
    for (const who of people)
      for (const [name, ids] of Object.entries(asked)) {
        const resource = present(model.resources.get(name), "it is declared")
        for (const [field, { field: type, needs }] of resource.computed ?? [])
          for (const id of ids) {
            const said = await judge(who, resource, id, { action: "read", field: type, needs })
            const { status, body } = await opened
              .as(who)
              .rest<Record<string, unknown>>("GET", `/${resource.path}/${id}?fields=${field}`)
            compare(`${who} ${field} of ${id}`, said, status === 200 && (body[field] ?? null) !== null)
          }
      }
    assert.deepEqual(differences, [])
    assert.ok(counts.yes >= 8 && counts.no >= 40, JSON.stringify(counts))
  })

  test("is a sentence with its reason, and the rules behind it", async () => {
    const database = ["--database", opened.url]
    const answers: readonly (readonly [readonly string[], RegExp, number])[] = [
      [
        ["patient:pat_ann", "close", "visit"],
        /^✓ patient:pat_ann may close visit, where patient\.id = viewer\.id, and open = true and patient\.id = viewer\.id\.\n/,
        0,
      ],
      [
        ["patient:pat_ann", "close", "visit:vis_done", ...database],
        /^✗ patient:pat_ann may not close visit vis_done: no rule for it holds for this record\.[\s\S]*code\.actions\.visit\.close\.allow\[0\]\s+role:doctor\n.*for this record\s+code\.actions\.visit\.close\.allow\[1\]\s+open = true and patient\.id = viewer\.id/,
        1,
      ],
      [["patient:pat_ann", "close", "visit:vis_open", ...database], /may close visit vis_open\./, 0],
      [
        ["role:boss", "reopen", "visit"],
        /may not reopen visit: they can read none, and what it is done to has to be readable\./,
        1,
      ],
      [["role:doctor", "forget", "visit"], /may not forget visit: there is no rule for it\./, 1],
      [
        ["role:boss", "restock"],
        /^✗ role:boss may not restock: no rule for it can hold for them\.\n\n✗ restock\n.*never holds for them\s+code\.operations\.restock\.allow\[0\]\s+role:doctor\n.*\[1\]\s+scope:stock\n$/,
        1,
      ],
      [
        ["role:doctor", "restock"],
        /^✓ role:doctor may restock\.\n\n✓ restock\n\s+holds\s+code\.operations\.restock\.allow\[0\]\s+role:doctor\n/,
        0,
      ],
      [["role:doctor", "wipe"], /may not wipe: there is no rule for it\./, 1],
      [
        ["role:clerk", "read", "patient", "--field", "heavy"],
        /may not read heavy of patient: it is computed of weight, which is kept from them\.[\s\S]*✗ field weight\n.*resources\.patient\.fields\.weight\.read\[0\]/,
        1,
      ],
      [
        ["patient:pat_ann", "read", "patient:pat_ann", "--field", "heavy", ...database],
        /may read heavy of patient pat_ann\./,
        0,
      ],
      [
        ["role:clerk", "read", "visit", "--field", "place"],
        /may not read place of visit: it is computed of roomId, which is kept from them\./,
        1,
      ],
    ]
    for (const [[actor = "", action = "", ...rest], said, expected] of answers) {
      const at = rest[0] === undefined ? [file] : [rest[0], file, ...rest.slice(1)]
      const { code, stdout, stderr } = await bifold(["can", actor, action, ...at])
      assert.match(stdout, said, stderr)
      assert.equal(code, expected)
    }
    const json = await bifold(["can", "role:doctor", "restock", file, "--json"])
    assert.deepEqual(JSON.parse(json.stdout), {
      allowed: true,
      actor: "role:doctor",
      action: "restock",
      needs: [
        {
          what: "operation",
          met: true,
          records: "all",
          rules: [
            { place: "code.operations.restock.allow[0]", rule: "role:doctor", holds: "always" },
            { place: "code.operations.restock.allow[1]", rule: "scope:stock", holds: "never" },
          ],
        },
      ],
    })
  })

  test("is of the service.ts that stands where it is asked, when no file is named", async () => {
    const { stdout, stderr } = await bifold(["can", "anyone", "ping"], { cwd: folder })
    assert.equal(stdout.split("\n")[0], "✓ anyone may ping.", stderr)
  })

  test("of what cannot be meant says what can be", async () => {
    const refusals: readonly (readonly [readonly string[], RegExp])[] = [
      [["role:doctor", "restok", file], /no operation "restok"\.\n.*"restock"/],
      [["role:doctor", "nothing", file], /no operation "nothing"\.\n.*restock, audit, ping, wipe/],
      [["role:doctor", "clos", "visit", file], /"visit" has no action or transition "clos"\.\n.*"close"/],
      [["role:doctor", "close", file], /Nothing says what "close" is to act on\.\n.*visit, visit:vis_…/],
      [["role:doctor", "read", file], /Nothing says what "read" is to act on/],
      [["role:doctor", "restock", "visit", file], /about no record\.\n.*Leave out visit/],
      [["role:doctor", "restock", file, "--field", "cost"], /about no field\.\n.*--field/],
      [["role:doctor", "close", "visit", file, "--field", "cost"], /done to a record as a whole/],
      [["role:doctor", "read", "patient", file, "--field", "heavi"], /no field "heavi"\.\n.*"heavy"/],
      [["role:doctor", "close", "visit:vis_a.ts"], /Nothing says which service|where the visit is/],
    ]
    for (const [given, said] of refusals) {
      const { code, stderr, stdout } = await bifold(["can", ...given])
      assert.match(stderr, said)
      assert.deepEqual([code, stdout], [2, ""])
    }
  })
})
