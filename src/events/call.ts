// One call of a handler: what it is given, and how long it may take.
import { present } from "../base/invariant.ts"
import type { OwnHandle } from "../engine/handle.ts"
import { inTime } from "../engine/in-time.ts"
import type { Handler, Model } from "../model/model.ts"
import { type Actor, everybodyOf } from "../plan/actor.ts"
import { audienceOf } from "../plan/audience.ts"
import { readId } from "../plan/ids.ts"
import { wholeOf } from "../plan/names.ts"
import type { LogRow } from "../storage/log-types.ts"
import { eventOf } from "./event.ts"

/** Rejects where the event has to be tried again: with what was thrown, or when the time is over. */
export type CallHandler = (row: LogRow, stop: AbortSignal) => Promise<void>

interface Calling {
  readonly handler: Handler
  readonly actor: Actor
  readonly handleFor: (actor: Actor) => OwnHandle
}

/** Who writes what a handler writes. @param open the model is open to everybody */
export function handlerActor(model: Model, { name, as }: Handler, open: boolean): Actor {
  const called = `handler:${name}`
  if (open) return { ...everybodyOf(model), name: called }
  return { name: called, model: audienceOf(model, { signedIn: true, viewer: false, ...as }), key: null }
}

export function createCall({ handler, actor, handleFor }: Calling): CallHandler {
  const { run, timeout, resource } = handler
  const declared = present(wholeOf(actor.model).resources.get(resource), `there is a resource ${resource}`)
  const late = (): Error => new Error(`It took longer than ${timeout} ms.`)
  return async (row, stop) => {
    const handle = handleFor(actor)
    try {
      await inTime({ milliseconds: timeout, late, stop }, async (signal) => {
        const key = readId(declared, row.record)
        const record = key && (await handle.record(resource, key))
        // It may have been given up meanwhile.
        signal.throwIfAborted()
        await run({ event: eventOf(actor.model, row), record: record ?? undefined, db: handle.db, signal })
        if (handle.end() > 0)
          throw new Error("It returned before what it asked of `db` was done: await everything.")
      })
    } finally {
      handle.end()
    }
  }
}
