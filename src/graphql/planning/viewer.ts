// Plans the root field `viewer`: the caller.
import { type GraphQLObjectType, getNamedType, isObjectType } from "graphql"
import { invariant, present } from "../../base/invariant.ts"
import {
  type AllowanceMember,
  limitsField,
  type ViewerFact,
  type ViewerLimit,
  viewerAllowance,
  viewerFact,
  viewerFacts,
  viewerLimits,
  viewerRecord,
  viewerResource,
} from "../../plan/access/viewer.ts"
import type { Root } from "../../plan/read-plan.ts"
import { collectFields, type FieldGroup, subselections } from "../document/operation.ts"
import type { Planning } from "./planning.ts"
import { planRecord } from "./selection.ts"

/** Null for anonymous callers. */
export function planViewer(planning: Planning, type: GraphQLObjectType, group: FieldGroup): Root {
  const { model, operation } = planning
  const { key } = group
  const of = collectFields(planning, type, subselections(group)).map((inner): Inner => {
    if (inner.name === "__typename") return constant(inner.key, JSON.stringify(type.name))
    if (isFact(inner.name)) return constant(inner.key, viewerFact(model, inner.name))
    if (inner.name === limitsField) return constant(inner.key, allowance(planning, type, inner))
    const resource = viewerResource(model)
    const record = resource && operation.schema.getType(resource.type)
    invariant(resource && isObjectType(record), `the viewer has ${inner.name}`)
    const place = [key, inner.key]
    const spot = { type: record, resource, selections: subselections(inner), place, level: 0 }
    return viewerRecord(resource, inner.key, planRecord(planning, spot))
  })
  return model.audience?.signedIn ? { kind: "object", key, of } : constant(key, "null")
}

/** The caller's limits: known when the request is answered. */
function allowance(planning: Planning, type: GraphQLObjectType, group: FieldGroup): string {
  const of = getNamedType(present(type.getFields()[limitsField], "the viewer has limits").type)
  invariant(isObjectType(of), "limits are an object")
  const members = collectFields(planning, of, subselections(group)).map(({ key, name }): AllowanceMember => {
    if (name === "__typename") return [key, { constant: of.name }]
    invariant(isLimit(name), `limits have ${name}`)
    return [key, name]
  })
  return viewerAllowance(members)
}

const isLimit = (name: string): name is ViewerLimit => (viewerLimits as readonly string[]).includes(name)

type Inner = Extract<Root, { readonly kind: "object" }>["of"][number]

const isFact = (name: string): name is ViewerFact => (viewerFacts as readonly string[]).includes(name)

const constant = (key: string, json: string) => ({ kind: "constant", key, json }) as const
