// Bifold's own reads and writes of API keys, as plans: for an actor of its own, by the same engine as all others.
import { invariant, present } from "../base/invariant.ts"
import { withDefaultCosts } from "../model/limits.ts"
import type { Field, Model, Resource } from "../model/model.ts"
import { type Actor, everybodyOf } from "../plan/access/actor.ts"
import { openModel } from "../plan/access/visible-model.ts"
import { type Draft, startDraft } from "../plan/draft/draft.ts"
import { readList } from "../plan/read/list.ts"
import { readRecord, readUnique } from "../plan/read/record.ts"
import type { Answer, Member, ReadPlan, Root } from "../plan/read-plan.ts"
import { type Effect, readCreate, readDelete, readUpdate } from "../plan/write/write.ts"
import type { WritePlan } from "../plan/write-plan.ts"
import { apiKey, apiKeyOwner } from "../system/api-key.ts"

export type AnswerAsBifold = (plan: ReadPlan | WritePlan, actor: Actor) => Promise<Answer>

/** A key as it is stored. */
export interface StoredKey {
  readonly id: string
  readonly name: string
  readonly hint: string
  readonly digest: string
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
  /** Canonical timestamps. */
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly createdAt: string
  /** The id of the record that it signs in as. */
  readonly owner: string | null
  /** The tier whose limits hold. */
  readonly tier: string | null
}

/** Members of the resource by their names; `ownerId` for its owner. */
export type KeyInput = Readonly<Record<string, string | readonly string[]>>

export interface KeyPlans {
  readonly actor: Actor
  findByDigest(digest: string): ReadPlan
  /** The newest first, as many as a person would read. */
  list(): ReadPlan
  create(input: KeyInput): WritePlan
  /** Throws a Refusal when no key can have this id. */
  update(id: string, input: KeyInput): WritePlan
  remove(id: string): WritePlan
}

const mostListed = 1_000
const noCursors = { seal: () => "", open: () => undefined }

/** @param whole the service as it was declared, with its resource of keys */
export function createKeyPlans(whole: Model): KeyPlans {
  const model = openModel({
    ...whole,
    limits: {
      ...whole.limits,
      page: { default: 20, max: mostListed },
      cost: withDefaultCosts(),
      tiers: new Map(),
    },
    resources: new Map([...whole.resources].map(withSettableFields)),
  })
  const resource = present(model.resources.get(apiKey), "a service with keys has a resource of them")
  const start = (): Draft => startDraft({ model, cursors: noCursors })
  const write = (read: (draft: Draft) => Effect | undefined, reads: "before" | "after"): WritePlan => {
    const draft = start()
    const effect = read(draft)
    draft.problems.settle()
    const { writes, key } = present(effect, "a write that cannot be read has a problem")
    const answer: Root = recordRoot(resource, [{ subject: { kind: "id" }, slot: key.slot }])
    return draft.finishWrite([{ writes, answer, reads }])
  }
  const named = (draft: Draft, id: string) => {
    const by = readRecord(draft, resource, id)
    if (by !== "missing") return by
    draft.problems.add("not_found", [], `There is no key ${JSON.stringify(id)}.`)
    return []
  }
  const place: readonly string[] = []
  const byDigest = lookup(start(), resource)
  return {
    actor: { ...everybodyOf(model), name: "bifold identity" },
    findByDigest: (digest) => byDigest(digest),
    list() {
      const draft = start()
      const order = [{ path: [], name: "createdAt", descending: true }]
      const list = readList(draft, resource, { encoding: "json", first: mostListed, order }, [])
      const rows = { kind: "rows", key: "data", members: membersOf(resource) } as const
      return draft.finish([
        { kind: "list", key: "keys", resource: apiKey, list: { ...list, members: [rows] } },
      ])
    },
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

/** Written by Bifold itself, past the rules. */
const withSettableFields = ([name, resource]: readonly [string, Resource]): [string, Resource] =>
  name === apiKey
    ? [
        name,
        {
          ...resource,
          writable: true,
          fields: new Map(
            [...resource.fields].map(([member, field]): [string, Field] => [
              member,
              { ...field, readonly: false },
            ]),
          ),
        },
      ]
    : [name, resource]

/** One plan for all digests, so that there is one statement. */
function lookup(draft: Draft, resource: Resource): (digest: string) => ReadPlan {
  const unique = present(
    resource.uniques.find(({ name }) => name === "digest"),
    "no two keys have one digest",
  )
  const by = readUnique(draft, resource, unique, { values: { digest: "" }, encoding: "json", place: [] })
  invariant(by !== "missing" && by[0], "a digest names a key")
  const [{ slot }] = by
  const plan = draft.finish([recordRoot(resource, by)])
  return (digest) => ({ ...plan, values: plan.values.with(slot, digest) })
}

function recordRoot(resource: Resource, by: Extract<Root, { kind: "record" }>["by"]): Root {
  return { kind: "record", key: "key", resource: apiKey, by, members: membersOf(resource) }
}

function membersOf({ relations, fields: declared }: Resource): readonly Member[] {
  const fields = ["name", "hint", "digest", "roles", "scopes", "expiresAt", "lastUsedAt", "createdAt"]
  return [
    { kind: "id", key: "id" },
    ...fields.map((field): Member => ({ kind: "field", key: field, field })),
    relations.has(apiKeyOwner)
      ? { kind: "reference", key: "owner", relation: apiKeyOwner }
      : { kind: "constant", key: "owner", json: "null" },
    declared.has("tier")
      ? { kind: "field", key: "tier", field: "tier" }
      : { kind: "constant", key: "tier", json: "null" },
  ]
}

/** The record of an answer; undefined when there is none. */
export function readKey({ roots: [json] }: Answer): StoredKey | undefined {
  return json ? (JSON.parse(String(json)) as StoredKey) : undefined
}

export function readKeys({ roots: [json] }: Answer): readonly StoredKey[] {
  return json ? (JSON.parse(String(json)) as { data: readonly StoredKey[] }).data : []
}
