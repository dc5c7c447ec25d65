// Changes by code: inputs and results of their functions, as expressions that the engine evaluates.
import { omitUndefined } from "../../base/compact.ts"
import { referenceName } from "../declaration/default-names.ts"
import type { ChangeCode, CodeExpression, CodeValue, Expression } from "../expression.ts"
import { isFormerField } from "../former-fields.ts"
import type { Enumeration, Field, Resource, ToOne } from "../model.ts"
import { apiName } from "../names.ts"
import { pathNames, type Undoing } from "./undoing.ts"

interface Member {
  readonly value: CodeValue
  /** Its name in the newest version. */
  readonly newest: string
  readonly field?: Field
}

/** The fields and references that a change names, as the version since has them. Undefined where the caller lacks one. */
export function membersNamed(
  undoing: Undoing,
  resource: Resource,
  names: readonly string[],
  fields: Resource["fields"],
): readonly Member[] | undefined {
  const found = names.map((name): Member | undefined => {
    const field = fields.get(name)
    if (field) return { value: codeValueOf(field, undoing.enums), newest: field.current ?? name, field }
    const relation = resource.relations.get(name)
    if (relation?.kind === "one" && relation.reference !== undefined && !relation.first)
      return { value: referenceValue(relation, relation.reference), newest: newestName(relation) }
    if (pathNames(resource).includes(name) && !resource.fields.has(name))
      undoing.report?.(
        `Code is given fields and references, and "${name}" of ${apiName(resource)} is neither.`,
      )
    return undefined
  })
  return found.every((one) => one !== undefined) ? found : undefined
}

export function codeValueOf(
  { name, optional, scalar, list, constraints, stored, enumeration }: Field,
  enums: ReadonlyMap<string, Enumeration>,
): CodeValue {
  const values = enumeration === undefined ? undefined : enums.get(enumeration)?.values
  return omitUndefined<CodeValue>({
    name,
    optional,
    scalar,
    list,
    constraints,
    stored,
    values,
    target: undefined,
  })
}

const referenceValue = ({ optional, target }: ToOne, name: string): CodeValue => ({
  name,
  optional,
  scalar: "text",
  list: false,
  constraints: {},
  stored: "plain",
  target,
})

const newestName = ({ name, current = name }: ToOne): string => referenceName(current)

/** The newest name of a reference's scalar; the same for any other name. */
export function newestReference({ relations }: Resource, name: string): string {
  for (const relation of relations.values())
    if (relation.kind === "one" && relation.reference === name) return newestName(relation)
  return name
}

/** The value of a former field, by the names of the newest version. */
export const readByCode = (
  code: ChangeCode,
  { gives, names }: Pick<CodeExpression, "gives" | "names">,
  members: readonly Member[],
): CodeExpression => ({
  kind: "code",
  code,
  gives,
  names,
  takes: members.map(({ value, newest, field }) => ({
    value,
    of: (field && isFormerField(field) && field.computed) || { kind: "field", field: newest },
  })),
})

/** Code gives its values too late for a key: the record's name must be known before. */
export function refuseKey(
  { report }: Undoing,
  { key, relations }: Resource,
  members: readonly Member[],
): void {
  const parts = new Set(key?.parts.map(({ column }) => column))
  for (const { value, field } of members) {
    const relation = [...relations.values()].find((one) => one.kind === "one" && one.reference === value.name)
    const columns = field
      ? [field.column]
      : (relation?.kind === "one" ? relation.join : []).map(({ from }) => from)
    if (columns.some((column) => parts.has(column)))
      report?.(
        `"${value.name}" is a part of the key, which no code writes.`,
        "Leave out its function `writes`: older versions then read it alone.",
      )
  }
}

/** Values of the members since, of the former fields. */
export function writtenByCode(
  code: ChangeCode,
  members: readonly Member[],
  before: readonly CodeValue[],
): ReadonlyMap<string, Expression> {
  const takes = before.map((value) => ({ value, of: { kind: "field", field: value.name } as const }))
  const names = members.map(({ value }) => value.name)
  return new Map(
    members.map(({ value }) => [value.name, { kind: "code", code, gives: value, names, takes } as const]),
  )
}
