// Warnings about a service: its rules, its state machines and its handlers, each with its place in the declaration.
import { withArticle } from "../../base/article.ts"
import { present } from "../../base/invariant.ts"
import type { Place } from "../../base/problem.ts"
import { eventParts } from "../../model/declaration/handlers.ts"
import type {
  ColumnPair,
  Handler,
  Machine,
  Model,
  Resource,
  Through,
  ToMany,
  Transition,
} from "../../model/model.ts"
import type { RuleDeclaration } from "../../model/policy-declaration.ts"
import { joined, machinePlace, severalOf } from "../access/parse-policy.ts"
import { noResource, rulesOf } from "../access/policies.ts"
import type { ActionName, ResourceRules, Rule, Rules } from "../access/policy-types.ts"
import { conflictIn, type Fact, type Way, waysOf, whyUnsatisfiable } from "../access/unsatisfiable.ts"
import { visibleModelOf } from "../access/visible-model.ts"
import { jointTruth } from "../every-record.ts"
import { partsIn, placedParts } from "../fold.ts"
import { isSameTable, relationNamed, resourceNamed, targetOf, transitionsOf } from "../lookup.ts"
import type { Filter } from "../read-plan.ts"
import { type Action, inputMembers } from "../write/inputs.ts"

// Warnings about a service's rules, each with its place in the declaration.

/** Throws a Refusal when the rules have mistakes. */
export function ruleNotes(model: Model): readonly RuleNote[] {
  const rules = rulesOf(model)
  return [
    ...unasked(model, rules),
    ...exceeding(model, rules),
    ...[...model.resources.values()].flatMap((it) => notesOf(model, it, rules)),
    ...mirrorNotes(model, rules),
  ]
}

/** Roles and scopes that no rule asks for. */
function unasked(model: Model, rules: Rules): readonly RuleNote[] {
  const asked = new Set(placedRules(model, rules).flatMap(({ rule }) => credentialsIn(rule)))
  return (["role", "scope"] as const).flatMap((kind) =>
    (kind === "role" ? model.roles : model.scopes).flatMap((name, index): readonly RuleNote[] =>
      asked.has(`${kind} ${name}`)
        ? []
        : [
            {
              place: [`${kind}s`, index],
              what: `no rule asks for the ${kind} "${name}"`,
              hint: `Ask with ${kind}(${JSON.stringify(name)}), or leave it out.`,
            },
          ],
    ),
  )
}

/** Declared grants by which a caller gives a role, scope or tier that it does not have. */
const exceeding = (model: Model, rules: Rules): readonly RuleNote[] =>
  [...model.resources.values()].flatMap((resource) =>
    (rules.resources.get(resource.name)?.grants ?? []).flatMap(({ declared: { kind, name }, allow }) => {
      if (!allow || name === null) return []
      const lacking: Rule =
        kind === "tier" ? allow : { kind: "and", of: [allow, { kind: "not", of: { kind, name } }] }
      if (whyUnsatisfiable(model, resource, lacking, rules.seats) !== undefined) return []
      return [
        {
          place: ["resources", resource.name, "grants", name],
          what: `callers without the ${kind} ${JSON.stringify(name)} may grant it`,
          hint: `If that is not meant, ask for ${kind === "tier" ? "more" : `${kind}(${JSON.stringify(name)}) too`}.`,
        },
      ]
    }),
  )

const credentialsIn = (rule: Rule): readonly string[] =>
  partsIn(rule).flatMap((part) =>
    part.kind === "role" || part.kind === "scope" ? [`${part.kind} ${part.name}`] : [],
  )

function notesOf(model: Model, resource: Resource, rules: Rules): readonly RuleNote[] {
  const place: Place = ["resources", resource.name]
  const { actions } = rules.resources.get(resource.name) ?? {}
  if (!actions || actions.read.length === 0)
    return [
      {
        place,
        what: "no actor may read it, so it is never served",
        hint: "Say who may, as in allow: { read: anyone }.",
      },
    ]
  const updates = actions.update.map(({ rule }) => rule)
  const unmet = togetherNotes(updates, [...place, "allow", "update"])
  const others = Object.entries(resource.allow ?? {}).flatMap(([name, given]: [string, RuleDeclaration]) => {
    const action = name as ActionName
    return actions[action].flatMap(({ rule, place: at }, index): readonly RuleNote[] => {
      const declared = severalOf(given)[index]
      const paths = pathNotes(model, { resource, action, rule, place: at })
      const says = rule.kind === "and" && rule.of.length === 0 && isSaid(declared)
      const denied: Rule = { kind: "not", of: rule }
      if (says || whyUnsatisfiable(model, resource, denied, rules.seats) === undefined) return paths
      return [
        {
          place: at,
          what: "this rule holds for every actor, although it looks like a condition",
          hint: "If that is meant, write anyone.",
        },
      ]
    })
  })
  return [...unmet, ...others]
}

/** Whether it says `anyone` in as many words, alone or for some fields. */
function isSaid(declared: unknown): boolean {
  if (typeof declared !== "object" || declared === null) return false
  if ("when" in declared) return severalOf(declared.when as RuleDeclaration).some(isSaid)
  return "anyone" in declared && declared.anyone === true
}

// A note about a rule of a declaration: no mistake, but perhaps not meant.
interface RuleNote {
  readonly place: Place
  readonly what: string
  readonly hint: string
}

// Every rule of a service with its place in the declaration, and the relations that a rule follows.
interface PlacedRule {
  readonly resource: Resource
  readonly rule: Rule
  readonly place: Place
  /** The action that it allows, as one of several rules. */
  readonly action?: ActionName
}

const placedRules = (model: Model, { resources, operations }: Rules): readonly PlacedRule[] => [
  ...[...resources].flatMap(([name, rules]) => rulesOn(resourceNamed(model, name), rules)),
  ...[...operations].map(([name, rule]) => ({
    resource: noResource,
    rule,
    place: ["code", "operations", name, "allow"],
  })),
]

function rulesOn(resource: Resource, rules: ResourceRules): readonly PlacedRule[] {
  const at: Place = ["resources", resource.name]
  const allowed = Object.entries(rules.actions).flatMap(([action, grants]) =>
    grants.map(({ rule, place }) => ({ resource, rule, place, action: action as ActionName })),
  )
  const others: readonly (readonly [Place, Rule | undefined])[] = [
    ...[...rules.fields].flatMap(([name, { read, write }]) => [
      [[...at, "fields", name, "read"], read] as const,
      [[...at, "fields", name, "write"], write] as const,
    ]),
    ...transitionsOf(resource).map(({ name, machine }) => {
      const of = present(resource.machines.get(machine), `${name} belongs to a machine`)
      return [[...machinePlace(resource, of), name, "allow"], rules.transitions.get(name)?.allow] as const
    }),
    ...rules.grants.map(({ declared, allow }) => [[...at, "grants", declared.name ?? ""], allow] as const),
    ...[...rules.payloads].flatMap(([event, payload]) =>
      [...payload].map(([name, rule]) => [[...at, "events", event, "payload", name, "read"], rule] as const),
    ),
    ...[...rules.own].map(
      ([name, rule]) => [["code", "actions", resource.name, name, "allow"], rule] as const,
    ),
  ]
  return [...allowed, ...others.flatMap(([place, rule]) => (rule ? [{ resource, rule, place }] : []))]
}

/** A relation that a rule follows, and the resource that it is of. */
interface RuleStep {
  readonly of: Resource
  readonly relation: string
  readonly target: Resource
}

const stepsOf = (model: Model, resource: Resource, rule: Rule): readonly RuleStep[] =>
  partsIn(rule)
    .flatMap((part) => (part.kind === "records" ? placedParts(model, resource, part.where) : []))
    .flatMap(({ filter, resource: of }) => {
      if (filter.kind !== "related" && filter.kind !== "quantified") return []
      const { relation } = filter
      return [{ of, relation, target: targetOf(model, of, relation) }]
    })

// Notes about rules of writes that lead to other records: they are asked before the operation, which an author may not expect.
function pathNotes(model: Model, { resource, action, rule, place }: PlacedRule): readonly RuleNote[] {
  if (action !== "create" && action !== "update") return []
  if (action === "create" && truthOf(rule, relatedToNew) === false)
    return [
      {
        place,
        what: `this rule can never hold: it asks for related records, and a new ${resource.name} has none yet`,
        hint: "Check records written with it in a hook (docs/guide/code.md).",
      },
    ]
  if (!stepsOf(model, resource, rule).some(({ target }) => isSameTable(target.table, resource.table)))
    return []
  return [
    {
      place,
      what: `this rule asks ${resource.collection} as they were before the operation, as every rule does`,
      hint: "Change the rule only where a record of the same operation must count: add together(…) for a record that is made with its parent.",
    },
  ]
}

/** Rules of update that each need a record made together with the updated one. */
function togetherNotes(rules: readonly Rule[], place: Place): readonly RuleNote[] {
  const isNever = rules.length > 0 && rules.every((rule) => truthOf(rule, togetherOfOld) === false)
  if (!isNever) return []
  return [
    {
      place,
      what: "no rule of update can hold: each is asked of the record as it was too, and that was made together with no other",
      hint: "Add a rule for records as they were. together(…) then says where an update may move them.",
    },
  ]
}

type Leaf = (filter: Rule | Filter) => boolean | undefined

/** A new record has no related records of its own. */
const relatedToNew: Leaf = (filter) =>
  filter.kind === "quantified" ? filter.quantifier !== "some" : undefined

/** A record that is there was made together with none that the operation makes. */
const togetherOfOld: Leaf = (filter) => (filter.kind === "together" ? false : undefined)

/** The outcome of a rule where its leaves have these; undefined where it depends on others. */
function truthOf(rule: Rule | Filter, leaf: Leaf): boolean | undefined {
  switch (rule.kind) {
    case "and":
    case "or":
      return jointTruth(
        rule.kind === "or",
        rule.of.map((part) => truthOf(part, leaf)),
      )
    case "not": {
      const inner = truthOf(rule.of, leaf)
      return inner === undefined ? undefined : !inner
    }
    case "records":
      return truthOf(rule.where, leaf)
    default:
      return leaf(rule)
  }
}

// Notes about rules that follow a many-to-many relation whose links can be set from the other side. The rule of update over
// there decides about the link too, which an author may not expect.

/** A many-to-many relation, as declared on one of its two sides. */
interface Side {
  readonly of: Resource
  readonly relation: ToMany & { readonly through: Through }
}

function mirrorNotes(model: Model, rules: Rules): readonly RuleNote[] {
  return placedRules(model, rules).flatMap(({ resource, rule, place }) =>
    sidesAsked(model, resource, rule).flatMap((side) =>
      mirrorsOf(model, side).flatMap((mirror) => notesOn({ model, rules }, side, mirror, place)),
    ),
  )
}

interface Spot {
  readonly model: Model
  readonly rules: Rules
}

function notesOn(spot: Spot, asked: Side, mirror: Side, place: Place): readonly RuleNote[] {
  const open = (["create", "update"] as const).filter((action) => isOpen(spot, asked, mirror, action))
  if (open.length === 0) return []
  const other = nameOf(mirror)
  return [
    {
      place,
      what: `this rule follows ${nameOf(asked)}: callers that may ${open.join(" or ")} ${withArticle(mirror.of.name)} set the same links by ${other}`,
      hint: `Make the link a resource with rules of its own, such as a membership, or leave out ${other}. A relation cannot be declared read-only.`,
    },
  ]
}

const nameOf = ({ of, relation }: Side): string => `${of.name}.${relation.name}`

/** Many-to-many relations that a rule follows, each once. */
const sidesAsked = (model: Model, resource: Resource, rule: Rule): readonly Side[] => [
  ...new Map(
    stepsOf(model, resource, rule)
      .flatMap(({ of, relation }) => sideOf(of, relation) ?? [])
      .map((side) => [nameOf(side), side]),
  ).values(),
]

function sideOf(of: Resource, name: string): Side | undefined {
  const relation = relationNamed(of, name)
  if (relation.kind !== "many" || !relation.through) return undefined
  return { of, relation: { ...relation, through: relation.through } }
}

/** Relations of the target that lead back over the same columns of the same join table. */
function mirrorsOf(model: Model, { of, relation: { target, through } }: Side): readonly Side[] {
  const holder = resourceNamed(model, target)
  return [...holder.relations.keys()].flatMap((name) => {
    const side = sideOf(holder, name)
    if (!side || side.relation.target !== of.name) return []
    const back = side.relation.through
    const isMirror = isSameTable(back.table, through.table) && isReversed(back.near, through.far)
    return isMirror ? [side] : []
  })
}

const isReversed = (pairs: readonly ColumnPair[], others: readonly ColumnPair[]): boolean =>
  pairs.length === others.length &&
  pairs.every(({ from, to }) => others.some((other) => other.from === to && other.to === from))

/**
 * Whether some caller can set links by the mirror, and not by the relation itself. Such a caller may write a record of the
 * mirror's side, and sees a record of the other side that it may not update.
 */
function isOpen({ model, rules }: Spot, asked: Side, mirror: Side, action: Action): boolean {
  const member = inputMembers(model, mirror.of, action)?.get(mirror.relation.name)
  if (member?.kind !== "relation" || !member.verbs.includes("link")) return false
  const isClosed = (way: Way): boolean => conflictIn(model, way, rules.seats) !== undefined
  const waysIn = (of: Resource, rule: Rule): readonly Way[] => waysOf({ model, isClosed }, of, rule) ?? []
  const waysTo = (of: Resource, done: "read" | Action): readonly Way[] => {
    if (done !== "read" && of.withheld?.includes(done)) return []
    const grants = rules.resources.get(of.name)?.actions[done] ?? []
    const given = grants.map(({ rule }) => rule)
    return waysIn(of, joined("or", given))
  }
  /** A caller that sees the record by its own link cannot link itself. */
  const isLinked = (fact: Fact, written: Way): boolean => {
    const of = linkAsked(fact, asked)
    if (!of || !isCaller(of)) return false
    return waysIn(mirror.of, { kind: "records", where: of, viewer: false }).some((way) =>
      isWithin(way, written),
    )
  }
  const [sights, own] = [waysTo(asked.of, "read"), waysTo(asked.of, "update")]
  return waysTo(mirror.of, action).some((written) =>
    sights.some((sight) => {
      const caller = [...sight, ...written.filter(isCredential)]
      if (isClosed(caller) || sight.some((fact) => isLinked(fact, written))) return false
      return !own.some((update) => isWithin(update, caller))
    }),
  )
}

const isCredential = (fact: Fact): boolean => fact.kind === "asked" && fact.where === undefined

/** The condition on one linked record, if the fact is the existence of such a link. */
function linkAsked(fact: Fact, { relation: { name } }: Side): Filter | undefined {
  if (fact.kind !== "asked" || !fact.holds || fact.where?.kind !== "quantified") return undefined
  return fact.what === `\`${name}\`` ? fact.where.of : undefined
}

/** The condition holds for records of one caller only. */
function isCaller(filter: Filter): boolean {
  if (filter.kind === "and") return filter.of.some(isCaller)
  if (filter.kind === "or") return filter.of.length > 0 && filter.of.every(isCaller)
  if (filter.kind === "quantified") return filter.quantifier === "some" && isCaller(filter.of)
  if (filter.kind === "related") return isCaller(filter.of)
  if (filter.kind !== "compare" || filter.operator !== "eq") return false
  return filter.operand.slot === 0 && filter.operand.viewer === undefined
}

/** Whether all facts that a rule of update needs are among the facts that hold. */
function isWithin(asked: Way, holding: Way): boolean {
  const known = new Set(holding.map(keyOf))
  return asked.every((fact) => known.has(keyOf(fact)))
}

const keyOf = (fact: Fact): string =>
  JSON.stringify(fact.kind === "asked" ? [fact.key, fact.holds] : [fact.name, fact.asked, fact.holds])

// Warnings about state machines: states and transitions that lead nowhere, or that cannot be reached. If other programs write
// to the database, its records may be in any state all the same.

/** Throws a Refusal when the rules have mistakes. */
export function stateNotes(model: Model): readonly RuleNote[] {
  const rules = rulesOf(model)
  return [...model.resources.values()].flatMap((resource) =>
    [...resource.machines.values()].flatMap((machine) => machineNotes({ model, rules, resource }, machine)),
  )
}

interface MachineSpot {
  readonly model: Model
  readonly rules: Rules
  readonly resource: Resource
}

function machineNotes(spot: MachineSpot, machine: Machine): readonly RuleNote[] {
  const { model, resource } = spot
  const ways = machinePlace(resource, machine)
  const place = ways.slice(0, -1)
  const reached = reachedStates(machine)
  const transitions = [...machine.transitions.values()]
  const values = model.enums.get(resource.fields.get(machine.name)?.enumeration ?? "")?.values ?? []
  const states = [...new Set([...machine.states.keys(), ...values])]
  return [
    ...states
      .filter((state) => !reached.has(state))
      .map((state) => ({
        place,
        what: `no transition leads to the state "${state}"`,
        hint: "Add a transition, or remove the state once no record has it.",
      })),
    ...[...reached]
      .filter(
        (state) => !machine.final.includes(state) && !transitions.some(({ from }) => from.includes(state)),
      )
      .map((state) => ({
        place,
        what: `state "${state}" has no transition out`,
        hint: "List it in `final`, or add a transition.",
      })),
    ...transitions.flatMap((transition) => [
      ...endNotes(machine, transition, ways),
      ...neverNotes(spot, transition, { place: ways, reached }),
    ]),
  ]
}

/** Those that a new record can come to. */
function reachedStates({ initial, transitions }: Machine): ReadonlySet<string> {
  const reached = new Set([initial])
  for (const state of reached)
    for (const { from, to } of transitions.values()) if (from.includes(state)) reached.add(to)
  return reached
}

function endNotes({ final }: Machine, { name, from }: Transition, place: Place): readonly RuleNote[] {
  return from
    .filter((state) => final.includes(state))
    .map((state) => ({
      place: [...place, name, "from"],
      what: `this leads out of the state "${state}", which is final`,
      hint: "Leave it out here, or in final.",
    }))
}

/** The first reason why no caller can fire the transition. */
function neverNotes(
  spot: MachineSpot,
  transition: Transition,
  { place, reached }: { readonly place: Place; readonly reached: ReadonlySet<string> },
): readonly RuleNote[] {
  const { name, from } = transition
  const at = [...place, name]
  const never = (why: string, hint: string): readonly RuleNote[] => [
    { place: at, what: `this can never be done, since ${why}`, hint },
  ]
  if (from.length === 0) return never("it starts from no state", "Name states in from, or leave it out.")
  if (!from.some((state) => reached.has(state)))
    return never(
      "no transition leads to a state that it starts from",
      "Name other states in from, or leave it out.",
    )
  const may = whoMay(spot, transition)
  if (may === "nobody")
    return [
      {
        place: at,
        what: "this is for actors that may update the record, and none may",
        hint: "Say in allow who may.",
      },
    ]
  const why = may && whyUnsatisfiable(spot.model, spot.resource, may, spot.rules.seats)
  return why === undefined ? [] : never(why, "Allow it for records as they are where it starts from.")
}

/** And with which records. Undefined for a resource that no actor may read, which has a warning of its own. */
function whoMay({ rules, resource }: MachineSpot, { name }: Transition): Rule | "nobody" | undefined {
  const { actions, transitions } = rules.resources.get(resource.name) ?? {}
  const own = transitions?.get(name)
  if (!actions || !own || actions.read.length === 0) return undefined
  if (!own.allow && actions.update.length === 0) return "nobody"
  const allow =
    own.allow ??
    joined(
      "or",
      actions.update.map(({ rule }) => rule),
    )
  return joined("and", [
    allow,
    { kind: "records", where: own.from, viewer: false },
    { kind: "records", where: own.when, viewer: false },
  ])
}

// Warnings about handlers: one for a state that it never sees is never called.

/** Throws a Refusal when the rules have mistakes. */
export const handlerNotes = (model: Model): readonly RuleNote[] =>
  [...(model.handlers?.values() ?? [])].flatMap((handler) =>
    (handler.types ?? [])
      .filter((event) => !isEverSeen(model, handler, event))
      .map((event) => ({
        place: ["code", "on", event],
        what: `the handler "${handler.name}" is never called, since it does not see this state`,
        hint: "Say in as who it is, or have it handle all events of the resource.",
      })),
  )

/** Whether the handler ever sees the field of the machine that leads to the state; true if the event is no state. */
function isEverSeen(model: Model, { resource, as }: Handler, event: string): boolean {
  const [, state] = eventParts(event)
  const machines = [...(model.resources.get(resource)?.machines.values() ?? [])].filter(({ transitions }) =>
    [...transitions.values()].some(({ to }) => to === state),
  )
  const own = visibleModelOf(model, { signedIn: true, viewer: false, ...as }).resources.get(resource)
  return machines.length === 0 || machines.some(({ name }) => own?.fields.has(name) === true)
}
