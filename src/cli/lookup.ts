// Looks a record up for an actor, by a plan through the engine.
import { randomBytes } from "node:crypto"
import { invariant } from "../base/invariant.ts"
import { createEngine } from "../engine/engine.ts"
import type { Resource } from "../model/model.ts"
import type { Actor } from "../plan/access/actor.ts"
import { createCursors } from "../plan/draft/cursor.ts"
import { startDraft } from "../plan/draft/draft.ts"
import { readRecord } from "../plan/read/record.ts"
import type { RecordRoot } from "../plan/read-plan.ts"
import type { Storage } from "../storage/storage.ts"

/** @param id with its prefix or without */
export type Lookup = (actor: Actor, resource: Resource, id: string) => Promise<boolean>

export function createLookup(storage: Storage): Lookup {
  // Nothing here gives or takes one.
  const cursors = createCursors(randomBytes(32).toString("hex"))
  const { answer } = createEngine({ storage, cursors })
  return async (actor, resource, id) => {
    const draft = startDraft({ model: actor.model, cursors })
    const by = readRecord(draft, resource, id)
    if (by === "missing") return false
    const root: RecordRoot = {
      kind: "record",
      key: "record",
      resource: resource.name,
      by,
      members: [{ kind: "id", key: "id" }],
    }
    const { roots } = await answer(draft.finish([root]), actor)
    invariant(roots.length === 1, "one root has one answer")
    return roots[0] !== null
  }
}
