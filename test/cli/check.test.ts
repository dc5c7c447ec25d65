// `bifold check`, as a process: what it says, where it says it, and what it ends with.
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import type { Problem } from "../../src/base/problem.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { bifold } from "./run.ts"

const cwd = await temporaryFolder(cleanUp(after))
const file = (name: string, content: string): void => writeFileSync(join(cwd, name), content)

const good = `import { anyone, f, many, one, resource, service } from "bifold"
const allow = { read: anyone }
export default service({
  name: "shop",
  resources: {
    author: resource({ fields: { name: f.text() }, relations: { books: many("book", { by: "author" }) }, allow }),
    book: resource({ fields: { title: f.text(), pages: f.integer({ optional: true }) }, relations: { author: one("author") }, allow }),
  },
})
`

describe("bifold check", () => {
  it("finds nothing wrong with a good file, wherever it lies", async () => {
    file("good.ts", good)
    const ran = await bifold(["check", "good.ts"], { cwd })
    assert.deepEqual(ran, {
      code: 0,
      stdout: "✓ good.ts: 2 resources, 3 fields, 2 relations, no mistakes.\n",
      stderr: "",
    })
  })

  it("takes service.ts when no file is named", async () => {
    file("service.ts", good)
    const ran = await bifold(["check"], { cwd })
    assert.equal(ran.stdout, "✓ service.ts: 2 resources, 3 fields, 2 relations, no mistakes.\n")
  })

  it("counts what is declared, and not the relation that a history adds", async () => {
    file("kept.ts", good.replace("resource({ fields: { title", "resource({ history: true, fields: { title"))
    const ran = await bifold(["check", "kept.ts"], { cwd })
    assert.equal(ran.stdout, "✓ kept.ts: 2 resources, 3 fields, 2 relations, no mistakes.\n")
  })

  it("tells one mistake that many rules share once, where it was written, and blames no resource of Bifold's", async () => {
    const shared = `import { f, resource, role, service } from "bifold"

const staff = role("staf")
const allow = { read: [staff, { id: { eq: "x" } }], create: staff, update: staff, delete: staff }
export default service({
  name: "shop",
  roles: ["staff"],
  identity: { keys: { manage: staff } },
  resources: {
    book: resource({
      fields: {
        title: f.text(),
        pages: f.integer({
          min: 2,
          max: 1,
        }),
      },
      allow,
    }),
    author: resource({ fields: { name: f.text() }, allow }),
  },
})
`
    file("shared.ts", shared)
    const { code, stderr } = await bifold(["check", "shared.ts"], { cwd })
    assert.equal(code, 1)
    assert.deepEqual(stderr.split("\n"), [
      "✗ resources.book.fields.pages (shared.ts:13)",
      '  The min of "pages", 2, is greater than its max, 1.',
      "✗ in 9 places: resources.book.allow.read[0].role, resources.book.allow.create.role, resources.book.allow.update.role and 6 more (shared.ts:3)",
      '  There is no role "staf".',
      '  → Did you mean "staff"?',
      "",
      "shared.ts: 2 mistakes.",
      "",
    ])
    const { stdout } = await bifold(["check", "shared.ts", "--json"], { cwd })
    const { problems } = JSON.parse(stdout) as { problems: readonly Problem[] }
    assert.equal(problems.length, 10)
    assert.deepEqual(problems[0]?.source, { file: join(cwd, "shared.ts"), line: 13 })
    const places = problems.map(({ place }) => (place ?? []).join("."))
    assert.ok(places.includes("identity.keys.manage.role"), places.join(" "))
    assert.ok(!places.some((place) => place.includes("apiKey")))
  })

  it("tells of own code where it was written: its builder, or what attaches it", async () => {
    const library = good.slice(good.indexOf("service({")).trimEnd()
    file(
      "code.ts",
      `import { action, computed, f, handler, many, one, operation, resource, role, service, withCode } from "bifold"

const run = () => {}
const allow = { read: [] }
const library = ${library}
export default withCode(library, {
  actions: {
    book: {
      lend: action({ input: { days: f.integer({ min: 2, max: 1 }) }, run }),
      burn: action({
        deadline: -1, run }),
    },
  },
  operations: {
    count: operation({
      deadline: -1, run }),
  },
  computed: {
    book: {
      blurb: computed({ type: f.text(), needs: ["titel"], run: () => [] }),
    },
  },
  on: {
    "book.outt": handler({ run }),
    "book.inn": run,
  },
})
`,
    )
    const text = readFileSync(join(cwd, "code.ts"), "utf8").split("\n")
    const { stdout } = await bifold(["check", "code.ts", "--json"], { cwd })
    const { problems } = JSON.parse(stdout) as { problems: readonly Problem[] }
    assert.deepEqual(
      problems.map(({ place = [], source }) => [place.join("."), text[(source?.line ?? 0) - 1]?.trim()]),
      [
        [
          "code.actions.book.lend.input.days",
          "lend: action({ input: { days: f.integer({ min: 2, max: 1 }) }, run }),",
        ],
        ["code.actions.book.burn.deadline", "burn: action({"],
        ["code.operations.count.deadline", "count: operation({"],
        [
          "code.computed.book.blurb.needs.0",
          'blurb: computed({ type: f.text(), needs: ["titel"], run: () => [] }),',
        ],
        ["code.on.book.outt", '"book.outt": handler({ run }),'],
        ["code.on.book.inn", "export default withCode(library, {"],
      ],
      stdout,
    )
  })

  it("counts as many mistakes as it lists", async () => {
    const twice = good
      .replace(
        "resources: {",
        'roles: ["staff"], identity: { keys: { manage: role("staf") } },\nresources: {',
      )
      .replace("read: anyone", 'read: role("staf")')
      .replace("anyone, f, many, one,", "f, many, one, role,")
    file("twice.ts", twice)
    const { stderr } = await bifold(["check", "twice.ts"], { cwd })
    assert.match(stderr, /^✗ in \d+ places: .*\(twice\.ts:\d+, twice\.ts:\d+\)\n/)
    assert.match(stderr, /\n\ntwice\.ts: 1 mistake\.\n$/)
  })

  it("notes a grant by which a caller gives what it does not have, and places mistakes in grants", async () => {
    const granting = (rule: string): string =>
      good
        .replace(
          "resources: {",
          `roles: ["staff", "boss"], identity: { keys: { manage: role("staff"), grant: { boss: ${rule} } } },\nresources: {`,
        )
        .replace("anyone, f, many, one,", "anyone, f, many, one, role,")
    const noted = async (rule: string): Promise<readonly object[]> => {
      file("granting.ts", granting(rule))
      const { notes, problems } = JSON.parse(
        (await bifold(["check", "granting.ts", "--json"], { cwd })).stdout,
      )
      return [...(notes ?? []), ...problems].filter(({ place }: { place: string[] }) =>
        place.includes("grant"),
      )
    }
    assert.deepEqual(await noted('role("staff")'), [
      {
        place: ["identity", "keys", "grant", "boss"],
        what: 'callers without the role "boss" may grant it',
        hint: 'If that is not meant, ask for role("boss") too.',
      },
    ])
    assert.deepEqual(await noted('{ and: [role("staff"), role("boss")] }'), [])
    const [wrong] = await noted('role("bos")')
    assert.deepEqual(wrong && "place" in wrong && wrong.place, ["identity", "keys", "grant", "boss", "role"])
  })

  it("suggests the builder that is meant", async () => {
    const told = async (text: string): Promise<string> => {
      file("misspelt.ts", text)
      return (await bifold(["check", "misspelt.ts"], { cwd })).stderr
    }
    const decimel = await told(good.replace("f.text() }, relations", "f.decimel() }, relations"))
    assert.match(decimel, /f\.decimel is not a function \(line 6\)\n {2}→ Did you mean "f\.decimal"\?\n/)
    const named = await told(good.replace("many, one,", "mani, one,").replace('many("book"', 'mani("book"'))
    assert.match(named, /"bifold" has no export "mani"|an export named 'mani'/)
    assert.match(named, /→ Did you mean "many"\?\n/)
    const own = await told(`const g = {}\ng.text()\n${good}`)
    assert.match(own, /g\.text is not a function \(line 2\)\n/)
    assert.doesNotMatch(own, /→/)
  })

  it("finds nothing wrong with the example", async () => {
    const ran = await bifold(["check", "examples/storefront/service.ts"])
    assert.equal(ran.code, 0, ran.stderr)
  })

  it("says what may not be meant: what nobody reads, roles of nobody, conditions that hold for everybody", async () => {
    const odd = good
      .replace('name: "shop"', 'name: "shop", roles: ["staff"]')
      .replace("allow }),\n", "}),\n")
      .replace("allow }),\n", "allow: { read: [{ title: {} }] } }),\n")
    file("odd.ts", odd)
    const ran = await bifold(["check", "odd.ts"], { cwd })
    assert.deepEqual(
      [ran.code, ran.stdout],
      [0, "✓ odd.ts: 2 resources, 3 fields, 2 relations, no mistakes.\n"],
    )
    assert.equal(
      ran.stderr,
      [
        "3 things to know:",
        '  roles.0                       no rule asks for the role "staff": Ask with role("staff"), or leave it out.',
        "  resources.author              no actor may read it, so it is never served: Say who may, as in allow: { read: anyone }.",
        "  resources.book.allow.read.0   this rule holds for every actor, although it looks like a condition: If that is meant, write anyone.",
        "",
        "",
      ].join("\n"),
    )
    const { ok, notes } = JSON.parse((await bifold(["check", "odd.ts", "--json"], { cwd })).stdout)
    assert.deepEqual([ok, notes.length, notes[0].place], [true, 3, ["roles", 0]])
  })

  it("tells the mistakes of rules beside the others", async () => {
    file("ruled.ts", good.replace("allow = { read: anyone }", "allow = { read: { not: anyone } }"))
    const ran = await bifold(["check", "ruled.ts"], { cwd })
    assert.equal(ran.code, 1)
    assert.match(ran.stderr, /resources\.author\.allow\.read/)
    assert.match(ran.stderr, /This rule can never hold: it negates a condition that always holds\./)
    assert.match(ran.stderr, /ruled\.ts: 1 mistake\./)
  })

  it("tells what cannot be allowed beside the mistakes of rules, and nothing that follows from it", async () => {
    const allow = 'allow = { reed: anyone, update: { role: "staf" }, create: { nope: { eq: 1 } } }'
    file("unknown.ts", good.replace("allow = { read: anyone }", allow))
    const { problems } = JSON.parse((await bifold(["check", "unknown.ts", "--json"], { cwd })).stdout)
    const told = (name: string) => [
      `resources.${name}.allow.reed`,
      `resources.${name}.allow.create.nope`,
      `resources.${name}.allow.update.role`,
    ]
    assert.deepEqual(
      problems.map(({ place }: { place: readonly string[] }) => place.join(".")).toSorted(),
      [...told("author"), ...told("book")].toSorted(),
    )
  })

  it("says which states and transitions lead nowhere, and what no actor may do", async () => {
    const machine = `states: {
      initial: "cart",
      final: "paid",
      states: { sent: { description: "No longer used." } },
      transitions: {
        place: { from: "cart", to: "placed", allow: anyone },
        pay: { from: "placed", to: "paid", allow: anyone },
        refund: { from: ["paid", "placed"], to: "refunded" },
        lose: { from: "sent", to: "lost", allow: anyone },
        find: { from: "lost", to: "placed", allow: anyone },
        check: { from: "placed", to: "cart", allow: { state: { eq: "cart" } } },
      },
    }, allow`
    file("moved.ts", good.replace('one("author") }, allow', `one("author") }, ${machine}`))
    const ran = await bifold(["check", "moved.ts"], { cwd })
    assert.deepEqual([ran.code, ran.stdout.includes("no mistakes")], [0, true], ran.stderr)
    const told = ran.stderr.split("\n").map((line) => line.trim().replace(/ {2,}/, "  "))
    assert.deepEqual(told, [
      "8 things to know:",
      'resources.book.states  no transition leads to the state "sent": Give a transition that does, or leave the state out when no record is in it any more.',
      'resources.book.states  no transition leads to the state "lost": Give a transition that does, or leave the state out when no record is in it any more.',
      'resources.book.states  no transition leads out of the state "refunded", which is not final: Name it in final, or give a transition from it.',
      'resources.book.states.transitions.refund.from  this leads out of the state "paid", which is final: Leave it out here, or in final.',
      "resources.book.states.transitions.refund  this is for actors that may update the record, and none may: Say in allow who may.",
      "resources.book.states.transitions.lose  this can never be done, since no transition leads to a state that it starts from: Name other states in from, or leave it out.",
      "resources.book.states.transitions.find  this can never be done, since no transition leads to a state that it starts from: Name other states in from, or leave it out.",
      "resources.book.states.transitions.check  this can never be done, since no `state` meets all that it asks: Allow it for records as they are where it starts from.",
      "",
      "",
    ])
    const { notes } = JSON.parse((await bifold(["check", "moved.ts", "--json"], { cwd })).stdout)
    assert.equal(notes.length, 8)
  })

  it("says which handlers are never called, since they do not see the state that they are for", async () => {
    const source = `import { anyone, f, handler, only, resource, role, service, signedIn, withCode } from "bifold"
const bill = resource({
  fields: { title: f.text() },
  states: { initial: "new", final: "paid", transitions: { pay: { from: "new", to: "paid", allow: role("staff") } } },
  allow: { read: [role("staff"), only(["title"], signedIn)], create: anyone },
})
const run = () => {}
export default withCode(service({ name: "shop", roles: ["staff"], resources: { bill } }), {
  on: {
    "bill.paid": [handler({ name: "blind", run }), handler({ name: "lent", as: { roles: ["staff"] }, run })],
    "bill.created": run,
  },
})`
    file("blind.ts", source)
    const ran = await bifold(["check", "blind.ts", "--json"], { cwd })
    const { notes } = JSON.parse(ran.stdout)
    assert.deepEqual(
      notes.map(({ place, what }: { place: unknown; what: string }) => [place, what]),
      [
        [
          ["code", "on", "bill.paid"],
          'the handler "blind" is never called, since it does not see this state',
        ],
      ],
      ran.stderr,
    )
  })

  it("lists every mistake with its place and a hint, and ends with 1", async () => {
    file("bad.ts", good.replace('many("book"', 'many("bok"').replace('one("author")', 'one("authr")'))
    const ran = await bifold(["check", "bad.ts"], { cwd })
    assert.equal(ran.code, 1)
    assert.equal(ran.stdout, "")
    assert.match(ran.stderr, /resources\.author\.relations\.books/)
    assert.match(ran.stderr, /Did you mean "book"\?/)
    assert.match(ran.stderr, /resources\.book\.relations\.author/)
    assert.match(ran.stderr, /Did you mean "author"/)
    assert.match(ran.stderr, /\nbad\.ts: \d+ mistakes\.\n$/)
  })

  it("prints mistakes as JSON for machines", async () => {
    file("bad.ts", good.replace('many("book"', 'many("bok"'))
    const ran = await bifold(["check", "bad.ts", "--json"], { cwd })
    assert.equal(ran.code, 1)
    assert.equal(ran.stderr, "")
    const { ok, file: named, problems } = JSON.parse(ran.stdout)
    assert.deepEqual({ ok, file: named }, { ok: false, file: "bad.ts" })
    assert.equal(problems[0].code, "invalid_declaration")
    assert.deepEqual(problems[0].place.slice(0, 4), ["resources", "author", "relations", "books"])
  })

  for (const [what, content, said] of [
    [
      "has no default export",
      "export const service = {}\n",
      /file\.ts has no default export\.\n {2}→ End it with a service/,
    ],
    [
      "exports something else",
      "export default () => ({})\n",
      /The default export of file\.ts is not a service\./,
    ],
    ["throws", "const x = 1\nthrow new Error('no ' + x)\n", /file\.ts failed while it ran: no 1 \(line 2\)/],
    [
      "throws a secret",
      "throw new Error('no postgres://me:hunter2@db/shop with password=hunter2')\n",
      /failed while it ran: no postgres:\/\/…@db\/shop with password=… \(line 1\)/,
    ],
    [
      "is not TypeScript",
      "export const name = 'x'\nexport default service({\n",
      /^✗ file\.ts \(line 2\) cannot be read: [^→]*\n\nfile\.ts: 1 mistake\.\n$/,
    ],
    [
      "has an enum",
      "const name = 'x'\nenum A { B }\nexport default A\n",
      /file\.ts \(line 2\) cannot be read: [\s\S]*→ Only types are taken away/,
    ],
    [
      "imports a name that is not there",
      'import { f, nothing } from "bifold"\nexport default { f, nothing }\n',
      /file\.ts \(line 1\) cannot be read: [^→]*nothing[^→]*$/,
    ],
    ["imports what is not there", "import './nothing.ts'\n", /file\.ts imports what cannot be found/],
    ["is empty of resources", "export default { name: 'x' }\n", /resources/],
  ] as const)
    it(`says so when a file ${what}, without a stack trace`, async () => {
      file("file.ts", content)
      const ran = await bifold(["check", "file.ts"], { cwd })
      assert.equal(ran.code, 1, ran.stderr)
      assert.match(ran.stderr, said)
      assert.doesNotMatch(ran.stderr, /^\s+at /m)
    })

  it("names the file that is at fault, where the service file imports it", async () => {
    file("half.ts", "export const half = {\n")
    file("file.ts", 'import { half } from "./half.ts"\nexport default half\n')
    const ran = await bifold(["check", "file.ts"], { cwd })
    assert.match(
      ran.stderr,
      /^✗ \/.*\/half\.ts \(line 1\), which file\.ts imports, cannot be read: [^→]*\n\nfile\.ts: 1 mistake\.\n$/,
    )
  })

  it("says that there is no such file, and ends with 2", async () => {
    const ran = await bifold(["check", "nowhere.ts"], { cwd })
    assert.deepEqual(ran, {
      code: 2,
      stdout: "",
      stderr: "✗ There is no file nowhere.ts.\n  → Give the path of a service file, such as ./service.ts.\n",
    })
  })

  it("shows the stack when BIFOLD_DEBUG asks for it", async () => {
    file("file.ts", "throw new Error('no')\n")
    const ran = await bifold(["check", "file.ts"], { cwd, environment: { BIFOLD_DEBUG: "1" } })
    assert.match(ran.stderr, /^\s+at .*file\.ts/m)
  })

  it("uses colours where they are asked for, and none with NO_COLOR", async () => {
    file("good.ts", good)
    const { stdout } = await bifold(["check", "good.ts"], { cwd, environment: { FORCE_COLOR: "1" } })
    assert.equal(stdout.startsWith("\u001b[32m✓\u001b[39m"), true)
  })
})
