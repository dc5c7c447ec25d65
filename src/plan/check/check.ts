// The last check before a plan is compiled. A plan that is too deep is the client's mistake. An unknown name, an unbound
// slot or an order that is not total is a bug of ours.
import { invariant } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import { refusal } from "../../base/problem.ts"
import type { Subject } from "../../model/condition.ts"
import type { Resource } from "../../model/model.ts"
import { isSortable } from "../../model/operators.ts"
import { type PlacedFilter, type Selected, visitFilter, visitSelected } from "../fold.ts"
import {
  endOf,
  fieldNamed,
  newestOf,
  relationNamed,
  resourceNamed,
  subjectName,
  transitionNamed,
  transitionsOf,
  wholeOf,
} from "../lookup.ts"
import { answersModel } from "../plan.ts"
import type {
  Filter,
  Keyset,
  List,
  Member,
  OrderTerm,
  Page,
  ReadPlan,
  RecordRoot,
  Slot,
  TransitionMember,
} from "../read-plan.ts"
import type { Write, WritePlan } from "../write-plan.ts"

/** @throws Refusal `too_deep` when selections or conditions are nested deeper than the service allows. */
export function check(plan: ReadPlan): void {
  visitSelected(plan.model, plan.roots, (one) =>
    match<Selected, void>(one, {
      constant: () => {},
      record: ({ resource, record }) => checkRecord(plan, resource, record),
      list: ({ resource, list }) => checkList(plan, resource, list),
      member: ({ resource, level, member }) => checkMember({ plan, resource, level }, member),
      listMember: ({ resource, member }) => {
        if (member.kind !== "groups") return
        checkSlot(plan, member.groups.limit)
        for (const subject of member.groups.by) checkSubject(resource, subject)
      },
      aggregate: ({ resource, member, groups }) => {
        if (member.kind === "measure") checkSubject(resource, { kind: "field", field: member.field })
        else if (member.kind === "group")
          invariant(member.index < (groups?.by.length ?? 0), `there is no group ${member.index}`)
      },
    }),
  )
}

function checkRecord(plan: ReadPlan, resource: Resource, { by, image, members, bare }: RecordRoot): void {
  const { name } = resource
  invariant(
    by.length > 0 !== (image !== undefined),
    `a record of ${name} is named, or there is an image of it`,
  )
  invariant(!bare || members.length === 1, "a bare record has exactly one member")
  for (const { subject, slot, former } of by) {
    checkSubject(former ? resourceNamed(newestOf(plan.model), name) : resource, subject)
    checkSlot(plan, { slot })
  }
  if (image) checkSlot(plan, image)
  if (image?.where) checkFilter(plan, resource, image.where)
}

/** The resource that names are looked up in, and how many relations lead there. */
interface Spot {
  readonly plan: ReadPlan
  readonly resource: Resource
  readonly level: number
}

function checkMember(spot: Spot, member: Member): void {
  const { plan, resource } = spot
  match<Member, void>(member, {
    id: (id) => checkSubject(resource, id),
    field: (field) => checkSubject(resource, field),
    reference: (reference) => checkSubject(resource, reference),
    one: ({ relation }) => checkRelation(spot, relation, "one"),
    many: ({ relation }) => checkRelation(spot, relation, "many"),
    version: () => invariant(resource.key, `${resource.name} has no versions`),
    secret: (slot) => checkSlot(plan, slot),
    transitions: ({ members }) => checkTransitions(resource, members),
    computed: ({ field }) =>
      invariant(resource.computed?.has(field), `nothing computes ${field} of ${resource.name}`),
    cursor: () => {},
    object: () => {},
    constant: () => {},
  })
}

function checkTransitions(resource: Resource, members: readonly TransitionMember[]): void {
  for (const { name, access } of transitionsOf(resource)) {
    invariant(access, `somebody has said who may ${name}`)
    for (const member of members)
      invariant(
        member.kind !== "said" || Object.hasOwn(member.of, name),
        `something is said of ${name}, as of others`,
      )
  }
}

function checkRelation({ plan, resource, level }: Spot, relation: string, kind: "one" | "many"): void {
  invariant(
    relationNamed(resource, relation).kind === kind,
    `${relation} of ${resource.name} is not to-${kind}`,
  )
  const deepest = plan.model.limits.depth
  if (level >= deepest) throw refusal("too_deep", `Relations may be nested at most ${deepest} deep.`)
}

function checkList(plan: ReadPlan, resource: Resource, { where, order, page }: List): void {
  if (where) checkFilter(plan, resource, where)
  checkOrder(plan, resource, order)
  checkPage(plan, order, page)
}

function checkFilter(plan: ReadPlan, of: Resource, where: Filter): void {
  const deepest = plan.model.limits.depth
  const visit = ({ filter, resource, level }: PlacedFilter): void => {
    // A condition of several comparisons is an `and` of our own, which the request did not nest.
    if (level > 2 * deepest + 1)
      throw refusal("too_deep", `A condition may be nested at most ${deepest} deep.`)
    const isTo = (relation: string, kind: "one" | "many"): void =>
      invariant(relationNamed(resource, relation).kind === kind, `${relation} is not to-${kind}`)
    match<Filter, void>(filter, {
      ...{ and: () => {}, or: () => {}, not: () => {} },
      compare: ({ subject, operand }) => {
        checkSubject(resource, subject)
        checkSlot(plan, operand)
      },
      isNull: ({ subject }) => checkSubject(resource, subject),
      related: ({ relation }) => isTo(relation, "one"),
      quantified: ({ relation }) => isTo(relation, "many"),
      together: () => invariant(false, "no request asks what is made together"),
      settled: () => invariant(false, "no request asks what was settled"),
    })
  }
  visitFilter(plan.model, { filter: where, resource: of, isOwn: true, level: 0 }, visit)
}

function checkOrder({ model }: ReadPlan, resource: Resource, order: readonly OrderTerm[]): void {
  for (const { path, subject } of order) {
    const holder = endOf(model, resource, path)
    if (subject.kind === "row") invariant(resource.tiebreak === "row", `${resource.name} has no row identity`)
    else checkSubject(holder, subject)
    if (subject.kind !== "field") continue
    // The tie-break may be a text that clients cannot order by.
    const { scalar, list } = fieldNamed(holder, subject.field)
    invariant(isSortable({ scalar, list }), `${subject.field} of ${holder.name} has no order`)
  }
  const own = order.filter(({ path }) => path.length === 0).map(({ subject }) => subject.kind)
  invariant(resource.tiebreak !== "key" || own.includes("id"), `the order of ${resource.name} lacks its key`)
  invariant(
    resource.tiebreak !== "row" || own.includes("row"),
    `the order of ${resource.name} lacks its rows`,
  )
}

function checkPage(
  plan: ReadPlan,
  order: readonly OrderTerm[],
  { limit, atMost, after, before }: Page,
): void {
  checkSlot(plan, limit)
  invariant(Number(plan.values[limit.slot]) <= atMost, "a page is at most as large as its shape says")
  if (after) checkKeyset(plan, order, after)
  if (before) checkKeyset(plan, order, before)
}

function checkKeyset(plan: ReadPlan, order: readonly OrderTerm[], keyset: Keyset): void {
  invariant(keyset.length === order.length, "a position has one entry per term of the order")
  for (const [index, slot] of keyset.entries()) {
    if (slot) checkSlot(plan, slot)
    else invariant(order[index]?.nulls, "a position is null where the order has no nulls")
  }
}

function checkSubject(resource: Resource, subject: Subject): void {
  if (subject.kind === "id") invariant(resource.key, `${resource.name} has no id`)
  if (subject.kind === "field") fieldNamed(resource, subject.field)
  if (subject.kind === "reference") subjectName(resource, subject)
}

function checkSlot({ values }: ReadPlan, { slot }: Slot): void {
  invariant(slot in values, `nothing is bound to slot ${slot}`)
}

// The last check before a write is compiled, as check.ts is for reads: a failure is our bug.

/** @throws Refusal `too_deep` when the selection is nested deeper than the service allows. */
export function checkWrite(plan: WritePlan): void {
  const { model, steps, values } = plan
  const answers = answersModel(plan)
  for (const { answer, writes, call } of steps) {
    const records = call?.gives.filter((given) => given.kind === "record") ?? []
    if (records.length > 0) check({ kind: "read", model: answers, roots: records, values })
    check({ kind: "read", model: answers, roots: [answer], values })
    for (const write of writes) {
      const isInAnswers = write.kind === "find" || write.kind === "only"
      checkOne({ model: isInAnswers ? answers : model, values }, write)
    }
  }
}

function checkOne({ model, values }: Pick<WritePlan, "model" | "values">, write: Write): void {
  // Set fields may be invisible to the caller.
  const resource = resourceNamed(wholeOf(model), write.resource)
  const bound = (slot: Slot | undefined): void =>
    invariant(!slot || slot.slot in values, `nothing is bound to slot ${slot?.slot}`)
  if ("key" in write) bound(write.key)
  if ("match" in write) bound(write.match)
  if ("into" in write) bound(write.into)
  if ("fires" in write && write.fires) {
    bound(write.fires.input)
    transitionNamed(resourceNamed(model, write.resource), write.fires.transition)
  }
  if ("emits" in write && write.emits) {
    bound(write.emits.payload)
    const { event } = write.emits
    invariant(resource.events?.has(event), `${resource.name} has the event ${event}`)
  }
  if ("relation" in write && write.relation !== undefined)
    relationNamed(write.kind === "only" ? resourceNamed(model, write.resource) : resource, write.relation)
  if ("target" in write) {
    invariant(write.target.by.length > 0, `a ${write.resource} is written that nothing names`)
    for (const { subject, slot } of write.target.by) checkSet(resource, subject, () => bound({ slot }))
  }
  if (!("sets" in write)) return
  invariant(resource.writable, `${resource.name} is not written`)
  for (const { subject, slot } of write.sets) checkSet(resource, subject, () => bound({ slot }))
}

function checkSet(resource: Resource, subject: Subject, checkSlot: () => void): void {
  if (subject.kind === "field") fieldNamed(resource, subject.field)
  else if (subject.kind === "reference") subjectName(resource, subject)
  else invariant(resource.key, `${resource.name} has a key`)
  checkSlot()
}
