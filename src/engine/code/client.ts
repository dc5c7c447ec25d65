// The `db` of user code: each call becomes a plan of its actor, as a request does.

import { AsyncLocalStorage } from "node:async_hooks"
import { present } from "../../base/invariant.ts"
import { Refusal, refusal } from "../../base/problem.ts"
import type { Increment } from "../../model/declaration/client-types.ts"
import type { Model, Resource, Transition } from "../../model/model.ts"
import type { Actor } from "../../plan/access/actor.ts"
import { type Draft, startDraft } from "../../plan/draft/draft.ts"
import { newestOf, resourceNamed, transitionsOf, wholeOf } from "../../plan/lookup.ts"
import { etag, hasEtag } from "../../plan/member.ts"
import { notFoundText } from "../../plan/not-found.ts"
import { isObject } from "../../plan/pending-key.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { readList } from "../../plan/read/list.ts"
import type { RequestedTerm } from "../../plan/read/order.ts"
import { readRecord } from "../../plan/read/record.ts"
import type { Member, RecordRoot, Root, Slot, Value } from "../../plan/read-plan.ts"
import { inputMembers } from "../../plan/write/inputs.ts"
import { permissionDenied } from "../../plan/write/problems.ts"
import { type Effect, keyTarget, locate, readCreate, readDelete, readUpdate } from "../../plan/write/write.ts"
import { readTransition } from "../../plan/write/write-transition.ts"
import type { Step, Write } from "../../plan/write-plan.ts"
import { handleEnded } from "../../storage/faults.ts"
import type { Transaction } from "./run-program.ts"

export interface CodeClient {
  /** The object that user code receives as `db`. */
  readonly db: object
  /** The record with this key; null when it is absent or hidden. */
  record(resource: string, key: Value): Promise<unknown>
  /** Whether the refusal came from a call of `db`, and so has no place in the request. */
  threw(error: unknown): boolean
  /** Asks as a call of `db` does, for as long as the client lasts. */
  track<Result>(ask: () => Promise<Result>): Promise<Result>
  /** Ends the client; gives the number of calls still under way. */
  end(): number
}

/** The transaction of a client, or one for each of its calls. */
export type HandleTransaction = Pick<Transaction, "cursors" | "fresh" | "sameSteps" | "run"> &
  Partial<Pick<Transaction, "within">>

interface Asking {
  readonly transaction: HandleTransaction
  readonly actor: Actor
}

/** The attempt that the code which asks is in, by the transaction of its handle. */
const attempts = new AsyncLocalStorage<ReadonlyMap<HandleTransaction, HandleTransaction>>()

/** The same transaction, or the part of it that is attempted where it is asked. */
export const withAttempts = (whole: HandleTransaction): HandleTransaction => {
  const now = (): HandleTransaction => attempts.getStore()?.get(whole) ?? whole
  return {
    ...whole,
    run: (plan, actor) => now().run(plan, actor),
    ...(whole.within && { within: (use) => present(now().within, "a part of a transaction is one")(use) }),
  }
}

function attempting(
  { within }: HandleTransaction,
  whole: HandleTransaction,
  use: () => unknown,
): Promise<unknown> {
  return present(
    within,
    "it is offered within transactions",
  )(async (part) => attempts.run(new Map([...(attempts.getStore() ?? []), [whole, part]]), use))
}

export function createHandle(whole: HandleTransaction, actor: Actor): CodeClient {
  const transaction = withAttempts(whole)
  const state = { ended: false, underWay: 0 }
  const thrown = new WeakSet<object>()
  // User code asks by the names of the newest version, whatever its caller's is.
  const asking: Asking = { transaction, actor: { ...actor, model: newestOf(actor.model) } }
  const tracked = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    if (state.ended) throw handleEnded()
    state.underWay++
    try {
      return await ask()
    } catch (error) {
      if (error instanceof Refusal) thrown.add(error)
      throw error
    } finally {
      state.underWay--
    }
  }
  const handles = [...wholeOf(actor.model).resources.keys()].map((name) => {
    const of = recordsOf(asking, name)
    const methods = Object.entries(of).map(([method, ask]) => [
      method,
      (...given: never[]) => {
        const asked = tracked(() => (ask as (...of: never[]) => Promise<unknown>)(...given))
        // Code that does not await the call fails when it returns; the process goes on.
        asked.catch(() => {})
        return asked
      },
    ])
    return [name, Object.freeze(Object.fromEntries(methods))]
  })
  const attempt = (use: (db: object) => unknown): Promise<unknown> => {
    const asked = tracked(() => attempting(transaction, whole, () => use(db)))
    asked.catch(() => {})
    return asked
  }
  const db: object = Object.freeze({ ...(whole.within && { attempt }), ...Object.fromEntries(handles) })
  return {
    db,
    record: (resource, key) => readOne(asking, resource, (draft) => [byKey(draft, key)]),
    track: tracked,
    threw: (error) => typeof error === "object" && error !== null && thrown.has(error),
    end() {
      state.ended = true
      return state.underWay
    },
  }
}

const byKey = (draft: Draft, key: Value): RecordRoot["by"][number] => ({
  subject: { kind: "id" },
  slot: draft.bind(key).slot,
})

interface Options {
  readonly ifMatch?: unknown
}

interface ListAsked {
  readonly where?: unknown
  readonly orderBy?: unknown
  readonly first?: unknown
  readonly after?: unknown
}

const recordsOf = (asking: Asking, name: string) => ({
  get: (id: unknown) => readOne(asking, name, (draft, resource) => readRecord(draft, resource, String(id))),
  list: (asked: ListAsked = {}) =>
    asked.first === undefined ? listAll(asking, name, asked) : list(asking, name, asked),
  create: (input: unknown) =>
    change(asking, name, (draft, resource) =>
      mayWrite(draft, resource, "create", () => readCreate(draft, resource, { input, place: [] })),
    ),
  update: (id: unknown, input: unknown, options: Options = {}) =>
    update(asking, name, { id, input, options }),
  lock: (ids: unknown) => lock(asking, name, (ids as readonly unknown[]).map(String)),
  fire: (id: unknown, transition: unknown, input?: unknown, options: Options = {}) =>
    change(asking, name, (draft, resource) =>
      readTransition(draft, resource, transitionOf(resource, String(transition)), {
        ...named(draft, resource, id, options),
        input,
        place: [],
      }),
    ),
  delete: async (id: unknown, options: Options = {}) => {
    await change(
      asking,
      name,
      (draft, resource) =>
        mayWrite(draft, resource, "delete", () =>
          readDelete(draft, resource, { ...named(draft, resource, id, options), place: [] }),
        ),
      "nothing",
    )
  },
})

interface Update {
  readonly id: unknown
  readonly input: unknown
  readonly options: Options
}

function update(asking: Asking, name: string, { id, input, options }: Update): Promise<unknown> {
  return change(asking, name, (draft, resource) =>
    mayWrite(draft, resource, "update", () =>
      readUpdate(draft, resource, {
        ...named(draft, resource, id, options),
        ...splitIncrements(resourceNamed(wholeOf(draft.model), name), input),
        place: [],
        absent: "keep",
      }),
    ),
  )
}

/** The results of `increment`, apart from the other members. The value of a json field may look like one. */
function splitIncrements(
  { fields }: Resource,
  input: unknown,
): { readonly input: unknown; readonly added?: object } {
  if (!isObject(input)) return { input }
  const isIncrement = ([name, given]: readonly [string, unknown]): boolean =>
    isObject(given) && "increment" in given && fields.get(name)?.scalar !== "json"
  const members = Object.entries(input)
  const added = members.filter(isIncrement)
  if (added.length === 0) return { input }
  return {
    input: Object.fromEntries(members.filter((member) => !isIncrement(member))),
    added: Object.fromEntries(
      added.map(([name, given]) => {
        const { increment } = given as Increment
        const isNumber = fields.get(name)?.scalar === "integer" && /^-?\d+$/.test(increment)
        return [name, isNumber ? Number(increment) : increment]
      }),
    ),
  }
}

/** The records, locked in one order whatever order they are asked in. */
async function lock(asking: Asking, name: string, ids: readonly string[]): Promise<unknown> {
  const draft = startDraft(contextOf(asking))
  const resource = resourceOf(asking.actor.model, name)
  const own = { resource: name, place: [] }
  const keys = new Map<string, Slot>()
  const writes = [...new Set(ids)].sort().flatMap((id): readonly Write[] => {
    const { key, located } = locate(draft, own, named(draft, resource, id, {}).by)
    keys.set(id, key)
    return [...located, { kind: "update", ...own, target: { by: keyTarget(key) }, sets: [], looks: true }]
  })
  draft.problems.settle()
  const members = codeRecord(resource)
  const of = ids.map((id): RecordRoot => {
    const { slot } = present(keys.get(id), "each id has a key")
    return { kind: "record", key: "record", resource: name, by: [{ subject: { kind: "id" }, slot }], members }
  })
  if (of.length === 0) return []
  return run(asking, draft, { writes, answer: { kind: "records", key: "records", of }, reads: "after" })
}

/** Those that its actor may do with some record. */
function transitionOf(resource: Resource, name: string): Transition {
  const found = transitionsOf(resource).find((transition) => transition.name === name)
  if (found) return found
  throw permissionDenied(name, resource.name, [])
}

/** Refuses actors that may not set the members that the action needs, as the faces do. */
function mayWrite(
  { model }: Draft,
  resource: Resource,
  action: "create" | "update" | "delete",
  read: () => Effect | undefined,
): Effect | undefined {
  const { access, name, writable } = resource
  const can =
    action === "delete"
      ? writable && (access === undefined || access.delete)
      : inputMembers(model, resource, action)
  if (can) return read()
  throw permissionDenied(action, name, [])
}

function named(draft: Draft, resource: Resource, id: unknown, { ifMatch }: Options) {
  const by = readRecord(draft, resource, String(id))
  if (by === "missing") throw refusal("not_found", notFoundText(resource.name, ` ${quoteInput(id)}`))
  return { by, ...(ifMatch !== undefined && { match: [String(ifMatch)] }) }
}

/** The resource as its actor sees it. */
export function resourceOf(model: Model, name: string): Resource {
  const resource = model.resources.get(name)
  if (resource) return resource
  throw refusal("forbidden", `You may not read any ${name}.`)
}

/** All members that are shown without a selection: `id`, fields, and references. */
export const wholeRecord = ({ key, fields, relations }: Resource): readonly Member[] => [
  ...(key ? [{ kind: "id", key: "id" } as const] : []),
  ...[...fields.keys()].map((field) => ({ kind: "field", key: field, field }) as const),
  ...[...relations.values()].flatMap((relation) =>
    relation.kind === "one" && relation.reference !== undefined
      ? [{ kind: "reference", key: relation.reference, relation: relation.name } as const]
      : [],
  ),
]

/** With what `ifMatch` takes. */
export const codeRecord = (resource: Resource): readonly Member[] => [
  ...wholeRecord(resource),
  ...(hasEtag(resource) ? [{ kind: "version", key: etag } as const] : []),
]

async function readOne(
  asking: Asking,
  name: string,
  find: (draft: Draft, resource: Resource) => RecordRoot["by"] | "missing",
): Promise<unknown> {
  const draft = startDraft(contextOf(asking))
  const resource = asking.actor.model.resources.get(name)
  const by = resource && find(draft, resource)
  if (!resource || !by || by === "missing") return null
  const members = codeRecord(resource)
  const root: RecordRoot = { kind: "record", key: "record", resource: name, by, members }
  const [found] = (await run(asking, draft, {
    writes: [],
    answer: { kind: "records", key: "records", of: [root] },
    reads: "after",
  })) as readonly unknown[]
  return found ?? null
}

/** Records that a list without `first` may have. */
const mostListed = 10_000

/** Page by page, so that no answer is too large. */
async function listAll(asking: Asking, name: string, asked: ListAsked): Promise<unknown> {
  const first = asking.actor.model.limits.page.max
  const data: unknown[] = []
  for (let { after } = asked; ; ) {
    const page = await list(asking, name, { ...asked, first, after })
    data.push(...page.data)
    after = page.next
    if (page.next === null) return { data, next: null }
    if (data.length >= mostListed)
      throw new Error(
        `\`db.${name}.list\` finds more than ${mostListed} records: ask for them in pages, by \`first\` and \`after\`.`,
      )
  }
}

interface ListPage {
  readonly data: readonly unknown[]
  readonly next: string | null
}

async function list(asking: Asking, name: string, asked: ListAsked): Promise<ListPage> {
  const draft = startDraft(contextOf(asking))
  const resource = resourceOf(asking.actor.model, name)
  const { where, orderBy = [], first, after } = asked
  const read = readList(
    draft,
    resource,
    {
      encoding: "json",
      where,
      order: orderOf(orderBy, name),
      ...(first !== undefined && { first: Number(first) }),
      ...(after !== undefined && after !== null && { after: String(after) }),
      names: { order: "orderBy" },
    },
    [],
  )
  const answer: Root = {
    kind: "list",
    key: "list",
    resource: name,
    list: {
      ...read,
      members: [
        { kind: "rows", key: "data", members: codeRecord(resource) },
        { kind: "page", key: "next", fact: "next" },
      ],
    },
  }
  return (await run(asking, draft, { writes: [], answer, reads: "after" })) as ListPage
}

function orderOf(orderBy: unknown, name: string): readonly RequestedTerm[] {
  const terms: readonly unknown[] = Array.isArray(orderBy) ? orderBy : [orderBy]
  return terms.map((term) => {
    if (typeof term === "string") return termOf(term)
    throw new Error(
      `\`orderBy\` of \`db.${name}.list\` takes names, with "-" before those that descend: ["-number", "customer.name"].`,
    )
  })
}

/** `-customer.name` */
function termOf(text: string): RequestedTerm {
  const descending = text.startsWith("-")
  const path = (descending ? text.slice(1) : text).split(".")
  return { path: path.slice(0, -1), name: present(path.at(-1), "a text has a last part"), descending }
}

async function change(
  asking: Asking,
  name: string,
  read: (draft: Draft, resource: Resource) => Effect | undefined,
  answers: "record" | "nothing" = "record",
): Promise<unknown> {
  const draft = startDraft(contextOf(asking))
  const resource = resourceOf(asking.actor.model, name)
  const effect = read(draft, resource)
  draft.problems.settle()
  const { writes, key, secret } = present(effect, "a write that cannot be read has a problem")
  const answer: Root =
    answers === "nothing"
      ? { kind: "constant", key: "none", json: "null" }
      : {
          kind: "record",
          key: "record",
          resource: name,
          by: [{ subject: { kind: "id" }, slot: key.slot }],
          members: [
            ...codeRecord(resource),
            ...(secret ? [{ kind: "secret", key: "secret", ...secret } as const] : []),
          ],
        }
  return run(asking, draft, { writes, answer, reads: "after" })
}

const contextOf = ({ transaction: { cursors, fresh }, actor: { model } }: Asking) => ({
  model,
  cursors,
  ...(fresh && { fresh }),
})

/** The step's answer, parsed. */
async function run({ transaction, actor }: Asking, draft: Draft, step: Step): Promise<unknown> {
  const plan = draft.finishWrite(transaction.sameSteps(actor.model, [step]))
  const [given] = await transaction.run(plan, actor)
  return JSON.parse(given?.text(true) ?? "null")
}
