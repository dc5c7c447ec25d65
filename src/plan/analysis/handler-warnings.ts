// Warnings about handlers: one for a state that it never sees is never called.
import { eventParts } from "../../model/declaration/handlers.ts"
import type { Handler, Model } from "../../model/model.ts"
import { visibleModelOf } from "../access/visible-model.ts"
import type { RuleNote } from "./rule-note.ts"

/** Throws a Refusal when the rules have mistakes. */
export const handlerNotes = (model: Model): readonly RuleNote[] =>
  [...(model.handlers?.values() ?? [])].flatMap((handler) =>
    (handler.types ?? [])
      .filter((event) => !isEverSeen(model, handler, event))
      .map((event) => ({
        place: ["code", "on", event],
        what: `the handler "${handler.name}" is never called, since it does not see this state`,
        hint: "Say in as who it is, or have it handle all events of the resource.",
      })),
  )

/** Whether the handler sees, of some record, the field of a machine that leads to the state; true of what is no state. */
function isEverSeen(model: Model, { resource, as }: Handler, event: string): boolean {
  const [, state] = eventParts(event)
  const machines = [...(model.resources.get(resource)?.machines.values() ?? [])].filter(({ transitions }) =>
    [...transitions.values()].some(({ to }) => to === state),
  )
  const own = visibleModelOf(model, { signedIn: true, viewer: false, ...as }).resources.get(resource)
  return machines.length === 0 || machines.some(({ name }) => own?.fields.has(name) === true)
}
