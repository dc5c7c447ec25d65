// Differences between two models of an API, as its clients meet them. Inputs and answers are judged apart. A member that
// becomes optional breaks clients that read it; a member that becomes required breaks clients that write it.

import { type Expression, operandsOf } from "../expression.ts"
import type { Action, Field, Machine, Model, Relation, Resource, ToOne, Transition } from "../model.ts"
import { apiName } from "../names.ts"

/** `breaking`: clients of the old one may fail. `risky`: they meet new values or forms. */
export type Severity = "safe" | "risky" | "breaking"

export interface Difference {
  readonly severity: Severity
  /** `order.total` */
  readonly path: string
  /** Where clients meet it. */
  readonly faces: readonly Face[]
  /** One sentence. */
  readonly text: string
}

type Face = "graphql" | "rest"

const bothFaces: readonly Face[] = ["graphql", "rest"]

/** In the order of the new model, resource by resource. */
export function differencesBetween(old: Model, fresh: Model): readonly Difference[] {
  const found: Difference[] = []
  const tell: Sides["tell"] = (severity, path, text, faces = bothFaces) =>
    void found.push({ severity, path, faces, text })
  const side: Sides = { old, fresh, tell }
  compareMaps(byApiName(old), byApiName(fresh), {
    gone: (name) => tell("breaking", name, `The resource \`${name}\` is gone.`),
    added: (name) => tell("safe", name, `There is a resource \`${name}\`.`),
    both: (name, before, after) => compareResources(side, name, before, after),
  })
  compareActions(side, "operations", old.operations, fresh.operations)
  if (fresh.limits.page.max < old.limits.page.max)
    tell(
      "risky",
      "limits.page.max",
      `A page has at most ${fresh.limits.page.max} records, ${old.limits.page.max} before.`,
    )
  if (old.webhooks && !fresh.webhooks) tell("breaking", "webhooks", "There are no webhooks any more.")
  return found
}

const byApiName = ({ resources }: Model): ReadonlyMap<string, Resource> =>
  new Map([...resources.values()].map((resource) => [apiName(resource), resource]))

/** The name of the resource that a relation leads to. */
function targetIn({ resources, histories }: Model, { target }: Relation): string {
  const resource = resources.get(histories.get(target)?.historyOf?.resource ?? target)
  return resource ? apiName(resource) : target
}

interface Sides {
  readonly old: Model
  readonly fresh: Model
  /** @param faces both when absent */
  readonly tell: (severity: Severity, path: string, text: string, faces?: readonly Face[]) => void
}

interface Compared<Of> {
  gone(name: string, of: Of): void
  added(name: string, of: Of): void
  both(name: string, before: Of, after: Of): void
}

function compareMaps<Of>(
  before: ReadonlyMap<string, Of> = new Map(),
  after: ReadonlyMap<string, Of> = new Map(),
  { gone, added, both }: Compared<Of>,
): void {
  for (const [name, of] of before) if (!after.has(name)) gone(name, of)
  for (const [name, of] of after) {
    const known = before.get(name)
    if (known === undefined) added(name, of)
    else both(name, known, of)
  }
}

function compareResources(side: Sides, name: string, before: Resource, after: Resource): void {
  const { tell } = side
  const told = (what: keyof Resource & string, called: string, faces?: readonly Face[]): void => {
    if (before[what] !== after[what])
      tell(
        "breaking",
        name,
        `${called} of \`${name}\` is \`${String(after[what])}\`, \`${String(before[what])}\` before.`,
        faces,
      )
  }
  told("path", "The path", ["rest"])
  told("type", "The GraphQL type", ["graphql"])
  told("collection", "The list", ["graphql"])
  told("prefix", "The prefix of ids")
  if (before.writable && !after.writable) tell("breaking", name, `\`${name}\` cannot be written any more.`)
  if (!before.needsVersion && after.needsVersion)
    tell("breaking", name, `Changes of \`${name}\` must name the version that they are about.`)
  const added = (member: string, isNeeded: boolean): void =>
    isNeeded && after.writable
      ? tell(
          "breaking",
          `${name}.${member}`,
          `\`${name}\` has \`${member}\`, which must be given for new records.`,
        )
      : tell("safe", `${name}.${member}`, `\`${name}\` has \`${member}\`.`)
  const isNew = (field: Field): boolean => !field.optional && field.default === undefined && !field.readonly
  compareMaps(before.fields, after.fields, {
    gone: (field) => tell("breaking", `${name}.${field}`, `\`${field}\` of \`${name}\` is gone.`),
    added: (field, of) => added(field, isNew(of)),
    both(field, one, other) {
      compareFields(side, `${name}.${field}`, one, other, "both")
      compareWritten(side, `${name}.${field}`, [before, one], [after, other])
    },
  })
  compareMaps(before.relations, after.relations, {
    gone: (relation) => tell("breaking", `${name}.${relation}`, `\`${relation}\` of \`${name}\` is gone.`),
    added: (relation, of) => added(relation, mustBeGiven(of)),
    both: (relation, one, other) =>
      compareRelations(side, `${name}.${relation}`, [before, one], [after, other]),
  })
  const uniques = new Set(after.uniques.map((unique) => unique.name))
  for (const unique of before.uniques)
    if (!uniques.has(unique.name))
      tell(
        "breaking",
        `${name}.${unique.name}`,
        `\`${name}\` cannot be asked for by \`${unique.name}\` any more.`,
      )
  compareMaps(transitionsIn(before.machines), transitionsIn(after.machines), {
    gone: (one) => tell("breaking", `${name}.${one}`, `The transition \`${one}\` of \`${name}\` is gone.`),
    added: (one) => tell("safe", `${name}.${one}`, `\`${name}\` has the transition \`${one}\`.`),
    both: (one, was, is) => compareTransitions(side, `${name}.${one}`, was, is),
  })
  compareMaps(before.computed, after.computed, {
    gone: (field) => tell("breaking", `${name}.${field}`, `\`${field}\` of \`${name}\` is gone.`),
    added: (field) => tell("safe", `${name}.${field}`, `\`${name}\` has \`${field}\`.`),
    both: (field, one, other) => compareFields(side, `${name}.${field}`, one.field, other.field, "answers"),
  })
  compareActions(side, name, before.actions, after.actions)
  compareMaps(before.events, after.events, {
    gone: (event) => tell("breaking", `${name}.${event}`, `The event \`${event}\` of \`${name}\` is gone.`),
    added: (event) => tell("safe", `${name}.${event}`, `\`${name}\` has the event \`${event}\`.`),
    both: (event, one, other) =>
      compareValues(side, `${name}.${event}`, one.payload, other.payload, "answers"),
  })
}

const mustBeGiven = (relation: Relation): boolean =>
  relation.kind === "one" && relation.reference !== undefined && !relation.first && !relation.optional

const transitionsIn = (machines: ReadonlyMap<string, Machine>): ReadonlyMap<string, Transition> =>
  new Map([...machines.values()].flatMap(({ transitions }) => [...transitions]))

/** The direction in which values go. */
type Direction = "answers" | "inputs" | "both"

function compareFields(side: Sides, path: string, before: Field, after: Field, direction: Direction): void {
  const { tell } = side
  const [reads, writes] = [direction !== "inputs", direction !== "answers" && !after.readonly]
  const typeOf = ({ scalar, list }: Field): string => (list ? `a list of ${scalar}` : scalar)
  if (typeOf(before) !== typeOf(after)) {
    tell("breaking", path, `\`${path}\` is ${typeOf(after)}, ${typeOf(before)} before.`)
    return
  }
  if (reads && !before.shownOnly && after.shownOnly)
    tell("breaking", path, `\`${path}\` is in no condition, order or group any more.`)
  if (reads && !before.optional && after.optional) tell("breaking", path, `\`${path}\` may be missing.`)
  if (reads && before.optional && !after.optional) tell("safe", path, `\`${path}\` is always there.`)
  const needed = (field: Field): boolean => !field.optional && field.default === undefined
  if (writes && !needed(before) && needed(after)) tell("breaking", path, `\`${path}\` must be given.`)
  if (writes && before.optional && !after.optional) tell("breaking", path, `\`${path}\` takes no null.`)
  if (!before.readonly && after.readonly && direction === "both")
    tell("breaking", path, `\`${path}\` cannot be set any more.`)
  if (!before.immutable && after.immutable) tell("breaking", path, `\`${path}\` cannot be changed any more.`)
  // An endpoint of webhooks begins with the version of its request.
  const isPin = isOwnVersion(side.old, before) && isOwnVersion(side.fresh, after)
  if (JSON.stringify(before.default) !== JSON.stringify(after.default) && writes && !isPin)
    tell("risky", path, `\`${path}\` has another default.`)
  compareConstraints(side, path, before, after, writes)
  compareEnumerations(side, path, before, after, { reads, writes })
}

const isOwnVersion = ({ version, versions }: Model, { default: given }: Field): boolean =>
  given?.kind === "value" && given.value !== null && given.value === (version ?? versions?.[0]?.name)

function compareConstraints(
  { tell }: Sides,
  path: string,
  before: Field,
  after: Field,
  writes: boolean,
): void {
  const [was, is] = [before.constraints, after.constraints]
  if (!writes) return
  if ((is.max ?? Number.POSITIVE_INFINITY) < (was.max ?? Number.POSITIVE_INFINITY))
    tell("breaking", path, `\`${path}\` is at most ${is.max}.`)
  if ((is.min ?? Number.NEGATIVE_INFINITY) > (was.min ?? Number.NEGATIVE_INFINITY))
    tell("breaking", path, `\`${path}\` is at least ${is.min}.`)
  if (!takesAllOf(is.pattern, was.pattern)) tell("breaking", path, `\`${path}\` must match another pattern.`)
  for (const name of was.declared ?? [])
    if (is.declared?.includes(name) === false)
      tell("breaking", path, `\`${path}\` takes no \`${name}\` any more.`)
  if (is.scale !== was.scale || is.precision !== was.precision)
    tell("risky", path, `\`${path}\` has other digits.`)
}

type Owned = readonly [resource: Resource, field: Field]

/** Limits of the newest version's field that takes a former field's value as it is, or a part of it. */
function compareWritten(
  { old, fresh, tell }: Sides,
  path: string,
  [owner, before]: Owned,
  after: Owned,
): void {
  const known = new Map(takersOf(old, [owner, before]).map(({ field }) => [field.name, field]))
  for (const { field, isPart } of takersOf(fresh, after)) {
    const was = known.get(field.name) ?? before
    const isSame = was.scalar === field.scalar && !isPart
    const limited = (one: Field): Field => {
      const { max, min } = one.constraints
      const limits = { ...(max !== undefined && { max }), ...(!isPart && min !== undefined && { min }) }
      return isSame ? one : { ...one, constraints: limits }
    }
    if (kindOf(was) !== kindOf(field)) continue
    const side: Sides = {
      ...{ old, fresh },
      tell: (severity, _, text) =>
        tell(isPart ? "risky" : severity, path, `${text} A value of \`${path}\` is written to it.`),
    }
    compareConstraints(side, field.name, limited(was), limited(field), true)
  }
}

const kindOf = ({ scalar }: Field): string =>
  ["integer", "int64", "float", "decimal"].includes(scalar) ? "number" : scalar

/** The newest version's fields to which the field's value is written, unchanged or in part. */
function takersOf(
  { newest }: Model,
  [{ name: resource }, { name, lens, readonly }]: Owned,
): readonly { readonly field: Field; readonly isPart: boolean }[] {
  const isItself = (one: Expression): boolean =>
    one.kind === "field" ? one.field === name : one.kind === "coalesce" && operandsOf(one).some(isItself)
  return [...((!readonly && lens?.writes) || [])].flatMap(([target, expression]) => {
    const field = newest?.resources.get(resource)?.fields.get(target)
    const isPart = expression.kind === "part" && operandsOf(expression).some(isItself)
    return field && (isPart || isItself(expression)) ? [{ field, isPart }] : []
  })
}

/** Whether all that matched the former pattern matches the present one: equal, or a list with more alternatives. */
function takesAllOf(is: string | undefined, was: string | undefined): boolean {
  if (is === undefined || is === was) return true
  const [more, fewer] = [alternatives(is), alternatives(was ?? "")]
  return fewer?.every((one) => more?.includes(one)) === true
}

/** The alternatives of `^(?:a|b)$`; undefined where brackets or escapes may hold a `|` of their own. */
const alternatives = (pattern: string): readonly string[] | undefined =>
  /^\^\(\?:([^()[\]{}\\]*)\)\$$/.exec(pattern)?.[1]?.split("|")

function compareEnumerations(
  { old, fresh, tell }: Sides,
  path: string,
  before: Field,
  after: Field,
  { reads, writes }: { readonly reads: boolean; readonly writes: boolean },
): void {
  const valuesOf = (model: Model, { enumeration }: Field): readonly string[] =>
    enumeration === undefined ? [] : (model.enums.get(enumeration)?.values ?? [])
  const [was, is] = [valuesOf(old, before), valuesOf(fresh, after)]
  for (const value of was)
    if (!is.includes(value))
      tell(writes ? "breaking" : "safe", path, `\`${path}\` is never \`${value}\` any more.`)
  for (const value of is)
    if (!was.includes(value)) tell(reads ? "risky" : "safe", path, `\`${path}\` may be \`${value}\`.`)
}

function compareRelations(
  { old, fresh, tell }: Sides,
  path: string,
  [, before]: OwnRelation,
  [resource, after]: OwnRelation,
): void {
  const [was, is] = [targetIn(old, before), targetIn(fresh, after)]
  if (before.kind !== after.kind)
    tell("breaking", path, `\`${path}\` leads to ${after.kind}, to ${before.kind} before.`)
  else if (was !== is) tell("breaking", path, `\`${path}\` leads to \`${is}\`, to \`${was}\` before.`)
  else if (before.kind === "one" && after.kind === "one") {
    if (!before.optional && after.optional) tell("breaking", path, `\`${path}\` may lead nowhere.`)
    const given = (relation: ToOne): boolean => relation.reference !== undefined && !relation.first
    if (before.optional && !after.optional && after.reference !== undefined)
      tell("breaking", path, `\`${path}\` must be given.`)
    if (before.reference !== undefined && after.reference === undefined)
      tell("breaking", path, `\`${before.reference}\`, which comes with \`${path}\`, is gone.`)
    else if (given(before) && !given(after))
      tell(
        "breaking",
        path,
        isLinked(fresh, resource, after)
          ? `\`${path}\` takes no nested \`update\`${before.optional ? " and `delete`" : ""} any more, and no update of many records.`
          : `\`${path}\` cannot be changed any more.`,
      )
  }
}

type OwnRelation = readonly [resource: Resource, relation: Relation]

/** Whether links in a join table lead to the first of several records. */
function isLinked({ newest }: Model, { name }: Resource, { first }: ToOne): boolean {
  const relation = first && newest?.resources.get(name)?.relations.get(first.relation)
  return relation?.kind === "many" && relation.through !== undefined
}

function compareTransitions(side: Sides, path: string, before: Transition, after: Transition): void {
  const { tell } = side
  if (before.to !== after.to)
    tell("breaking", path, `\`${path}\` leads to \`${after.to}\`, to \`${before.to}\` before.`)
  for (const state of before.from)
    if (!after.from.includes(state))
      tell("breaking", path, `\`${path}\` is not possible from \`${state}\` any more.`)
  compareValues(side, path, before.input, after.input, "inputs")
}

function compareActions(
  side: Sides,
  of: string,
  before: ReadonlyMap<string, Action> | undefined,
  after: ReadonlyMap<string, Action> | undefined,
): void {
  const { tell } = side
  compareMaps(before, after, {
    gone: (name) => tell("breaking", `${of}.${name}`, `\`${name}\` of \`${of}\` is gone.`),
    added: (name) => tell("safe", `${of}.${name}`, `There is \`${name}\` of \`${of}\`.`),
    both(name, one, other) {
      compareValues(side, `${of}.${name}`, one.input, other.input, "inputs")
      compareValues(side, `${of}.${name}`, one.output, other.output, "answers")
    },
  })
}

function compareValues(
  side: Sides,
  path: string,
  before: ReadonlyMap<string, Field>,
  after: ReadonlyMap<string, Field>,
  direction: "inputs" | "answers",
): void {
  const { tell } = side
  compareMaps(before, after, {
    gone: (name) => tell("breaking", `${path}.${name}`, `\`${path}.${name}\` is gone.`),
    added(name, field) {
      const needed = direction === "inputs" && !field.optional && field.default === undefined
      tell(
        needed ? "breaking" : "safe",
        `${path}.${name}`,
        needed ? `\`${path}.${name}\` must be given.` : `There is \`${path}.${name}\`.`,
      )
    },
    both: (name, one, other) => compareFields(side, `${path}.${name}`, one, other, direction),
  })
}
