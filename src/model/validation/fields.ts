// Fields: their forms, constraints, patterns, enumerations, defaults, and columns of another type.

import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import { formerNames, isDatabaseDefault } from "../declaration/build-field.ts"
import type { FieldDeclaration, FormerValues, ServiceDeclaration } from "../declaration/declaration.ts"
import { own } from "../declaration/keys.ts"
import { machinesIn } from "../declaration/states.ts"
import { followedIn, readExpression } from "../expression.ts"
import { compilePattern } from "../pattern.ts"
import { type ScalarOption, scalars } from "../scalars.ts"
import { lookedAt } from "./computed-cycles.ts"
import { mayBeNull } from "./computed-types.ts"
import { claims, fieldsOf, type Report, type Rule, valuesOf } from "./context.ts"
import { wrongValue } from "./wrong-value.ts"

// A field has only settings that its scalar can have.
type Said = ScalarOption | "items"

export const fieldForms: Rule = (service, report) => {
  for (const { name, member, place } of valuesOf(service)) {
    const can = allowed(member)
    for (const said of ["of", "min", "max", "items", "pattern", "precision", "scale"] as const)
      if (member[said] !== undefined && !can.has(said))
        report([...place, said], `"${name}" cannot have \`${said}\`: ${kind(member)} has none.`)
    if (member.scalar === "oneOf" && member.of === undefined)
      report(place, `"${name}" has no values to choose from.`, 'Give the values: `f.oneOf(["a", "b"])`.')
    if (member.generated && member.default !== undefined)
      report([...place, "default"], `"${name}" is computed by the database, so it has no default.`)
    if (member.generated && member.readonly === false)
      report([...place, "readonly"], `"${name}" is computed by the database, so it is always read-only.`)
    if (member.readonly && member.immutable)
      report([...place, "immutable"], `"${name}" is read-only, so it is never written, not even once.`)
  }
}

const kind = ({ scalar, list }: FieldDeclaration): string => (list ? `a list of ${scalar}` : scalar)

function allowed({ scalar, list }: FieldDeclaration): ReadonlySet<Said> {
  const { options } = scalars[scalar]
  const ofList: readonly Said[] = options.includes("min") ? ["min", "max", "items"] : ["min", "max"]
  return new Set(list ? [...options, ...ofList] : options)
}

// `from` of a field makes its value in existing records: an expression of the record's own columns.
export const conversions: Rule = (service, report) => {
  for (const { name, member, place, of } of fieldsOf(service)) {
    if (member.from === undefined || member.computed !== undefined) continue
    const at: Place = [...place, "from"]
    if (service.managed === false) {
      report(at, "Bifold does not manage these tables, so it makes no values in them.", "Leave out `from`.")
      continue
    }
    if (member.list || member.scalar === "json" || member.scalar === "bytes") {
      report(at, `Values of "${name}" cannot be made by an expression.`, "Leave out `from`.")
      continue
    }
    const expression = readExpression(member.from, report, at)
    if (!expression) continue
    const [followed] = followedIn(expression)
    if (followed)
      report(at, `\`from\` is about the record's own columns, and "${followed.relation}" is a relation.`)
    // Others are columns that a database had before.
    const { fields } = of.resource
    const sources = lookedAt(service, of.name, expression).map(({ field }) => field)
    const isKnown = sources.every(
      (source) => source !== name && fields[source]?.computed === undefined && fields[source],
    )
    if (!followed && isKnown)
      mayBeNull(
        { service, resource: of.resource, name, report },
        { ...member, optional: true },
        expression,
        at,
      )
  }
}

// Constraints that some value can meet, and that every storage can keep.

/** SQLite keeps a decimal as a scaled whole number of 64 bits. */
const mostDigitsStored = 18
const mostDigits = 1000
/** Digits of a second's fraction. */
const mostFraction = 6

export const constraints: Rule = (service, report) => {
  for (const { name, member, place, of } of valuesOf(service)) {
    const here: Report = (at, message, hint) => report([...place, ...at], message, hint)
    const measured = scalars[member.scalar].family !== "number"
    checkRange(name, member, member.list === true || measured, here)
    if (member.items)
      checkRange(name, member.items, measured, (at, message) => here(["items", ...at], message))
    if (member.scalar === "decimal")
      checkDecimal(name, member, { made: of.resource.key === undefined, least: leastScale(service) }, here)
    else if (member.precision !== undefined && !isWhole(member.precision, 0, mostFraction))
      here(["precision"], `The precision of "${name}" must be a whole number from 0 to ${mostFraction}.`)
  }
}

interface Range {
  readonly min?: number
  readonly max?: number
}

/** `counted`: the ends are numbers of characters, items or bytes, not values. */
function checkRange(name: string, { min, max }: Range, counted: boolean, report: Report): void {
  for (const [end, value] of Object.entries({ min, max }))
    if (counted && value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
      report([end], `The ${end} of "${name}" must be a whole number of at least 0, not ${value}.`)
  if (min !== undefined && max !== undefined && min > max)
    report([], `The min of "${name}", ${min}, is greater than its max, ${max}.`)
}

/** PostgreSQL 15 and later can round digits before the point, if an existing table asks for it. */
const leastScale = ({ managed }: ServiceDeclaration): number => (managed === false ? -mostDigits : 0)

/** `made`: Bifold makes the table. */
function checkDecimal(
  name: string,
  { precision, scale }: FieldDeclaration,
  { made, least }: { readonly made: boolean; readonly least: number },
  report: Report,
): void {
  if (precision === undefined && scale === undefined) {
    if (made) report([], `"${name}" needs a precision and a scale.`, "Such as `{ precision: 12, scale: 2 }`.")
    return
  }
  const most = made ? mostDigitsStored : mostDigits
  if (precision === undefined) report([], `"${name}" has a scale but no precision.`)
  else if (!isWhole(precision, 1, most))
    report(
      ["precision"],
      `The precision of "${name}" must be a whole number from 1 to ${most}, not ${precision}.`,
    )
  else if (scale === undefined) report([], `"${name}" has a precision but no scale.`)
  else if (!isWhole(scale, least, precision))
    report(
      ["scale"],
      `The scale of "${name}" must be a whole number from ${least} to ${precision}, not ${scale}.`,
    )
}

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most

// A pattern is an ECMAScript regular expression with the flag `u`, of the parts that can be matched in linear time.
export const patterns: Rule = (service, report) => {
  for (const { name, member, place } of valuesOf(service)) {
    const { pattern } = member
    if (pattern === undefined) continue
    const wrong = mistakeOf(pattern)
    if (wrong !== undefined) {
      report([...place, "pattern"], `The pattern of "${name}" is no regular expression: ${wrong}.`)
      continue
    }
    const compiled = compilePattern(pattern)
    if ("reason" in compiled)
      report(
        [...place, "pattern"],
        `The pattern of "${name}" cannot be matched in a time that is known beforehand: ${compiled.reason}.`,
        "Use letters, classes, groups, alternatives and repetitions; say lengths by `min` and `max`.",
      )
    else if (longest(member) > compiled.longest)
      report(
        [...place, "pattern"],
        `The pattern of "${name}" is too long for texts of ${longest(member)} characters: with it they have at most ${compiled.longest}.`,
        "Say a smaller `max`, or a pattern with fewer or smaller repetitions.",
      )
  }
}

const longest = ({ list, max, items }: FieldDeclaration): number => (list ? items?.max : max) ?? 0

function mistakeOf(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "u")
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^Invalid regular expression: /, "") : String(error)
  }
}

// Each value of an enumeration is there once; `f.oneOf("name")` names one of the service's.
export const enumerations: Rule = (service, report) => {
  for (const [name, { values, formerly }] of Object.entries(service.enums ?? {})) {
    checkNames(`The enumeration "${name}"`, values, ["enums", name, "values"], report)
    if (formerly) checkFormer(service, { values, formerly, place: ["enums", name, "formerly"] }, report)
  }
  for (const { name, member, place, of } of valuesOf(service)) {
    const { formerly, of: values } = member
    const at = [...place, "formerly"]
    if (formerly && (values === undefined || typeof values === "string"))
      report(at, "The values are not the field's own.", "Put `formerly` beside the `values` in `enums`.")
    else if (formerly && typeof values === "object")
      checkFormer(service, { values, formerly, place: at }, report)
    if (member.list && (typeof values === "string" ? own(service.enums, values)?.formerly : formerly))
      report(
        typeof values === "string" ? [...place, "of"] : at,
        `"${of.name}.${name}" is a list, whose values are not renamed in records.`,
        "Keep the old values, or have a field of one value.",
      )
    if (member.of === undefined) continue
    if (typeof member.of !== "string") checkNames(`"${of.name}.${name}"`, member.of, [...place, "of"], report)
    else if (!own(service.enums, member.of))
      report(
        [...place, "of"],
        `No enumeration is called "${member.of}".`,
        suggest(member.of, Object.keys(service.enums ?? {})),
      )
  }
}

interface Renamed {
  readonly values: readonly string[]
  readonly formerly: FormerValues
  readonly place: Place
}

/** Former values became one of today's, and are not among these. */
function checkFormer(
  { managed }: ServiceDeclaration,
  { values, formerly, place }: Renamed,
  report: Report,
): void {
  if (managed === false) {
    report(
      place,
      "Bifold does not manage these tables, so it renames nothing in them.",
      "Leave out `formerly`.",
    )
    return
  }
  const claimed = claims<string>()
  for (const [value, was] of Object.entries(formerly)) {
    const at = [...place, value]
    if (!values.includes(value)) report(at, `There is no value "${value}".`, suggest(value, values))
    for (const one of formerNames(was) ?? []) {
      const first = claimed.claim(one, value)
      if (values.includes(one))
        report(at, `"${value}" cannot have been "${one}", which is a value now.`, "Rename in two steps.")
      else if (first !== undefined)
        report(at, `"${value}" and "${first}" cannot both have been "${one}".`, "Leave out one of the two.")
    }
  }
}

function checkNames(owner: string, values: readonly string[], place: Place, report: Report): void {
  for (const [index, value] of values.entries()) {
    if (value === "") report([...place, index], `${owner} has an empty value.`)
    else if (value.includes("\u0000") || !value.isWellFormed())
      report([...place, index], `${owner} has a value with U+0000 or a lone surrogate.`)
    else if (values.indexOf(value) < index)
      report([...place, index], `${owner} has the value "${value}" twice.`)
  }
}

// A default is a value that the field could be given.
export const defaultValues: Rule = (service, report) => {
  for (const { name, member, place, of } of valuesOf(service)) {
    const value = member.default
    if (value === undefined || isDatabaseDefault(value)) continue
    // A field that holds states begins with the machine's first, which is that rule's matter.
    if (own(of.resource.fields, name) === member && own(machinesIn(of.resource.states), name)) continue
    if (value === null) {
      report(
        [...place, "default"],
        `The default of "${name}" is null.`,
        "A field without a default is null if it is `optional`.",
      )
      continue
    }
    const wrong = wrongValue(service, member, value)
    if (wrong !== undefined)
      report(
        [...place, "default"],
        `The default of "${name}" must be ${wrong}, not ${JSON.stringify(value)}.`,
      )
  }
}
