// Refusals of writes, in the caller's terms.

import { withArticle } from "../../base/article.ts"
import type { Code } from "../../base/codes.ts"
import { type Place, type Problem, Refusal, refusal } from "../../base/problem.ts"
import type { Model, Relation, Resource, ToOne, Transition } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import { isForAll } from "../every-record.ts"
import { listed } from "../hints.ts"
import { resourceNamed, wholeOf } from "../lookup.ts"

// Problems for denied permissions.

/** @param action also the name of a transition or an own action; a name of one word reads as a verb */
export const permissionDeniedText = (action: string, resource: string): string =>
  isWord(action)
    ? `You may not ${action} this ${resource}.`
    : `You may not do \`${action}\` to this ${resource}.`

const isWord = (name: string): boolean => /^[a-z]+$/.test(name)

export const permissionDenied = (action: string, resource: string, place: Place): Refusal =>
  refusal("forbidden", permissionDeniedText(action, resource), { place })

/** For an operation that is about no record. */
export const callDenied = (operation: string, place?: Place): Refusal =>
  refusal(
    "forbidden",
    `You may not ${isWord(operation) ? operation : `do \`${operation}\``}.`,
    place && { place },
  )

// Why a transition is not fired, in words: the same in an error and in the list of transitions.

/** @param resource of an audience's model: states are named to those only who can see the field that holds them */
export const illegalText = (resource: Resource, transition: Transition): string =>
  `${illegalClause(resource, transition)}.`

const illegalClause = ({ name, fields }: Resource, { name: called, machine, from }: Transition): string =>
  fields.has(machine)
    ? `\`${called}\` is possible only where \`${machine}\` is ${listed(from, "or")}`
    : `\`${called}\` is not possible with this ${name} as it is`

export const unmetText = ({ name }: Resource, { name: called, reason }: Transition): string =>
  reason ?? `This ${name} does not meet the condition of \`${called}\`.`

interface Which {
  readonly place: Place
  /** For one record among several. */
  readonly id?: string | undefined
}

/** @param state the record's state, if the caller may see it */
export function illegal(
  resource: Resource,
  transition: Transition,
  { place, id, state }: Which & { readonly state?: string | undefined },
): Refusal {
  const where = id === undefined ? "here" : `of ${id}`
  const now =
    state === undefined ? (id === undefined ? "" : `, which ${id} is not`) : `; ${where} it is ${state}`
  // The state of an older version in whose place newer ones have several.
  const beside = state !== undefined && transition.from.includes(state) ? ", with others beside it since" : ""
  return refusal("illegal_transition", `${illegalClause(resource, transition)}${now}${beside}.`, {
    place,
    hint: "Ask for its transitions: they show the possible ones.",
  })
}

export function unmet(resource: Resource, transition: Transition, { place, id }: Which): Refusal {
  const text = unmetText(resource, transition)
  return refusal("condition_not_met", id === undefined ? text : `${id}: ${text}`, { place })
}

// Turns a constraint violation into a Problem: the members that it is about and the rule, in the words of the API. No
// column, table, constraint or message of the database is in it.
export interface ConstraintViolation {
  /**
   * `reference`: the record referred to does not exist. `referenced`: other records refer to the record that would go, or
   * change its key. `check`: any rule of the database's own.
   */
  readonly rule: "unique" | "reference" | "referenced" | "check" | "required" | "tooLong" | "range"
  /** The table that the rule belongs to; of a foreign key, the one that refers. */
  readonly table?: string
  /** Empty when the database did not say. */
  readonly columns: readonly string[]
  /** Its name, or its condition where it has none. */
  readonly constraint?: string
  /** For a domain, which names neither table nor column: the columns of any table that have it as their type. */
  readonly typed?: readonly TypedColumn[]
}

export interface TypedColumn {
  readonly schema: string
  readonly table: string
  readonly column: string
  /** The column's type: the domain, or one based on it. */
  readonly type: { readonly schema: string; readonly name: string }
}

/** @param resource the one that was written @param place where in the request that was asked for */
export function constraintProblem(
  model: Model,
  resource: Resource,
  violation: ConstraintViolation,
  place: Place,
): Problem {
  const members = isElsewhere(model, resource, violation) ? [] : membersOf(model, resource, violation)
  const [only, ...more] = members
  const { code, message } = describe(model, resource, violation, members)
  const at = only === undefined || more.length > 0 ? place : [...place, only]
  return { code, message, place: at }
}

/** The conflicting record is hidden from the caller: the problem reports no part of it. */
export const unseenProblem = (resource: Resource, place: Place): Problem => ({
  code: "rule_violated",
  message: `The ${apiName(resource)} cannot be written with these values.`,
  place,
})

function describe(
  model: Model,
  resource: Resource,
  violation: ConstraintViolation,
  members: readonly string[],
): { readonly code: Code; readonly message: string } {
  const named = members.map((member) => `\`${member}\``).join(" and ")
  const some = members.length > 0
  switch (violation.rule) {
    case "unique":
      return {
        code: "already_exists",
        message: some
          ? `There is already another ${apiName(resource)} with the same ${named}.`
          : `There is already another such ${apiName(resource)}.`,
      }
    case "reference":
      return { code: "missing_reference", message: missing(resource, violation, named) }
    case "referenced":
      return { code: "still_referenced", message: stillReferenced(model, resource, violation) }
    case "required":
      return {
        code: "missing_field",
        message: some ? `${named} must be given.` : `Something of the ${apiName(resource)} must be given.`,
      }
    case "check":
      return {
        code: "rule_violated",
        message: some
          ? `${named} must meet a rule that the database has for it, and does not.`
          : `The ${apiName(resource)} must meet a rule that the database has for it, and does not.`,
      }
    case "tooLong":
      return {
        code: "rule_violated",
        message: `${some ? named : `A value of the ${apiName(resource)}`} must be shorter: the database takes none so long.`,
      }
    case "range":
      return {
        code: "rule_violated",
        message: `${some ? named : `A value of the ${apiName(resource)}`} must be within the range of the database.`,
      }
  }
}

function missing(resource: Resource, { columns }: ConstraintViolation, named: string): string {
  const relation = relationBy(resource, columns)
  if (named === "") return `The ${apiName(resource)} refers to a record that does not exist.`
  return relation
    ? `${named} must be the id of ${withArticle(relation.target)} that exists.`
    : `${named} must name a record that exists.`
}

function stillReferenced(model: Model, resource: Resource, { table }: ConstraintViolation): string {
  const by = [...model.resources.values()].find((one) => one.table.name === table)
  const isOpen = by?.access === undefined || isForAll(by.access.read)
  return by && isOpen
    ? `Records of ${by.name} still refer to the ${apiName(resource)}.`
    : `Other records still refer to the ${apiName(resource)}.`
}

/** The constraint belongs to another table, which a trigger wrote. Partitions belong to no resource. */
function isElsewhere(model: Model, resource: Resource, { rule, table }: ConstraintViolation): boolean {
  if (rule === "referenced") return true
  return (
    table !== undefined &&
    table !== resource.table.name &&
    [...model.resources.values()].some((one) => one.table.name === table)
  )
}

/** Members that hold the columns, each once. */
function membersOf(model: Model, resource: Resource, violation: ConstraintViolation): readonly string[] {
  const columns = violation.columns.length > 0 ? violation.columns : columnsNamedIn(resource, violation)
  const reference = violation.rule === "reference" ? relationBy(resource, columns)?.reference : undefined
  if (reference !== undefined) return [reference]
  const members = columns.flatMap(
    (column) => memberOfColumn(resource, column) ?? formersOf(model, resource, column),
  )
  return [...new Set(members)]
}

/** Members of an older version that write the column. */
function formersOf(model: Model, { name, fields, settable }: Resource, column: string): readonly string[] {
  const today = memberOfColumn(resourceNamed(wholeOf(model), name), column)
  return [...(settable ?? fields).values()].flatMap((field) =>
    today !== undefined && field.lens?.writes.has(today) ? [field.name] : [],
  )
}

/** The database requires a column that the service does not know; no client can mend that. */
export const isBeyondService = (resource: Resource, { rule, table, columns }: ConstraintViolation): boolean =>
  rule === "required" &&
  columns.length > 0 &&
  (table === undefined || table === resource.table.name) &&
  columns.every((column) => memberOfColumn(resource, column) === undefined)

/** Clients learn no more; the log has the cause. */
export const beyondService = ({ name, table }: Resource, { columns }: ConstraintViolation): Refusal =>
  new Refusal(
    [
      {
        code: "resource_unavailable",
        message: `No ${name} can be made now: the database asks for more than the service knows of.`,
      },
    ],
    {
      cause: new Error(
        `The column ${columns.map((column) => `"${column}"`).join(", ")} of the table "${table.name}" needs a value, and the service has no field for it. Give it a default in the database, or introspect anew.`,
      ),
    },
  )

function memberOfColumn(resource: Resource, column: string): string | undefined {
  for (const field of resource.fields.values()) if (field.column === column) return field.name
  for (const relation of resource.relations.values())
    if (isToOne(relation) && relation.join.some(({ from }) => from === column)) return relation.reference
  return resource.key?.parts.some((part) => part.column === column) ? "id" : undefined
}

/** The to-one relation whose foreign key is here, and is these columns. */
function relationBy(resource: Resource, columns: readonly string[]): ToOne | undefined {
  return [...resource.relations.values()]
    .filter(isToOne)
    .find(({ join }) => join.length === columns.length && join.every(({ from }) => columns.includes(from)))
}

const isToOne = (relation: Relation): relation is ToOne =>
  relation.kind === "one" && relation.reference !== undefined && !relation.first

/** SQLite names a nameless CHECK by its condition: words of the condition that are columns give the columns. */
function columnsNamedIn(
  resource: Resource,
  { rule, constraint = "" }: ConstraintViolation,
): readonly string[] {
  if (rule !== "check") return []
  const words =
    constraint.replace(/'(?:[^']|'')*'/g, " ").match(/"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*/gu) ?? []
  const said = new Set(words.map((word) => word.replace(/^"|"$/g, "").toLowerCase()))
  const columns = [
    ...[...resource.fields.values()].map(({ column }) => column),
    ...[...resource.relations.values()].filter(isToOne).flatMap(({ join }) => join.map(({ from }) => from)),
  ]
  return columns.filter((column) => said.has(column.toLowerCase()))
}
