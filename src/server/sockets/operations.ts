// Operations of a client over its socket: each is admitted, counted and answered as a request over HTTP is.

import { kindEntry } from "../../base/codes.ts"
import { type Json, type JsonText, textOf } from "../../base/json.ts"
import { kindOf, Refusal } from "../../base/problem.ts"
import { type Request, startRequest } from "../../base/request.ts"
import type { RequestRecord, Telemetry } from "../../base/telemetry.ts"
import { tracedRequest, traceIdMember } from "../../base/tracing.ts"
import type { Operate } from "../../graphql/face.ts"
import { isStream } from "../../http/answer.ts"
import type { FaceResponse } from "../../http/face.ts"
import { overloaded } from "../../storage/faults.ts"
import type { Leave } from "../admission.ts"
import { goneUnlessShared, requestIdOf } from "../incoming.ts"
import type { Observe } from "../observation.ts"
import { reportFaults } from "../observation.ts"
import { type BeginLasting, type Counting, runCounted } from "./lasting.ts"

export interface OperationsOptions extends Counting {
  readonly operate: Operate
  /** Undefined where the server has too much to do. */
  readonly enter: () => Leave | undefined
  readonly beginLasting: BeginLasting
  readonly observe: Observe
  /** Ends the connection. */
  readonly cut: () => void
  /** Keeps a record of each operation; absent without observers. */
  readonly telemetry?: Telemetry | undefined
}

/** An operation under way: its results as JSON. Iterated once; it is ended by its `return`. */
export type Results = AsyncGenerator<Json, void>

export type Answered = { readonly kind: "results"; readonly results: Results } | Refused

/** Nothing of the operation was done. */
interface Refused {
  readonly kind: "refused"
  readonly errors: readonly object[]
}

/** @param text of the operation, as the body of a request over HTTP would have it */
export async function runOperation(options: OperationsOptions, text: JsonText): Promise<Answered> {
  const requestId = requestIdOf(undefined)
  const record = beginRecord(options, requestId)
  try {
    return await tracedRequest(record, undefined, "ignore")(() => run(options, { text, requestId, record }))
  } catch (fault) {
    record?.failed()
    throw fault
  } finally {
    record?.sent()
  }
}

interface Running {
  readonly text: JsonText
  readonly requestId: string
  readonly record: RequestRecord | undefined
}

async function run(options: OperationsOptions, { text, requestId, record }: Running): Promise<Answered> {
  const { operate, actor, client, enter, openMeter, beginLasting, observe, cut } = options
  const refused = ({ problems }: Refusal): Refused => {
    const [first] = problems
    if (record) noteAnswer(record, { status: kindEntry(kindOf(first)).rest, code: first.code })
    return {
      kind: "refused",
      errors: problems.map(({ code, message, hint }) => ({
        message,
        extensions: { code, requestId, ...traceIdMember(), ...(hint !== undefined && { hint }) },
      })),
    }
  }
  const leave = enter()
  if (!leave) return refused(overloaded())
  const left = new AbortController()
  const meter = openMeter?.(actor, client)
  let end = (): void => left.abort()
  try {
    if (meter?.refused) return refused(meter.refused)
    const endLasting = beginLasting(client)
    end = () => {
      left.abort()
      endLasting()
    }
    const started = startRequest(client)
    const inner: Request = {
      ...started,
      meter,
      record,
      whenGone: goneUnlessShared(started.marks, (gone) => {
        left.signal.addEventListener("abort", gone, { once: true })
        return () => left.signal.removeEventListener("abort", gone)
      }),
    }
    const answered = await operate({
      text,
      actor,
      requestId,
      inner,
      signal: left.signal,
      cut,
      run: (make) => runCounted({ openMeter, actor, client }, make),
      report: (faults) => reportFaults(observe, requestId, faults),
    })
    await meter?.settle()
    if (record) noteAnswer(record, "status" in answered ? answered : { status: 200 })
    if (Symbol.asyncIterator in answered) return { kind: "results", results: resultsOf(answered, end) }
    end()
    return single(answered, { requestId, observe })
  } catch (error) {
    end()
    if (error instanceof Refusal) return refused(error)
    throw error
  } finally {
    meter?.end()
    leave()
  }
}

/** For those who watch, an operation over a socket is a request as by POST. */
function beginRecord(
  { telemetry, actor: { name } }: OperationsOptions,
  requestId: string,
): RequestRecord | undefined {
  const record = telemetry?.beginRequest(requestId, "POST")
  if (!record) return undefined
  record.face = "graphql"
  record.end("read")
  if (name !== "") record.actor = { kind: "signed_in", id: name }
  return record
}

function noteAnswer(record: RequestRecord, { status, code }: Pick<FaceResponse, "status" | "code">): void {
  record.status = status
  if (code !== undefined) record.code = code
  if (record.statements === 0 && record.joined === 0) record.end("plan")
}

/** Its end does not wait for the result that it waits for. */
function resultsOf(texts: AsyncIterable<JsonText>, end: () => void): Results {
  const all = endingWith(texts, end)
  const results: Results = {
    next: () => all.next(),
    return: () => {
      end()
      return all.return()
    },
    throw: (error) => {
      end()
      return all.throw(error)
    },
    [Symbol.asyncIterator]: () => results,
    [Symbol.asyncDispose]: async () => void (await results.return()),
  }
  return results
}

async function* endingWith(texts: AsyncIterable<JsonText>, end: () => void): Results {
  try {
    yield* texts
  } finally {
    end()
  }
}

interface Telling {
  readonly requestId: string
  readonly observe: Observe
}

function single({ body, ...faults }: FaceResponse, { requestId, observe }: Telling): Answered {
  reportFaults(observe, requestId, faults)
  if (isStream(body)) return { kind: "refused", errors: [] }
  const [first = ""] = Array.isArray(body) ? body : [body]
  if (String(first.slice(0, dataBegins.length)) === dataBegins)
    return { kind: "results", results: once(body) }
  const { errors = [] } = JSON.parse(textOf(body)) as { readonly errors?: readonly object[] }
  return { kind: "refused", errors }
}

/** The beginning of an answer to an operation that was executed. */
const dataBegins = '{"data":'

async function* once(result: Json): Results {
  yield result
}
