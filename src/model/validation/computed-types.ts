// Checks the type of an expression against the type of its field.
import { withArticle } from "../../base/article.ts"
import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import type { FieldDeclaration, ResourceDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import { own } from "../declaration/keys.ts"
import { type Expression, namesIn } from "../expression.ts"
import { isTextual, type ScalarName } from "../scalars.ts"
import type { Report } from "./context.ts"
import { wrongValue } from "./wrong-value.ts"

export interface Typing {
  readonly service: ServiceDeclaration
  readonly resource: ResourceDeclaration
  /** The field that is computed. */
  readonly name: string
  /** Its type in messages, if the wanted type is wider. */
  readonly called?: ScalarName
  /** A hint for a field of another type that no expression can replace. */
  readonly remedy?: string
  /** In a `textOf`, whose operand is a whole number. */
  readonly inText?: true
  readonly report: Report
}

type Of<Kind extends Expression["kind"]> = Extract<Expression, { readonly kind: Kind }>

/** Whether the expression may come to no value; undefined when mistakes were reported. */
export function mayBeNull(
  typing: Typing,
  wanted: FieldDeclaration,
  expression: Expression,
  place: Place,
): boolean | undefined {
  switch (expression.kind) {
    case "field":
      return fieldMissing(typing, wanted, expression, place)
    case "constant":
      return expression.value === null || checkConstant(typing, wanted, expression, place)
    case "arithmetic": {
      const at = [...place, expression.operator]
      return isNumber(wanted)
        ? anyOf(severalMissing(typing, wanted, expression.of, at))
        : unfit(typing, wanted, at, "a number")
    }
    case "concat": {
      const at = [...place, "concat"]
      return wanted.scalar === "text"
        ? anyOf(severalMissing(typing, wanted, expression.of, at))
        : unfit(typing, wanted, at, "text")
    }
    case "coalesce": {
      const missing = severalMissing(typing, wanted, expression.of, [...place, "coalesce"])
      return missing?.every((one) => one)
    }
    case "letters": {
      const at = [...place, expression.letters]
      return wanted.scalar === "text"
        ? mayBeNull(typing, wanted, expression.of, at)
        : unfit(typing, wanted, at, "text")
    }
    case "text": {
      const at = [...place, "textOf"]
      return wanted.scalar === "text"
        ? mayBeNull({ ...typing, inText: true }, { scalar: "int64" }, expression.of, at)
        : unfit(typing, wanted, at, "text")
    }
    case "part": {
      const at = [...place, expression.side]
      return wanted.scalar === "text"
        ? mayBeNull(typing, wanted, expression.of, at)
        : unfit(typing, wanted, at, "text")
    }
    case "mapped": {
      const at = [...place, "map"]
      return wanted.scalar === "text" || wanted.scalar === "oneOf"
        ? mayBeNull(typing, { ...wanted, scalar: "text" }, expression.of, at)
        : unfit(typing, wanted, at, "text")
    }
    case "choice":
      return choiceMissing(typing, wanted, expression, [...place, "if"])
    case "count": {
      const at = [...place, "count"]
      if (!isNumber(wanted)) return unfit(typing, wanted, at, "a whole number")
      return targetOf(typing, expression.relation, at) && false
    }
    case "sum":
      return sumMissing(typing, wanted, expression, [...place, "sum"])
    case "related":
      return relatedMissing(typing, wanted, expression, [...place, "field"])
    case "code":
      return expression.gives.optional
  }
}

const wholeNumbers: ReadonlySet<ScalarName> = new Set(["integer", "int64"])
const isWhole = ({ scalar }: FieldDeclaration): boolean => wholeNumbers.has(scalar)
const isNumber = (of: FieldDeclaration): boolean => isWhole(of) || of.scalar === "decimal"

function severalMissing(
  typing: Typing,
  wanted: FieldDeclaration,
  of: readonly Expression[],
  place: Place,
): readonly boolean[] | undefined {
  const missing = of.map((one, index) => mayBeNull(typing, wanted, one, [...place, index]))
  return missing.every((one) => one !== undefined) ? missing : undefined
}

const anyOf = (missing: readonly boolean[] | undefined): boolean | undefined => missing?.some((one) => one)

function unfit(typing: Typing, wanted: FieldDeclaration, at: Place, what: string): undefined {
  const isInexact = (typing.called ?? wanted.scalar) === "float" && what !== "text"
  typing.report(
    at,
    `\`${at.at(-1)}\` comes to ${what}, and ${isInexact ? `"${typing.name}" is a float, which is not exact: declare a decimal` : wish(typing, wanted)}.`,
    wanted.scalar === "text" ? makeText : undefined,
  )
}

const makeText = "Say { textOf: … }: it makes a text of a whole number."

const wish = ({ name, called, inText }: Typing, { scalar }: FieldDeclaration): string =>
  inText ? "`textOf` takes a whole number" : `"${name}" is ${called ?? scalar}`

function fieldMissing(
  typing: Typing,
  wanted: FieldDeclaration,
  { field }: Of<"field">,
  place: Place,
): boolean | undefined {
  const { service, resource, name, report } = typing
  const found = own(resource.fields, field)
  if (!found) {
    const relation = own(resource.relations, field)
    report(
      place,
      `There is no field "${field}" beside "${name}".`,
      relation
        ? `"${field}" is a relation: { count: "${field}" } counts its records.`
        : (suggest(field, Object.keys(resource.fields)) ?? 'A text is written { value: "…" }.'),
    )
    return undefined
  }
  const why = fits(service, found, wanted)
  if (why === undefined) return found.optional === true
  report(
    place,
    `${wish(typing, wanted)}, and "${field}" in its expression is ${why}.`,
    wanted.scalar === "text" && isWhole(found) && !found.list ? makeText : typing.remedy,
  )
  return undefined
}

/** The field's type where it differs from the wanted one; undefined when it fits. */
function fits(
  service: ServiceDeclaration,
  found: FieldDeclaration,
  wanted: FieldDeclaration,
): string | undefined {
  const { scalar } = found
  if (found.list) return "a list"
  if (isNumber(wanted)) {
    if (scalar === "float") return "a float, which is not exact"
    return isNumber(found) && (isWhole(found) || !isWhole(wanted)) ? undefined : scalar
  }
  if (wanted.scalar === "text") return isTextual(scalar) ? undefined : scalar
  if (scalar !== wanted.scalar) return scalar
  if (scalar !== "oneOf") return undefined
  const known = new Set(valuesOf(service, wanted))
  const other = valuesOf(service, found).find((value) => !known.has(value))
  return other === undefined ? undefined : `also "${other}"`
}

const valuesOf = (service: ServiceDeclaration, { of }: FieldDeclaration): readonly string[] =>
  typeof of === "string" ? (own(service.enums, of)?.values ?? []) : (of ?? [])

/** As many digits as every database computes with. */
const mostDigits = 18

function checkConstant(
  { service, name, report }: Typing,
  wanted: FieldDeclaration,
  { value }: Of<"constant">,
  place: Place,
): false | undefined {
  const { min: _, max: __, pattern: ___, precision: ____, scale: _____, ...form } = wanted
  const digits = typeof value === "boolean" ? 0 : String(value).replace(/\D/g, "").length
  const wrong =
    value === "now" && wanted.scalar !== "text"
      ? `${withArticle(wanted.scalar)}; nothing is computed from the time`
      : isNumber(wanted) && digits > mostDigits
        ? `a number of at most ${mostDigits} digits`
        : wrongValue(service, form, value)
  if (wrong === undefined) return false
  report(place, `Beside "${name}", a constant must be ${wrong}, not ${JSON.stringify(value)}.`)
  return undefined
}

function choiceMissing(
  typing: Typing,
  wanted: FieldDeclaration,
  { when, give, otherwise }: Of<"choice">,
  place: Place,
): boolean | undefined {
  const { resource, report } = typing
  let sound = true
  for (const name of namesIn(when)) {
    if (!own(resource.relations, name)) continue
    report(
      [...place, "when"],
      `"${name}" is a relation: the condition of a computed field is about the record's own fields.`,
      "Count or sum its records in a field of their own, and ask for that.",
    )
    sound = false
  }
  const chosen = mayBeNull(typing, wanted, give, [...place, "give"])
  const other = otherwise === undefined || mayBeNull(typing, wanted, otherwise, [...place, "else"])
  return sound && chosen !== undefined && other !== undefined ? chosen || other : undefined
}

function targetOf({ service, resource, report }: Typing, name: string, at: Place) {
  const relation = own(resource.relations, name)
  const target = relation?.kind === "many" ? own(service.resources, relation.target) : undefined
  const many = Object.entries(resource.relations ?? {}).flatMap(([called, { kind }]) =>
    kind === "many" ? [called] : [],
  )
  if (!target) report(at, `There is no to-many relation "${name}" here.`, suggest(name, many))
  return target
}

function sumMissing(
  typing: Typing,
  wanted: FieldDeclaration,
  { relation, field }: Of<"sum">,
  at: Place,
): false | undefined {
  if (!isNumber(wanted)) return unfit(typing, wanted, at, "a number")
  const target = targetOf(typing, relation, [...at, 0])
  if (!target) return undefined
  const found = own(target.fields, field)
  const why = found && fits(typing.service, found, wanted)
  if (!found)
    typing.report(
      [...at, 1],
      `"${relation}" has no field "${field}".`,
      suggest(field, Object.keys(target.fields)),
    )
  else if (why !== undefined)
    typing.report([...at, 1], `${wish(typing, wanted)}, and "${field}" in its expression is ${why}.`)
  return found && why === undefined ? false : undefined
}

function relatedMissing(
  typing: Typing,
  wanted: FieldDeclaration,
  { relation: called, field }: Of<"related">,
  at: Place,
): boolean | undefined {
  const { service, resource, report } = typing
  const relation = own(resource.relations, called)
  const target = relation?.kind === "one" ? own(service.resources, relation.target) : undefined
  if (relation?.kind !== "one" || !target) {
    const ones = Object.entries(resource.relations ?? {}).flatMap(([name, { kind }]) =>
      kind === "one" ? [name] : [],
    )
    report([...at, 0], `There is no to-one relation "${called}" here.`, suggest(called, ones))
    return undefined
  }
  const missing = fieldMissing({ ...typing, resource: target }, wanted, { kind: "field", field }, [...at, 1])
  return missing === undefined ? undefined : missing || relation.optional === true
}
