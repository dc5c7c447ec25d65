// The same transition by either face on either database: the same is done, and the same is said of it.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { dialects, type OpenService } from "../support/open-service.ts"
import { ada, agent, boss, type Desk, id, openDesk } from "./asking.ts"

const faces = ["graphql", "rest"] as const
type FaceName = (typeof faces)[number]

const shown = ["id", "state", "billing", "answer", "effort", "closedAt", "assigneeId", "etag"]

interface Firing {
  readonly transition: string
  readonly as: string
  /** One of them, or several by ids or by a condition. */
  readonly on: number | { readonly ids: readonly (number | string)[] } | { readonly where: object }
  readonly input?: unknown
  readonly ifMatch?: string
  readonly most?: number
}

type Outcome =
  | { readonly records: readonly object[] }
  | { readonly code: string; readonly says: string; readonly members: readonly string[] }

const globalId = (number: number | string): string =>
  typeof number === "number" ? `tic_${id(number)}` : number

async function fire(service: OpenService, face: FaceName, firing: Firing): Promise<Outcome> {
  return face === "graphql" ? fireByGraphql(service, firing) : fireByRest(service, firing)
}

async function fireByGraphql(service: OpenService, firing: Firing): Promise<Outcome> {
  const { transition, on, input, ifMatch, most } = firing
  const one = typeof on === "number"
  const type = `${transition.charAt(0).toUpperCase()}${transition.slice(1)}TicketInput`
  const given: readonly (readonly [name: string, type: string, value: unknown])[] = [
    ...(one ? [["id", "ID!", globalId(on)] as const] : []),
    ...(!one && "ids" in on ? [["ids", "[ID!]", on.ids.map(globalId)] as const] : []),
    ...(!one && "where" in on ? [["where", "TicketWhere", on.where] as const] : []),
    ...(input === undefined ? [] : [["input", type, input] as const]),
    ...(ifMatch === undefined ? [] : [["ifMatch", "String", ifMatch] as const]),
    ...(most === undefined ? [] : [["maxAffected", "Int", most] as const]),
  ]
  const required = transition === "solve" ? "!" : ""
  const variables = given.map(([name, kind]) => `$${name}: ${kind}${name === "input" ? required : ""}`)
  const args = given.map(([name]) => `${name}: $${name}`)
  const [field, payload] = one ? [`${transition}Ticket`, "ticket"] : [`${transition}Tickets`, "tickets"]
  const query = `mutation(${variables.join()}) { done: ${field}(${args.join()}) { ${payload} { ${shown.join(" ")} } } }`
  const response = await service.graphql({
    body: { query, variables: Object.fromEntries(given.map(([name, , value]) => [name, value])) },
  })
  const { data, errors } = JSON.parse(response.body)
  if (!errors) return { records: [data.done[payload]].flat() }
  assert.equal(data, null, "what failed has no data")
  const [{ message, extensions }] = errors
  const mistakes: { argument?: string; pointer: string }[] = extensions.errors ?? []
  const members = mistakes.filter(({ argument }) => argument === "input").map(({ pointer }) => pointer)
  return { code: extensions.code, says: message.replace(/ \(And \d.*$/, ""), members: inside(members) }
}

async function fireByRest(service: OpenService, firing: Firing): Promise<Outcome> {
  const { transition, on, input, ifMatch, most } = firing
  const one = typeof on === "number"
  const record = one ? `/${globalId(on)}` : ""
  const which = one
    ? ""
    : "ids" in on
      ? `&ids=${on.ids.map(globalId).join()}`
      : `&filter=${encodeURIComponent(JSON.stringify(on.where))}`
  const response = await service.rest({
    method: "POST",
    path: `/tickets${record}/transitions/${transition}`,
    query: `fields=${shown.join()}${which}`,
    headers: {
      ...(input === undefined ? {} : { "content-type": "application/json" }),
      ...(ifMatch === undefined ? {} : { "if-match": `"${ifMatch}"` }),
      ...(most === undefined ? {} : { prefer: `max-affected=${most}` }),
    },
    body: Buffer.from(input === undefined ? "" : JSON.stringify(input)),
  })
  const body = JSON.parse(response.body)
  if (response.status === 200) return { records: one ? [body] : body.data }
  const [{ detail }] = body.errors
  const pointers: { pointer?: string }[] = body.errors
  return {
    code: body.code,
    says: detail,
    members: inside(pointers.map(({ pointer }) => pointer ?? "")),
  }
}

const inside = (pointers: readonly string[]): readonly string[] => pointers.filter((each) => each !== "")

/** Every ticket, as whoever sees them all sees it. */
async function stored(desk: Desk): Promise<ReadonlyMap<string, string>> {
  const query = `limit=100&fields=${shown.join()}`
  const { body } = await desk.as(boss).rest({ method: "GET", path: "/tickets", query })
  return new Map(JSON.parse(body).data.map((each: { id: string }) => [each.id, JSON.stringify(each)]))
}

const solved = { answer: "Turned off and on." }
const open = { state: { eq: "open" } }

/** One after the other, in one desk. */
const life: readonly (Firing & { readonly is: Readonly<Record<string, unknown>> | string })[] = [
  { transition: "start", as: agent, on: 11, is: { state: "working", assigneeId: `per_${id(2)}`, etag: "2" } },
  { transition: "start", as: agent, on: 11, is: "illegal_transition" },
  { transition: "start", as: agent, on: 99, is: "not_found" },
  { transition: "solve", as: agent, on: 11, input: solved, is: "condition_not_met" },
  { transition: "solve", as: agent, on: 13, input: {}, is: "missing_field" },
  { transition: "solve", as: agent, on: 13, input: { answer: 7 }, is: "invalid_value" },
  { transition: "solve", as: agent, on: 13, input: { answer: "" }, is: "invalid_value" },
  { transition: "solve", as: agent, on: 13, input: { answer: null }, is: "invalid_value" },
  { transition: "solve", as: agent, on: 13, input: { ...solved, efort: 1 }, is: "unknown_field" },
  { transition: "solve", as: agent, on: 13, input: { ...solved, state: "closed" }, is: "unknown_field" },
  { transition: "solve", as: agent, on: 13, input: { effort: -1, x: 1 }, is: "missing_field" },
  { transition: "solve", as: agent, on: 13, input: solved, ifMatch: "7", is: "stale_version" },
  {
    transition: "solve",
    as: agent,
    on: 13,
    input: { ...solved, effort: 3 },
    ifMatch: "1",
    is: { state: "solved", answer: solved.answer, effort: 3, etag: "2" },
  },
  { transition: "close", as: agent, on: 13, is: "forbidden" },
  { transition: "reopen", as: ada, on: 13, is: { state: "open", answer: null, effort: 3 } },
  { transition: "reopen", as: ada, on: 17, is: "not_found" },
  { transition: "close", as: ada, on: 16, is: "forbidden" },
  { transition: "close", as: ada, on: 13, is: { state: "closed", closedAt: "2026-03-01T12:00:00Z" } },
  { transition: "close", as: ada, on: 13, is: "illegal_transition" },
  { transition: "bill", as: boss, on: 15, is: "condition_not_met" },
  { transition: "bill", as: boss, on: 16, is: { billing: "billed", state: "open" } },
  { transition: "start", as: agent, on: { where: {} }, most: 10, is: "invalid_value" },
  { transition: "start", as: agent, on: { where: open }, is: "missing_field" },
  { transition: "start", as: agent, on: { where: open }, most: 1, is: "too_many_affected" },
  {
    transition: "start",
    as: agent,
    on: { where: { state: { in: ["open", "solved"] } } },
    most: 9,
    is: "illegal_transition",
  },
  {
    transition: "start",
    as: agent,
    on: { where: open },
    most: 2,
    is: { state: "working", assigneeId: `per_${id(2)}` },
  },
  { transition: "close", as: boss, on: { ids: [] }, is: "invalid_value" },
  { transition: "close", as: boss, on: { ids: [14, 14] }, is: "invalid_value" },
  { transition: "close", as: boss, on: { ids: [14, 99] }, is: "not_found" },
  { transition: "close", as: boss, on: { ids: [14, "nothing"] }, is: "not_found" },
  { transition: "close", as: boss, on: { ids: [14, 15] }, is: "illegal_transition" },
  { transition: "close", as: boss, on: { ids: [14, 16] }, most: 1, is: "too_many_affected" },
  { transition: "close", as: ada, on: { ids: [14, 16] }, is: "forbidden" },
  { transition: "close", as: boss, on: { ids: [16, 14] }, is: { state: "closed" } },
]

const told: Record<string, unknown[]> = {}

for (const database of dialects)
  for (const face of faces)
    describe(`transitions on ${database} by ${face}`, () => {
      const hooks = cleanUp(after)
      let desk: Desk
      before(async () => {
        desk = await openDesk(hooks, database)
      })
      const own: unknown[] = []
      told[`${database} ${face}`] = own
      for (const { is, ...firing } of life)
        test(`${firing.transition} ${JSON.stringify(firing.on)} ${JSON.stringify(firing.input ?? "")}`, async () => {
          const earlier = await stored(desk)
          const outcome = await fire(desk.as(firing.as), face, firing)
          const now = await stored(desk)
          const changed = [...now].filter(([key, text]) => earlier.get(key) !== text).map(([, text]) => text)
          own.push({ firing, outcome: sameWords(outcome), changed })
          if (typeof is === "string") {
            assert.ok("code" in outcome, JSON.stringify(outcome))
            assert.equal(outcome.code, is, outcome.says)
            assert.deepEqual(changed, [])
            return
          }
          assert.ok("records" in outcome, JSON.stringify(outcome))
          assert.deepEqual(
            outcome.records.map((each) => JSON.stringify(each)),
            changed,
          )
          for (const record of outcome.records) assert.partialDeepStrictEqual(record, is)
        })
    })

/** REST has no place for the number of an id in a parameter, and so names it; it quotes what was in an address. */
function sameWords(outcome: Outcome): unknown {
  if (!("says" in outcome)) return outcome
  return { ...outcome, says: outcome.says.replace(/^tic_\w+: /, "").replace(/"(tic_\d+)"/, "$1") }
}

test("what is done and said is the same by either face, on either database", () => {
  const [first, ...others] = Object.entries(told)
  assert.equal(others.length, 3)
  for (const [name, own] of others) assert.deepEqual(own, first?.[1], `${name} and ${first?.[0]}`)
  assert.equal(first?.[1].length, life.length)
})
