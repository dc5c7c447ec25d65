// Functions of versions convert values of older clients to today's values before the plan runs. Rules, hooks and the log see
// only today's values.
import { present } from "../../base/invariant.ts"
import type { JsonValue } from "../../base/json.ts"
import { type Place, type Problem, Refusal } from "../../base/problem.ts"
import type { RequestRecord } from "../../base/telemetry.ts"
import { type Expression, operandsOf } from "../../model/expression.ts"
import type { Lens, Model, Resource } from "../../model/model.ts"
import { resourceNamed, targetOf, wholeOf } from "../../plan/lookup.ts"
import { memberOf } from "../../plan/member.ts"
import type { Value } from "../../plan/read-plan.ts"
import { acceptValue } from "../../plan/values/coerce-input.ts"
import { readId } from "../../plan/values/ids.ts"
import { valueTypeOf } from "../../plan/values/values.ts"
import type { Conversion, WritePlan } from "../../plan/write-plan.ts"
import { type CodeCalls, createCodeCalls, valuesByCode } from "./change-code.ts"
import {
  brokenCode,
  CallInterrupted,
  interrupted,
  timeOver,
  WrongShape,
  wrongOutput,
} from "./user-code-error.ts"

/** The plan with the values that user code gives. Throws a Refusal, and nothing is written. */
export async function convert(plan: WritePlan, record: RequestRecord | undefined): Promise<WritePlan> {
  const { conversions, model } = plan
  if (!conversions) return plan
  const values = [...plan.values]
  const calls = createCodeCalls(record, ({ called }) => timeOver(`The change of ${called}`, undefined))
  const whole = wholeOf(model)
  const refusals: Refusal[] = []
  for (const [lens, of] of Map.groupBy(conversions, (one) => one.lens))
    for (const [name, expression] of lens.writes) {
      const resource = resourceNamed(whole, of[0]?.resource ?? "")
      const found = await valuesOfMember({ calls, whole, resource }, { name, expression, lens }, of)
      for (const [at, one] of of.entries()) {
        const value = present(found[at], "each record has an outcome")
        if (value instanceof Refusal) refusals.push(value)
        else {
          const into = one.into.get(name)
          // Today's default stands in for an absent value.
          if (into) values[into.slot] = value.value
        }
      }
    }
  if (refusals.length > 0) throw together(refusals)
  return { ...plan, values }
}

/** Code that gives several members has failed once. */
function together(refusals: readonly Refusal[]): Refusal {
  const all = new Map(
    refusals.flatMap(({ problems }) =>
      problems.map((problem) => [JSON.stringify(problem), problem] as const),
    ),
  )
  const [first, ...more] = all.values()
  const { cause } = refusals.find((one) => one.cause !== undefined) ?? {}
  return new Refusal([present(first, "a refusal has a problem"), ...more], { cause })
}

interface Converting {
  readonly calls: CodeCalls
  readonly whole: Model
  readonly resource: Resource
}

interface Written {
  /** The name of today's member. */
  readonly name: string
  readonly expression: Expression
  readonly lens: Lens
}

type Outcome = { readonly value: Value } | Refusal

async function valuesOfMember(
  { calls, whole, resource }: Converting,
  { name, expression, lens }: Written,
  of: readonly Conversion[],
): Promise<readonly Outcome[]> {
  const member = memberOf(resource, name)
  const field = member?.kind === "field" ? member.field : undefined
  const json = await valuesByCode(
    calls,
    expression,
    field ?? { scalar: "text", constraints: {} },
    of.map(({ given }) => given),
  )
  const what = (): string => `the change of ${calledIn(expression)}`
  const read = (value: JsonValue): Outcome | string => {
    const optional = field?.optional ?? (member?.kind === "reference" && member.relation.optional)
    if (value === null) return optional ? { value } : "must not be null: there always is one"
    if (field) {
      const accepted = acceptValue(valueTypeOf(whole, field), value, "json")
      return accepted.ok ? accepted : accepted.wrong
    }
    const target = member?.kind === "reference" ? targetOf(whole, resource, member.relation.name) : resource
    const key = typeof value === "string" ? readId(target, value) : undefined
    return key ? { value: key } : `must be the id of a record of ${target.name}`
  }
  return of.map(({ place }, at) => {
    const value = json[at] ?? null
    // A failure of the whole call belongs to all records.
    const own = value instanceof Error && json.every((one) => one === value) ? around(of) : place
    if (value instanceof Error) return refusalOf(value, what(), own)
    const found = read(value)
    if (typeof found !== "string") return found
    return expression.kind === "code"
      ? wrongOutput(what(), `gave \`${name}\`, which ${found}`, place)
      : invalid([...place, lens.inputs[0] ?? name], found)
  })
}

const around = (of: readonly Conversion[]): Place =>
  of.reduce<Place>((place, { place: other }) => {
    const end = place.findIndex((step, at) => step !== other[at])
    return end < 0 ? place : place.slice(0, end)
  }, of[0]?.place ?? [])

const invalid = (place: Place, wrong: string): Refusal =>
  new Refusal([{ code: "invalid_value", message: `\`${place.at(-1)}\` ${wrong}.`, place }])

function refusalOf(error: Error, what: string, place: Place | undefined): Refusal {
  if (error instanceof CallInterrupted) return interrupted(what, place)
  if (error instanceof WrongShape) return wrongOutput(what, error.message, place)
  if (!(error instanceof Refusal)) return brokenCode(what, error, place)
  const within = ({ place: own, ...problem }: Problem): Problem => {
    const at = [...(place ?? []), ...(own ?? [])]
    return { ...problem, ...(at.length > 0 && { place: at }) }
  }
  const [first, ...more] = error.problems
  return new Refusal([within(first), ...more.map(within)], { cause: error.cause })
}

const calledIn = (expression: Expression): string =>
  expression.kind === "code" ? expression.code.called : operandsOf(expression).map(calledIn).join("")
