// One service asked by all its versions: writes, and what every version reads after each.
import { isDeepStrictEqual } from "node:util"
import { seeded } from "../../../examples/storefront/random.ts"
import { startService } from "../../../src/testing/start-service.ts"
import { type Answer, type Asking, doors, type Left, plural, type Stored, type Tried } from "./doors.ts"
import { changesOf, type Item, type Json, shown } from "./naive.ts"
import type { Evolved, Names } from "./services.ts"

interface Difference {
  readonly what: string
  readonly expected: unknown
  readonly found: unknown
}

export interface Outcome {
  readonly writes: number
  readonly refused: number
  readonly reads: number
  readonly differences: readonly Difference[]
  /** Writes by door and kind of change. */
  readonly covered: ReadonlyMap<string, number>
}

type Body = Readonly<Record<string, unknown>>
type Client = Awaited<ReturnType<typeof startService>>["anyone"]

interface Trying {
  readonly evolved: Evolved
  readonly client: Client
  readonly label: string
  readonly differences: Difference[]
  reads: number
}

const versionOf = ({ evolved }: Trying, at: number) => ({ "api-version": evolved.versions[at]?.name ?? "" })

const askingOf = (trying: Trying, at: number): Pick<Asking, "rest" | "graphql"> => ({
  async rest(method, path, body, headers = {}): Promise<Answer> {
    const given = { ...versionOf(trying, at), ...headers }
    const { status, body: told } = await trying.client.rest(method, path, body, given)
    return { done: status < 300, text: JSON.stringify(told), body: told }
  },
  async graphql(query, variables): Promise<Answer> {
    const { data, errors } = await trying.client.graphql<Body>(query, variables, versionOf(trying, at))
    const [payload] = Object.values(data ?? {}) as Body[]
    const [record] = Object.values(payload ?? {}).filter((one) => typeof one === "object")
    return {
      done: errors.length === 0,
      text: JSON.stringify(errors.length > 0 ? errors : data),
      body: record,
    }
  },
})

/** What a version reads of a record, with its last entry. */
async function read(trying: Trying, at: number, record: Stored, face: number): Promise<Body> {
  const { evolved, client } = trying
  const names = evolved.names[at] as Names
  trying.reads += 1
  const isSlot = record.resource === "slot"
  const headers = versionOf(trying, at)
  if (face % 2 === 0) {
    const path = isSlot ? `/slots/${record.code}` : `/${plural(names)}/${record.id}`
    const page = "include=history&include[history][from]=end&include[history][limit]=1"
    const { body } = await client.rest<Body>("GET", `${path}?${page}`, undefined, headers)
    const { id: _, history, ...rest } = body
    const [last] = (history as { data?: readonly Body[] } | undefined)?.data ?? []
    return { ...rest, last: last?.["changes"] }
  }
  const members = (evolved.versions[at]?.members ?? []).map(({ name }) => name).join(" ")
  const own = isSlot ? "code" : `${names.code} sku ${names.state} ${names.box} { id }`
  const root = isSlot ? "slot" : names.item
  const id = isSlot ? record.code : record.id
  const query = `{ found: ${root}(id: "${id}") { ${members} ${own} history(last: 1) { nodes { changes } } } }`
  const { data, errors } = await client.graphql<{ found: Body }>(query, {}, headers)
  if (!data?.found) return { errors }
  const { history, ...rest } = data.found
  const [last] = (history as { nodes: readonly Body[] }).nodes
  if (isSlot) return { ...rest, last: last?.["changes"] }
  const { [names.box]: box, ...others } = rest
  return {
    ...others,
    [`${names.box}Id`]: (box as { id: string } | null)?.id ?? null,
    last: last?.["changes"],
  }
}

function expectedOf({ evolved }: Trying, at: number, record: Stored): Body {
  const names = evolved.names[at] as Names
  const members = shown(evolved.versions, at, record.item)
  if (record.resource === "slot") return { code: names.keyOf(record.code), ...members }
  const newest = evolved.names.at(-1) as Names
  return {
    [names.code]: record.code,
    sku: names.keyOf(record.sku),
    ...members,
    [`${names.box}Id`]: record.box,
    [names.state]: record.state === newest.open ? names.open : record.state,
  }
}

const sorted = (of: Body): Body =>
  Object.fromEntries(Object.entries(of).toSorted(([a], [b]) => (a < b ? -1 : 1)))

interface Change {
  readonly field: string
  readonly from: Json
  readonly to: Json
}

/** The members' part of an entry. */
const toldOf = (evolved: Evolved, at: number, changes: unknown): Body => {
  const own = new Set((evolved.versions[at]?.members ?? []).map(({ name }) => name))
  return Object.fromEntries(
    ((changes ?? []) as readonly Change[])
      .filter(({ field }) => own.has(field))
      .map(({ field, to }) => [field, to]),
  )
}

/** Compares what every version reads; gives the record as the newest has it. */
async function compare(
  trying: Trying,
  { record, old, what, turn }: { record: Stored; old: Item | undefined; what: string; turn: number },
): Promise<Stored> {
  const { evolved, differences } = trying
  let stored = record
  for (const [at, { name }] of evolved.versions.entries()) {
    const { last, ...found } = await read(trying, at, record, turn + at)
    const expected = expectedOf(trying, at, record)
    if (!isDeepStrictEqual(sorted(found), sorted(expected)))
      differences.push({ what: `${what}: ${name} reads`, ...onlyDifferent(expected, found) })
    const isChanged = !isDeepStrictEqual(old, record.item)
    const changes = changesOf(evolved.versions, at, old, record.item)
    const told = toldOf(evolved, at, last)
    if (isChanged && !isDeepStrictEqual(sorted(told), sorted(changes)))
      differences.push({ what: `${what}: ${name} history`, ...onlyDifferent(changes, told) })
    if (at === evolved.versions.length - 1) stored = { ...record, ...truthOf(evolved, record, found) }
  }
  return stored
}

/** After a difference the store goes on with what is stored. */
function truthOf(evolved: Evolved, { item, box }: Stored, found: Body): Pick<Stored, "item" | "box"> {
  const names = evolved.names.at(-1) as Names
  const own = Object.keys(item).map((name) => [name, (found[name] ?? null) as Json])
  return { item: Object.fromEntries(own), box: (found[`${names.box}Id`] ?? box ?? null) as string | null }
}

function onlyDifferent(expected: Body, found: Body): { readonly expected: Body; readonly found: Body } {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].filter(
    (name) => !isDeepStrictEqual(expected[name], found[name]),
  )
  const only = (of: Body): Body =>
    Object.fromEntries(names.filter((name) => name in of).map((name) => [name, of[name]]))
  return { expected: only(expected), found: only(found) }
}

async function idOf(trying: Trying, { code }: Left): Promise<string> {
  const { evolved, client } = trying
  const at = evolved.versions.length - 1
  const names = evolved.names[at] as Names
  const { body } = await client.rest<{ id?: string }>(
    "GET",
    `/${plural(names)}/${names.code}=${code}?fields=id`,
    undefined,
    versionOf(trying, at),
  )
  return body.id ?? "absent"
}

/** The answer of a write has the record as its version reads it. */
function compareAnswer(
  trying: Trying,
  at: number,
  { answer }: Tried,
  left: readonly Left[],
  what: string,
): void {
  const [first] = left
  const { evolved, differences } = trying
  const body = answer.body as Body | undefined
  const members = evolved.versions[at]?.members ?? []
  if (left.length > 1 || !first || !body || !members.some(({ name }) => name in body)) return
  const expected = shown(evolved.versions, at, first.now)
  const found = Object.fromEntries(members.map(({ name }) => [name, body[name]]))
  if (!isDeepStrictEqual(found, expected))
    differences.push({ what: `${what}: answer`, ...onlyDifferent(expected, found) })
}

function cover(
  evolved: Evolved,
  at: number,
  door: string,
  { inputs }: Tried,
  covered: Map<string, number>,
): void {
  const count = (key: string): void => void covered.set(key, (covered.get(key) ?? 0) + 1)
  for (const steps of evolved.changes.slice(at))
    for (const { kind, before } of steps)
      for (const input of inputs)
        for (const name of before.length === 0 ? [""] : before) {
          const member = evolved.versions[at]?.members.find((one) => one.name === name)
          if (!member && before.length > 0) continue
          const how = !(name in input)
            ? member?.preset === undefined
              ? "omitted"
              : "defaulted"
            : input[name] === null
              ? "null"
              : "given"
          count(`${kind} ${door} ${how}`)
        }
}

export interface Wanted {
  readonly evolved: Evolved
  /** `sqlite`, or the address of PostgreSQL. */
  readonly database: string
  readonly writes: number
}

/** So many writes, each read by every version. */
export async function tryService({ evolved, database, writes }: Wanted): Promise<Outcome> {
  await using service = await startService(evolved.declared, { database })
  const random = seeded(evolved.seed * 31 + 5)
  const label = `service ${evolved.seed} on ${database === "sqlite" ? database : "postgres"}`
  const trying: Trying = { evolved, client: service.anyone as Client, label, differences: [], reads: 0 }
  const records = new Map<string, Stored>()
  const covered = new Map<string, number>()
  const newest = evolved.names.at(-1) as Names
  let [made, done, refused] = [0, 0, 0]
  const all = Object.entries(doors)
  for (let turn = 0; turn < writes; turn += 1) {
    const at = random.between(0, evolved.versions.length - 1)
    const [door, ask] = all[turn % all.length] as (typeof all)[number]
    const recent = [...records.values()].slice(-20)
    const fresh = (): string => `c${++made}`
    const tried = await ask({ evolved, at, random, records: recent, fresh, ...askingOf(trying, at) })
    if (!tried) continue
    done += 1
    cover(evolved, at, door, tried, covered)
    const { answer, left, input } = tried
    const what = `${label}, write ${turn}, ${door} by ${evolved.versions[at]?.name} ${JSON.stringify(input)}`
    if (answer.done !== (left !== undefined)) {
      trying.differences.push({
        what,
        expected: left ? "done" : "refused",
        found: answer.done ? "done" : answer.text,
      })
      if (!answer.done || !left) continue
    }
    if (!left) {
      refused += 1
      continue
    }
    compareAnswer(trying, at, tried, left, what)
    for (const one of left) {
      const { resource, code, sku, old, now } = one
      const known = records.get(`${resource} ${code}`)
      const record: Stored = {
        resource,
        code,
        sku,
        id: known?.id ?? (resource === "slot" ? code : await idOf(trying, one)),
        item: now,
        box: one.box === undefined ? (known?.box ?? null) : one.box,
        state: one.state ?? known?.state ?? newest.open,
      }
      records.set(`${resource} ${code}`, await compare(trying, { record, old, what, turn }))
    }
  }
  return { writes: done, refused, reads: trying.reads, differences: trying.differences, covered }
}
