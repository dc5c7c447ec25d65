// One call of a handler: what it is given, and how long it may take.
import { present } from "../base/invariant.ts"
import type { CodeClient } from "../engine/code/client.ts"
import { inTime } from "../engine/code/deadline.ts"
import { CallInterrupted, notAwaited } from "../engine/code/user-code-error.ts"
import type { Handler, Model, Resource } from "../model/model.ts"
import { type Actor, everybodyOf, withClaims } from "../plan/access/actor.ts"
import { wholeOf } from "../plan/lookup.ts"
import { readId } from "../plan/values/ids.ts"
import type { Log, LogRow } from "../storage/log-types.ts"
import { pauseAfter } from "./backoff.ts"
import { asksRecord, eventOf, type SeenRecord } from "./event.ts"
import type { CallFollowed, Followed } from "./followed.ts"

interface Calling {
  readonly handler: Handler
  readonly log: Pick<Log, "count">
  readonly actor: Actor
  readonly handleFor: (actor: Actor) => CodeClient
}

/** The actor of a handler's writes. @param open the model is open to everybody */
export function handlerActor(model: Model, { name, as }: Handler, open: boolean): Actor {
  const called = `handler:${name}`
  if (open) return { ...everybodyOf(model), name: called }
  return withClaims(model, { signedIn: true, viewer: false, ...as }, { name: called, key: null })
}

/** @param from as of `Followed` */
export function followedHandler(calling: Calling, from: bigint): Followed {
  const { name, resource, types, retries } = calling.handler
  return {
    name,
    filter: { resource, ...(types && { types }) },
    from,
    call: createCall(calling),
    retry: (attempts) => (attempts > retries ? "people" : pauseAfter(attempts, Math.random())),
  }
}

function createCall({ handler, log, actor, handleFor }: Calling): CallFollowed {
  const { run, timeout, resource, types } = handler
  const { model } = actor
  const declared = present(wholeOf(model).resources.get(resource), `there is a resource ${resource}`)
  const asks = asksRecord(model, resource)
  const late = (): Error => new Error(`It took longer than ${timeout} ms.`)
  const once: CallFollowed = async (row, stop) => {
    const handle = handleFor(actor)
    try {
      await inTime({ milliseconds: timeout, late, stop }, async (signal) => {
        const key = readId(declared, row.record)
        const record = ((key && (await handle.record(resource, key))) ?? undefined) as SeenRecord | undefined
        const same = record && (!asks || (await isSame(log, declared, row)))
        // The call may have been given up meanwhile.
        signal.throwIfAborted()
        const event = eventOf(model, row, same ? record : undefined)
        // To be called at all would say what state the record came to.
        if (types && !types.includes(event.type)) return
        await run({ event, record, db: handle.db, signal })
        if (handle.end() > 0) throw notAwaited()
      })
    } finally {
      handle.end()
    }
  }
  return async (row, stop) => {
    try {
      await once(row, stop)
    } catch (error) {
      if (!(error instanceof CallInterrupted)) throw error
      // No fault of its own, and so no attempt: the second time it is kept from others where it has to be.
      await once(row, stop)
    }
  }
}

/** Whether the record that has the id now is the one that the event is of: ids that people choose come again. */
async function isSame(log: Pick<Log, "count">, { name, key }: Resource, row: LogRow): Promise<boolean> {
  if (key?.origin === "typeid") return true
  if (row.new === null) return false
  const { position, record } = row
  const types = [`${name}.created`, `${name}.deleted`]
  return (await log.count(position, { resource: name, record, types })) === 0
}
