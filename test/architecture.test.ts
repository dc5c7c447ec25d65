// The house: arrows point one way, no cycles, calm sizes. The rules are in support/architecture.ts; here they are held
// against the sources, and shown to find what breaks them.
import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { findBreaches, importsOf, type SourceFile } from "./support/architecture.ts"

const root = join(import.meta.dirname, "..")

function sources(): readonly SourceFile[] {
  return globSync("src/**/*.ts", { cwd: root }).map((path) => ({
    path: path.replaceAll("\\", "/"),
    text: readFileSync(join(root, path), "utf8"),
  }))
}

test("the sources keep the rules of the house", () => {
  const files = sources()
  const rooms = new Set(files.map(({ path }) => path.split("/")[1]))
  for (const room of [
    "base",
    "model",
    "plan",
    "sql",
    "storage",
    "engine",
    "http",
    "graphql",
    "rest",
    "server",
    "cli",
    "index.ts",
  ])
    assert.ok(rooms.has(room), `the scan saw ${room}`)
  assert.ok(files.length > 100, `the scan saw ${files.length} files`)
  const arrows = files.flatMap((file) => importsOf(file).filter(({ target }) => target !== undefined))
  assert.ok(arrows.length > 300, `the scan saw ${arrows.length} arrows`)
  assert.deepEqual(findBreaches(files), [])
})

test("half of the files are short", () => {
  const lines = sources()
    .map(({ text }) => text.split("\n").length)
    .toSorted((a, b) => a - b)
  assert.ok((lines[Math.floor(lines.length / 2)] ?? 0) <= 150)
})

/** Of what there is too much still: these numbers only shrink. */
const shrinking: readonly (readonly [string, RegExp, number])[] = [
  ["weak maps", /new WeakMap\b/g, 15],
  ["ambient stores", /new AsyncLocalStorage\b/g, 3],
  ["choices by a database's kind, which is a member of a record of each", /=== "(?:sqlite|postgres)" \?/g, 3],
  ["questions after a dialect's name", /\bdialect\.name [!=]==|\bname [!=]== "(?:postgres|sqlite)"/g, 0],
]

for (const [what, form, most] of shrinking)
  test(`there are fewer ${what}, never more`, () => {
    const found = sources().flatMap(({ path, text }) =>
      /\/dialects\//.test(path) ? [] : [...text.matchAll(form)].map(() => path),
    )
    assert.equal(
      found.length,
      most,
      `change the number when there are fewer: ${[...new Set(found)].join(", ")}`,
    )
  })

/** Lines of each room, at the most. A change that needs more raises its room's number, and says why in its commit. */
const ceilings: Readonly<Record<string, number>> = {
  access: 2150,
  base: 1750,
  cli: 7200,
  engine: 6500,
  events: 5950,
  graphql: 7700,
  http: 2150,
  "index.ts": 150,
  model: 17900,
  observe: 3000,
  plan: 14100,
  rest: 7700,
  server: 7050,
  service: 2300,
  settings: 850,
  sql: 13550,
  storage: 8400,
  tools: 2500,
}

test("rooms do not grow without a reason", () => {
  const lines = new Map<string, number>()
  for (const { path, text } of sources()) {
    const room = path.split("/")[1] ?? ""
    lines.set(room, (lines.get(room) ?? 0) + text.split("\n").length - 1)
  }
  assert.deepEqual([...lines.keys()].toSorted(), Object.keys(ceilings).toSorted())
  assert.deepEqual(
    [...lines].filter(([room, count]) => count > (ceilings[room] ?? 0)),
    [],
  )
})

/** Files of those who use Bifold. */
const theirFiles: readonly string[] = ["service.ts", "roles.ts", "bifold.config.ts"]

test("files that comments name are there", () => {
  const files = sources()
  const all = [
    ...files.map(({ path }) => path),
    ...globSync("{test,scripts}/**/*.{ts,mjs}", { cwd: root, exclude: ["**/node_modules"] }),
  ]
  const isThere = (name: string): boolean => all.some((path) => `/${path}`.endsWith(`/${name}`))
  const named = files.flatMap(({ path, text }) =>
    (text.match(/\/\/ .*|\/\*\*[\s\S]*?\*\//g) ?? []).flatMap((comment) =>
      (comment.match(/(?<![\w./])[\w-][\w./-]*\.(?:ts|mjs)\b/g) ?? []).map((name) => ({ path, name })),
    ),
  )
  assert.ok(named.length > 50, `the scan saw ${named.length} names`)
  assert.deepEqual(
    named.filter(({ name }) => !theirFiles.includes(name) && !isThere(name)),
    [],
  )
})

/** Places where a calendar time is meant. */
const calendars: Readonly<Record<string, readonly string[]>> = {
  "the source of both clocks": ["base/clock.ts"],
  "a moment that is stored, sent or compared with one that is": [
    "cli/commands/diff.ts",
    "cli/commands/key.ts",
    "cli/commands/versions.ts",
    "cli/versions/usage-wanted.ts",
    "tools/doctor/postgres-checks.ts",
    "tools/doctor/process-checks.ts",
    "engine/bind-program.ts",
    "engine/code/call-action.ts",
    "events/handlers/call.ts",
    "access/limits/meters.ts",
    "plan/draft/draft.ts",
    "plan/guard/guard.ts",
    "plan/values/typeid.ts",
    "server/transports/certificate.ts",
    "storage/sqlite/backup.ts",
    "observe/logs/json-log.ts",
    "events/handlers/checkpoints.ts",
    "tools/testing/start-service.ts",
    "access/usage/usage.ts",
    "events/webhooks/forward.ts",
  ],
  "expiry of credentials and versions; what is cached is looked up again when the calendar goes back": [
    "access/identity/identify.ts",
  ],
  "versions that a hint must not name, since they have ended": ["plan/other-versions.ts"],
}

test("durations are told by the monotonic clock", () => {
  const known = Object.values(calendars)
    .flat()
    .map((path) => `src/${path}`)
  const found = sources()
    .filter(({ text }) => /\bDate\.now\b|new Date\(\)/.test(text))
    .map(({ path }) => path)
  assert.deepEqual(
    found.toSorted(),
    known.toSorted(),
    "use `elapsed` (base/clock.ts), or `performance.now()` within one thread",
  )
})

/** Two monotonic clocks begin at different moments: a file that compares one with the other is wrong by days. */
const bothClocks: Readonly<Record<string, string>> = {
  "src/storage/sqlite/writer.ts": "deadlines, and when telemetry saw work sent",
}

test("a file uses one monotonic clock", () => {
  const found = sources()
    .filter(({ text }) => /import \{[^}]*\belapsed\b[^}]*\} from "[^"]*\/clock\.ts"/.test(text))
    .filter(({ text }) => /\bperformance\.now\b/.test(text))
    .map(({ path }) => path)
  assert.deepEqual(found.toSorted(), Object.keys(bothClocks))
})

const file = (path: string, text = ""): SourceFile => ({ path, text })

const broken: readonly (readonly [string, readonly SourceFile[], readonly string[]])[] = [
  [
    "an arrow against the direction",
    [file("src/plan/a.ts", 'import { b } from "../sql/b.ts"'), file("src/sql/b.ts")],
    ["src/plan/a.ts: plan must not see sql (../sql/b.ts)"],
  ],
  [
    "an arrow of a type only, over several lines",
    [file("src/rest/read/a.ts", 'import type {\n  B,\n} from "../../engine/b.ts"'), file("src/engine/b.ts")],
    ["src/rest/read/a.ts: rest must not see engine (../../engine/b.ts)"],
  ],
  [
    "a re-export and a dynamic import",
    [
      file("src/base/a.ts", 'export * from "../model/b.ts"\nconst c = await import("../plan/c.ts")'),
      file("src/model/b.ts"),
      file("src/plan/c.ts"),
    ],
    [
      "src/base/a.ts: base must not see model (../model/b.ts)",
      "src/base/a.ts: base must not see plan (../plan/c.ts)",
    ],
  ],
  [
    "an arrow behind an apostrophe in a comment, a text that looks like one, and a template",
    [
      file("src/plan/a.ts", 'import {\n  b, // it\'s\n} from "../sql/b.ts"'),
      file("src/plan/c.ts", 'const all = "*/*"\ntype B = import("../sql/b.ts").B\n/** */'),
      file("src/plan/d.ts", `const d = \`\${\`}\`}\` + (await import(\`../sql/b.ts\`))`),
      file("src/sql/b.ts"),
    ],
    ["a", "c", "d"].map((name) => `src/plan/${name}.ts: plan must not see sql (../sql/b.ts)`),
  ],
  [
    "an arrow by the package's own name",
    [file("src/plan/a.ts", 'import { service } from "bifold"')],
    ["src/plan/a.ts: imports bifold by its name, past the arrows"],
  ],
  ["a room that is not planned", [file("src/misc/a.ts")], ["src/misc/a.ts: a room that the house lacks"]],
  [
    "one face that sees the other",
    [file("src/rest/a.ts", 'import { b } from "../graphql/b.ts"'), file("src/graphql/b.ts")],
    ["src/rest/a.ts: rest must not see graphql (../graphql/b.ts)"],
  ],
  [
    "a cycle, types included",
    [
      file("src/model/a.ts", 'import type { B } from "./b.ts"'),
      file("src/model/b.ts", 'import { c } from "./c.ts"'),
      file("src/model/c.ts", 'export { a } from "./a.ts"'),
    ],
    ["cycle: src/model/a.ts, src/model/b.ts, src/model/c.ts"],
  ],
  [
    "a cycle of sub-rooms without a cycle of files",
    [
      file("src/plan/read/a.ts", 'import { b } from "../write/b.ts"'),
      file("src/plan/read/d.ts"),
      file("src/plan/write/b.ts"),
      file("src/plan/write/c.ts", 'import type { D } from "../read/d.ts"'),
    ],
    ["cycle: src/plan/read, src/plan/write"],
  ],
  [
    "a cycle through a file at the root of a room",
    [
      file("src/plan/plan.ts", 'import { a } from "./read/a.ts"'),
      file("src/plan/read/a.ts"),
      file("src/plan/read/b.ts", 'import { p } from "../plan.ts"'),
    ],
    ["cycle: src/plan/plan.ts, src/plan/read"],
  ],
  [
    "a crowded folder",
    Array.from({ length: 27 }, (_, at) => file(`src/base/a${at}.ts`)),
    ["src/base: 27 files, more than 26"],
  ],
  ["a missing file", [file("src/base/a.ts", 'import "./b.ts"')], ["src/base/a.ts: ./b.ts is no file of src"]],
  ["a long file", [file("src/base/a.ts", "\n".repeat(601))], ["src/base/a.ts: 601 lines, more than 600"]],
  [
    "a deep folder",
    [file("src/rest/read/deep/a.ts")],
    ["src/rest/read/deep/a.ts: a folder deeper than two under src"],
  ],
  ["a second index", [file("src/model/index.ts")], ["src/model/index.ts: an index besides the public one"]],
  ["an enum", [file("src/base/a.ts", "export const enum A { b }")], ["src/base/a.ts: enum"]],
  ["a namespace", [file("src/base/a.ts", "export namespace A {}")], ["src/base/a.ts: namespace"]],
  ["a default export", [file("src/base/a.ts", "export default 1")], ["src/base/a.ts: default export"]],
  [
    "a default export by another name",
    [file("src/base/a.ts", "const a = 1\nexport { a as default }")],
    ["src/base/a.ts: default export"],
  ],
  ["work put off", [file("src/base/a.ts", "const a = 1 // TODO: more")], ["src/base/a.ts: TODO"]],
  [
    "the environment, however it is reached",
    [
      file("src/engine/a.ts", "const a = process.env.HOME"),
      file("src/engine/b.ts", 'const b = process["env"]'),
      file("src/engine/c.ts", "const { env } = process"),
      file("src/engine/d.ts", 'import { env } from "node:process"'),
    ],
    ["a", "b", "c", "d"].map((name) => `src/engine/${name}.ts: reads the environment`),
  ],
]

for (const [what, files, findings] of broken)
  test(`${what} is found`, () => assert.deepEqual(findBreaches(files), findings))

test("what only looks like a breach is none", () => {
  const text = [
    '// import { b } from "../sql/b.ts"',
    'const a = 1 // import { b } from "../sql/b.ts"',
    "const b = \"import { b } from '../sql/b.ts'\"",
    `const c = /import "..\\/sql\\/b.ts"/.test(\`export default \${a / 2} process.env / 1\`)`,
    "const enumeration = { enum: {}, default: 1, process: 2 }",
    "const now = process.hrtime.bigint()",
    'const d = "TODO"',
  ].join("\n")
  const files = [file("src/plan/a.ts", text), file("src/sql/b.ts"), file("src/cli/main.ts", "process.env.X")]
  assert.deepEqual(findBreaches(files), [])
})
