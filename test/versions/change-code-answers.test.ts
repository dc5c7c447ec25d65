// Values that the function of a change cannot give, in the answer of each form of a write: one rule in each face.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { action, anyone, f, many, one, problem, resource, service, withCode } from "../../src/index.ts"
import { type Client, startService } from "../../src/tools/testing/start-service.ts"

const version = "2026-01-01"
const old = { "api-version": version }
const allow = { read: anyone, create: anyone, update: anyone, delete: anyone }

/** The former `number` is always there, the former `day` may be missing. */
const fields = () => ({
  code: f.text({ unique: true }),
  number: f.text(),
  moment: f.text({ default: "never" }),
  size: f.text({ default: "s" }),
})
const changes = (of: string) => [
  { changed: `${of}.number`, was: f.integer(), code: true },
  { changed: `${of}.moment`, was: { day: f.date({ optional: true }) }, code: true },
]

const plain = service({
  name: "shop",
  versions: { "2026-05-01": [...changes("order"), ...changes("line")], [version]: [] },
  resources: {
    order: resource({
      id: "ord",
      fields: fields(),
      relations: { lines: many("line", { by: "order", owned: true }) },
      states: { initial: "open", transitions: { pay: { from: "open", to: "paid", allow: anyone } } },
      allow,
    }),
    line: resource({
      id: "lin",
      fields: fields(),
      relations: { order: one("order", { optional: true }) },
      states: { initial: "open", transitions: { pay: { from: "open", to: "paid", allow: anyone } } },
      allow,
    }),
  },
} as Parameters<typeof service>[0])

type Values = Readonly<Record<string, never>>

const number = {
  reads: (all: readonly Values[]) =>
    all.map((one) =>
      one["number"] === "cursed" ? problem("conflict", "It is cursed.") : { number: Number(one["number"]) },
    ),
  writes: (all: readonly Values[]) =>
    all.map((one) => ({ number: one["number"] === 666 ? "cursed" : String(one["number"]) })),
}
const day = {
  reads: (all: readonly Values[]) =>
    all.map(({ moment }) =>
      moment === "cursed" ? problem("conflict", "No such day.") : { day: moment === "never" ? null : moment },
    ),
  writes: (all: readonly Values[]) =>
    all.map((one) => ({ moment: one["day"] === "1999-09-09" ? "cursed" : (one["day"] ?? "never") })),
}
const touch = action({ allow: anyone, input: { size: f.text() }, run: touched } as never)

async function touched({ record, input, db }: never): Promise<void> {
  const { id } = record as { id: string }
  const { order, line } = db as Record<string, { update(id: string, to: unknown): Promise<unknown> }>
  await (id.startsWith("ord") ? order : line)?.update(id, input)
}

/** Writes of orders run a hook, and those of lines run none: their transactions differ. */
const coded = withCode(plain, {
  before: { order: { update: () => ({}) } },
  actions: { order: { touch }, line: { touch } },
  versions: {
    "2026-05-01": { "order.number": number, "order.moment": day, "line.number": number, "line.moment": day },
  },
} as never)

type Json = Readonly<Record<string, unknown>>

const curses = {
  number: { input: { number: 666 }, newest: { number: "cursed" }, detail: "It is cursed." },
  day: {
    input: { number: 1, day: "1999-09-09" },
    newest: { number: "1", moment: "cursed" },
    detail: "No such day.",
  },
} as const

interface Asking {
  readonly name: "order" | "line"
  readonly member: keyof typeof curses
  readonly asked: Client
  /** The code of a new record whose member cannot be given. */
  made(): Promise<{ readonly id: string; readonly code: string }>
  sizeOf(code: string): Promise<unknown>
}

let count = 0
const fresh = (): string => `c${++count}`
const typeOf = (name: string): string => (name[0] ?? "").toUpperCase() + name.slice(1)

for (const [title, database] of [
  ["SQLite", "sqlite"],
  ["PostgreSQL", process.env["BIFOLD_TEST_POSTGRES"] ?? ""],
] as const)
  describe(`values that no function gives, in answers of writes on ${title}`, async () => {
    for (const name of ["order", "line"] as const)
      test(`of ${name}s`, async () => {
        await using world = await startService(coded, { database })
        const asked = world.anyone
        for (const member of ["number", "day"] as const) {
          const asking: Asking = {
            name,
            member,
            asked,
            async made() {
              const code = fresh()
              const { newest } = curses[member]
              const { body } = await asked.rest("POST", `/${name}s`, { code, ...newest })
              return { code, id: (body as { id: string }).id }
            },
            async sizeOf(code) {
              const { status, body } = await asked.rest("GET", `/${name}s/code=${code}`)
              return status === 404 ? undefined : (body as Json)["size"]
            },
          }
          await byRest(asking)
          await byGraphql(asking)
          await severalByGraphql(asking)
          await relatedByGraphql(asking)
        }
      })
  })

/** The write is done, with null in the place. */
async function byRest(asking: Asking): Promise<void> {
  const { name, member, asked, made, sizeOf } = asking
  const { input, detail } = curses[member]
  const path = `/${name}s`
  const merge = { "content-type": "application/merge-patch+json" }
  const all = { prefer: "max-affected=9" }
  const bulk = (code: string) => `${path}?filter[code]=${code}`
  const forms: Readonly<
    Record<string, (size: string) => Promise<readonly [string, string, string, unknown, Json?]>>
  > = {
    async create(size) {
      const code = fresh()
      return [code, "POST", path, { code, size, ...input }]
    },
    async createMany(size) {
      const code = fresh()
      return [code, "POST", `${path}/bulk`, [{ code, size, ...input }]]
    },
    async put(size) {
      const { code, id } = await made()
      return [code, "PUT", `${path}/${id}`, { code, size, ...input }]
    },
    async upsert(size) {
      const code = fresh()
      return [code, "PUT", `${path}/code=${code}`, { size, ...input }]
    },
    async update(size) {
      const { code, id } = await made()
      return [code, "PATCH", `${path}/${id}`, { size }]
    },
    async merge(size) {
      const { code, id } = await made()
      return [code, "PATCH", `${path}/${id}`, { size }, merge]
    },
    async updateMany(size) {
      const { code } = await made()
      return [code, "PATCH", bulk(code), { size }, all]
    },
    async batch(size) {
      const { code, id } = await made()
      return [
        code,
        "POST",
        "/batch",
        { requests: [{ method: "PATCH", path: `${path}/${id}`, body: { size } }] },
      ]
    },
    async nested(size) {
      const code = fresh()
      const around = { code: fresh(), number: 1 }
      return name === "line"
        ? [
            code,
            "POST",
            "/orders?include=lines",
            { ...around, lines: { create: [{ code, size, ...input }] } },
          ]
        : [code, "POST", "/lines?include=order", { ...around, order: { create: { code, size, ...input } } }]
    },
  }
  for (const [form, ask] of Object.entries(forms)) {
    const size = fresh()
    const [code, method, at, body, headers] = await ask(size)
    const answer = await asked.rest(method, at, body, { ...old, ...(headers as Record<string, string>) })
    const what = `${form} ${name} ${member} ${JSON.stringify(answer.body)}`
    assert.ok(answer.status < 300, what)
    assert.equal(await sizeOf(code), size, what)
    const pointer = {
      createMany: "/data/0",
      updateMany: "/data/0",
      batch: "/responses/0/body",
      nested: name === "line" ? "/lines/data/0" : "/order",
    }[form]
    const place = `${pointer ?? ""}/${member}`
    assert.equal(answer.headers["value-errors"], `count=1, pointers=("${place}")`, what)
    const { errors } = answer.body as Json
    const isEnvelope = form.endsWith("Many") || form === "batch"
    assert.deepEqual(errors, isEnvelope ? [{ code: "computed_failed", detail, pointer: place }] : undefined)
  }
  // A JSON Patch is applied to the record as the version shows it.
  const { code, id } = await made()
  const patch = [{ op: "replace", path: "/size", value: "patched" }]
  const patched = await asked.rest("PATCH", `${path}/${id}`, patch, {
    ...old,
    "content-type": "application/json-patch+json",
  })
  const { errors } = patched.body as Json
  assert.deepEqual(
    [patched.status, errors],
    [500, [{ code: "computed_failed", detail, pointer: `/${member}` }]],
  )
  assert.equal(await sizeOf(code), "s")
}

/** The write is done: null goes up to the record where the field is not optional. */
async function byGraphql({ name, member, asked, made, sizeOf }: Asking): Promise<void> {
  const { input, detail } = curses[member]
  const type = typeOf(name)
  const forms: Readonly<Record<string, (code: string, id: string, size: string) => readonly [string, Json]>> =
    {
      create: (code, _, size) => [`create${type}`, { input: { code: `n${code}`, size, ...input } }],
      update: (_, id, size) => [`update${type}`, { id, input: { size } }],
      upsert: (code, _, size) => [`upsert${type}ByCode`, { code, input: { size, ...input } }],
      action: (_, id, size) => [`touch${type}`, { id, input: { size } }],
      pay: (_, id) => [`pay${type}`, { id }],
      delete: (_, id) => [`delete${type}`, { id }],
    }
  for (const [form, ask] of Object.entries(forms)) {
    const { code, id } = await made()
    const size = fresh()
    const [field, args] = ask(code, id, size)
    const query = `mutation { done: ${field}(${literals(args)}) { ${name} { code ${member} } } }`
    const { data, errors } = await asked.graphql(query, {}, old)
    const what = `${form} ${name} ${member} ${JSON.stringify({ data, errors })}`
    const left = form === "create" ? `n${code}` : code
    const record = member === "number" ? null : { code: left, day: null }
    assert.deepEqual(data, { done: { [name]: record } }, what)
    assert.deepEqual(
      errors.map(({ message, path }) => [message, path]),
      [[detail, ["done", name, member]]],
      what,
    )
    const then = form === "delete" ? undefined : form === "pay" ? "s" : size
    assert.equal(await sizeOf(left), then, what)
  }
}

/** Records of a list are never null: nothing is done where the field is not optional. */
async function severalByGraphql({ name, member, asked, made, sizeOf }: Asking): Promise<void> {
  const { input, detail } = curses[member]
  const type = typeOf(name)
  const forms: Readonly<Record<string, (code: string, size: string) => readonly [string, Json]>> = {
    create: (code, size) => [`create${type}s`, { input: [{ code: `n${code}`, size, ...input }] }],
    update: (code, size) => [
      `update${type}s`,
      { where: { code: { eq: code } }, maxAffected: 3, input: { size } },
    ],
    pay: (code) => [`pay${type}s`, { where: { code: { eq: code } }, maxAffected: 3 }],
    delete: (code) => [`delete${type}s`, { where: { code: { eq: code } }, maxAffected: 3 }],
  }
  for (const [form, ask] of Object.entries(forms)) {
    const { code, id } = await made()
    const size = fresh()
    const [field, args] = ask(code, size)
    const beside = `single: update${type}(id: "${id}", input: { size: "first" }) { ${name} { ${member} } }`
    const query = `mutation { ${beside} done: ${field}(${literals(args)}) { ${name}s { code ${member} } } }`
    const { data, errors } = await asked.graphql(query, {}, old)
    const what = `${form} ${name} ${member} ${JSON.stringify({ data, errors })}`
    const left = form === "create" ? `n${code}` : code
    const places = errors.map(({ message, path }) => [message, path])
    const place = [detail, ["done", `${name}s`, 0, member]]
    if (member === "number") {
      assert.equal(data, null, what)
      assert.deepEqual(places, [place], what)
      assert.equal(await sizeOf(code), "s", what)
      assert.equal(form === "create" && (await sizeOf(left)), form === "create" ? undefined : false, what)
    } else {
      const single = { [name]: { day: null } }
      assert.deepEqual(data, { single, done: { [`${name}s`]: [{ code: left, day: null }] } }, what)
      assert.deepEqual(places, [[detail, ["single", name, "day"]], place], what)
    }
  }
}

/** A related record may be null, also in a list: the write is done. */
async function relatedByGraphql({ name, member, asked, made }: Asking): Promise<void> {
  if (name === "line") return
  const { id: orderId } = await made()
  const { detail } = curses[member]
  const [code, size] = [fresh(), fresh()]
  await asked.rest("POST", "/lines", { code, number: "1", orderId })
  const query = `mutation { updateLines(where: { code: { eq: "${code}" } }, maxAffected: 3, input: { size: "${size}" }) { lines { code number order { ${member} } } } }`
  const { data, errors } = await asked.graphql(query, {}, old)
  const order = member === "number" ? null : { day: null }
  assert.deepEqual(data, { updateLines: { lines: [{ code, number: 1, order }] } }, JSON.stringify(errors))
  assert.deepEqual(
    errors.map(({ message, path }) => [message, path]),
    [[detail, ["updateLines", "lines", 0, "order", member]]],
  )
  const { body } = await asked.rest("GET", `/lines/code=${code}`)
  assert.equal((body as Json)["size"], size)
}

const literals = (of: Json): string =>
  Object.entries(of)
    .map(([name, value]) => `${name}: ${literal(value)}`)
    .join(", ")

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`
  return typeof value === "object" && value !== null
    ? `{ ${literals(value as Json)} }`
    : JSON.stringify(value)
}
