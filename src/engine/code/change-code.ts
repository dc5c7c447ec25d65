// Values by the functions of versions' changes, for several records at once: expressions around them are worked out here, as
// no statement knows the functions.
import type { JsonValue } from "../../base/json.ts"
import { Refusal } from "../../base/problem.ts"
import type { RequestRecord } from "../../base/telemetry.ts"
import { evaluate } from "../../model/evaluation/evaluate.ts"
import { type ChangeCode, type CodeExpression, type Expression, replaceCode } from "../../model/expression.ts"
import type { Field } from "../../model/model.ts"
import { isObject } from "../../plan/pending-key.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { acceptValue } from "../../plan/values/coerce-input.ts"
import { valueText } from "../../plan/values/values.ts"
import { callForAll } from "./call-for-all.ts"
import { CallInterrupted, UserCodeError, WrongShape } from "./user-code-error.ts"

/** JSON by the names of the members that an expression names. */
type Known = ReadonlyMap<string, JsonValue>
type Values = readonly (JsonValue | Error)[]
type Given = Readonly<Record<string, JsonValue>>

/** Calls functions once for the same values, whatever members of the result are read. */
export interface CodeCalls {
  run(code: ChangeCode, values: readonly Given[]): Promise<readonly unknown[]>
}

/** For one request. @param late the rejection after the deadline */
export function createCodeCalls(
  record: RequestRecord | undefined,
  late?: (code: ChangeCode) => unknown,
): CodeCalls {
  const known = new Map<ChangeCode, Map<string, Promise<readonly unknown[]>>>()
  return {
    run(code, values) {
      const calls = known.get(code) ?? new Map<string, Promise<readonly unknown[]>>()
      known.set(code, calls)
      const key = JSON.stringify(values)
      const called = {
        ...code,
        record,
        called: `${code.part} of ${code.called}`,
        ...(late && { late: () => late(code) }),
      }
      const call =
        calls.get(key) ?? callForAll(called, values.length, (signal) => code.run(values, { signal }))
      calls.set(key, call)
      return call
    },
  }
}

/** The value of each record, or the reason for its absence. Never rejects. */
export async function valuesByCode(
  calls: CodeCalls,
  expression: Expression,
  field: Pick<Field, "scalar" | "constraints">,
  records: readonly Known[],
): Promise<Values> {
  if (expression.kind === "code") return givenByCode(calls, expression, records)
  // As it is: lists have no form among expressions.
  if (expression.kind === "field") return records.map((record) => record.get(expression.field) ?? null)
  const codes: CodeExpression[] = []
  const around = replaceCode(expression, (code) => ({
    kind: "field",
    field: givenName(codes.push(code) - 1),
  }))
  const given = await Promise.all(codes.map((code) => givenByCode(calls, code, records)))
  return records.map((record, at) => {
    const all = given.map((values) => values[at] ?? null)
    const failed = all.find((value) => value instanceof Error)
    if (failed) return failed
    const beside = all.map((value, index) => [givenName(index), value as JsonValue] as const)
    return evaluate(around, field as Field, new Map([...record, ...beside]) as Parameters<typeof evaluate>[2])
  })
}

/** No field has it. */
const givenName = (index: number): string => `=code ${index}`

async function givenByCode(
  calls: CodeCalls,
  { code, gives, takes, names }: CodeExpression,
  records: readonly Known[],
): Promise<Values> {
  const taken = await Promise.all(takes.map(({ value, of }) => valuesByCode(calls, of, value, records)))
  const failures = records.map((_, at) =>
    taken.map((values) => values[at]).find((value) => value instanceof Error),
  )
  const sound = records.flatMap((_, at) => (failures[at] ? [] : [at]))
  const given = sound.map((at) =>
    Object.fromEntries(
      takes.map(({ value: { name } }, index) => [name, (taken[index]?.[at] ?? null) as JsonValue]),
    ),
  )
  const found = await (given.length === 0
    ? []
    : calls.run(code, given).catch((error: unknown) => toldOf(code, error)))
  return records.map((_, at) => {
    const failed = failures[at] ?? (found instanceof Error ? found : undefined)
    if (failed) return failed
    const one = (found as readonly unknown[])[sound.indexOf(at)]
    return one instanceof Error ? toldOf(code, one) : readGiven(gives, names, one)
  })
}

const functionOf = ({ part, called }: ChangeCode): string => `\`${part}\` of the change of ${called}`

/** Refusals by the code itself stay as they are. */
function toldOf(code: ChangeCode, error: unknown): Error {
  if (error instanceof Refusal || error instanceof CallInterrupted || error instanceof WrongShape)
    return error
  return new UserCodeError(`The function ${functionOf(code)} failed.`, { cause: error })
}

function readGiven(
  gives: CodeExpression["gives"],
  names: readonly string[],
  given: unknown,
): JsonValue | Error {
  const { name, optional } = gives
  if (!isObject(given)) return new WrongShape(`must give an object for each record, not ${quoteInput(given)}`)
  const other = Object.keys(given).find((one) => !names.includes(one))
  if (other !== undefined) return new WrongShape(`gave ${quoteInput(other)}, which the change does not name`)
  const value = given[name]
  if (value === undefined) return new WrongShape(`gave no \`${name}\``)
  if (value === null)
    return optional ? null : new WrongShape(`gave null for \`${name}\`, and there always is one`)
  const read = acceptValue(gives, value, "json")
  return read.ok
    ? (JSON.parse(valueText(gives, read.value)) as JsonValue)
    : new WrongShape(`gave \`${name}\`, which ${read.wrong}`)
}
