// Looks a record up for an actor, by a plan through the engine.
import { randomBytes } from "node:crypto"
import { invariant } from "../base/invariant.ts"
import { textOf } from "../base/json.ts"
import { createEngine } from "../engine/engine.ts"
import type { Resource } from "../model/model.ts"
import type { Actor } from "../plan/access/actor.ts"
import { createCursors } from "../plan/draft/cursor.ts"
import { type Draft, startDraft } from "../plan/draft/draft.ts"
import { readRecord } from "../plan/read/record.ts"
import type { Member, RecordRoot } from "../plan/read-plan.ts"
import type { Storage } from "../storage/storage.ts"

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

export function createRecordReader(storage: Storage): RecordReader {
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
