// Increments in user code: `increment(-10)` in the place of a number becomes the sum, which is then written as any number is.
import { refusal } from "../../base/problem.ts"
import type { Resource } from "../../model/model.ts"
import { isObject } from "../../plan/pending-key.ts"
import { permissionDenied } from "../../plan/write/permission-denied.ts"

const summed: readonly string[] = ["integer", "int64", "decimal"]

/** Names of the members that are increments: objects in the place of numbers. */
export const incremented = ({ fields }: Resource, input: unknown): readonly string[] =>
  isObject(input)
    ? Object.keys(input).filter((name) => {
        const given = input[name]
        const field = fields.get(name)
        return (
          field && summed.includes(field.scalar) && !field.list && isObject(given) && "increment" in given
        )
      })
    : []

/** The input with sums. @param record as its actor sees it */
export function withSums(
  resource: Resource,
  input: unknown,
  record: Readonly<Record<string, unknown>>,
): unknown {
  const given = input as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  const sums = incremented(resource, input).map((name) => {
    const by = String(given[name]?.["increment"])
    // The result would tell what it is.
    if (!(name in record)) throw permissionDenied("update", resource.name, [name])
    const now = record[name]
    if (now === null) throw wrongIncrement(name, "has no value that could be incremented")
    if (!/^-?\d+(\.\d+)?$/.test(by)) throw wrongIncrement(name, "is incremented by a number in plain digits")
    const sum = sumOf(String(now), by)
    return [name, resource.fields.get(name)?.scalar === "integer" ? Number(sum) : sum]
  })
  return { ...given, ...Object.fromEntries(sums) }
}

const wrongIncrement = (name: string, wrong: string) =>
  refusal("invalid_value", `\`${name}\` ${wrong}.`, { place: [name] })

/** Exact, in plain digits. */
function sumOf(one: string, other: string): string {
  const places = Math.max(...[one, other].map((text) => (text.split(".")[1] ?? "").length))
  const scaled = (text: string): bigint => {
    const [whole = "0", fraction = ""] = text.split(".")
    return BigInt(`${whole}${fraction.padEnd(places, "0")}`)
  }
  const sum = scaled(one) + scaled(other)
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, "0")
  const at = digits.length - places
  const point = places > 0 ? `.${digits.slice(at)}` : ""
  return `${sum < 0n ? "-" : ""}${digits.slice(0, at)}${point}`
}
