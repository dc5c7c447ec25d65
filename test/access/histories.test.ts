// Parity of histories: what each kind of person is shown of what became of each record is what the naive interpreter gives,
// at both doors of both databases; values that they do not see are in no entry.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import type { Entry } from "../support/naive-access.ts"
import { type ShownEntry, shownHistory } from "../support/naive-history.ts"
import { isKept } from "../support/naive-states.ts"
import { dialects } from "../support/open-service.ts"
import { brokenBuilds } from "./broken.ts"
import { type Doors, type House, openHouse } from "./doors.ts"
import { type Guarded, interpreterOf, type Person, resourceOf } from "./guarded.ts"
import { createJudge, type Judge, sample } from "./judged.ts"
import { entryMembers } from "./life-questions.ts"
import { full, guardedServices, housesFor } from "./services.ts"

/** The tests take one record in so many of each person. */
const every = full ? 1 : 6

for (const service of guardedServices())
  describe(`histories of ${service.name}`, () => {
    const hooks = cleanUp(after)
    const houses = new Map<string, House>()
    before(async () => {
      for (const database of dialects) houses.set(database, await openHouse(hooks, { ...service, database }))
    })

    test("are shown as the rules say, of every record", async (context) => {
      const judge = createJudge()
      for (const [index, person] of service.people.entries())
        for (const [label, house] of housesFor(houses, index))
          await judgeHistories(judge, {
            service,
            person,
            doors: house.as(person),
            label: `${person.name}, ${label}`,
            rows: sample(keptRows(service), every, index),
          })
      context.diagnostic(`${judge.judged} tuples, ${judge.refused} of records that are not seen`)
      judge.settle()
      assert.ok(judge.judged > judge.refused + service.people.length)
    })

    test("that a build without a rule or a mask would show are found", async (context) => {
      const house = houses.get("sqlite")
      assert.ok(house)
      const builds = brokenBuilds(service).flatMap((build) => {
        const rows = keptRows(service).filter((row) => isHidden(service, build, row))
        return rows.length > 0 ? [{ ...build, rows }] : []
      })
      assert.ok(builds.some(({ field }) => field !== undefined) || builds.length > 0)
      const tried = sample(builds, full ? 1 : 7)
      for (const { name, person, actor, rows } of tried) {
        const judge = createJudge()
        const doors = house.asActor(actor)
        await judgeHistories(judge, { service, person, doors, label: name, rows: rows.slice(0, 3) })
        assert.ok(judge.differences.length > 0, `${name} was not found`)
      }
      const masks = tried.filter(({ field }) => field !== undefined)
      context.diagnostic(`${tried.length} broken builds found, ${masks.length} of them without a mask`)
    })
  })

interface KeptRow {
  readonly resource: string
  readonly row: Entry
}

const keptRows = ({ declared, store }: Guarded): readonly KeptRow[] =>
  Object.entries(store.records).flatMap(([resource, rows]) =>
    isKept(declared.resources[resource]) ? rows.map((row): KeptRow => ({ resource, row })) : [],
  )

/** Whether the build would show something of the record's history that its person is not shown. */
function isHidden(
  service: Guarded,
  build: { readonly person: Person; readonly resource: string; readonly field?: string },
  { resource, row }: KeptRow,
): boolean {
  const { person, field } = build
  if (resource !== build.resource) return false
  const rules = interpreterOf(service, person)
  if (field === undefined) return !rules.sees(resource, row)
  if (!rules.sees(resource, row) || rules.seesValue(resource, row, field)) return false
  const kept = service.log.filter((entry) => entry.resource === resource && entry.record === row["id"])
  const last = kept.findLastIndex(({ type }) => type === `${resource}.deleted`)
  const text = (values: Entry | null): string => JSON.stringify(values?.[field] ?? null)
  return kept.slice(last + 1).some((entry) => text(entry.old) !== text(entry.new))
}

interface Judged {
  readonly service: Guarded
  readonly person: Person
  readonly doors: Doors
  readonly label: string
  readonly rows: readonly KeptRow[]
}

/** Of each record: all of it, the newest by itself, page by page, and with the record where that is read. */
async function judgeHistories(judge: Judge, { service, person, doors, label, rows }: Judged): Promise<void> {
  const rules = interpreterOf(service, person)
  const history = shownHistory(service, person)
  for (const { resource: name, row } of rows) {
    const resource = resourceOf(service.whole, name)
    const id = String(row["id"])
    const expected = rules.sees(name, row) ? history(name, row) : "missing"
    const path = `/${resource.path}/${encodeURIComponent(id)}`
    const of = (what: string): string => `${label}: ${what} of the history of ${id}`
    const asked = (args: string) => askGraphql(doors, `${resource.name}(id: ${JSON.stringify(id)})`, args)
    judge.judge(of("graphql, all"), await asked("first: 100"), expected)
    judge.judge(of("graphql, the last"), await asked("last: 1"), lastOf(expected))
    judge.judge(of("rest, all"), await askRest(doors, `${path}/history`), expected)
    judge.judge(of("rest, pages"), await askPages(doors, `${path}/history`), expected)
    const { status, body } = await doors.rest({ path, query: "include=history" })
    const included = status === 200 ? JSON.parse(body).history?.data : "missing"
    judge.judge(of("rest, included"), included, expected)
  }
}

const lastOf = (expected: readonly ShownEntry[] | "missing") =>
  expected === "missing" ? expected : expected.slice(-1)

async function askGraphql(doors: Doors, field: string, args: string): Promise<unknown> {
  const { body } = await doors.graphql(`{ it: ${field} { history(${args}) { nodes { ${entryMembers} } } } }`)
  return JSON.parse(body).data?.it?.history.nodes ?? "missing"
}

async function askRest(doors: Doors, path: string): Promise<unknown> {
  const { status, body } = await doors.rest({ path })
  return status === 200 ? JSON.parse(body).data : "missing"
}

async function askPages(doors: Doors, path: string): Promise<unknown> {
  const found: unknown[] = []
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { status, body } = await doors.rest({ path, query: `limit=1${cursor && `&after=${cursor}`}` })
    if (status !== 200) return "missing"
    const { data, page } = JSON.parse(body)
    found.push(...data)
    cursor = page.next
  }
  return found
}
