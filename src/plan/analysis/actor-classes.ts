// The kinds of actors that a service's rules tell apart: each role and scope by itself, callers with a viewer's record,
// and those together that the rules ask for together.
import { present } from "../../base/invariant.ts"
import type { Model, Resource } from "../../model/model.ts"
import { actions } from "../../model/policy-declaration.ts"
import { rulesOf } from "../access/policies.ts"
import type { ActionName, ResourceRules, Rule } from "../access/policy-types.ts"
import { type Claims, setsViewer, stranger } from "../access/visible-model.ts"
import { resourceNamed, transitionsOf } from "../lookup.ts"

export interface Kind {
  /** In the form in which actors are named: `anyone`, `signedIn`, `customer:…+role:staff`. */
  readonly title: string
  readonly standing: Claims
  /** The credentials of the class: `viewer`, `role:staff`; with several, all of them. */
  readonly credentials: readonly Credential[]
}

type Credential = "viewer" | `role:${string}` | `scope:${string}`

/** Where several rules come together; what one rule asks for together is looked at whatever it is. */
const mostTogether = 3

/** Those with no or one credential, in the order of the declaration. */
export function singleActorClasses(model: Model): readonly Kind[] {
  const credentials: Credential[] = [
    ...(mentionsViewer(model) ? (["viewer"] as const) : []),
    ...model.roles.map((name): Credential => `role:${name}`),
    ...model.scopes.map((name): Credential => `scope:${name}`),
  ]
  return [
    { title: "anyone", standing: stranger, credentials: [] },
    { title: "signedIn", standing: { ...stranger, signedIn: true }, credentials: [] },
    ...credentials.map((one) => kindOf(model, [one])),
  ]
}

/** Those with several credentials that a rule, or several rules of one record, ask for together; the smallest first. */
export function combinedKinds(model: Model): readonly Kind[] {
  const found = new Map<string, Kind>()
  const { resources, operations } = rulesOf(model)
  const add = (sets: Together): void => {
    for (const set of sets)
      if (set.size > 1) {
        const kind = kindOf(model, inOrder(model, set))
        found.set(kind.title, kind)
      }
  }
  add([...operations.values()].flatMap(together))
  for (const [name, rules] of resources) {
    const resource = resourceNamed(model, name)
    const asked = (action: ActionName): Together => askedBy(rules, action)
    const [read, create, update, remove] = [asked("read"), asked("create"), asked("update"), asked("delete")]
    // A written record has to be readable too, and a field is read and written with its record.
    const written = [create, update, remove].map((sets) => crossed(read, sets))
    const fields = [...rules.fields.values()].flatMap(({ read: seen, write: set }) => [
      ...(seen ? [crossed(together(seen), read)] : []),
      ...(set ? written.map((sets) => crossed(together(set), sets)) : []),
    ])
    const moved = transitionsOf(resource).map((transition) => {
      const { allow } = rules.transitions.get(transition.name) ?? {}
      const may = allow ? together(allow) : asked("update")
      return crossed(read, setsViewer(transition) ? both([may, [new Set<Credential>(["viewer"])]]) : may)
    })
    const called = [...rules.own.values()].map((rule) => crossed(read, together(rule)))
    const computed = computedTogether(model, resource)
    add([read, create, update, remove, ...written, ...fields, ...moved, ...called, ...computed].flat())
  }
  return [...found.values()].toSorted((a, b) => a.credentials.length - b.credentials.length)
}

const askedBy = ({ actions: grants }: ResourceRules, action: ActionName): Together =>
  either(grants[action].map(({ rule }) => together(rule)))

/** For each field computed by user code, the rules of its needed members. */
function computedTogether(model: Model, { name, computed, relations }: Resource): readonly Together[] {
  const { resources } = rulesOf(model)
  const rules = present(resources.get(name), `${name} has rules`)
  const seenWith = (need: string): Together => {
    const relation = [...relations.values()].find((one) => one.kind === "one" && one.reference === need)
    const target = relation && resources.get(relation.target)
    if (target) return askedBy(target, "read")
    const own = rules.fields.get(need)?.read
    const given = rules.actions.read.filter(({ fields }) => fields === undefined || fields.has(need))
    const records = either(given.map(({ rule }) => together(rule)))
    return own ? crossed(together(own), records) : records
  }
  return [...(computed?.values() ?? [])].map(({ needs }) =>
    needs.map(seenWith).reduce(crossed, askedBy(rules, "read")),
  )
}

function kindOf(model: Model, credentials: readonly Credential[]): Kind {
  const named = (kind: string): readonly string[] =>
    credentials.filter((one) => one.startsWith(kind)).map((one) => one.slice(kind.length))
  return {
    title: credentials.map((one) => (one === "viewer" ? `${model.viewer}:…` : one)).join("+"),
    standing: {
      signedIn: true,
      viewer: credentials.includes("viewer"),
      roles: named("role:"),
      scopes: named("scope:"),
    },
    credentials,
  }
}

const inOrder = (model: Model, set: ReadonlySet<Credential>): readonly Credential[] =>
  singleActorClasses(model).flatMap(({ credentials }) => credentials.filter((one) => set.has(one)))

/** Sets of credentials, with each of which a rule may hold. */
type Together = readonly ReadonlySet<Credential>[]

/** Negated credentials too, as they tell actors apart. */
function together(rule: Rule): Together {
  switch (rule.kind) {
    case "and":
      return both(rule.of.map(together))
    case "or":
      return either(rule.of.map(together))
    case "not":
      return together(rule.of)
    case "signedIn":
      return [new Set()]
    case "role":
    case "scope":
      return [new Set<Credential>([`${rule.kind}:${rule.name}`])]
    case "records":
      return [new Set<Credential>(rule.viewer ? ["viewer"] : [])]
  }
}

const either = (parts: readonly Together[]): Together => distinct(parts.flat())

const both = (parts: readonly Together[]): Together =>
  parts.reduce<Together>(
    (sets, part) => distinct(sets.flatMap((set) => part.map((other) => set.union(other)))),
    [new Set()],
  )

const crossed = (sets: Together, others: Together): Together =>
  both([sets, others]).filter(({ size }) => size <= mostTogether)

const distinct = (sets: Together): Together => [
  ...new Map(sets.map((set) => [[...set].toSorted().join("+"), set])).values(),
]

function mentionsViewer(model: Model): boolean {
  const compares = (rule: Rule): boolean => {
    if (rule.kind === "records") return rule.viewer
    if (rule.kind === "and" || rule.kind === "or") return rule.of.some(compares)
    return rule.kind === "not" && compares(rule.of)
  }
  if ([...model.resources.values()].some((resource) => transitionsOf(resource).some(setsViewer))) return true
  return [...rulesOf(model).resources.values()].some(
    (resource) =>
      actions.some((action) => resource.actions[action].some(({ rule }) => compares(rule))) ||
      [...resource.fields.values()].some(
        ({ read, write }) => (read && compares(read)) || (write && compares(write)),
      ) ||
      [...resource.transitions.values()].some(({ allow }) => allow && compares(allow)) ||
      [...resource.own.values()].some(compares),
  )
}
