// Rules: what a service's declaration allows, read once for each model. Conditions in them are read as those of requests
// are; docs/access.md says what each form means.
import type { Place } from "../base/problem.ts"
import type { RuleDeclaration } from "../model/allow.ts"
import type { Condition } from "../model/condition.ts"
import type { Model, Resource } from "../model/model.ts"
import { operators } from "../model/operators.ts"
import { readCondition } from "./condition.ts"
import { type Draft, startDraft, type ViewerOperand } from "./draft.ts"
import { memberOf, subjectOf } from "./member.ts"
import { hintFor, listed } from "./naming.ts"
import { type Comparand, comparandOf } from "./operand.ts"
import { shown } from "./shown.ts"
import type { Filter, Slot, Value } from "./types.ts"
import { isObject } from "./write-input.ts"

export type Rule =
  | { readonly kind: "and" | "or"; readonly of: readonly Rule[] }
  | { readonly kind: "not"; readonly of: Rule }
  | { readonly kind: "signedIn" }
  | { readonly kind: "role" | "scope"; readonly name: string }
  /** `viewer`: it compares with the record that whoever asks is. */
  | { readonly kind: "records"; readonly where: Filter; readonly viewer: boolean }

/** One of several rules, any of which is enough. */
export interface Grant {
  readonly rule: Rule
  /** It is about these fields only; about all when absent. */
  readonly fields?: ReadonlySet<string>
}

export const actions = ["read", "create", "update", "delete"] as const
export type ActionName = (typeof actions)[number]

export interface ResourceRules {
  /** None: allowed to nobody. */
  readonly actions: Readonly<Record<ActionName, readonly Grant[]>>
  readonly fields: ReadonlyMap<string, FieldRules>
}

export interface FieldRules {
  readonly read?: Rule
  readonly write?: Rule
}

export interface Rules {
  readonly resources: ReadonlyMap<string, ResourceRules>
  /** What slots of the rules hold; the first is for the key of the viewer's record. */
  readonly seats: readonly Value[]
}

const known = new WeakMap<Model, Rules>()

/** Throws a Refusal with every mistake, each with its place in the declaration. */
export function rulesOf(model: Model): Rules {
  const found = known.get(model) ?? readRules(model)
  known.set(model, found)
  return found
}

interface Reading {
  readonly model: Model
  readonly draft: Draft
  /** Whether the condition being read compares with the viewer's record. */
  readonly mentions: { viewer: boolean }
}

function readRules(model: Model): Rules {
  const mentions = { viewer: false }
  const viewer = { read: (given: ViewerOperand, place: Place) => readViewer(reading, given, place) }
  const draft = { ...startDraft({ model, cursors: noCursors }), viewer }
  const reading: Reading = { model, draft, mentions }
  draft.bind(null) // the viewer's key
  const resources = new Map([...model.resources].map(([name, it]) => [name, readResource(reading, it)]))
  draft.problems.settle()
  return { resources, seats: [...draft.values] }
}

const noCursors = { seal: () => "", open: () => undefined }

function readResource(reading: Reading, resource: Resource): ResourceRules {
  const place: Place = ["resources", resource.name]
  const grants = (action: ActionName): readonly Grant[] =>
    readGrants(reading, resource, resource.allow?.[action], [...place, "allow", action])
  const fields = [...resource.fields.values()].flatMap((field): [string, FieldRules][] => {
    const at = [...place, "fields", field.name]
    const read = field.read && readUnion(reading, resource, field.read, [...at, "read"])
    const write = field.write && readUnion(reading, resource, field.write, [...at, "write"])
    if (read) refuseHiddenKey(reading, resource, field.column, [...at, "read"])
    return read || write ? [[field.name, { ...(read && { read }), ...(write && { write }) }]] : []
  })
  return {
    actions: {
      read: grants("read"),
      create: grants("create"),
      update: grants("update"),
      delete: grants("delete"),
    },
    fields: new Map(fields),
  }
}

/** What a record is named by, and what relations go by, is seen by whoever sees the record. */
function refuseHiddenKey({ draft }: Reading, resource: Resource, column: string, place: Place): void {
  const isKey = resource.key?.parts.some((part) => part.column === column)
  const leads = [...resource.relations.values()].some(({ join }) => join.some(({ from }) => from === column))
  if (!isKey && !leads) return
  const what = isKey ? "its records are named by it" : "a relation goes by it"
  draft.problems.add(
    "invalid_declaration",
    place,
    `Whoever sees a ${resource.name} sees this field: ${what}.`,
    "Leave out the rule, or give one for the whole record.",
  )
}

const severalOf = (given: RuleDeclaration): readonly unknown[] => (Array.isArray(given) ? given : [given])

function readGrants(
  reading: Reading,
  resource: Resource,
  given: RuleDeclaration | undefined,
  place: Place,
): readonly Grant[] {
  if (given === undefined) return []
  return severalOf(given).flatMap((one, index): Grant[] => {
    const at = Array.isArray(given) ? [...place, index] : place
    if (!isObject(one) || !Array.isArray(one["fields"])) {
      const rule = readRule(reading, resource, one, at)
      return rule ? [{ rule }] : []
    }
    const { fields, when, ...others } = one
    for (const name of Object.keys(others))
      reading.draft.problems.add(
        "invalid_declaration",
        [...at, name],
        `Beside \`fields\` there is only \`when\`.`,
        `Write only(["${String(fields[0])}"], …), with the whole rule in it.`,
      )
    const names = readFieldNames(reading, resource, fields, [...at, "fields"])
    const rule = readUnion(reading, resource, when as RuleDeclaration, [...at, "when"])
    return rule ? [{ rule, fields: names }] : []
  })
}

function readFieldNames(
  { draft }: Reading,
  resource: Resource,
  given: readonly unknown[],
  place: Place,
): ReadonlySet<string> {
  for (const [index, name] of given.entries())
    if (typeof name !== "string" || !resource.fields.has(name))
      draft.problems.add(
        "invalid_declaration",
        [...place, index],
        `${resource.name} has no field ${shown(name)}.`,
        hintFor(String(name), resource.fields.keys()),
      )
  return new Set(given.map(String))
}

/** Any of several is enough. */
function readUnion(
  reading: Reading,
  resource: Resource,
  given: RuleDeclaration,
  place: Place,
): Rule | undefined {
  const several = severalOf(given)
  const of = several.map((one, index) =>
    readRule(reading, resource, one, Array.isArray(given) ? [...place, index] : place),
  )
  return of.some((rule) => rule === undefined) ? undefined : joined("or", of as readonly Rule[])
}

const joined = (kind: "and" | "or", of: readonly Rule[]): Rule =>
  of.length === 1 && of[0] ? of[0] : { kind, of }

/** Undefined when problems were added to the draft. */
function readRule(reading: Reading, resource: Resource, given: unknown, place: Place): Rule | undefined {
  const { problems } = reading.draft
  if (!isObject(given)) {
    problems.add("invalid_declaration", place, `A rule must be an object, not ${shown(given)}.`)
    return undefined
  }
  if (Object.keys(given).length === 0) {
    problems.add(
      "invalid_declaration",
      place,
      "An empty rule would hold for everybody.",
      "If that is meant, say so: anyone.",
    )
    return undefined
  }
  const parts: (Rule | undefined)[] = []
  const members: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const at = [...place, name]
    if (name === "anyone" && value === true) parts.push({ kind: "and", of: [] })
    else if (name === "signedIn" && value === true) parts.push({ kind: "signedIn" })
    else if ((name === "role" || name === "scope") && typeof value === "string")
      parts.push(readName(reading, name, value, at))
    else if ((name === "and" || name === "or") && Array.isArray(value))
      parts.push(readJoined(reading, resource, { kind: name, of: value }, at))
    else if (name === "not" && isObject(value)) {
      const of = readRule(reading, resource, value, at)
      parts.push(of && { kind: "not", of })
    } else members[name] = value
  }
  if (Object.keys(members).length > 0) parts.push(readRecords(reading, resource, members, place))
  return parts.some((part) => part === undefined) ? undefined : joined("and", parts as readonly Rule[])
}

function readJoined(
  reading: Reading,
  resource: Resource,
  { kind, of }: { readonly kind: "and" | "or"; readonly of: readonly unknown[] },
  place: Place,
): Rule | undefined {
  const rules = of.map((one, index) => readRule(reading, resource, one, [...place, index]))
  return rules.some((rule) => rule === undefined) ? undefined : joined(kind, rules as readonly Rule[])
}

function readName(
  { model, draft }: Reading,
  kind: "role" | "scope",
  name: string,
  place: Place,
): Rule | undefined {
  const declared = kind === "role" ? model.roles : model.scopes
  if (declared.includes(name)) return { kind, name }
  draft.problems.add(
    "invalid_declaration",
    place,
    `There is no ${kind} ${shown(name)}.`,
    hintFor(name, declared) ?? `Declare it with the service: ${kind}s: [${JSON.stringify(name)}].`,
  )
  return undefined
}

function readRecords(
  { draft, mentions }: Reading,
  resource: Resource,
  input: object,
  place: Place,
): Rule | undefined {
  mentions.viewer = false
  const found = readCondition(draft, resource, { input, encoding: "json", place })
  if (!found) return undefined
  const where = shortened(draft.model, resource, found)
  if (holdsWithoutViewer(where)) {
    draft.problems.add(
      "invalid_declaration",
      place,
      "Of the viewer, only the id may stand where something must not hold: of whoever has no such value it would hold.",
      "Say what must hold instead.",
    )
    return undefined
  }
  return { kind: "records", where, viewer: mentions.viewer }
}

/** `{customer: {id: …}}` is what `{customerId: …}` is, which no other record has to be looked at for. */
function shortened(model: Model, resource: Resource, filter: Filter): Filter {
  switch (filter.kind) {
    case "and":
    case "or":
      return { ...filter, of: filter.of.map((part) => shortened(model, resource, part)) }
    case "not":
      return { ...filter, of: shortened(model, resource, filter.of) }
    case "related":
    case "quantified": {
      const relation = resource.relations.get(filter.relation)
      const target = relation && model.resources.get(relation.target)
      const of = target ? shortened(model, target, filter.of) : filter.of
      const isKey =
        filter.kind === "related" &&
        relation?.kind === "one" &&
        relation.reference !== undefined &&
        of.kind === "compare" &&
        of.subject.kind === "id" &&
        (of.operator === "eq" || of.operator === "in")
      return isKey ? { ...of, subject: { kind: "reference", relation: filter.relation } } : { ...filter, of }
    }
    default:
      return filter
  }
}

/** Whether it may hold because the viewer's record has no value, or is not there. */
function holdsWithoutViewer(filter: Condition<Slot>, positive = true): boolean {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.of.some((part) => holdsWithoutViewer(part, positive))
    case "not":
      return holdsWithoutViewer(filter.of, !positive)
    case "related":
      return holdsWithoutViewer(filter.of, positive)
    case "quantified":
      // `every` is that none is found for which it does not hold.
      return holdsWithoutViewer(filter.of, filter.quantifier === "none" ? !positive : positive)
    case "compare":
      return filter.operand.viewer !== undefined && (filter.operator === "ne" ? positive : !positive)
    default:
      return false
  }
}

/** What `viewer.name` stands for where it is compared with. */
function readViewer(
  { model, draft, mentions }: Reading,
  { operator, comparand, member: name }: ViewerOperand,
  place: Place,
): Slot | undefined {
  const wrong = (message: string, hint?: string): undefined =>
    draft.problems.add("invalid_declaration", place, message, hint) as undefined
  const resource = model.viewer === undefined ? undefined : model.resources.get(model.viewer)
  if (!resource)
    return wrong("This service says of no resource that its records are those who sign in.", 'viewer: "user"')
  if (operators[operator].operand !== "value")
    return wrong(`\`${operator}\` cannot be asked with the viewer.`, "Ask with eq.")
  const member = memberOf(resource, name)
  if (!member || member.kind === "relation" || (member.kind === "field" && member.field.list)) {
    const names = [...resource.fields.values()].filter(({ list }) => !list).map((field) => field.name)
    return wrong(
      `The viewer, a ${resource.name}, has no value ${shown(name)}.`,
      hintFor(name, ["id", ...names]),
    )
  }
  const subject = subjectOf(member)
  const own = comparandOf(model, resource, subject)
  if (!isAlike(own, comparand))
    return wrong(
      `viewer.${name} is ${described(own)}, and is compared with ${described(comparand)}.`,
      "Both have to be of one kind.",
    )
  mentions.viewer = true
  return subject.kind === "id" ? { slot: 0 } : { slot: 0, viewer: subject }
}

function isAlike(a: Comparand, b: Comparand): boolean {
  if (a.kind === "key" || b.kind === "key")
    return a.kind === "key" && b.kind === "key" && a.resource === b.resource
  return a.type.scalar === b.type.scalar
}

const described = (of: Comparand): string =>
  of.kind === "key" ? `an id of ${of.resource.name}` : `${listed([of.type.scalar], "and")}`
