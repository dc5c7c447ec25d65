// Bifold's own reads and writes of its own resources: plans for an actor of its own, run by the same engine.

import { invariant, present } from "../base/invariant.ts"
import type { Request } from "../base/request.ts"
import { withDefaultCosts } from "../model/limits.ts"
import type { Field, Model, Resource } from "../model/model.ts"
import { type Actor, everybodyOf } from "../plan/access/actor.ts"
import { openModel } from "../plan/access/visible-model.ts"
import { noCursors } from "../plan/draft/cursor.ts"
import { type Draft, startDraft } from "../plan/draft/draft.ts"
import { readList, readWhere } from "../plan/read/list.ts"
import { readRecord, readUnique } from "../plan/read/record.ts"
import type { Answer, Member, ReadPlan, Root } from "../plan/read-plan.ts"
import { type Effect, readCreate, readDelete, readUpdate } from "../plan/write/write.ts"
import type { WritePlan } from "../plan/write-plan.ts"

export type AnswerAsBifold = (plan: ReadPlan | WritePlan, actor: Actor, request?: Request) => Promise<Answer>

/** Members of a record by their names; `ownerId` for a reference. */
export type SystemInput = Readonly<Record<string, string | readonly string[] | null>>

export interface SystemPlans {
  readonly actor: Actor
  /** The record whose unique member has the value. */
  find(value: string): ReadPlan
  /** The newest first, as many as a person would read. */
  list(): ReadPlan
  create(input: SystemInput): WritePlan
  /** Throws a Refusal when no record can have this id. */
  update(id: string, input: SystemInput): WritePlan
  remove(id: string): WritePlan
}

export interface SystemResource {
  readonly resource: string
  /** A member that no two records share. */
  readonly unique: string
  /** A record in messages: `key`. */
  readonly noun: string
  /** Answered of each record. */
  readonly members: (resource: Resource) => readonly Member[]
  /** Records of a list, at the most. */
  readonly mostListed: number
}

/** The service as Bifold itself reads and writes these resources of its own: past the rules. @param most records of a page */
export const systemModel = (whole: Model, resources: readonly string[], most: number): Model =>
  openModel({
    ...whole,
    limits: {
      ...whole.limits,
      page: { default: Math.min(20, most), max: most },
      cost: withDefaultCosts(),
      tiers: new Map(),
    },
    resources: new Map([...whole.resources].map(withSettableFields(resources))),
  })

/** @param whole the service as it was declared, with resources of Bifold's own */
export function createSystemPlans(whole: Model, of: SystemResource): SystemPlans {
  const model = systemModel(whole, [of.resource], of.mostListed)
  const resource = present(model.resources.get(of.resource), "a service has the resource that it asked for")
  const members = of.members(resource)
  const start = (): Draft => startDraft({ model, cursors: noCursors })
  const recordRoot = (by: By): Root => ({ kind: "record", key: "record", resource: of.resource, by, members })
  const write = (read: (draft: Draft) => Effect | undefined, reads: "before" | "after"): WritePlan => {
    const draft = start()
    const effect = read(draft)
    draft.problems.settle()
    const { writes, key } = present(effect, "a write that cannot be read has a problem")
    const answer = recordRoot([{ subject: { kind: "id" }, slot: key.slot }])
    return draft.finishWrite([{ writes, answer, reads }])
  }
  const named = (draft: Draft, id: string) => {
    const by = readRecord(draft, resource, id)
    if (by !== "missing") return by
    draft.problems.add("not_found", [], `There is no ${of.noun} ${JSON.stringify(id)}.`)
    return []
  }
  const listPlan = (): ReadPlan => {
    const draft = start()
    const order = [{ path: [], name: "createdAt", descending: true }]
    const list = readList(draft, resource, { encoding: "json", first: of.mostListed, order }, [])
    const rows = { kind: "rows", key: "data", members } as const
    return draft.finish([
      { kind: "list", key: "records", resource: of.resource, list: { ...list, members: [rows] } },
    ])
  }
  let listed: ReadPlan | undefined
  const place: readonly string[] = []
  return {
    actor: { ...everybodyOf(model), name: `bifold ${of.noun}` },
    find: lookup(start(), { resource, name: of.unique, recordRoot }),
    list: () => (listed ??= listPlan()),
    create: (input) => write((draft) => readCreate(draft, resource, { input, place }), "after"),
    update: (id, input) =>
      write((draft) => {
        const by = named(draft, id)
        return by.length === 0 ? undefined : readUpdate(draft, resource, { input, place, by, absent: "keep" })
      }, "after"),
    remove: (id) =>
      write((draft) => {
        const by = named(draft, id)
        return by.length === 0 ? undefined : readDelete(draft, resource, { place, by })
      }, "before"),
  }
}

type By = Extract<Root, { kind: "record" }>["by"]

/** Written by Bifold itself, past the rules. */
const withSettableFields =
  (own: readonly string[]) =>
  ([name, resource]: readonly [string, Resource]): [string, Resource] => {
    if (!own.includes(name)) return [name, resource]
    const fields = [...resource.fields].map(([member, field]): [string, Field] => [
      member,
      { ...field, readonly: false },
    ])
    const { internal: _, ends: _any, ...served } = resource
    return [name, { ...served, writable: true, fields: new Map(fields) }]
  }

interface Lookup {
  readonly resource: Resource
  readonly name: string
  readonly recordRoot: (by: By) => Root
}

/** One plan for all values, so that there is one statement. */
function lookup(draft: Draft, { resource, name, recordRoot }: Lookup): (value: string) => ReadPlan {
  const unique = present(
    resource.uniques.find((one) => one.name === name),
    `no two records have one ${name}`,
  )
  const by = readUnique(draft, resource, unique, { values: { [name]: "" }, encoding: "json", place: [] })
  invariant(by !== "missing" && by[0], "a unique member names a record")
  const [{ slot }] = by
  const plan = draft.finish([recordRoot(by)])
  return (value) => ({ ...plan, values: plan.values.with(slot, value) })
}

interface OwnList {
  readonly where: object
  /** The member by which the rows are ordered. */
  readonly order: string
}

export interface OwnListsOptions {
  /** By `systemModel`. */
  readonly model: Model
  /** Rows of a list. */
  readonly most: number
  readonly membersOf: (draft: Draft, resource: Resource) => readonly Member[]
}

/** Lists of resources: one plan for all values of conditions of one form, so that there is one statement. */
export function createOwnLists({
  model,
  most,
  membersOf,
}: OwnListsOptions): (resource: string, asked: OwnList) => ReadPlan {
  const plans = new Map<string, ReadPlan>()
  return (name, { where: input, order }) => {
    const resource = present(model.resources.get(name), `there is a resource ${name}`)
    const draft = startDraft({ model, cursors: noCursors })
    const where = readWhere(draft, resource, { input, encoding: "json", place: ["where"] })
    draft.problems.settle()
    const form = `${name} ${order} ${JSON.stringify(where)}`
    const known = plans.get(form)
    // The values of the condition are the first that a plan binds.
    if (known) return { ...known, values: [...draft.values, ...known.values.slice(draft.values.length)] }
    const by = [{ path: [], name: order, descending: false }]
    const list = readList(draft, resource, { encoding: "json", first: most, order: by }, [])
    const members = [{ kind: "rows", key: "rows", members: membersOf(draft, resource) } as const]
    const plan = draft.finish([
      { kind: "list", key: "list", resource: name, list: { ...(where && { where }), ...list, members } },
    ])
    plans.set(form, plan)
    return plan
  }
}

/** The record of an answer; undefined without one. */
export function readSystemRecord<Stored>({ roots: [json] }: Answer): Stored | undefined {
  return json ? (JSON.parse(String(json)) as Stored) : undefined
}

export function readSystemRecords<Stored>({ roots: [json] }: Answer): readonly Stored[] {
  return json ? (JSON.parse(String(json)) as { data: readonly Stored[] }).data : []
}
