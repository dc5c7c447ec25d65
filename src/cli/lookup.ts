// Looks a record up for an actor, and the records that paths of a rule lead to from there. Each question is a plan of
// its own, so that the engine decides the meaning of a condition.
import { randomBytes } from "node:crypto"
import { invariant } from "../base/invariant.ts"
import { textOf } from "../base/json.ts"
import { createEngine } from "../engine/engine.ts"
import type { Resource } from "../model/model.ts"
import type { Actor } from "../plan/access/actor.ts"
import {
  conditionOf,
  type PathStep,
  pathCondition,
  pathMembers,
  type RulePath,
  recordsOf,
  rulePaths,
  upTo,
} from "../plan/analysis/isolated-policies.ts"
import { printCondition, wordingOf } from "../plan/analysis/print-policy.ts"
import { createCursors } from "../plan/draft/cursor.ts"
import { type Draft, startDraft } from "../plan/draft/draft.ts"
import { everyRecord, isForAll } from "../plan/every-record.ts"
import { endOf } from "../plan/lookup.ts"
import { readRecord } from "../plan/read/record.ts"
import type { Member, RecordRoot } from "../plan/read-plan.ts"
import type { Storage } from "../storage/storage.ts"
import type { Follow, FoundRecords, Includes, PathVerdict } from "./verdict.ts"

/** @param id with its prefix or without */
export type Lookup = (actor: Actor, resource: Resource, id: string) => Promise<boolean>

export function createLookup(storage: Storage): Lookup {
  const read = createRecordReader(storage)
  return async (actor, resource, id) =>
    (await read(actor, { resource, id }, () => [{ kind: "id", key: "id" }])) !== undefined
}

/** The members of a record as JSON text, undefined where the actor sees no such record. */
type RecordReader = (
  actor: Actor,
  record: { readonly resource: Resource; readonly id: string },
  members: (draft: Draft) => readonly Member[],
) => Promise<string | undefined>

function createRecordReader(storage: Storage): RecordReader {
  // Nothing here gives or takes one.
  const cursors = createCursors(randomBytes(32).toString("hex"))
  const { answer } = createEngine({ storage, cursors })
  return async (actor, { resource, id }, members) => {
    const draft = startDraft({ model: actor.model, cursors })
    const by = readRecord(draft, resource, id)
    if (by === "missing") return undefined
    const root: RecordRoot = {
      kind: "record",
      key: "record",
      resource: resource.name,
      by,
      members: members(draft),
    }
    const { roots } = await answer(draft.finish([root]), actor)
    invariant(roots.length === 1, "one root has one answer")
    return roots[0] == null ? undefined : textOf(roots[0])
  }
}

interface Asked {
  readonly actor: Actor
  readonly resource: Resource
  readonly id: string
  readonly includes: Includes
}

export function createFollow(storage: Storage, { actor, resource, id, includes }: Asked): Follow {
  const read = createRecordReader(storage)
  return async ({ where, audience }, isMet) => {
    const meets = (path: RulePath): Promise<boolean> =>
      includes(recordsOf(audience, resource.name, pathCondition(path)))
    const find = async (path: readonly PathStep[], against = false): Promise<readonly FoundRecords[]> => {
      const { model } = recordsOf(audience, resource.name, everyRecord)
      const text = await read({ ...actor, model }, { resource, id }, (draft) =>
        pathMembers(draft, path, against),
      )
      return text === undefined ? [] : foundIn(path, [JSON.parse(text)])
    }
    const failed = async (path: RulePath): Promise<PathVerdict> => {
      const { steps, at, step } = await failing(path, meets)
      if (step.quantifier === "every" || step.quantifier === "none")
        return { found: await find(steps, true), against: true }
      const wording = wordingOf(audience)
      const names = path.slice(0, at + 1).map(({ relation }) => relation)
      const condition = conditionOf(step, steps.slice(at + 1))
      const words = printCondition(wording, endOf(wording.model, resource, names), condition)
      const none = { relation: step.relation, ...(!isForAll(condition) && { where: words }) }
      return { found: await find(upTo(path, at).slice(0, at)), none }
    }
    const verdicts: PathVerdict[] = []
    for (const path of rulePaths(where)) {
      const holds = await meets(path)
      if (isMet && holds) verdicts.push({ found: await find(path) })
      if (!isMet && !holds) verdicts.push(await failed(path))
    }
    return verdicts
  }
}

interface Failing {
  readonly at: number
  readonly step: PathStep
  /** The shortest part of the path that leads nowhere. */
  readonly steps: RulePath
}

async function failing(path: RulePath, meets: (path: RulePath) => Promise<boolean>): Promise<Failing> {
  for (const [at, step] of path.entries()) {
    const steps = upTo(path, at)
    if (!(await meets(steps))) return { at, step: { ...step, beside: everyRecord }, steps }
  }
  // Each step has some, but none of them has all that is asked.
  const at = path.findIndex(({ beside }) => !isForAll(beside))
  return { at, step: path[at] ?? path[0], steps: path }
}

/** A record as it was read, with those that the path leads to from there. */
interface ReadRecord {
  readonly id: string
  readonly next?: ReadRecord | { readonly rows: readonly ReadRecord[]; readonly total: number } | null
}

function foundIn([step, ...more]: readonly PathStep[], from: readonly ReadRecord[]): readonly FoundRecords[] {
  if (!step) return []
  const records: ReadRecord[] = []
  let total = 0
  for (const { next } of from) {
    if (!next) continue
    const rows = "rows" in next ? next.rows : [next]
    records.push(...rows)
    total += "rows" in next ? next.total : 1
  }
  const ids = [...new Set(records.map(({ id }) => id))]
  return [{ relation: step.relation, records: ids, more: total - records.length }, ...foundIn(more, records)]
}
