// A service with every scalar and every kind of relation and key, and the ways the tests of the SQL ask it: by plans.

import { join } from "node:path"
import { f, many, one, resource, service } from "bifold"
import { textOf } from "../../src/base/json.ts"
import { createEngine, type Engine } from "../../src/engine/engine.ts"
import type { Model, Resource } from "../../src/model/model.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { type Draft, startDraft } from "../../src/plan/draft/draft.ts"
import { type ListInput, readList } from "../../src/plan/read/list.ts"
import type { ListMember, Member, ReadPlan, Root } from "../../src/plan/read-plan.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Records, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage } from "../../src/storage/storage.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { answerAnyone, loadOpen } from "../support/everybody.ts"

export const databases = ["sqlite", "postgres"] as const
export type Database = (typeof databases)[number]

export const specimens = loadOpen(
  service({
    name: "specimens",
    limits: { page: { default: 20, max: 1000 } },
    resources: {
      specimen: resource({
        key: { column: "id", type: "int64" },
        fields: {
          name: f.text({ optional: true }),
          mail: f.email({ optional: true }),
          rank: f.integer({ optional: true }),
          count: f.int64({ optional: true }),
          size: f.float({ optional: true }),
          price: f.decimal({ precision: 18, scale: 2, optional: true }),
          whole: f.decimal({ precision: 18, scale: 0, optional: true }),
          alive: f.boolean({ optional: true }),
          foundOn: f.date({ optional: true }),
          wakesAt: f.time({ optional: true }),
          seenAt: f.timestamp({ optional: true }),
          tag: f.uuid({ optional: true }),
          facts: f.json({ optional: true }),
          mood: f.oneOf(["calm", "it's", "odd"], { optional: true }),
          image: f.bytes({ optional: true }),
          words: f.list(f.text(), { optional: true }),
          marks: f.list(f.integer(), { optional: true }),
          counts: f.list(f.int64(), { optional: true }),
          prices: f.list(f.decimal({ precision: 18, scale: 2 }), { optional: true }),
          moments: f.list(f.timestamp(), { optional: true }),
        },
        relations: {
          drawer: one("drawer", {
            optional: true,
            columns: { drawer_hall: "hall", drawer_number: "number" },
          }),
          parent: one("specimen", { optional: true }),
          children: many("specimen", { by: "parent" }),
          friends: many("specimen", {
            through: { table: "friendship", near: { one: "id" }, far: { other: "id" } },
          }),
        },
      }),
      drawer: resource({
        key: ["hall", "number"],
        fields: { hall: f.text(), number: f.integer(), label: f.text({ optional: true }) },
        relations: { specimens: many("specimen", { by: "drawer" }) },
      }),
    },
  }),
)

export interface Asking {
  readonly model: Model
  readonly storage: Storage
  readonly engine: Engine
  plan(make: (draft: Draft) => readonly Root[]): ReadPlan
  /** The answer's roots, parsed. */
  ask(make: (draft: Draft) => readonly Root[]): Promise<unknown[]>
  /** One list, parsed. */
  list<Answer>(
    resource: string,
    input: Omit<ListInput, "encoding">,
    members: readonly ListMember[],
  ): Promise<Answer>
}

export async function openSpecimens(hooks: Hooks, database: Database, records: Records): Promise<Asking> {
  return openRecords(hooks, { model: specimens, database, records })
}

export async function openRecords(
  hooks: Hooks,
  {
    model,
    database,
    records,
  }: { readonly model: Model; readonly database: Database; readonly records: Records },
): Promise<Asking> {
  const dialect = database === "sqlite" ? sqlite : postgres
  const url = await temporaryUrl(hooks, database)
  const tables = createSchema(model, dialect).map((text) => ({ text, parameters: [] }))
  await setUp(url, [...tables, ...insertRecords(model, dialect, records)])
  return openAt(hooks, model, url)
}

export const temporaryUrl = async (hooks: Hooks, database: Database): Promise<string> =>
  database === "sqlite" ? join(await temporaryFolder(hooks), "test.sqlite") : temporaryPostgres(hooks)

export const cursors = createCursors("a secret of the tests")

export function startPlan(model: Model, make: (draft: Draft) => readonly Root[]): ReadPlan {
  const draft = startDraft({ model, cursors })
  return draft.finish(make(draft))
}

type ListQuestion = Omit<ListInput, "encoding">

/** A list as a plan's root. */
export function listRoot(
  draft: Draft,
  resource: string,
  input: ListQuestion,
  members: readonly ListMember[],
): Root {
  const list = readList(draft, resourceNamed(draft.model, resource), { ...input, encoding: "json" }, [])
  return { kind: "list", key: "list", resource, list: { ...list, members } }
}

export async function openAt(hooks: Hooks, model: Model, url: string): Promise<Asking> {
  const storage = await openStorage(url)
  hooks.after(() => storage.close())
  const engine = createEngine({ storage, cursors })
  const plan: Asking["plan"] = (make) => startPlan(model, make)
  const ask: Asking["ask"] = async (make) => {
    const { roots } = await answerAnyone(engine, plan(make))
    return roots.map((text) => (text === null ? null : (JSON.parse(textOf(text)) as unknown)))
  }
  return {
    model,
    storage,
    engine,
    plan,
    ask,
    async list<Answer>(name: string, input: ListQuestion, members: readonly ListMember[]) {
      const [answer] = await ask((draft) => [listRoot(draft, name, input, members)])
      return answer as Answer
    },
  }
}

export function resourceNamed(model: Model, name: string): Resource {
  const found = model.resources.get(name)
  if (!found) throw new Error(`no resource ${name}`)
  return found
}

export const field = (name: string): Member => ({ kind: "field", field: name, key: name })
export const id: Member = { kind: "id", key: "id" }
export const rows = (...members: readonly Member[]): ListMember => ({ kind: "rows", key: "rows", members })

export const specimenRecords = (specimen: readonly Row[], drawer: readonly Row[] = []): Records => ({
  records: new Map([
    ["drawer", drawer],
    ["specimen", specimen],
  ]),
  links: [],
})
