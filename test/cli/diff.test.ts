// `bifold diff`: two files, a git revision, versions that both have, and exit codes for CI.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { bifold, bifoldProcess } from "./run.ts"

const hooks = cleanUp(after)

const source = (fields: string, versions = "") => `import { anyone, f, resource, service } from "bifold"
export default service({
  name: "shop",
  ${versions}
  resources: { item: resource({ id: "itm", fields: { ${fields} }, allow: { read: anyone, create: anyone, update: anyone } }) },
})
`

test("two files are compared, and what breaks clients ends with 1", async () => {
  const cwd = await temporaryFolder(hooks)
  writeFileSync(join(cwd, "old.ts"), source("number: f.text(), note: f.text({ optional: true })"))
  writeFileSync(join(cwd, "new.ts"), source("number: f.text(), total: f.integer({ optional: true })"))
  const broken = await bifold(["diff", "old.ts", "new.ts"], { cwd })
  assert.equal(broken.code, 1, broken.stderr)
  assert.match(broken.stdout, /breaking\s+`note` of `item` is gone\.\n.*safe\s+`item` has `total`\./)
  assert.equal((await bifold(["diff", "old.ts", "new.ts", "--fail-on", "none"], { cwd })).code, 0)
  const same = await bifold(["diff", "old.ts", "old.ts"], { cwd })
  assert.deepEqual([same.code, same.stdout], [0, "Nothing that clients meet has changed.\n"])
  const { stdout } = await bifold(["diff", "old.ts", "new.ts", "--json"], { cwd })
  assert.deepEqual(JSON.parse(stdout), {
    differences: [
      {
        severity: "breaking",
        path: "item.note",
        faces: ["graphql", "rest"],
        text: "`note` of `item` is gone.",
      },
      { severity: "safe", path: "item.total", faces: ["graphql", "rest"], text: "`item` has `total`." },
    ],
  })
})

test("a revision is compared with the file as it is now, and nothing is left of it", async () => {
  const cwd = await temporaryFolder(hooks)
  const git = (...given: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@example.com", ...given], { cwd })
  git("init", "-q")
  writeFileSync(
    join(cwd, "fields.ts"),
    'import { f } from "bifold"\nexport const note = f.text({ optional: true })\n',
  )
  const imported = source("number: f.text(), note").replace("\n", '\nimport { note } from "./fields.ts"\n')
  writeFileSync(join(cwd, "service.ts"), imported)
  // A revision may have a folder of modules of its own, beside that of today.
  mkdirSync(join(cwd, "node_modules/own"), { recursive: true })
  writeFileSync(join(cwd, "node_modules/own/index.js"), "")
  git("add", "-A", "-f")
  git("commit", "-q", "-m", "first")
  writeFileSync(join(cwd, "service.ts"), source("number: f.text()"))
  const temporary = await temporaryFolder(hooks)
  const environment = { TMPDIR: temporary }
  const broken = await bifoldProcess(["diff", "HEAD:service.ts", "service.ts"], { cwd, environment })
  assert.equal(broken.code, 1, broken.stderr)
  assert.match(broken.stdout, /`note` of `item` is gone/)
  assert.deepEqual(readdirSync(temporary), [])
  assert.equal(String(git("worktree", "list")).trim().split("\n").length, 1)
  const unknown = await bifold(["diff", "nowhere:service.ts", "service.ts"], { cwd })
  assert.equal(unknown.code, 2)
  assert.match(unknown.stderr, /git worktree failed/)
  const missing = await bifold(["diff", "HEAD:other.ts", "service.ts"], { cwd })
  assert.match(missing.stderr, /There is no other\.ts in HEAD/)
})

test("a version that both have must stay as it is; a new one may differ", async () => {
  const cwd = await temporaryFolder(hooks)
  writeFileSync(join(cwd, "old.ts"), source("name: f.text()", 'versions: { "2026-01-01": [] },'))
  const renamed = (change: string) =>
    source("title: f.text()", `versions: { "2026-06-01": [${change}], "2026-01-01": [] },`)
  writeFileSync(join(cwd, "kept.ts"), renamed('{ renamed: "item.name", to: "title" }'))
  const kept = await bifold(["diff", "old.ts", "kept.ts"], { cwd })
  assert.equal(kept.code, 0, kept.stdout)
  assert.match(kept.stdout, /risky\s+`name` of `item` is gone/)
  writeFileSync(join(cwd, "lost.ts"), renamed(""))
  const lost = await bifold(["diff", "old.ts", "lost.ts"], { cwd })
  assert.equal(lost.code, 1)
  assert.match(lost.stdout, /breaking\s+2026-01-01\s+`name` of `item` is gone/)
})

test("the first versions of a service keep what it was, for clients that name the oldest", async () => {
  const cwd = await temporaryFolder(hooks)
  writeFileSync(join(cwd, "old.ts"), source("name: f.text()"))
  const cut = (change: string) =>
    source("title: f.text()", `versions: { "2026-06-01": [${change}], "2026-01-01": [] },`)
  writeFileSync(join(cwd, "kept.ts"), cut('{ renamed: "item.name", to: "title" }'))
  const kept = await bifold(["diff", "old.ts", "kept.ts"], { cwd })
  assert.equal(kept.code, 0, kept.stdout)
  assert.match(kept.stdout, /risky\s+`name` of `item` is gone/)
  assert.doesNotMatch(kept.stdout, /breaking/)
  writeFileSync(join(cwd, "lost.ts"), cut(""))
  const lost = await bifold(["diff", "old.ts", "lost.ts"], { cwd })
  assert.equal(lost.code, 1)
  assert.match(lost.stdout, /breaking\s+2026-01-01\s+`name` of `item` is gone/)
  // With one version that is the service as it is now, nothing is kept.
  writeFileSync(join(cwd, "one.ts"), source("title: f.text()", 'versions: { "2026-06-01": [] },'))
  assert.equal((await bifold(["diff", "old.ts", "one.ts"], { cwd })).code, 1)
})

test("what a new version says that it breaks is told and is no failure", async () => {
  const cwd = await temporaryFolder(hooks)
  writeFileSync(
    join(cwd, "old.ts"),
    source("name: f.text(), code: f.text()", 'versions: { "2026-01-01": [] },'),
  )
  const without = (changes: string) =>
    source(
      "name: f.text()",
      `versions: { "2026-06-01": [${changes}], "2026-01-01": { changes: [], ends: "2027-01-01" } },`,
    )
  writeFileSync(join(cwd, "silent.ts"), without(""))
  assert.equal((await bifold(["diff", "old.ts", "silent.ts"], { cwd })).code, 1)
  writeFileSync(
    join(cwd, "told.ts"),
    without('{ breaking: "item.code", description: "Nobody knows the codes any more." }'),
  )
  const told = await bifold(["diff", "old.ts", "told.ts"], { cwd })
  assert.equal(told.code, 0, told.stdout)
  assert.match(told.stdout, /risky\s+2026-01-01\s+`code` of `item` is gone/)
  const log = await bifold(["changelog", "told.ts"], { cwd })
  assert.match(log.stdout, /`item\.code` has changed in all versions\. Nobody knows the codes any more\./)
  // It excuses nothing else.
  writeFileSync(join(cwd, "more.ts"), without('{ breaking: "item.note" }'))
  assert.equal((await bifold(["diff", "old.ts", "more.ts"], { cwd })).code, 1)
})

test("a loss that comes with a change is accepted beside it", async () => {
  const cwd = await temporaryFolder(hooks)
  const shop = (number: string, relation: string, versions: string) => `
import { anyone, f, many, one, resource, service, withCode } from "bifold"
const allow = { read: anyone, create: anyone, update: anyone }
const shop = service({
  name: "shop",
  versions: { ${versions} },
  resources: {
    person: resource({ id: "per", plural: "people", fields: { name: f.text() }, allow }),
    item: resource({ id: "itm", fields: { number: ${number} }, relations: { ${relation} }, allow }),
  },
})
`
  writeFileSync(
    join(cwd, "old.ts"),
    `${shop("f.integer()", 'owner: one("person", { optional: true })', '"2026-01-01": []')}export default shop`,
  )
  const now = (more: string) => `${shop(
    "f.text()",
    'owners: many("person", { through: "item_owner" })',
    `"2026-06-01": [
      { changed: "item.number", was: f.integer(), code: true },
      { widened: "item.owner", to: "owners", first: "name" },
      ${more}
    ],
    "2026-01-01": { changes: [], ends: "2027-01-01" }`,
  )}
export default withCode(shop, { versions: { "2026-06-01": { "item.number": {
  reads: (items) => items.map(({ number }) => ({ number: Number(number) })),
  writes: (items) => items.map(({ number }) => ({ number: String(number) })),
} } } })`
  writeFileSync(join(cwd, "silent.ts"), now(""))
  const silent = await bifold(["diff", "old.ts", "silent.ts"], { cwd })
  assert.equal(silent.code, 1, silent.stderr)
  const losses = [
    /2026-01-01\s+`item\.number` is in no condition, order or group any more\./,
    /2026-01-01\s+`item\.owner` takes no nested `update` and `delete` any more/,
  ]
  for (const loss of losses) assert.match(silent.stdout, new RegExp(`breaking\\s+${loss.source}`))
  writeFileSync(join(cwd, "told.ts"), now('{ breaking: "item.number" }, { breaking: "item.owner" }'))
  const told = await bifold(["diff", "old.ts", "told.ts"], { cwd })
  assert.equal(told.code, 0, told.stdout + told.stderr)
  for (const loss of losses) assert.match(told.stdout, new RegExp(`risky\\s+${loss.source}`))
})

test("a version that is gone breaks its clients, unless it had ended; one that ends sooner is told", async () => {
  const cwd = await temporaryFolder(hooks)
  const file = (name: string, versions: string) =>
    writeFileSync(join(cwd, name), source("name: f.text()", `versions: { ${versions} },`))
  file("old.ts", '"2026-06-01": [], "2026-01-01": []')
  file("older.ts", '"2026-01-01": []')
  file("newer.ts", '"2026-06-01": []')
  file("ending.ts", '"2026-06-01": [], "2026-01-01": { changes: [], ends: "2026-09-01" }')
  writeFileSync(join(cwd, "none.ts"), source("name: f.text()"))
  for (const [since, gone] of [
    ["older.ts", ["2026-06-01"]],
    ["newer.ts", ["2026-01-01"]],
    ["none.ts", ["2026-06-01", "2026-01-01"]],
  ] as const) {
    const { code, stdout } = await bifold(["diff", "old.ts", since, "--json"], { cwd })
    assert.deepEqual(
      JSON.parse(stdout).differences.map((one: Record<string, string>) => [
        one.severity,
        one.path,
        one.version,
      ]),
      gone.map((version) => ["breaking", "versions", version]),
    )
    assert.equal(code, 1)
  }
  const ended = await bifold(["diff", "ending.ts", "newer.ts"], { cwd })
  assert.deepEqual([ended.code, /safe\s+2026-01-01\s+The version has ended/.test(ended.stdout)], [0, true])
  const ends = await bifold(["diff", "old.ts", "ending.ts"], { cwd })
  assert.match(ends.stdout, /^risky\s+2026-01-01\s+The version is served until 2026-09-01\.\n$/)
  assert.equal(
    (await bifold(["diff", "ending.ts", "old.ts"], { cwd })).stdout,
    "Nothing that clients meet has changed.\n",
  )
})

test("a new version of a service with webhooks breaks none of the older ones", async () => {
  const cwd = await temporaryFolder(hooks)
  const file = (name: string, versions: string) =>
    writeFileSync(
      join(cwd, name),
      source("name: f.text()", `webhooks: { manage: anyone }, versions: { ${versions} },`).replace(
        'id: "itm",',
        'id: "itm", history: true,',
      ),
    )
  file("old.ts", '"2026-01-01": []')
  file("new.ts", '"2026-06-01": [], "2026-01-01": []')
  const { code, stdout } = await bifold(["diff", "old.ts", "new.ts"], { cwd })
  assert.equal(code, 0, stdout)
})
