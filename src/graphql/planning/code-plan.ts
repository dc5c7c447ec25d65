// Plans a field of `Mutation` that calls user code.

import { type GraphQLObjectType, getNamedType, isObjectType } from "graphql"
import { invariant } from "../../base/invariant.ts"
import type { Resource } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import type { Draft } from "../../plan/draft/draft.ts"
import type { ActionOperation } from "../../plan/write/operations.ts"
import { type CallEffect, callKey, readAction, readOperation } from "../../plan/write/write-call.ts"
import type { CallMember, Step } from "../../plan/write-plan.ts"
import { type FieldArguments, prepareArguments } from "../document/arguments.ts"
import { collectFields, type FieldGroup, subselections } from "../document/operation.ts"
import type { VariableRequest } from "../document/variables.ts"
import { doneMember } from "../schema/code-types.ts"
import { named, placesOf, readArguments } from "./mutation-plan.ts"
import { enter, fieldOf, type Planning, placeOf, typeName } from "./planning.ts"
import { planRecord } from "./selection.ts"

/** Mistakes in the arguments are among the planning's mistakes; the step is of no use then. */
export function planCall(
  planning: Planning,
  { type, group }: { readonly type: GraphQLObjectType; readonly group: FieldGroup },
  field: ActionOperation,
): Step {
  const { key } = group
  const args = prepareArguments(fieldOf(type, group), group.nodes[0])
  const before = planning.problems.found.length
  const effect = planning.ask({
    read: (draft, asked) => readCall(draft, asked, { field, args, key }),
    keyOf: callKey,
  })
  for (const problem of planning.problems.found.slice(before)) planning.changes.set(problem, problem)
  const gives = planGiven(planning, { type, group }, { field, effect })
  const answer = { kind: "constant", key, json: "null" } as const
  if (!effect) return { writes: [], answer, reads: "after" }
  return { writes: effect.writes, answer, reads: "after", call: { ...effect.call, gives }, nulls: true }
}

interface CallSpot {
  readonly field: ActionOperation
  readonly args: FieldArguments
  /** The response key. */
  readonly key: string
}

function readCall(
  draft: Draft,
  asked: VariableRequest,
  { field: { action, resource }, args, key }: CallSpot,
): CallEffect | undefined {
  const values = readArguments(draft, asked, args, key)
  if (!values) return undefined
  const given = { input: values["input"] ?? {}, place: [key, "input"], at: [key], places: placesOf(key) }
  return resource
    ? readAction(draft, resource, action, { ...given, ...named({ draft, values, key }, resource) })
    : readOperation(draft, action, given)
}

interface Answering {
  readonly field: ActionOperation
  readonly effect: CallEffect | undefined
}

function planGiven(
  planning: Planning,
  { type, group }: { readonly type: GraphQLObjectType; readonly group: FieldGroup },
  { field: { resource }, effect }: Answering,
): readonly CallMember[] {
  const payload = getNamedType(fieldOf(type, group).type)
  invariant(isObjectType(payload), "a payload is an object")
  placeOf(planning, [], group)
  return collectFields(planning, payload, subselections(group)).map((member): CallMember => {
    const { key, name } = member
    if (name === "__typename") return typeName(member, { type: payload })
    if (resource && name === apiName(resource))
      return planResult(planning, { type, group, member }, { resource, effect })
    if (!resource && name === doneMember) return { kind: "constant", key, json: "true" }
    return { kind: "output", key, name }
  })
}

function planResult(
  planning: Planning,
  { type, group, member }: Readonly<{ type: GraphQLObjectType; group: FieldGroup; member: FieldGroup }>,
  { resource, effect }: { readonly resource: Resource; readonly effect: CallEffect | undefined },
): CallMember {
  const root = { type, resource, selections: [], place: [], level: 0 }
  const members = planRecord(planning, enter(planning, enter(planning, root, group), member))
  const { key } = member
  const slot = effect?.call.key
  return slot
    ? { kind: "record", key, resource: resource.name, by: [{ subject: { kind: "id" }, ...slot }], members }
    : { kind: "constant", key, json: "null" }
}
