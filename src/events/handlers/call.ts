// One call of a handler: its arguments and its deadline.
import { spanned } from "../../base/tracing.ts"
import { type CodeClient, codeRecord } from "../../engine/code/client.ts"
import { inTime, untilStarted } from "../../engine/code/deadline.ts"
import { CallInterrupted, notAwaited } from "../../engine/code/user-code-error.ts"
import type { Handler, Model } from "../../model/model.ts"
import { type Actor, everybodyOf, withClaims } from "../../plan/access/actor.ts"
import type { EventReader } from "../log/event-reader.ts"
import { createSight } from "../log/sight.ts"
import { handledEvent } from "./event.ts"
import { type CallFollowed, type Followed, handlerFilter, longestPause, pauseAfter } from "./followed.ts"

interface Calling {
  /** The whole service. */
  readonly model: Model
  readonly handler: Handler
  readonly reader: EventReader
  readonly actor: Actor
  readonly handleFor: (actor: Actor) => CodeClient
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined
}

/** The actor of a handler's writes. @param open the model is open to everybody */
export function handlerActor(model: Model, { name, as }: Handler, open: boolean): Actor {
  const called = `handler:${name}`
  if (open) return { ...everybodyOf(model), name: called }
  return withClaims(model, { signedIn: true, viewer: false, ...as }, { name: called, key: null })
}

export function followedHandler(calling: Calling): Followed {
  const { model, handler } = calling
  const { name, retries } = handler
  return {
    name,
    filter: handlerFilter(model, handler),
    // The runner has given it one before.
    from: async () => 0n,
    call: createCall(calling),
    longestPause,
    retry: (attempts) => (attempts > retries ? "people" : pauseAfter(attempts, Math.random())),
  }
}

function createCall({ handler, reader, actor, handleFor, now }: Calling): CallFollowed {
  const { name, run, timeout, resource, types } = handler
  const { model } = actor
  // A handler that sees nothing of the resource receives the record's id only.
  const sight = model.resources.has(resource)
    ? createSight({ model, resource, conditions: [], place: [], record: codeRecord })
    : undefined
  const late = (): Error => new Error(`The handler took longer than ${timeout} ms.`)
  const once: CallFollowed = async (row, stop) => {
    await untilStarted(run)
    const handle = handleFor(actor)
    try {
      await inTime({ milliseconds: timeout, late, stop }, async (signal) => {
        const { entry, record } = sight ? await reader.show(row, actor, sight) : {}
        // The call may have been given up meanwhile.
        signal.throwIfAborted()
        const event = handledEvent(row, entry)
        // To be called at all would say what state the record came to.
        if (types && !types.includes(event.type)) return
        const of = { kind: "handler", name, event: event.type, eventId: event.id } as const
        await spanned(of, async () => {
          await run({ event, record, db: handle.db, now: now ? new Date(now()) : new Date(), signal })
          if (handle.end() > 0) throw notAwaited()
        })
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
