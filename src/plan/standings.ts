// The kinds of actors that a service's rules tell apart: each role and scope by itself, whoever is the viewer's record,
// and those together that the rules ask for together.
import type { Model } from "../model/model.ts"
import { type Standing, setsViewer, stranger } from "./audience.ts"
import { resourceNamed, transitionsOf } from "./names.ts"
import { type ActionName, actions, type Rule } from "./rule-types.ts"
import { rulesOf } from "./rules.ts"

export interface Kind {
  /** In the form in which actors are named: `anyone`, `signedIn`, `customer:…+role:staff`. */
  readonly title: string
  readonly standing: Standing
  /** What it is made of: `viewer`, `role:staff`; of several, all of them. */
  readonly credentials: readonly Credential[]
}

type Credential = "viewer" | `role:${string}` | `scope:${string}`

/** Where several rules come together; what one rule asks for together is looked at whatever it is. */
const mostTogether = 3

/** Those with no or one credential, in the order of the declaration. */
export function singleKinds(model: Model): readonly Kind[] {
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
  for (const [name, rules] of rulesOf(model).resources) {
    const asked = (action: ActionName): Together =>
      either(rules.actions[action].map(({ rule }) => together(rule)))
    const [read, create, update, remove] = [asked("read"), asked("create"), asked("update"), asked("delete")]
    // What is written has to be readable too, and a field is read and written with its record.
    const written = [create, update, remove].map((sets) => crossed(read, sets))
    const fields = [...rules.fields.values()].flatMap(({ read: seen, write: set }) => [
      ...(seen ? [crossed(together(seen), read)] : []),
      ...(set ? written.map((sets) => crossed(together(set), sets)) : []),
    ])
    const moved = transitionsOf(resourceNamed(model, name)).map((transition) => {
      const { allow } = rules.transitions.get(transition.name) ?? {}
      const may = allow ? together(allow) : asked("update")
      return crossed(read, setsViewer(transition) ? both([may, [new Set<Credential>(["viewer"])]]) : may)
    })
    for (const set of [read, create, update, remove, ...written, ...fields, ...moved].flat())
      if (set.size > 1) {
        const kind = kindOf(model, inOrder(model, set))
        found.set(kind.title, kind)
      }
  }
  return [...found.values()].toSorted((a, b) => a.credentials.length - b.credentials.length)
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
  singleKinds(model).flatMap(({ credentials }) => credentials.filter((one) => set.has(one)))

/** Sets of credentials, with each of which a rule may hold. */
type Together = readonly ReadonlySet<Credential>[]

/** Also what a rule denies: whoever has it is treated otherwise. */
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
      [...resource.transitions.values()].some(({ allow }) => allow && compares(allow)),
  )
}
