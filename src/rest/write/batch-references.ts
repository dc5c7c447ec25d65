// `{"$ref": "c.id"}` in a body of a batch: the id of the record of an earlier request, wherever an id may stand.
import type { Place } from "../../base/problem.ts"
import type { Resource } from "../../model/model.ts"
import type { Draft } from "../../plan/draft/draft.ts"
import { hintFor } from "../../plan/hints.ts"
import { targetOf } from "../../plan/lookup.ts"
import { isObject, PendingKey } from "../../plan/pending-key.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { type Action, inputMembers, type Verb } from "../../plan/write/inputs.ts"
import type { WriteRoute } from "../http/route.ts"

interface Input {
  readonly input: unknown
  readonly place: Place
  /** By what paths call them: `$c.id`. */
  readonly earlier: ReadonlyMap<string, PendingKey>
}

/** The input with the keys that it refers to; a reference to nothing is among the draft's problems. */
export function resolveReferences(draft: Draft, route: WriteRoute, given: Input): unknown {
  const { model } = draft
  switch (route.kind) {
    case "create":
    case "createMany":
      return eachOf(given, (one) => resolveRecord(draft, route.resource, "create", one))
    case "createRelated":
      return resolveRecord(draft, targetOf(model, route.resource, route.relation.name), "create", given)
    case "update":
    case "updateMany":
      return resolveRecord(draft, route.resource, "update", given)
    case "replace": {
      // PUT creates or updates: its caller's model may have only one of these.
      const input = resolveRecord(draft, route.resource, "create", given)
      return resolveRecord(draft, route.resource, "update", { ...given, input })
    }
    default:
      return given.input
  }
}

/** For each item where there is a list. */
function eachOf(given: Input, resolve: (one: Input) => unknown): unknown {
  const { input, place } = given
  if (!Array.isArray(input)) return resolve(given)
  return input.map((item, index) => resolve({ ...given, input: item, place: [...place, index] }))
}

function resolveRecord(draft: Draft, resource: Resource, action: Action, given: Input): unknown {
  const { input, place } = given
  const members = inputMembers(draft.model, resource, action)
  if (!isObject(input) || !members) return input
  const resolved = Object.entries(input).map(([name, value]): [string, unknown] => {
    const member = members.get(name)
    const inner = { ...given, input: value, place: [...place, name] }
    if (member?.kind === "reference")
      return [name, resolveId(draft, targetOf(draft.model, resource, member.relation.name), inner)]
    if (member?.kind !== "relation" || !isObject(value)) return [name, value]
    const target = targetOf(draft.model, resource, name)
    const verbs = Object.entries(value).map(([verb, item]): [string, unknown] => {
      const spot = { ...inner, input: item, place: [...inner.place, verb] }
      return [verb, eachOf(spot, (one) => resolveItem(draft, target, verb as Verb, one))]
    })
    return [name, Object.fromEntries(verbs)]
  })
  return Object.fromEntries(resolved)
}

function resolveItem(draft: Draft, target: Resource, verb: Verb, given: Input): unknown {
  const { input, place } = given
  if (verb === "create") return resolveRecord(draft, target, "create", given)
  if (verb !== "update") return resolveId(draft, target, given)
  if (!isObject(input) || !("id" in input && "input" in input))
    return resolveRecord(draft, target, "update", given)
  return {
    ...input,
    id: resolveId(draft, target, { ...given, input: input["id"], place: [...place, "id"] }),
    input: resolveRecord(draft, target, "update", {
      ...given,
      input: input["input"],
      place: [...place, "input"],
    }),
  }
}

function resolveId(draft: Draft, target: Resource, { input, place, earlier }: Input): unknown {
  if (!isObject(input) || typeof input["$ref"] !== "string" || Object.keys(input).length !== 1) return input
  const known = earlier.get(`$${input["$ref"]}`)
  if (known) return known
  const { message, hint } = unknownReference(input["$ref"], earlier)
  draft.problems.add("invalid_value", place, message, hint)
  // Reported once.
  return new PendingKey(target, draft.pending())
}

/** The problem for a name that no earlier request's record has. */
export function unknownReference(
  name: string,
  earlier: Input["earlier"],
): { readonly message: string; readonly hint: string } {
  const names = [...earlier.keys()].map((known) => known.slice(1))
  return {
    message: `${quoteInput(name)} is not the id of a record of an earlier request.`,
    hint: hintFor(name, names) ?? 'Give the earlier request an id such as "c", and refer to "c.id".',
  }
}
