// Turns a field of `Mutation` into a step of the plan: its writes, and the payload of its answer.

import type { GraphQLError, GraphQLObjectType } from "graphql"
import type { Resource } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import type { Draft } from "../../plan/draft/draft.ts"
import { pageKey } from "../../plan/draft/plan-cache.ts"
import { notFoundText } from "../../plan/not-found.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { readRecord, readUnique, refuseUnshown, unnamed } from "../../plan/read/record.ts"
import { neededField } from "../../plan/read/uses-user-code.ts"
import type { List, ListMember, Member, Root } from "../../plan/read-plan.ts"
import { needsOf, type RecordOperation, readOperation } from "../../plan/write/operations.ts"
import {
  type Effect,
  effectKey,
  type InputAt,
  type Named,
  type Several,
  writtenList,
} from "../../plan/write/write.ts"
import type { Listed } from "../../plan/write/write-transition.ts"
import type { Places, Step } from "../../plan/write-plan.ts"
import { type FieldArguments, prepareArguments } from "../document/arguments.ts"
import { attempt, fromGraphqlError } from "../document/errors.ts"
import { collectFields, type FieldGroup } from "../document/operation.ts"
import type { VariableRequest } from "../document/variables.ts"
import { inputArgumentOf, payloadMembers, uniqueNames } from "../schema/mutation-roots.ts"
import { besideInput } from "./mutation-errors.ts"
import { isNullBoundary } from "./null-boundary.ts"
import { type DocumentPlace, enter, fieldOf, type Planning, placeOf, typeName } from "./planning.ts"
import { planRecord } from "./selection.ts"

/** Mistakes in the arguments are among the planning's mistakes; the step is of no use then. */
export function planChange(
  planning: Planning,
  { type, group }: { readonly type: GraphQLObjectType; readonly group: FieldGroup },
  field: RecordOperation,
): Step {
  const { resource } = field
  const root: DocumentPlace = { type, resource, selections: [], place: [], level: 0 }
  const payload = enter(planning, root, group)
  const args = prepareArguments(fieldOf(type, group), group.nodes[0])
  const change = askChange(planning, { field, args, key: group.key })
  const answer = planPayload(planning, payload, { ...change, key: group.key })
  const writes = change.effect?.writes ?? []
  const { reads = "after" } = needsOf(field.kind)
  const nulls =
    answer.kind !== "list" || isNullBoundary({ model: planning.model, resource }, answer.list.members)
  return { writes, answer, reads, ...(nulls && { nulls }) }
}

interface Change {
  /** Undefined when there are mistakes. */
  readonly effect: Effect | undefined
  /** For several records. */
  readonly list?: Omit<List, "members">
}

interface ChangeSpot {
  readonly field: RecordOperation
  readonly args: FieldArguments
  /** The response key. */
  readonly key: string
}

/** The change is never the same for two requests: ids and moments are new each time. */
function askChange({ ask, changes, problems }: Planning, spot: ChangeSpot): Change {
  const before = problems.found.length
  const change = ask({
    read: (draft, asked): Change => readChange(draft, asked, spot),
    keyOf: ({ effect, list }) => effectKey(effect) + (list ? pageKey(list.page) : ""),
  })
  const { field } = spot
  const unique = field.kind === "upsert" ? uniqueNames(field) : []
  for (const problem of problems.found.slice(before)) changes.set(problem, besideInput(problem, unique))
  return change
}

function readChange(draft: Draft, asked: VariableRequest, { field, args, key }: ChangeSpot): Change {
  const values = readArguments(draft, asked, args, key)
  if (!values) return { effect: undefined }
  const at = { draft, values, key }
  const effect = readOperation(draft, field, {
    input: () => inputOf(at, field),
    named: () => ({ ...namedBy(at, field), place: [key, "id"] }),
    which: () => which(at, field),
  })
  const many = effect && needsOf(field.kind).answers === "many"
  return { effect, ...(many && { list: writtenList(draft, effect) }) }
}

type Values = Readonly<Record<string, unknown>>

/** Undefined when graphql-js refuses the arguments; its error is reported as any other. */
export function readArguments(
  draft: Draft,
  asked: VariableRequest,
  args: FieldArguments,
  key: string,
): Values | undefined {
  const refused = (error: GraphQLError) =>
    draft.problems.add("invalid_value", [key], fromGraphqlError("invalid_value", error).message)
  return attempt(() => Object.fromEntries(args.names.map((name) => [name, args.read(asked, name)])), refused)
}

interface ValuesAt {
  readonly draft: Draft
  readonly values: Values
  readonly key: string
}

/** A transition without input has no such argument: its mistakes have the record's place. */
function inputOf({ values, key }: ValuesAt, field: RecordOperation): InputAt {
  const name = inputArgumentOf(field)
  if (!("transition" in field)) return { input: values[name] ?? {}, place: [key, name] }
  const records = field.kind === "fire" ? "id" : values["ids"] === undefined ? "where" : "ids"
  return { input: values[name], place: [key, field.transition.input.size > 0 ? name : records] }
}

const namedBy = (at: ValuesAt, field: RecordOperation): Named =>
  field.kind === "upsert" ? { by: byUnique(at, field) } : named(at, field.resource)

/** @param key the response key */
export const placesOf = (key: string): Places => ({ version: [key, "ifMatch"] })

/** The record that `id` names, in the version that `ifMatch` names. */
export function named({ draft, values, key }: ValuesAt, resource: Resource) {
  const id = String(values["id"])
  const { ifMatch } = values
  const match = {
    places: placesOf(key),
    ...(typeof ifMatch === "string" && { match: [ifMatch] }),
  }
  const by = readRecord(draft, resource, id)
  if (by !== "missing") return { by, ...match }
  draft.problems.add("not_found", [key, "id"], notFoundText(apiName(resource), ` ${quoteInput(id)}`))
  return { by: unnamed(draft, [{ kind: "id" }]), ...match }
}

function byUnique(
  { draft, key, values: all }: ValuesAt,
  field: Extract<RecordOperation, { readonly kind: "upsert" }>,
): Named["by"] {
  const { resource, unique } = field
  const { [inputArgumentOf(field)]: _, ...values } = all
  const by = readUnique(draft, resource, unique, { values, encoding: "json", place: [key] })
  if (by !== "missing") return by
  if (unique.newest) refuseUnshown(draft, values, [key])
  else
    draft.problems.add(
      "missing_reference",
      [key],
      `There is no record that ${quoteInput(values)} could refer to.`,
    )
  return unnamed(draft, unique.members)
}

/** The records that a condition names; of a transition, `ids` may instead. */
function which({ draft, values, key }: ValuesAt, { kind }: RecordOperation): Several | Listed {
  const { ids, where, maxAffected } = values
  const most = typeof maxAffected === "number" ? maxAffected : undefined
  const place = [key, "maxAffected"]
  if (kind !== "fireMany" || ids === undefined) return { where, wherePlace: [key, "where"], most, place }
  const idsPlace = [key, "ids"]
  if (where !== undefined)
    draft.problems.add("invalid_value", idsPlace, "Say which records by `ids` or by `where`, not by both.")
  return { ids, idsPlace, most, place }
}

function planPayload(
  planning: Planning,
  payload: DocumentPlace,
  { effect, list, key }: Change & { readonly key: string },
): Root {
  const resource = payload.resource.name
  if (list) return { kind: "list", key, resource, list: { ...list, members: planSeveral(planning, payload) } }
  const members = planOne(planning, payload, effect)
  if (!effect) return { kind: "constant", key, json: "null" }
  return { kind: "record", key, resource, by: [{ subject: { kind: "id" }, ...effect.key }], members }
}

function planOne(planning: Planning, payload: DocumentPlace, effect: Effect | undefined): readonly Member[] {
  return fieldsOf(planning, payload).map((group) => {
    const { key, name } = group
    if (name === "__typename") return typeName(group, payload)
    if (effect?.secret && name === payloadMembers(payload.resource).secret)
      return { kind: "secret", key, ...effect.secret }
    if (name !== apiName(payload.resource)) return { kind: "id", key }
    return { kind: "object", key, members: planRecord(planning, enter(planning, payload, group)) }
  })
}

function planSeveral(planning: Planning, payload: DocumentPlace): readonly ListMember[] {
  return fieldsOf(planning, payload).map((group) => {
    const { key, name } = group
    if (name === "__typename") return typeName(group, payload)
    if (name === payloadMembers(payload.resource).affected) return { kind: "total", key }
    const members = planRecord(planning, enter(planning, payload, group))
    const needed = neededField(planning.model, payload.resource, members)
    if (needed !== undefined)
      planning.problems.add(
        "invalid_value",
        placeOf(planning, payload.place, group),
        `\`${needed}\` cannot be asked of several records that are written: if it failed, all would be null as if nothing had been done.`,
        "Ask for it where the records are read.",
      )
    return { kind: "rows", key, members }
  })
}

const fieldsOf = (planning: Planning, { type, selections }: DocumentPlace): readonly FieldGroup[] =>
  collectFields(planning, type, selections)
