// How long each stage of a request takes: when it is asked for the first time, and when its shape is known.

import { textOf } from "../base/json.ts"
import { refusal } from "../base/problem.ts"
import { createEngine } from "../engine/engine.ts"
import { parseDocument, validateDocument } from "../graphql/document/document.ts"
import { prepareOperation } from "../graphql/document/prepare.ts"
import { graphqlFace } from "../graphql/face.ts"
import { planOperation } from "../graphql/planning/plan.ts"
import { buildSchema } from "../graphql/schema/schema.ts"
import { wholeBody } from "../http/answer.ts"
import type { Face, FaceRequest } from "../http/face.ts"
import type { Actor } from "../plan/access/actor.ts"
import { check } from "../plan/check/check.ts"
import type { PlanContext } from "../plan/draft/draft.ts"
import type { Plan } from "../plan/plan.ts"
import type { ReadPlan } from "../plan/read-plan.ts"
import { restFace } from "../rest/face.ts"
import { planRequest } from "../rest/read/plan.ts"
import { compile } from "../sql/read/compile.ts"
import { openStorage } from "../storage/open.ts"
import type { Storage } from "../storage/storage.ts"
import { columns } from "./output/columns.ts"
import type { ParsedRequest } from "./request.ts"

export interface Timings {
  readonly unit: "microseconds"
  /** How often the request was asked once it was known. */
  readonly rounds: number
  readonly stages: readonly Stage[]
}

interface Stage {
  readonly stage: (typeof stages)[number]
  /** The first time in a new process; null when the face has no such stage. */
  readonly first: number | null
  /** The median of the later times; null when nothing is left to do. */
  readonly again: number | null
}

const stages = ["parse", "validate", "plan", "check", "compile", "run", "seal", "respond"] as const

type Times = Partial<Record<Stage["stage"], number>>

const rounds = 1_000

/** Throws a Refusal when the request is not answered. */
export async function timeStages(
  context: PlanContext,
  request: ParsedRequest,
  { actor, database }: { readonly actor: Actor; readonly database: string },
): Promise<Timings> {
  const storage = await openStorage(database)
  try {
    const planning = timePlanning(context, request, storage)
    const ask = timedFace(context, faceRequest(request, actor), storage)
    const { run = 0, seal = 0, respond = 0 } = await ask()
    const first: Times = { ...planning, run, seal, respond }
    const later: Times[] = []
    for (let round = 0; round < rounds; round += 1) later.push(await ask())
    const again = (stage: Stage["stage"]): number | null => median(later.map((times) => times[stage]))
    return {
      unit: "microseconds",
      rounds,
      stages: stages.map((stage) => ({ stage, first: first[stage] ?? null, again: again(stage) })),
    }
  } finally {
    await storage.close()
  }
}

/** Everything before the database, as it is done for what was never asked before. */
function timePlanning(context: PlanContext, request: ParsedRequest, { dialects }: Storage): Times {
  const times: Times = {}
  const timed = <Result>(stage: Stage["stage"], step: () => Result): Result => {
    const started = performance.now()
    const result = step()
    times[stage] = since(started)
    return result
  }
  const plan = request.kind === "graphql" ? planGraphql() : timed("plan", () => planRequest(context, request))
  timed("check", () => check(plan))
  timed("compile", () => compile(plan, dialects.prompt))
  return times

  function planGraphql(): ReadPlan {
    const { query, variables = {}, operationName } = request.kind === "graphql" ? request.body : { query: "" }
    const schema = buildSchema(context.model)
    const { limits } = context.model
    const { document, errors } = timed("parse", () => parseDocument(query, limits))
    if (!document) throw notAnswered(errors.map(({ message }) => message))
    const invalid = timed("validate", () => validateDocument(schema, document, { introspection: true }))
    if (invalid.length > 0) throw notAnswered(invalid.map(({ message }) => message))
    return timed("plan", () => {
      const prepared = prepareOperation(schema, document, operationName, { introspection: true, limits })
      const { plan } = planOperation(context, prepared, prepared.readVariables(variables))
      if (plan.kind === "read") return plan
      throw refusal("invalid_command", "--timings runs queries only.", {
        hint: "Leave it out for a mutation.",
      })
    })
  }
}

/** Asks a face of its own, and takes the time where its work passes from stage to stage. */
function timedFace(context: PlanContext, request: Asking, storage: Storage): () => Promise<Times> {
  const marks = { asked: 0, planned: 0, sent: 0, read: 0, answered: 0 }
  const engine = createEngine({
    ...context,
    singleFlight: false,
    storage: {
      ...storage,
      async read(statement, parameters, outlook) {
        marks.sent = performance.now()
        const columns = await storage.read(statement, parameters, outlook)
        marks.read = performance.now()
        return columns
      },
    },
  })
  const options = {
    ...context,
    async answer(plan: Plan, actor: Actor) {
      marks.planned = performance.now()
      const answer = await engine.answer(plan, actor)
      marks.answered = performance.now()
      return answer
    },
  }
  const face: Face = request.kind === "graphql" ? graphqlFace(options) : restFace(options)
  return async () => {
    marks.sent = 0
    marks.asked = performance.now()
    const { status, body } = await face(request.asked)
    const respond = since(marks.answered)
    if (status >= 400 || marks.sent === 0) throw notAnswered([textOf(await wholeBody(body))])
    return {
      plan: microseconds(marks.planned - marks.asked),
      run: microseconds(marks.read - marks.sent),
      seal: microseconds(marks.answered - marks.read),
      respond,
    }
  }
}

interface Asking {
  readonly kind: ParsedRequest["kind"]
  readonly asked: FaceRequest
}

function faceRequest(request: ParsedRequest, actor: Actor): Asking {
  const { kind } = request
  const common = { actor, path: "", query: "", requestId: "timings" }
  if (request.kind === "rest") return { kind, asked: { ...common, ...request, headers: {} } }
  const body = Buffer.from(JSON.stringify(request.body))
  const headers = { "content-type": "application/json" }
  return { kind, asked: { ...common, method: "POST", headers, body } }
}

const notAnswered = (messages: readonly string[]) =>
  refusal("invalid_command", `The request is not answered by the database: ${messages.join(" ")}`)

const since = (started: number): number => microseconds(performance.now() - started)
const microseconds = (milliseconds: number): number => Math.round(milliseconds * 10_000) / 10

function median(values: readonly (number | undefined)[]): number | null {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}

/** A table, in microseconds. */
export function timingsText({ rounds: asked, stages: found }: Timings): string {
  const shown = (time: number | null, otherwise: string): string =>
    time === null ? otherwise : time.toFixed(time < 10 ? 1 : 0)
  const total = (times: readonly (number | null)[]): number =>
    times.reduce<number>((sum, time) => sum + (time ?? 0), 0)
  const rows = found.map(({ stage, first, again }) => [stage, shown(first, "none"), shown(again, "known")])
  return columns([
    ["µs", "first time", `later, median of ${asked.toLocaleString("en")}`],
    ...rows,
    [
      "all",
      shown(total(found.map(({ first }) => first)), ""),
      shown(total(found.map(({ again }) => again)), ""),
    ],
  ])
}
