// From a field's declaration to the field.

import { omitUndefined } from "../../base/compact.ts"
import type { Constraints } from "../bounds.ts"
import { readExpression } from "../expression.ts"
import type { Default, Field } from "../model.ts"
import { scalars } from "../scalars.ts"
import type { FieldDeclaration, FormerNames, ResourceDeclaration } from "./declaration.ts"
import { defaultColumn, enumerationName } from "./default-names.ts"
import { isNaturalKey, own } from "./keys.ts"
import { machinesIn } from "./states.ts"

export const formerNames = (was: FormerNames | undefined): readonly string[] | undefined =>
  typeof was === "string" ? [was] : was

export function buildField(
  resource: string,
  { key, unique, states }: Pick<ResourceDeclaration, "key" | "unique" | "states">,
  name: string,
  field: FieldDeclaration,
): Field {
  const { min, max, items, declared, pattern, form, precision, scale } = field
  return omitUndefined<Field>({
    name,
    was: formerNames(field.was),
    from: field.from,
    column: defaultColumn(name, field),
    scalar: field.scalar,
    list: field.list === true,
    enumeration: field.scalar === "oneOf" ? enumerationName(resource, name, field) : undefined,
    optional: field.optional === true,
    readonly: field.readonly === true || field.generated === true || field.computed !== undefined,
    immutable: field.immutable === true || (isNaturalKey(key) && key.includes(name)),
    unique:
      field.unique === true || (unique ?? []).some(([first, ...more]) => first === name && more.length === 0),
    generated: field.generated === true || field.computed !== undefined,
    computed: field.computed === undefined ? undefined : readExpression(field.computed, noReport),
    state: own(machinesIn(states), name) ? true : undefined,
    default: buildDefault(field),
    constraints: omitUndefined<Constraints>({
      min,
      max,
      items: items && Object.keys(items).length > 0 ? items : undefined,
      declared,
      pattern: pattern === undefined ? undefined : anchored(pattern),
      form,
      precision,
      scale,
    }),
    stored: field.stored ?? "plain",
    description: field.description,
    read: field.read,
    write: field.write,
  })
}

/** The field has passed the rule that reports its mistakes. */
const noReport = (): void => undefined

/** A pattern describes the whole text, as readers expect of a rule for a field. */
const anchored = (pattern: string): string => (/^\^[^|]*\$$/.test(pattern) ? pattern : `^(?:${pattern})$`)

function buildDefault({
  default: value,
  defaultDelay: delay,
  scalar,
  list,
}: FieldDeclaration): Default | undefined {
  if (value === undefined) return undefined
  if (isDatabaseDefault(value)) return { kind: "database" }
  if (value === "now" && !list && scalars[scalar].family === "moment")
    return { kind: "now", ...(delay !== undefined && { delay }) }
  return { kind: "value", value }
}

export function isDatabaseDefault(value: FieldDeclaration["default"]): value is { readonly database: true } {
  return (
    typeof value === "object" &&
    value !== null &&
    "database" in value &&
    value.database === true &&
    Object.keys(value).length === 1
  )
}
