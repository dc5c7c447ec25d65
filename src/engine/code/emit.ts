// The `emit` of user code: an event about a record becomes a write of the code's own transaction.
import { joinObject } from "../../base/json.ts"
import { type Place, refusal } from "../../base/problem.ts"
import { eventParts } from "../../model/declaration/handlers.ts"
import type { OwnEvent } from "../../model/model.ts"
import type { Actor } from "../../plan/access/actor.ts"
import { startDraft } from "../../plan/draft/draft.ts"
import { wholeOf } from "../../plan/lookup.ts"
import { notFoundText } from "../../plan/not-found.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { readRecord } from "../../plan/read/record.ts"
import type { Value } from "../../plan/read-plan.ts"
import { readMembers } from "../../plan/write/write-call.ts"
import type { Write } from "../../plan/write-plan.ts"
import { type CodeClient, type HandleTransaction, resourceOf } from "./client.ts"
import { wrongOutput } from "./user-code-error.ts"

/** The call that emits. */
interface Emitting {
  readonly transaction: HandleTransaction
  /** The record must be visible to it. */
  readonly actor: Actor
  readonly client: Pick<CodeClient, "track">
  /** Name of the running code, for messages, and its place in the request. */
  readonly what: string
  readonly at: Place
  readonly types: readonly string[]
  /** The action's own record, and its key. */
  readonly own?: { readonly resource: string; readonly key: Value }
}

export type Emit = (type: unknown, payload: unknown, record?: unknown) => Promise<void>

export function createEmit(emitting: Emitting): Emit {
  return (type, payload, record) => {
    const asked = emitting.client.track(() => emit(emitting, String(type), { payload, record }))
    // Code that does not await it fails when it returns; the process goes on.
    asked.catch(() => {})
    return asked
  }
}

interface Emitted {
  readonly payload: unknown
  /** An id; the action's own record when undefined. */
  readonly record: unknown
}

async function emit(emitting: Emitting, type: string, { payload, record }: Emitted): Promise<void> {
  const { transaction, actor, what, types, own } = emitting
  const [name, called] = eventParts(type)
  const whole = wholeOf(actor.model)
  const event = types.includes(type) ? whole.resources.get(name)?.events?.get(called) : undefined
  if (!event) throw new Error(`${what} does not say in \`emits\` that it emits ${quoteInput(type)}.`)
  const resource = resourceOf(actor.model, name)
  const { cursors, fresh } = transaction
  const draft = startDraft({ model: actor.model, cursors, ...(fresh && { fresh }) })
  const isOwn = record === undefined && own?.resource === name
  if (record === undefined && !isOwn) throw new Error(`${what} emits ${type} of no record: give its id.`)
  const by = isOwn
    ? [{ subject: { kind: "id" } as const, slot: draft.bind(own.key).slot }]
    : readRecord(draft, resource, String(record))
  draft.problems.settle()
  if (by === "missing") throw refusal("not_found", notFoundText(name, ` ${quoteInput(record)}`))
  const write: Write = {
    kind: "update",
    resource: name,
    place: [],
    target: { by },
    sets: [],
    touch: true,
    emits: { event: called, payload: draft.bind(payloadText(emitting, event, payload)) },
  }
  const answer = { kind: "constant", key: "none", json: "null" } as const
  const steps = transaction.sameSteps(actor.model, [{ writes: [write], answer, reads: "after" }])
  await transaction.run(draft.finishWrite(steps), actor)

  function payloadText({ at: place }: Emitting, { payload: fields }: OwnEvent, given: unknown): string {
    const read = readMembers(whole, fields, given)
    if ("wrong" in read) throw wrongOutput(`${what}, which emits ${type},`, read.wrong, place)
    return String(joinObject([...read]))
  }
}
