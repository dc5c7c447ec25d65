// From a field of `Mutation` to a step of the plan: what it writes, and the payload that it answers with.

import type { GraphQLError, GraphQLObjectType } from "graphql"
import { match } from "../../base/match.ts"
import type { Resource, Transition } from "../../model/model.ts"
import type { Draft } from "../../plan/draft/draft.ts"
import { notFoundText } from "../../plan/not-found.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { pageKey } from "../../plan/read/plan-cache-keys.ts"
import { readRecord, readUnique, unnamed } from "../../plan/read/record.ts"
import { neededField } from "../../plan/read/uses-user-code.ts"
import type { List, ListMember, Member, Root } from "../../plan/read-plan.ts"
import {
  type Effect,
  effectKey,
  readCreate,
  readCreates,
  readDelete,
  readDeletes,
  readUpdate,
  readUpdates,
  readUpsert,
  writtenList,
} from "../../plan/write/write.ts"
import { readTransition, readTransitions } from "../../plan/write/write-transition.ts"
import type { Step } from "../../plan/write-plan.ts"
import { type FieldArguments, prepareArguments } from "../document/arguments.ts"
import { attempt, fromGraphqlError } from "../document/errors.ts"
import { collectFields, type FieldGroup } from "../document/operation.ts"
import type { VariableRequest } from "../document/variables.ts"
import { inputArgumentOf, type MutationField, payloadMembers, uniqueNames } from "../schema/mutation-roots.ts"
import { holdsNulls } from "./held-nulls.ts"
import { besideInput } from "./mutation-errors.ts"
import { type DocumentPlace, enter, fieldOf, type Planning, placeOf, typeName } from "./planning.ts"
import { planRecord } from "./selection.ts"

/** What is wrong with the arguments is among the planning's mistakes; the step is of no use then. */
export function planChange(
  planning: Planning,
  { type, group }: { readonly type: GraphQLObjectType; readonly group: FieldGroup },
  field: MutationField,
): Step {
  const { resource } = field
  const root: DocumentPlace = { type, resource, selections: [], place: [], level: 0 }
  const payload = enter(planning, root, group)
  const args = prepareArguments(fieldOf(type, group), group.nodes[0])
  const change = askChange(planning, { field, args, key: group.key })
  const answer = planPayload(planning, payload, { ...change, key: group.key })
  const writes = change.effect?.writes ?? []
  const reads = field.kind === "delete" || field.kind === "deleteMany" ? "before" : "after"
  const nulls = answer.kind !== "list" || holdsNulls({ model: planning.model, resource }, answer.list.members)
  return { writes, answer, reads, ...(nulls && { nulls }) }
}

interface Change {
  /** Undefined when there are mistakes. */
  readonly effect: Effect | undefined
  /** Of several records. */
  readonly list?: Omit<List, "members">
}

interface ChangeSpot {
  readonly field: MutationField
  readonly args: FieldArguments
  /** The response key. */
  readonly key: string
}

/** It is never the same for two requests: ids and moments are new each time. */
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
  const { resource } = field
  return match<MutationField, Change>(field, {
    create: () => ({ effect: readCreate(draft, resource, inputOf(at, field)) }),
    createMany: () => several(draft, readCreates(draft, resource, inputOf(at, field))),
    update: () => ({ effect: readOneUpdate(at, field) }),
    updateMany: () =>
      several(draft, readUpdates(draft, resource, { ...which(at), input: inputOf(at, field) })),
    upsert: (upsert) => ({ effect: readOneUpsert(at, upsert) }),
    delete: () => ({
      effect: readDelete(draft, resource, { ...named(at, resource), place: [key, "id"] }),
    }),
    deleteMany: () => several(draft, readDeletes(draft, resource, which(at))),
    fire: ({ transition }) => {
      const input = givenWith(at, transition, "id")
      return { effect: readTransition(draft, resource, transition, { ...named(at, resource), ...input }) }
    },
    fireMany: ({ transition }) => several(draft, readFireMany(at, resource, transition)),
  })
}

const several = (draft: Draft, effect: Effect | undefined): Change => ({
  effect,
  ...(effect && { list: writtenList(draft, effect) }),
})

type Values = Readonly<Record<string, unknown>>

/** Undefined when graphql-js refuses the arguments, whose mistake then is told as every other. */
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

/** What takes no input is written as if it were given an empty one. */
function inputOf({ values, key }: ValuesAt, field: MutationField) {
  const name = inputArgumentOf(field)
  return { input: values[name] ?? {}, place: [key, name] }
}

function readOneUpdate(at: ValuesAt, field: MutationField): Effect | undefined {
  const input = inputOf(at, field)
  return readUpdate(at.draft, field.resource, { ...named(at, field.resource), ...input, absent: "keep" })
}

/** The record that `id` names, in the version that `ifMatch` names. */
export function named({ draft, values, key }: ValuesAt, resource: Resource) {
  const id = String(values["id"])
  const { ifMatch } = values
  const match = typeof ifMatch === "string" ? { match: [ifMatch] } : {}
  const by = readRecord(draft, resource, id)
  if (by !== "missing") return { by, ...match }
  draft.problems.add("not_found", [key, "id"], notFoundText(resource.name, ` ${quoteInput(id)}`))
  return { by: unnamed(draft, [{ kind: "id" }]), ...match }
}

function readOneUpsert(
  at: ValuesAt,
  field: Extract<MutationField, { readonly kind: "upsert" }>,
): Effect | undefined {
  const { draft, key } = at
  const { resource, unique } = field
  const { [inputArgumentOf(field)]: _, ...values } = at.values
  const by = readUnique(draft, resource, unique, { values, encoding: "json", place: [key] })
  if (by === "missing")
    draft.problems.add(
      "missing_reference",
      [key],
      `There is no record that ${quoteInput(values)} could refer to.`,
    )
  const target = by === "missing" ? unnamed(draft, unique.members) : by
  return readUpsert(draft, resource, { ...inputOf(at, field), by: target, absent: "keep" })
}

function which({ values, key }: ValuesAt) {
  const { where, maxAffected } = values
  const most = typeof maxAffected === "number" ? maxAffected : undefined
  return { where, wherePlace: [key, "where"], most, place: [key, "maxAffected"] }
}

/** A transition that takes nothing has no such argument: what is wrong then is wrong with the record. */
const givenWith = ({ values, key }: ValuesAt, { input }: Transition, record: string) => ({
  input: values["input"],
  place: [key, input.size > 0 ? "input" : record],
})

function readFireMany(at: ValuesAt, resource: Resource, transition: Transition): Effect | undefined {
  const { draft, values, key } = at
  const { ids, where } = values
  if (ids === undefined)
    return readTransitions(draft, resource, transition, {
      ...which(at),
      input: givenWith(at, transition, "where"),
    })
  const idsPlace = [key, "ids"]
  if (where !== undefined)
    draft.problems.add("invalid_value", idsPlace, "Say which records by `ids` or by `where`, not by both.")
  const { most, place } = which(at)
  const input = givenWith(at, transition, "ids")
  return readTransitions(draft, resource, transition, { ids, idsPlace, most, place, input })
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
    if (name !== payload.resource.name) return { kind: "id", key }
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
