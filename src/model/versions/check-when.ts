// Checks the conditions in reads and writes of a change: a request would meet their mistakes otherwise.
import { suggest } from "../../base/suggest.ts"
import { isDecidableOf } from "../evaluation/decide.ts"
import type { Enumeration, Field, Relation } from "../model.ts"
import { isOperatorName, type OperatorName, operators, operatorsOf } from "../operators.ts"
import type { RuleObject } from "../policy-declaration.ts"
import { wrongValue } from "../validation/wrong-value.ts"
import { fieldOf, serviceOf } from "./fitting.ts"
import type { Undoing } from "./undoing.ts"

/** Members that a condition of a change may name. */
export interface About {
  readonly fields: ReadonlyMap<string, Field>
  /** Enumerations of its fields. */
  readonly enums: ReadonlyMap<string, Enumeration>
  /** For `reads`: references may be asked whether they lead anywhere. */
  readonly relations?: ReadonlyMap<string, Relation>
  /** For `writes`: the condition is decided on an input, before the database is asked. */
  readonly isDecided: boolean
}

/** Reports each mistake. */
export function checkWhen(undoing: Undoing, about: About, when: unknown): void {
  const { report } = undoing
  if (!report) return
  if (!isObject(when)) {
    report("A condition is an object.", example)
    return
  }
  for (const [name, of] of Object.entries(when)) {
    if (name === "and" || name === "or") {
      if (Array.isArray(of)) for (const one of of) checkWhen(undoing, about, one)
      else report(`\`${name}\` takes a list of conditions.`, example)
    } else if (name === "not") checkWhen(undoing, about, of)
    else checkMember(undoing, about, name, of)
  }
}

const example = "Such as { active: { eq: true } }."

function checkMember(undoing: Undoing, about: About, name: string, of: unknown): void {
  const { report } = undoing
  const field = about.fields.get(name)
  if (!isObject(of)) {
    report?.(`"${name}" takes an object of operators.`, `Such as { ${name}: { eq: … } }.`)
    return
  }
  if (field) {
    for (const [operator, operand] of Object.entries(of))
      checkComparison(undoing, about, field, [operator, operand])
    return
  }
  const isReference = referencesOf(about).includes(name)
  if (isReference && Object.keys(of).every((operator) => operator === "isNull")) return
  report?.(
    isReference
      ? `The reference "${name}" can only be asked for isNull here.`
      : `There is no field "${name}" for the condition.`,
    suggest(name, [...about.fields.keys()]),
  )
}

/** By the names of the newest version, which has the relations. */
export const referencesOf = ({ relations }: Pick<About, "relations">): readonly string[] =>
  [...(relations?.values() ?? [])].flatMap((one) =>
    one.kind === "one" && one.reference !== undefined && !one.first && one.current === undefined
      ? [one.reference]
      : [],
  )

function checkComparison(
  undoing: Undoing,
  about: About,
  field: Field,
  [operator, operand]: readonly [string, unknown],
): void {
  const { report } = undoing
  const { name } = field
  const known = operatorsOf(field)
  if (!isOperatorName(operator) || !known.includes(operator)) {
    report?.(`"${name}" has no operator "${operator}".`, suggest(operator, known) ?? takes(known))
    return
  }
  if (about.isDecided && !isDecidableOf(field, operator)) {
    const left = known.filter((one) => isDecidableOf(field, one))
    report?.(
      `\`writes\` cannot ask \`${operator}\` of "${name}" (${field.scalar}): databases decide it, and an input is looked at before.`,
      left.length > 0 ? takes(left) : "Leave `writes` out: the field is read-only then.",
    )
    return
  }
  const wrong = wrongOperand(undoing, about, field, [operator, operand])
  if (wrong !== undefined)
    report?.(`\`${name}.${operator}\` must be ${wrong}, not ${JSON.stringify(operand)}.`)
}

const takes = (names: readonly OperatorName[]): string =>
  names.length > 0 ? `It takes ${names.join(", ")}.` : "It cannot be asked for anything."

function wrongOperand(
  { resources }: Undoing,
  { enums }: About,
  field: Field,
  [operator, operand]: readonly [OperatorName, unknown],
): string | undefined {
  const { list: _, ...one } = fieldOf(field)
  const service = serviceOf({ resources, enums })
  const wrong = (value: unknown): string | undefined => wrongValue(service, one, value)
  switch (operators[operator].operand) {
    case "flag":
      return typeof operand === "boolean" ? undefined : "true or false"
    case "text":
      return typeof operand === "string" ? undefined : "text"
    case "value":
      return wrong(operand)
    case "values":
      if (!Array.isArray(operand)) return "a list"
      return operand.map(wrong).find((one) => one !== undefined)
  }
}

const isObject = (given: unknown): given is RuleObject =>
  typeof given === "object" && given !== null && !Array.isArray(given)
