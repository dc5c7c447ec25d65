// Changes that depend on the record: read, change, write if it is unchanged; otherwise again.
import { invariant } from "../../base/invariant.ts"
import { textOf } from "../../base/json.ts"
import { Refusal, refusal } from "../../base/problem.ts"
import type { Request } from "../../base/request.ts"
import type { Actor } from "../../plan/access/actor.ts"
import type { Answer } from "../../plan/read-plan.ts"
import { missingRecord } from "../http/not-found.ts"
import { withNulls } from "../question/problem.ts"
import type { WriteContext } from "../question/request-context.ts"
import { emptyQuestion, structureOf } from "../question/rest-query.ts"
import { planRoute } from "../read/plan.ts"
import type { Change } from "./change.ts"
import type { Serving } from "./context.ts"

/** Attempts before the request is refused because of concurrent writes. */
const mostAttempts = 5

export interface Doing {
  readonly actor: Actor
  readonly request: Request | undefined
  /** Writes, with the record's version as its condition. */
  done(asked: WriteContext): Promise<Answer>
  /** The request has an idempotency key, so that it may have been answered before. */
  readonly keyed: boolean
}

export async function modify(
  serving: Pick<Serving, "answer" | "context" | "shapes">,
  asked: WriteContext,
  change: Change,
  doing: Doing,
): Promise<Answer> {
  const { conditions, route, mistakes } = asked
  const [mistake, ...more] = mistakes
  if (mistake) throw new Refusal([mistake, ...more])
  // Whatever the patch does, it needs a version: the plan of an empty change says so.
  if (route.resource.needsVersion && conditions.match === undefined)
    return doing.done({ ...asked, input: {} })
  for (let attempt = 1; ; attempt += 1) {
    let update: WriteContext
    try {
      update = await readUpdate(serving, doing, asked, change)
    } catch (error) {
      if (!doing.keyed || !(error instanceof Refusal)) throw error
      return answeredBefore(asked, doing, error)
    }
    try {
      return await doing.done(update)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (attempt < mostAttempts && error.problems[0].code === "stale_version") continue
      const [first, ...rest] = error.problems
      throw new Refusal([change.relocate(first), ...rest.map(change.relocate)], { cause: error.cause })
    }
  }
}

/** Applies the change to the record as it is now. */
async function readUpdate(
  serving: Pick<Serving, "answer" | "context" | "shapes">,
  by: Doing,
  asked: WriteContext,
  change: Change,
): Promise<WriteContext> {
  const { conditions } = asked
  const { record, version } = await readCurrent(serving, by, asked)
  if (conditions.match && !conditions.match.includes(version)) throw stale()
  return { ...asked, input: change.inputFor(record), conditions: { ...conditions, match: [version] } }
}

/** A repeated change may no longer fit the record that it has changed: a write that no version meets gives the kept answer. */
async function answeredBefore(asked: WriteContext, { done }: Doing, refused: Refusal): Promise<Answer> {
  try {
    return await done({ ...asked, input: {}, conditions: { ...asked.conditions, match: [] } })
  } catch (error) {
    if (error instanceof Refusal && error.problems[0].code.startsWith("idempotency_")) throw error
    throw refused
  }
}

const stale = (): Refusal =>
  refusal("stale_version", "The record is not of a version that If-Match names.", {
    hint: "Read it as it is now, and decide again.",
    place: ["If-Match"],
  })

interface Current {
  readonly record: Readonly<Record<string, unknown>>
  readonly version: string
}

async function readCurrent(
  { answer, context, shapes }: Pick<Serving, "answer" | "context" | "shapes">,
  { actor, request }: Doing,
  { route }: WriteContext,
): Promise<Current> {
  invariant(route.kind === "update", "only an update depends on the record")
  const { resource, address } = route
  const question = emptyQuestion([])
  const read = {
    route: { kind: "record", resource, address },
    question,
    structure: structureOf(question),
  } as const
  const answered = await answer(planRoute(context, shapes, read), actor, request)
  const { roots, versions } = answered
  const text = textOf(roots[0] ?? "null")
  if (text === "null") throw missingRecord(resource, address)
  const { json } = withNulls(text, answered)
  const version = versions?.[0]
  invariant(version !== undefined && version !== null, "a record that is read has its version")
  return { record: JSON.parse(textOf(json)), version }
}
