// Members of a plan that newer versions of the API have changed, such as `order.total`.
import type { Subject } from "../model/condition.ts"
import type { Field, Model, Resource } from "../model/model.ts"
import { apiName } from "../model/names.ts"
import { placedParts, selectedIn } from "./fold.ts"
import { resourceNamed, targetOf, transitionsOf } from "./lookup.ts"
import type { Plan } from "./plan.ts"
import { ownEqualities } from "./read/record.ts"
import type { Filter, List, Member, Root } from "./read-plan.ts"
import type { Setting, Step, Target, Write } from "./write-plan.ts"

/** @param plan as a face made it, in the names of its version. Empty for one of the newest version. */
export function deprecatedMembers(plan: Plan): readonly string[] {
  const { model } = plan
  if (!model.newest) return []
  const walk: Walk = { model, found: new Set() }
  if (plan.kind === "read") meetSelected(walk, plan.roots)
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

function meetSelected(walk: Walk, roots: readonly Root[]): void {
  for (const one of selectedIn(walk.model, roots)) {
    if (one.kind === "record")
      for (const { subject } of ownEqualities(one.record.by)) meetSubject(walk, one.resource, subject)
    if (one.kind === "list") meetList(walk, one.resource, one.list)
    if (one.kind === "member") meetMember(walk, one.resource, one.member)
    if (one.kind === "listMember" && one.member.kind === "groups")
      for (const subject of one.member.groups.by) meetSubject(walk, one.resource, subject)
    if (one.kind === "aggregate" && one.member.kind === "measure")
      meet(walk, one.resource, fieldOf(one.resource, one.member.field))
  }
}

function meetMember(walk: Walk, resource: Resource, member: Member): void {
  if (member.kind === "field" || member.kind === "reference") meetSubject(walk, resource, member)
  if (member.kind === "computed") meet(walk, resource, resource.computed?.get(member.field)?.field)
  if (member.kind === "one" || member.kind === "many")
    meet(walk, resource, resource.relations.get(member.relation))
}

function meetList(walk: Walk, resource: Resource, { where, order }: List): void {
  if (where) meetFilter(walk, resource, where)
  for (const { path, subject } of order) {
    let at = resource
    for (const relation of path) {
      meet(walk, at, at.relations.get(relation))
      at = targetOf(walk.model, at, relation)
    }
    meetSubject(walk, at, subject)
  }
}

function meetFilter(walk: Walk, of: Resource, where: Filter): void {
  for (const { filter, resource } of placedParts(walk.model, of, where)) {
    if ("subject" in filter) meetSubject(walk, resource, filter.subject)
    if (filter.kind === "related" || filter.kind === "quantified")
      meet(walk, resource, resource.relations.get(filter.relation))
  }
}

function walkStep(walk: Walk, { writes, answer, call }: Step): void {
  for (const write of writes) if (!write.cascade) walkWrite(walk, write)
  meetSelected(walk, [answer])
  if (!call) return
  const resource = call.resource === undefined ? undefined : resourceNamed(walk.model, call.resource)
  meet(walk, resource, (resource ? resource.actions : walk.model.operations)?.get(call.name))
  meetSelected(
    walk,
    call.gives.filter((given) => given.kind !== "output"),
  )
}

function walkWrite(walk: Walk, write: Write): void {
  const resource = resourceNamed(walk.model, write.resource)
  if ("target" in write) walkTarget(walk, resource, write.target)
  if ("sets" in write) for (const set of write.sets) meetSetting(walk, resource, set)
  if (write.kind === "find") meetFilter(walk, resource, write.where)
  if (write.kind === "link" || write.kind === "unlink")
    meet(walk, resource, resource.relations.get(write.relation))
  const { transition: fired } = (write.kind === "update" && write.fires) || {}
  for (const transition of transitionsOf(resource))
    if (transition.name === fired) meet(walk, resource, transition)
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
