// Operands: the value behind an operator, read in the form that the operator takes.
import type { Subject } from "../../model/condition.ts"
import type { Model, Resource } from "../../model/model.ts"
import { type OperatorName, operators } from "../../model/operators.ts"
import type { ValueType } from "../../model/scalars.ts"
import { isWellFormed } from "../../model/values/json.ts"
import { fieldNamed, targetOf } from "../lookup.ts"
import { quoteInput } from "../quote-input.ts"
import type { Value } from "../read-plan.ts"
import { readId } from "../values/ids.ts"
import { type Encoding, operandType, type ReadValue, readValue, valueTypeOf } from "../values/values.ts"

/** The operand of a comparison: values of a type, or keys of a resource. */
export type Comparand =
  | { readonly kind: "type"; readonly type: ValueType }
  | { readonly kind: "key"; readonly resource: Resource }

export function comparandOf(model: Model, resource: Resource, subject: Subject): Comparand {
  switch (subject.kind) {
    case "id":
      return { kind: "key", resource }
    case "reference":
      return { kind: "key", resource: targetOf(model, resource, subject.relation) }
    case "field":
      return { kind: "type", type: operandType(valueTypeOf(model, fieldNamed(resource, subject.field))) }
  }
}

/** The operand's canonical value. A key that no record can have is left out of `in` and the like, else it is `[]`. */
export function readOperand(
  operator: Exclude<OperatorName, "isNull">,
  comparand: Comparand,
  input: unknown,
  encoding: Encoding,
): ReadValue {
  const readOne = (item: unknown): ReadValue =>
    comparand.kind === "key" ? readKey(comparand.resource, item) : readValue(comparand.type, item, encoding)
  switch (operators[operator].operand) {
    case "values":
      return readSeveral(input, readOne, comparand.kind === "key")
    case "text":
      return readValue({ scalar: "text", list: false }, input, encoding)
    default:
      return readOne(input)
  }
}

export function readFlag(input: unknown, encoding: Encoding): ReadValue {
  return readValue({ scalar: "boolean", list: false }, input, encoding)
}

function readSeveral(input: unknown, readOne: (item: unknown) => ReadValue, keys: boolean): ReadValue {
  if (!Array.isArray(input)) return { ok: false, wrong: `must be a list, not ${quoteInput(input)}` }
  const values: Value[] = []
  for (const [index, item] of input.entries()) {
    if (item === null)
      return {
        ok: false,
        wrong: `must be a list without null (item ${index + 1}): ask isNull`,
      }
    const one = readOne(item)
    if (!one.ok) return { ok: false, wrong: `${one.wrong} (item ${index + 1})` }
    if (!keys || !isNoKey(one.value)) values.push(one.value)
  }
  return { ok: true, value: values }
}

const noKey: Value = []

/** Whether readOperand found an id that no record of the resource can have. */
export function isNoKey(value: Value): boolean {
  return Array.isArray(value) && value.length === 0
}

/** A JSON whole number is taken for its digits, as a GraphQL `ID` takes it (specification section 3.5.5). */
function readKey(resource: Resource, input: unknown): ReadValue {
  const text = typeof input === "number" && Number.isSafeInteger(input) ? String(input) : input
  if (typeof text !== "string") {
    return {
      ok: false,
      wrong: `must be an id such as "${resource.prefix}_…", not ${quoteInput(input)}`,
    }
  }
  if (!isWellFormed(text))
    return {
      ok: false,
      wrong: "must be text without U+0000 and without lone surrogates",
    }
  return { ok: true, value: readId(resource, text) ?? noKey }
}
