// A field that an older version lacks: what its new records have there.
import type { JsonValue } from "../../base/json.ts"
import { evaluate } from "../evaluation/evaluate.ts"
import { type Expression, hasCode, replaceFields, sourcesIn } from "../expression.ts"
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
  const written = [...lens.writes].map(([newest, expression]) => {
    const sources = sourcesIn(expression)
    const filled = replaceFields(expression, (input) => (input === name ? value : undefined))
    return { newest, expression: filled, asksIt: sources.includes(name), asksOthers: sources.some(isOther) }
  })
  const inputs = lens.inputs.filter(isOther)
  const isSaid = writes !== undefined || own !== undefined
  const fields = undoing.newest.resources.get(resource.name)?.fields
  const alone = written.filter(({ asksOthers }) => inputs.length === 0 || !asksOthers)
  const supplied = alone.filter(
    ({ newest, expression }) => isSaid || !(fields?.get(newest)?.default || hasCode(expression)),
  )
  const left =
    inputs.length === 0
      ? resource
      : withLens(resource, lens, {
          inputs,
          writes: new Map(
            written
              .filter(({ asksOthers }) => asksOthers)
              .map(({ newest, expression }) => [newest, expression]),
          ),
          isMixed: written.some(({ asksIt, asksOthers }) => asksIt && asksOthers),
        })
  return supplying(
    undoing,
    left,
    Object.fromEntries(supplied.map(({ newest, expression }) => [newest, expression])),
  )

  function isOther(input: string): boolean {
    return input !== name
  }
}

const constant = (value: JsonValue): Expression => ({ kind: "constant", value })

/**
 * The other fields that are written with the one that is left out are written alone. Where both are written into one field of
 * today, a record keeps them: what it has of the field that is left out would be lost.
 */
function withLens(
  resource: Resource,
  lens: Lens,
  { isMixed, ...left }: Lens & { readonly isMixed: boolean },
): Resource {
  const changed = (of: ReadonlyMap<string, Field>): ReadonlyMap<string, Field> =>
    new Map(
      [...of].map(([name, field]) => [
        name,
        field.lens === lens ? { ...field, lens: left, immutable: field.immutable || isMixed } : field,
      ]),
    )
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
