// The member `data` of a response: an answer's roots under their response keys.

import { executeSync } from "graphql"
import { invariant, present } from "../base/invariant.ts"
import { type Json, type JsonText, joinObject, textOf } from "../base/json.ts"
import type { Answer } from "../plan/read-plan.ts"
import type { RequestError } from "./document/errors.ts"
import type { FieldGroup, Operation } from "./document/operation.ts"
import type { Output } from "./document/planned-operation.ts"
import type { Executable } from "./document/query-cache.ts"
import type { VariableRequest } from "./document/variables.ts"
import type { EventPages, WithEvents } from "./events.ts"
import { completeRoots } from "./planning/null-propagation.ts"

interface AnswerData {
  /** In pieces. */
  readonly data: readonly Json[]
  /** About values in it. */
  readonly errors: readonly RequestError[]
}

/** The data of the answer. */
export function dataIn(of: Executable, { answer, pages }: WithEvents): AnswerData {
  const { outputs } = of
  if (answer.flawed || outputs.some(({ kind }) => kind === "introspection"))
    return dataThoroughly(of.own?.() ?? of, answer, pages)
  const data: Json[] = []
  for (const output of outputs) {
    const json =
      output.kind === "data"
        ? dataOf(output, answer)
        : output.kind === "typename"
          ? output.json
          : pageOf(pages, output)
    data.push(`${data.length === 0 ? "{" : ","}${output.label}`, json)
  }
  return { data: [...data, data.length === 0 ? "{}" : "}"], errors: [] }
}

/** Answers about the schema itself, and those that hold values which do not fit it. */
function dataThoroughly(
  { operation, asked, outputs }: Executable,
  answer: Answer,
  pages: EventPages,
): AnswerData {
  const groups = outputs.filter(({ kind }) => kind === "introspection").map(({ group }) => group)
  const described = introspect(operation, asked.input, groups)
  const completed = answer.flawed
    ? completeRoots(operation, asked, flawedRoots(outputs, answer), answer.failures)
    : undefined
  if (completed && !completed.texts) return { data: ["null"], errors: completed.errors }
  const outputText = (output: Output): JsonText => {
    const { key } = output.group
    if (output.kind === "typename") return output.json
    if (output.kind === "events") return pageOf(pages, output)
    const text =
      output.kind === "data"
        ? (completed?.texts?.get(key) ?? textOf(dataOf(output, answer)))
        : described.get(key)
    return present(text, `nothing answers ${key}`)
  }
  const data = joinObject(outputs.map((output) => [output.group.key, outputText(output)]))
  return { data: [data], errors: completed?.errors ?? [] }
}

const pageOf = (pages: EventPages, { group }: Output): JsonText =>
  present(pages.get(group.key), `the feed answers ${group.key}`)

type DataOutput = Extract<Output, { readonly kind: "data" }>

/** A missing record is null. */
const dataOf = ({ root }: DataOutput, answer: Answer): Json => answer.roots[root] ?? "null"

function flawedRoots(outputs: readonly Output[], answer: Answer) {
  return outputs
    .filter((output) => output.kind === "data")
    .map((output) => ({ group: output.group, types: output.types, text: textOf(dataOf(output, answer)) }))
}

// `__schema` and `__type`: graphql-js answers them, for just that part of an operation.

/** The values of these root fields, by response key. */
function introspect(
  operation: Operation,
  input: VariableRequest["input"],
  groups: readonly FieldGroup[],
): ReadonlyMap<string, JsonText> {
  if (groups.length === 0) return new Map()
  const { schema, definition, fragments } = operation
  const selectionSet = { ...definition.selectionSet, selections: groups.flatMap(({ nodes }) => nodes) }
  const { data, errors } = executeSync({
    schema,
    document: { kind: "Document", definitions: [{ ...definition, selectionSet }, ...fragments.values()] },
    variableValues: input,
  })
  invariant(!errors, `introspection failed: ${errors?.[0]?.message}`)
  const answered = present(data, "introspection has data")
  return new Map(groups.map(({ key }) => [key, JSON.stringify(answered[key])]))
}
