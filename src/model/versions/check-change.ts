// Checks of a change's conditions, reads and writes, whose mistakes requests would meet otherwise.

import { omitUndefined } from "../../base/compact.ts"
import { suggest } from "../../base/suggest.ts"
import type { FieldDeclaration, ResourceDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import { isDecidableOf } from "../evaluation/evaluate.ts"
import {
  type Expression,
  fieldsIn,
  followedIn,
  partsOf,
  whensIn,
  withConditionFields,
} from "../expression.ts"
import type { Enumeration, Field, FormerMember, Relation, Resource } from "../model.ts"
import { isOperatorName, type OperatorName, operators, operatorsOf } from "../operators.ts"
import type { RuleObject } from "../policy-declaration.ts"
import { scalars } from "../scalars.ts"
import { mayBeNull } from "../validation/computed-types.ts"
import { wrongValue } from "../validation/wrong-value.ts"
import type { Undoing } from "./undoing.ts"

// Checks the conditions in reads and writes of a change: a request would meet their mistakes otherwise.

/** Members that a condition of a change may name. */
interface About {
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
  names.length > 0 ? `It takes ${names.join(", ")}.` : "No operator applies to it."

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

// The writes of a change with the fields of their conditions. Reports parts that have no value without the database.

/** Undefined, and reported, where a condition asks a field that the version before has not. */
export function checkedWrites(
  undoing: Undoing,
  before: readonly FormerMember[],
  writes: ReadonlyMap<string, Expression>,
): ReadonlyMap<string, Expression> | undefined {
  const fields = new Map(before.map(({ field }) => [field.name, field]))
  const own = before.flatMap(({ enumeration: one }) => (one ? [[one.name, one] as const] : []))
  const about = { fields, enums: new Map([...undoing.enums, ...own]), isDecided: true }
  const settled = new Map<string, Expression>()
  for (const [name, written] of writes) {
    for (const when of whensIn(written)) checkWhen(undoing, about, when)
    for (const { kind, relation } of followedIn(written))
      undoing.report?.(
        `\`writes\` cannot follow "${relation}" (\`${kind === "related" ? "field" : kind}\`): a writer gives no values of other records.`,
        "`writes` is made of the fields before the change. Leave it out where they do not say it: the field is read-only then.",
      )
    const expression = withConditionFields(written, (one) => fields.get(one))
    if (expression) settled.set(name, expression)
  }
  return settled.size < writes.size ? undefined : settled
}

// Checks that reads and writes of a change come to values of its fields: each request would be refused otherwise.
type Beside = Pick<Resource, "fields"> & Partial<Pick<Resource, "relations">>

/** Reports values that do not fit the field. @param beside the fields that the expression names, and relations */
export function checkFitting(
  undoing: Undoing,
  field: Field,
  expression: Expression,
  { isChanged, ...beside }: Beside & { readonly isChanged: boolean },
): void {
  const { report } = undoing
  if (!report) return
  const service = serviceOf(undoing)
  const wanted = wantedOf(field)
  const typing = {
    service,
    resource: declarationOf(beside),
    name: field.name,
    called: field.scalar,
    ...(isChanged && { remedy: remedyOf(field) }),
    report: (_: unknown, message: string, hint?: string) => report(message, hint),
  }
  const read = wanted.scalar === "decimal" ? withDecimals(expression) : expression
  if (!mayBeNull(typing, wanted, read, []) || field.optional) return
  // Relations are followed in `reads` alone.
  const part = beside.relations ? "reads" : "writes"
  report(
    `\`${part}\` of "${field.name}" may come to no value, and "${field.name}" is not optional.`,
    `Say what stands instead: ${insteadOf(field, expression)}.`,
  )
}

/** A field that was removed is not given by code. */
const remedyOf = ({ scalar }: Field): string =>
  scalar === "boolean" || scalar === "oneOf"
    ? "Choose the values with `if`, or say `code: true` and give functions."
    : "Say `code: true` and give functions where no expression makes the one of the other."

function insteadOf({ default: given }: Field, expression: Expression): string {
  if (expression.kind !== "field") return "with `coalesce` or `else`"
  const value = given?.kind === "value" ? JSON.stringify(given.value) : "…"
  return `{ coalesce: [${JSON.stringify(expression.field)}, { value: ${value} }] }`
}

/** The service as far as changes are undone. */
export const serviceOf = ({ resources, enums }: Undoing["newest"]): ServiceDeclaration =>
  ({
    name: "versions",
    resources: Object.fromEntries([...resources].map(([name, it]) => [name, declarationOf(it)])),
    enums: Object.fromEntries([...enums].map(([name, { values }]) => [name, { values: [...values] }])),
  }) as unknown as ServiceDeclaration

/** Numbers in an expression are exact as they are written. */
const withDecimals = (expression: Expression): Expression =>
  JSON.parse(JSON.stringify(expression), (_, part) =>
    part?.kind === "constant" && typeof part.value === "number"
      ? { ...part, value: String(part.value) }
      : part,
  )

const declarationOf = ({ fields, relations = new Map() }: Beside): ResourceDeclaration =>
  ({
    fields: Object.fromEntries([...fields].map(([name, field]) => [name, fieldOf(field)])),
    relations: Object.fromEntries(
      [...relations].map(([name, { kind, target }]: readonly [string, Relation]) => [name, { kind, target }]),
    ),
  }) as unknown as ResourceDeclaration

export const fieldOf = ({ scalar, list, optional, enumeration }: Field): FieldDeclaration =>
  omitUndefined<FieldDeclaration>({
    scalar,
    list: list || undefined,
    optional: optional || undefined,
    of: enumeration,
  })

/** The widest scalar of its kind: a later check reports a number or text that the field cannot have. */
function wantedOf(field: Field): FieldDeclaration {
  const wanted = fieldOf(field)
  if (wanted.scalar === "integer" || wanted.scalar === "int64") return { ...wanted, scalar: "decimal" }
  return scalars[wanted.scalar].family === "text" ? { ...wanted, scalar: "text" } : wanted
}

// The value of an older version contains the values of later changes. A change that names a field twice doubles them.
const most = 1_000

/** The expression, or one of its fields if it is too large. The report says so, and earlier changes are undone all the same. */
export function boundedParts({ report }: Undoing, name: string, expression: Expression): Expression {
  const parts = partsOf(expression)
  if (parts <= most) return expression
  report?.(
    `"${name}" comes to an expression of ${parts} parts with the changes since; at most ${most} are served.`,
    "Name each field once in `reads` and `writes`, as `map` does, give the value by code, or say `breaking`.",
  )
  const [field] = fieldsIn(expression)
  return field === undefined ? expression : { kind: "field", field }
}
