// The help desk on a real database, asked by the engine itself as different people: what a plan of a transition does,
// whoever's face it comes from.

import assert from "node:assert/strict"
import { join } from "node:path"
import { Refusal } from "../../src/base/problem.ts"
import { createEngine, type Engine } from "../../src/engine/engine.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Model, Resource } from "../../src/model/model.ts"
import { type Actor, actorOf, everybodyOf } from "../../src/plan/access/actor.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { type Draft, startDraft } from "../../src/plan/draft/draft.ts"
import { resourceNamed, transitionNamed, transitionsOf } from "../../src/plan/lookup.ts"
import { readRecord } from "../../src/plan/read/record.ts"
import type { Answer, Member, RecordRoot } from "../../src/plan/read-plan.ts"
import { type Effect, readCreate, readUpdate, writtenList } from "../../src/plan/write/write.ts"
import { readTransition, readTransitions } from "../../src/plan/write/write-transition.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage } from "../../src/storage/storage.ts"
import { desk } from "../services/desk.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { fromOne } from "../support/fresh.ts"
import type { Database } from "../support/open-service.ts"

export interface Desk {
  readonly whole: Model
  readonly engine: Engine
  readonly storage: Storage
  readonly address: string
  /** `agent`, `boss`, several joined by `+`, a person's key such as `ann`, `agent+ann`; `anyone`, `open`. */
  as(who: string): Person
}

/** An answer in short: the record, or a code and a message. */
export type Outcome = Readonly<Record<string, unknown>>

interface Person {
  readonly actor: Actor
  fire(id: string, transition: string, given?: { input?: unknown; match?: string[] }): Promise<Outcome>
  fireWhere(transition: string, where: unknown, given?: { input?: unknown; most?: number }): Promise<Outcome>
  fireIds(transition: string, ids: unknown, given?: { input?: unknown; most?: number }): Promise<Outcome>
  /** Several in one request, all or nothing. */
  fireAll(steps: readonly (readonly [id: string, transition: string, input?: unknown])[]): Promise<Outcome>
  create(resource: string, input: unknown): Promise<Outcome>
  update(resource: string, id: string, input: unknown): Promise<Outcome>
  /** Name, allowed and reasons of what is left for them; null for no record. */
  possible(id: string): Promise<readonly Possible[] | null>
  read(resource: string, id: string): Promise<Outcome>
}

export interface Possible {
  readonly name: string
  readonly allowed: boolean
  readonly reasons: readonly { readonly code: string; readonly message: string }[]
}

/** A row of the table: open, unbilled, costs nothing, and Ann has reported it. */
export const ticket = (id: string, members: Row = {}): Row => ({
  id,
  title: id,
  effort: null,
  cost: "0.00",
  secret: null,
  answer: null,
  closedAt: null,
  state: "open",
  billing: "unbilled",
  reporterId: "ann",
  assigneeId: null,
  ...members,
})

const cursors = createCursors("a secret of the tests")

export async function openDesk(
  hooks: Hooks,
  database: Database,
  given: {
    readonly records: Readonly<Record<string, readonly Row[]>>
    readonly declaration?: ServiceDeclaration
    readonly resource?: string
  },
): Promise<Desk> {
  const whole = load(given.declaration ?? desk)
  const dialect = database === "sqlite" ? sqlite : postgres
  const address =
    database === "sqlite" ? join(await temporaryFolder(hooks), "desk.sqlite") : await temporaryPostgres(hooks)
  const tables = createSchema(whole, dialect).map((command) => ({ text: command, parameters: [] }))
  const records = new Map(Object.entries(given.records))
  await setUp(address, [...tables, ...insertRecords(whole, dialect, { records, links: [] })])
  return connectDesk(hooks, whole, { address, resource: given.resource ?? "ticket" })
}

export async function connectDesk(
  hooks: Hooks,
  whole: Model,
  { address, resource }: { readonly address: string; readonly resource: string },
): Promise<Desk> {
  const storage = await openStorage(address, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const engine = createEngine({ storage, cursors, fresh: fromOne })
  const known = new Map<string, Person>()
  return {
    whole,
    engine,
    storage,
    address,
    as(who) {
      const person = known.get(who) ?? personOf(engine, actorNamed(whole, who), resource)
      known.set(who, person)
      return person
    },
  }
}

function actorNamed(whole: Model, who: string): Actor {
  if (who === "open") return everybodyOf(openModel(whole))
  const words = who === "anyone" ? [] : who.split("+")
  const viewer = words.find((word) => !whole.roles.includes(word))
  const credentials = { name: who, roles: words.filter((word) => word !== viewer), scopes: [] }
  const actor = actorOf(whole, viewer === undefined ? credentials : { ...credentials, viewer })
  assert.ok(actor, who)
  return actor
}

function personOf(engine: Engine, actor: Actor, about: string): Person {
  const resource = resourceNamed(actor.model, about)
  const write = async (
    read: (draft: Draft) => readonly { readonly effect: Effect | undefined; readonly several?: boolean }[],
    of: Resource = resource,
  ): Promise<Outcome> => {
    try {
      const draft = startDraft({ model: actor.model, cursors, fresh: fromOne })
      const effects = read(draft)
      draft.problems.settle()
      const steps = effects.map(({ effect, several }) => {
        assert.ok(effect)
        return {
          writes: effect.writes,
          answer: several ? listRoot(draft, of, effect) : recordRoot(of, effect.key.slot),
          reads: "after" as const,
        }
      })
      const answer = await engine.answer(draft.finishWrite(steps), actor)
      return outcomeOf(answer)
    } catch (fault) {
      return refused(fault)
    }
  }
  const by = (draft: Draft, of: Resource, id: string): RecordRoot["by"] => {
    const found = readRecord(draft, of, id)
    assert.notEqual(found, "missing", id)
    return found as RecordRoot["by"]
  }
  const fired = (name: string) => transitionNamed(resource, name)
  return {
    actor,
    fire: (id, name, { input, match } = {}) =>
      write((draft) => [
        {
          effect: readTransition(draft, resource, fired(name), {
            input,
            place: ["input"],
            by: by(draft, resource, id),
            ...(match && { match }),
          }),
        },
      ]),
    fireWhere: (name, where, { input, most = 100 } = {}) =>
      write((draft) => [
        {
          effect: readTransitions(draft, resource, fired(name), {
            input: { input, place: ["input"] },
            where,
            wherePlace: ["where"],
            most,
            place: ["most"],
          }),
          several: true,
        },
      ]),
    fireIds: (name, ids, { input, most } = {}) =>
      write((draft) => [
        {
          effect: readTransitions(draft, resource, fired(name), {
            input: { input, place: ["input"] },
            ids,
            idsPlace: ["ids"],
            most,
            place: ["most"],
          }),
          several: true,
        },
      ]),
    fireAll: (steps) =>
      write((draft) =>
        steps.map(([id, name, input], index) => ({
          effect: readTransition(draft, resource, fired(name), {
            input,
            place: [index],
            by: by(draft, resource, id),
          }),
        })),
      ),
    create: (name, input) => {
      const of = resourceNamed(actor.model, name)
      return write((draft) => [{ effect: readCreate(draft, of, { input, place: ["input"] }) }], of)
    },
    update: (name, id, input) => {
      const of = resourceNamed(actor.model, name)
      return write(
        (draft) => [
          {
            effect: readUpdate(draft, of, {
              input,
              place: ["input"],
              by: by(draft, of, id),
              absent: "keep",
            }),
          },
        ],
        of,
      )
    },
    async possible(id) {
      const draft = startDraft({ model: actor.model, cursors, fresh: fromOne })
      const root: RecordRoot = {
        kind: "record",
        key: "record",
        resource: resource.name,
        by: by(draft, resource, id),
        members: [transitionsMember(resource)],
        bare: true,
      }
      const answer = await engine.answer(draft.finish([root]), actor)
      return outcomesOf(answer) as readonly Possible[] | null
    },
    async read(name, id) {
      const of = resourceNamed(actor.model, name)
      const draft = startDraft({ model: actor.model, cursors, fresh: fromOne })
      const root: RecordRoot = {
        kind: "record",
        key: "record",
        resource: name,
        by: by(draft, of, id),
        members: membersOf(of),
      }
      return outcomeOf(await engine.answer(draft.finish([root]), actor))
    },
  }
}

const outcomesOf = ({ roots: [json = null] }: Answer): unknown =>
  json === null ? null : JSON.parse(String(json))

const outcomeOf = (answer: Answer): Outcome => {
  assert.equal(answer.flawed, false)
  return (outcomesOf(answer) ?? { missing: true }) as Outcome
}

function refused(fault: unknown): Outcome {
  if (!(fault instanceof Refusal)) throw fault
  const [{ code, message, place }] = fault.problems
  return { code, message, place: place?.join("."), more: fault.problems.length - 1 }
}

const membersOf = (resource: Resource): readonly Member[] => [
  { kind: "id", key: "id" },
  ...[...resource.fields.keys()].map((field): Member => ({ kind: "field", key: field, field })),
  ...[...resource.relations.values()].flatMap((relation): Member[] =>
    relation.kind === "one" && relation.reference !== undefined
      ? [{ kind: "reference", key: relation.reference, relation: relation.name }]
      : [],
  ),
  { kind: "version", key: "etag" },
]

/** Everything that can be asked of the transitions of a resource. */
export const transitionsMember = (resource: Resource): Member => ({
  kind: "transitions",
  key: "transitions",
  members: [
    {
      kind: "said",
      key: "name",
      of: Object.fromEntries(transitionsOf(resource).map(({ name }) => [name, JSON.stringify(name)])),
    },
    { kind: "allowed", key: "allowed" },
    {
      kind: "reasons",
      key: "reasons",
      members: [
        { kind: "code", key: "code" },
        { kind: "message", key: "message" },
      ],
    },
  ],
})

const recordRoot = (resource: Resource, slot: number): RecordRoot => ({
  kind: "record",
  key: "record",
  resource: resource.name,
  by: [{ subject: { kind: "id" }, slot }],
  members: membersOf(resource),
})

const listRoot = (draft: Draft, resource: Resource, effect: Effect) =>
  ({
    kind: "list",
    key: "list",
    resource: resource.name,
    list: {
      ...writtenList(draft, effect),
      members: [
        {
          kind: "rows",
          key: "rows",
          members: [
            { kind: "id", key: "id" },
            { kind: "field", key: "state", field: "state" },
          ],
        },
      ],
    },
  }) as const
