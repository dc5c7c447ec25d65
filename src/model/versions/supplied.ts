// A field that an older version lacks: what its new records have there.
import type { JsonValue } from "../../base/json.ts"
import { evaluate } from "../evaluation/evaluate.ts"
import { type Expression, hasCode, replaceFields } from "../expression.ts"
import { isFormerField } from "../former-fields.ts"
import type { Field, Lens, Resource } from "../model.ts"
import { wrongValue } from "../validation/wrong-value.ts"
import { fieldOf, serviceOf } from "./fitting.ts"
import type { Undoing } from "./undoing.ts"

/** @param writes the value that the change gives; without one the field's default, or none */
export function withSupplied(
  undoing: Undoing,
  resource: Resource,
  field: Field,
  writes: JsonValue | undefined,
): Resource {
  const { name, current = name, lens, default: own, optional, readonly } = field
  if (writes === undefined && !optional && !own && !readonly)
    undoing.report?.(
      `Writers of older versions cannot give "${name}", which each record needs.`,
      "Give the field a default, or say what they write: { added, writes }.",
    )
  // Its value is another one today, and no later change says which.
  if (!lens && isFormerField(field)) {
    if (writes !== undefined) undoing.report?.(`"${name}" cannot be written.`)
    return resource
  }
  if (!lens)
    return writes === undefined ? resource : supplying(undoing, resource, { [current]: constant(writes) })
  const value = constant(writes ?? (own?.kind === "value" ? own.value : null))
  const left: Lens = {
    inputs: lens.inputs.filter((input) => input !== name),
    writes: new Map(
      [...lens.writes].map(([newest, expression]) => [
        newest,
        replaceFields(expression, (input) => (input === name ? value : undefined)),
      ]),
    ),
  }
  if (left.inputs.length > 0) return withLens(resource, lens, left)
  const isSaid = writes !== undefined || own !== undefined
  const fields = undoing.newest.resources.get(resource.name)?.fields
  const supplied = [...left.writes].filter(
    ([newest, expression]) => isSaid || !(fields?.get(newest)?.default || hasCode(expression)),
  )
  return supplying(undoing, resource, Object.fromEntries(supplied))
}

const constant = (value: JsonValue): Expression => ({ kind: "constant", value })

/** The other fields that are written with the one that is left out are written alone. */
function withLens(resource: Resource, lens: Lens, left: Lens): Resource {
  const changed = (of: ReadonlyMap<string, Field>): ReadonlyMap<string, Field> =>
    new Map([...of].map(([name, field]) => [name, field.lens === lens ? { ...field, lens: left } : field]))
  const { fields, settable } = resource
  return { ...resource, fields: changed(fields), ...(settable && { settable: changed(settable) }) }
}

function supplying(
  undoing: Undoing,
  resource: Resource,
  values: Readonly<Record<string, Expression>>,
): Resource {
  for (const [name, expression] of Object.entries(values)) checkValue(undoing, resource, name, expression)
  return { ...resource, supplied: new Map([...(resource.supplied ?? []), ...Object.entries(values)]) }
}

function checkValue(undoing: Undoing, { name: of }: Resource, name: string, expression: Expression): void {
  const field = undoing.report && undoing.newest.resources.get(of)?.fields.get(name)
  if (!field) return
  if (hasCode(expression)) {
    undoing.report?.(
      `New records of older versions cannot have "${name}" of what code gives.`,
      "Give it by an expression.",
    )
    return
  }
  const value = evaluate(expression, field, new Map())
  const wrong =
    value === null
      ? !field.optional && "a value, as each record needs one"
      : wrongValue(serviceOf(undoing.newest), { ...fieldOf(field), ...field.constraints }, value)
  if (wrong)
    undoing.report?.(
      `New records of older versions have ${JSON.stringify(value)} as "${name}", which must be ${wrong}.`,
    )
}
