// Members of a plan that newer versions of the API have changed, such as `order.total`.

import { match } from "../base/match.ts"
import type { Subject } from "../model/condition.ts"
import type { Field, Model, Resource } from "../model/model.ts"
import { apiName } from "../model/names.ts"
import { resourceNamed, targetOf, transitionsOf } from "./lookup.ts"
import type { Plan } from "./plan.ts"
import { ownEqualities } from "./read/record.ts"
import type { AggregateMember, Filter, List, ListMember, Member, Root } from "./read-plan.ts"
import type { Setting, Step, Target, Write } from "./write-plan.ts"

const none: readonly string[] = []

/** @param plan as a face made it, in the names of its version. Empty for one of the newest version. */
export function deprecatedMembers(plan: Plan): readonly string[] {
  const { model } = plan
  if (!model.newest) return none
  const walk: Walk = { model, found: new Set() }
  if (plan.kind === "read") for (const root of plan.roots) walkRoot(walk, root)
  else for (const step of plan.steps) walkStep(walk, step)
  return [...walk.found]
}

interface Walk {
  readonly model: Model
  readonly found: Set<string>
}

interface Deprecable {
  readonly name: string
  readonly deprecated?: string
}

function meet({ found }: Walk, resource: Resource | undefined, member: Deprecable | undefined): void {
  if (member?.deprecated !== undefined)
    found.add(resource ? `${apiName(resource)}.${member.name}` : member.name)
}

function meetSubject(walk: Walk, resource: Resource, subject: Subject | { readonly kind: "row" }): void {
  if (subject.kind === "field") meet(walk, resource, fieldOf(resource, subject.field))
  if (subject.kind === "reference") meet(walk, resource, resource.relations.get(subject.relation))
}

const fieldOf = (resource: Resource, name: string): Field | undefined =>
  resource.fields.get(name) ?? resource.settable?.get(name)

function walkRoot(walk: Walk, root: Root): void {
  match(root, {
    constant: () => {},
    record: ({ resource: name, by, members }) => {
      const resource = resourceNamed(walk.model, name)
      for (const { subject } of ownEqualities(by)) meetSubject(walk, resource, subject)
      walkMembers(walk, resource, members)
    },
    records: ({ of }) => {
      for (const one of of) walkRoot(walk, one)
    },
    object: ({ of }) => {
      for (const one of of) walkRoot(walk, one)
    },
    list: ({ resource, list }) => walkList(walk, resourceNamed(walk.model, resource), list),
  })
}

function walkMembers(walk: Walk, resource: Resource, members: readonly Member[]): void {
  for (const member of members)
    switch (member.kind) {
      case "field":
        meetSubject(walk, resource, member)
        break
      case "computed":
        meet(walk, resource, resource.computed?.get(member.field)?.field)
        break
      case "reference":
        meetSubject(walk, resource, member)
        break
      case "one":
        meet(walk, resource, resource.relations.get(member.relation))
        walkMembers(walk, targetOf(walk.model, resource, member.relation), member.members)
        break
      case "many":
        meet(walk, resource, resource.relations.get(member.relation))
        walkList(walk, targetOf(walk.model, resource, member.relation), member.list)
        break
      case "object":
        walkMembers(walk, resource, member.members)
        break
      default:
    }
}

function walkList(walk: Walk, resource: Resource, { where, order, members }: List): void {
  if (where) walkFilter(walk, resource, where)
  for (const { path, subject } of order) {
    let at = resource
    for (const relation of path) {
      meet(walk, at, at.relations.get(relation))
      at = targetOf(walk.model, at, relation)
    }
    meetSubject(walk, at, subject)
  }
  walkListMembers(walk, resource, members)
}

function walkListMembers(walk: Walk, resource: Resource, members: readonly ListMember[]): void {
  for (const member of members)
    switch (member.kind) {
      case "rows":
        walkMembers(walk, resource, member.members)
        break
      case "aggregate":
        walkMeasures(walk, resource, member.members)
        break
      case "groups":
        for (const subject of member.groups.by) meetSubject(walk, resource, subject)
        walkMeasures(walk, resource, member.groups.members)
        break
      case "object":
        walkListMembers(walk, resource, member.members)
        break
      default:
    }
}

function walkMeasures(walk: Walk, resource: Resource, members: readonly AggregateMember[]): void {
  for (const member of members)
    if (member.kind === "measure") meet(walk, resource, fieldOf(resource, member.field))
    else if (member.kind === "object") walkMeasures(walk, resource, member.members)
}

function walkFilter(walk: Walk, resource: Resource, filter: Filter): void {
  const into = (relation: string, of: Filter): void => {
    meet(walk, resource, resource.relations.get(relation))
    walkFilter(walk, targetOf(walk.model, resource, relation), of)
  }
  match(filter, {
    and: ({ of }) => {
      for (const one of of) walkFilter(walk, resource, one)
    },
    or: ({ of }) => {
      for (const one of of) walkFilter(walk, resource, one)
    },
    not: ({ of }) => walkFilter(walk, resource, of),
    compare: ({ subject }) => meetSubject(walk, resource, subject),
    isNull: ({ subject }) => meetSubject(walk, resource, subject),
    related: ({ relation, of }) => into(relation, of),
    quantified: ({ relation, of }) => into(relation, of),
    together: () => undefined,
    settled: () => undefined,
  })
}

function walkStep(walk: Walk, { writes, answer, call }: Step): void {
  for (const write of writes) if (!write.cascade) walkWrite(walk, write)
  walkRoot(walk, answer)
  if (!call) return
  const resource = call.resource === undefined ? undefined : resourceNamed(walk.model, call.resource)
  meet(walk, resource, (resource ? resource.actions : walk.model.operations)?.get(call.name))
  for (const given of call.gives) if (given.kind !== "output") walkRoot(walk, given)
}

function walkWrite(walk: Walk, write: Write): void {
  const resource = resourceNamed(walk.model, write.resource)
  if ("target" in write) walkTarget(walk, resource, write.target)
  if ("sets" in write) for (const set of write.sets) meetSetting(walk, resource, set)
  if (write.kind === "find") walkFilter(walk, resource, write.where)
  if (write.kind === "link" || write.kind === "unlink")
    meet(walk, resource, resource.relations.get(write.relation))
  if (write.kind === "update" && write.fires) {
    const { transition: name } = write.fires
    meet(
      walk,
      resource,
      transitionsOf(resource).find((one) => one.name === name),
    )
  }
}

function walkTarget(walk: Walk, resource: Resource, { by, linked }: Target): void {
  for (const { subject } of ownEqualities(by)) meetSubject(walk, resource, subject)
  if (!linked) return
  const from = resourceNamed(walk.model, linked.resource)
  meet(walk, from, from.relations.get(linked.relation))
}

/** Former fields are set as the fields that they become. */
function meetSetting(walk: Walk, resource: Resource, { subject, newest, byDefault }: Setting): void {
  if (byDefault) return
  if (!newest) {
    meetSubject(walk, resource, subject)
    return
  }
  if (subject.kind !== "field") return
  for (const field of (resource.settable ?? resource.fields).values())
    if (field.lens?.writes.has(subject.field)) meet(walk, resource, field)
}
