// The forms of parameters: how their values stand in an address, in a JSON body and in a JSON Schema.
import type { Place, Problems } from "../../base/problem.ts"
import type { Json } from "../../http/schemas/values.ts"
import { fixedLimits, overLimit } from "../../model/limits.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import type { RequestedTerm } from "../../plan/read/list.ts"

/** A single value. Readers give undefined for any other input. */
export interface One<Value> {
  readonly kind: "one"
  fromText(text: string): Value | undefined
  fromJson(value: unknown): Value | undefined
  /** Told to those who wrote something else. */
  readonly hints: { readonly text: string; readonly json: string }
  /** @param most records of a page */
  schema(most: number): Json
  /** Absent where no plan depends on the value. */
  structure?(value: Value): string
}

/** A list of names. */
export interface Names<Value> {
  readonly kind: "names"
  read(names: readonly string[], place: Place, problems: Problems): Value
  structure(value: Value): string
}

export const names: Names<readonly string[]> = {
  kind: "names",
  read: (given) => given,
  structure: listed,
}

/** `-placedAt` or `customer.name:nulls-first`. */
export const order: Names<readonly RequestedTerm[]> = {
  kind: "names",
  read: (given, place, problems) => given.flatMap((text) => readTerm(text, place, problems) ?? []),
  structure: (terms) =>
    `[${terms
      .map(
        ({ path, name, descending, nulls = "" }) =>
          `${listed(path)}${measured(name)}${descending ? "-" : "+"}${nulls}`,
      )
      .join("")}]`,
}

export const count: One<number> = {
  kind: "one",
  fromText: (text) => (/^(?:0|-?[1-9][0-9]{0,8})$/.test(text) ? Number(text) : undefined),
  fromJson: (value) => (Number.isSafeInteger(value) ? (value as number) : undefined),
  hints: { text: "Write a whole number.", json: "Write a whole number." },
  schema: (most) => ({ type: "integer", minimum: 0, maximum: most }),
}

export const text: One<string> = {
  kind: "one",
  fromText: (given) => given,
  fromJson: (value) => (typeof value === "string" ? value : undefined),
  hints: { text: "", json: "Write a string." },
  schema: () => ({ type: "string" }),
}

export const flag: One<boolean> = {
  kind: "one",
  fromText: (given) => (given === "true" || given === "false" ? given === "true" : undefined),
  fromJson: (value) => (typeof value === "boolean" ? value : undefined),
  hints: { text: "Write `true` or `false`.", json: "Write true or false." },
  schema: () => ({ type: "boolean" }),
  structure: String,
}

export function oneOf<Value extends string>(...values: readonly Value[]): One<Value> {
  const find = (given: unknown): Value | undefined => values.find((value) => value === given)
  return {
    kind: "one",
    fromText: find,
    fromJson: find,
    hints: {
      text: `Write ${values.map((value) => `\`${value}\``).join(" or ")}.`,
      json: `Write ${values.map((value) => `"${value}"`).join(" or ")}.`,
    },
    schema: () => ({ type: "string", enum: values }),
  }
}

/** Names are looked up one by one, so there are not too many of them. */
export function hasFewNames(given: readonly string[], place: Place, problems: Problems): boolean {
  const { names: most } = fixedLimits
  if (given.length <= most) return true
  problems.add("too_large", place, overLimit(`There are ${given.length} names`, "names", most))
  return false
}

const sortTerm = /^(?<descending>-?)(?<path>[^-:][^:]*)(?::nulls-(?<nulls>first|last))?$/

function readTerm(given: string, place: Place, problems: Problems): RequestedTerm | undefined {
  const { descending, path = "", nulls } = sortTerm.exec(given)?.groups ?? {}
  const steps = path.split(".")
  const name = steps.pop() ?? ""
  if (name === "" || steps.includes("")) {
    problems.add(
      "invalid_value",
      place,
      `${quoteInput(given)} is not an order term.`,
      "Write a name or a path to one, as in `-placedAt` (descending) or `customer.name:nulls-first`.",
    )
    return undefined
  }
  return {
    path: steps,
    name,
    descending: descending === "-",
    ...(nulls === "first" || nulls === "last" ? { nulls } : {}),
  }
}

function listed(given: readonly string[]): string {
  return `[${given.map(measured).join("")}]`
}

/** With its length before it, no name can pass for something else. */
export function measured(name: string): string {
  return `${name.length}:${name}`
}
