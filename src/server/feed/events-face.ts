// The feed and live reads over HTTP: pages of events, and events and changed answers as they happen by server-sent events.
import { type JsonText, textOf } from "../../base/json.ts"
import { collectProblems, internalRefusal, Refusal, refusal } from "../../base/problem.ts"
import { type Request, startRequest } from "../../base/request.ts"
import { eventJson, pageOf } from "../../events/log/event-json.ts"
import type { Entry, SeenEvent } from "../../events/log/event-reader.ts"
import { type Feed, type FeedItem, fromNow, type Subscription } from "../../events/log/feed.ts"
import { framesIn } from "../../events/log/room.ts"
import { wholeBody } from "../../http/answer.ts"
import {
  type AwaitWrites,
  defaultInterval,
  type MakeFrame,
  type Piece,
  readInterval,
} from "../../http/changes.ts"
import { dataOf, openEventStream, streamHead } from "../../http/event-stream.ts"
import { type AnswerPlan, type Face, type FaceRequest, type FaceResponse, faultIn } from "../../http/face.ts"
import { type Asked, createSources, type LiveItem, liveFrames } from "../../http/live.ts"
import { payFor } from "../../http/pay.ts"
import { createSharedBytes, type SharedBytes } from "../../http/shared-bytes.ts"
import { eventsPlan, prices, unusedPoints } from "../../plan/cost/points.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { readLimit } from "../../plan/read/page.ts"
import { parseParameters, readNames } from "../../rest/question/parameters.ts"
import { locateIn, problemResponse } from "../../rest/question/problem.ts"
import type { Question } from "../../rest/question/rest-query.ts"
import { readText } from "../../rest/question/spellings.ts"
import type { LogPlace } from "../../sql/log/epochs.ts"

interface Following {
  readonly feed: Feed
  readonly share: SharedBytes
  readonly answer: AnswerPlan
}

export function createEventsFace(feed: Feed, answer: AnswerPlan): Face {
  const share = createSharedBytes()
  return async (request) => {
    try {
      if (request.inner?.record) request.inner.record.route = request.path
      if (request.refused) throw request.refused
      return await respond({ feed, share, answer }, request)
    } catch (error) {
      return failed(request, error)
    }
  }
}

async function respond(following: Following, request: FaceRequest): Promise<FaceResponse> {
  const allow = "GET, HEAD, OPTIONS"
  if (request.method === "OPTIONS") return { status: 204, headers: { allow }, body: "" }
  if (request.method !== "GET" && request.method !== "HEAD") {
    const refused = failed(request, refusal("method_not_allowed", `${request.method} is not served here.`))
    return { ...refused, headers: { ...refused.headers, allow } }
  }
  return request.path.endsWith("/stream") ? stream(following, request) : page(following, request)
}

function failed(request: FaceRequest, error: unknown): FaceResponse {
  const telling = { requestId: request.requestId, locate: locateIn(request) }
  if (error instanceof Refusal) return { ...problemResponse(error, telling), ...faultIn(error) }
  return { ...problemResponse(internalRefusal(), telling), fault: error }
}

// Pages

async function page({ feed, answer }: Following, request: FaceRequest): Promise<FaceResponse> {
  const asked = readAsked(request, ["filter", "limit", "after"])
  const { page: sizes } = request.actor.model.limits
  const { limit = sizes.default, after } = asked.question
  const from = after === undefined ? undefined : await feed.after(after, ["after"], request.inner)
  feed.check(asked.subscription)
  await answer(eventsPlan(request.actor.model, limit), request.actor, request.inner)
  const { nodes, next, hasMore } = await pageOf(feed, asked.subscription, {
    limit,
    ...(from !== undefined && { after: from }),
  })
  request.inner?.meter?.refund(unusedPoints(limit, nodes.length))
  const body = JSON.stringify({ data: nodes, page: { next, hasMore } })
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
    body,
  }
}

interface EventsQuery {
  readonly subscription: Subscription
  readonly question: Question
}

/** Throws a Refusal that names every parameter that cannot be read. */
function readAsked(request: FaceRequest, takes: readonly string[]): EventsQuery {
  const { actor, query, inner } = request
  const problems = collectProblems()
  let resource: string | undefined
  let types: readonly string[] | undefined
  const question = parseParameters(query, problems, {
    takes: [...takes, "resource", "types"],
    own(spelled) {
      if (spelled.member === "resource") resource = readText(spelled, problems)
      else if (spelled.member === "types") types = readNames(spelled, problems)
      else return false
      return true
    },
  })
  for (const name of question.given)
    if (!takes.includes(name))
      problems.add("unknown_parameter", [name], `${quoteInput(name)} is not a parameter here.`)
  readLimit({ model: actor.model, problems }, question.limit, { name: "limit", place: ["limit"] })
  problems.settle()
  return {
    question,
    subscription: {
      actor,
      request: inner,
      conditions: question.filters,
      places: { resource: ["resource"], conditions: ["filter"], types: ["types"] },
      ...(resource !== undefined && { resource }),
      ...(types && { types }),
    },
  }
}

// Streams

async function stream({ feed, share }: Following, request: FaceRequest): Promise<FaceResponse> {
  const { subscription, question } = readAsked(request, ["filter", "after"])
  feed.check(subscription)
  const header = request.headers["last-event-id"]
  // A browser repeats the address that it began with: its header is newer.
  const cursor = (header === undefined || header === "" ? question.after : header) ?? fromNow
  const after = await feed.after(cursor, ["after"], request.inner)
  if (request.method === "HEAD") return streamHead
  const opened = openEventStream(request)
  const { signal, cut } = opened
  const payer = { signal, run: request.lasting?.run }
  const holder = { client: request.inner?.client ?? "", cut }
  const items = feed.follow(subscription, after, signal, {
    ...holder,
    pay: (points) => payFor(payer, points),
  })
  const begins = cursor === fromNow ? beginningAt(feed, after) : ""
  const frames = framesOf(feed, items, { begins, share, frame: framesIn(feed.frames, holder), ...payer })
  return opened.respond(endingInProblem(frames, request, signal))
}

interface Framing {
  readonly begins: string
  readonly share: SharedBytes
  readonly frame: MakeFrame
}

async function* framesOf(
  feed: Feed,
  items: AsyncIterable<FeedItem>,
  { begins, share, frame, ...caller }: Parameters<typeof payFor>[0] & Framing,
): AsyncGenerator<string | Buffer, void> {
  if (begins !== "") yield begins
  for await (const item of items) {
    if (item.kind === "events") await payFor(caller, prices.request + prices.record * item.events.length)
    if (caller.signal.aborted) return
    if (item.kind === "gap") yield gapFrame
    else for (const event of item.events) yield* frame(() => share(eventText(feed, event)))
  }
}

/**
 * A client that is cut before its first event goes on from here. A frame without data sets the last event's id and is no event
 * (HTML standard, section 9.2.6).
 */
const beginningAt = (feed: Feed, after: LogPlace): string => `id: ${feed.cursorOf(after)}\n\n`

/** Among the other frames only real events have an id: a client resumes after the last of them. */
const gapFrame = `event: gap\ndata: ${JSON.stringify({ code: "events_expired" })}\n\n`

/** Subscribers who see the same of an event are given the same entry, and so the same text. */
const texts = new WeakMap<Entry, { readonly event: SeenEvent; readonly text: string }>()

function eventText(feed: Feed, event: SeenEvent): string {
  const { entry, row, kind, resource } = event
  const known = entry && texts.get(entry)
  if (known?.event.row === row && known.event.kind === kind && known.event.resource === resource)
    return known.text
  const json = eventJson(feed, event)
  const text = `id: ${json["id"]}\ndata: ${JSON.stringify(json)}\n\n`
  if (entry) texts.set(entry, { event, text })
  return text
}

// Streams of events that end in a problem: their clients connect again, after the last id that they have.

/** Frames, with one for the Refusal that ends them. */
export async function* endingInProblem(
  frames: AsyncIterable<Piece>,
  request: FaceRequest,
  signal: AbortSignal,
): AsyncGenerator<Piece, void> {
  try {
    yield* frames
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (signal.aborted) return
    request.lasting?.report(faultIn(error))
    const { body } = problemResponse(error, { requestId: request.requestId, locate: locateIn(request) })
    yield problemFrame(textOf(await wholeBody(body)))
  }
}

export const problemFrame = (text: JsonText): string => `event: problem\n${dataOf(text)}\n`

// Live reads by REST: the answer as the first event, then what changes in it.
interface Asking {
  readonly rest: Face
  readonly writes: AwaitWrites
}

/** A read that the face refuses is answered as it is without `live`. */
export async function answerLive(whole: FaceRequest, { rest, writes }: Asking): Promise<FaceResponse> {
  const live = asksLive(whole)
  if (!live) return rest(whole)
  const { request: given, interval } = live
  const request: FaceRequest = { ...given, method: "GET", headers: plain(given.headers) }
  if (given.refused) return rest(request)
  const opened = openOr(given)
  if (!("signal" in opened)) return opened
  const { signal, cut } = opened
  try {
    const sources = createSources()
    const asked: Face = (again) => rest({ ...again, inner: sources.noted(again.inner) })
    const awaited = await writes({ request: given.inner, signal, cut, concerns: sources.concerns })
    const first = await asked(request)
    if (!isAnswer(first) || given.method === "HEAD") {
      opened.end()
      return isAnswer(first) ? streamHead : first
    }
    const ask = (): Promise<Asked> => askAgain(request, asked)
    const text = textOf(await wholeBody(first.body))
    const frames = liveFrames({ kind: "answer", text }, { ask, awaited, interval, signal, encode: frameOf })
    return opened.respond(endingInProblem(frames, request, signal))
  } catch (error) {
    opened.end()
    throw error
  }
}

const isAnswer = ({ status, headers }: FaceResponse): boolean =>
  status === 200 && headers["content-type"]?.startsWith("application/json") === true

function openOr(request: FaceRequest): ReturnType<typeof openEventStream> | FaceResponse {
  try {
    return openEventStream(request)
  } catch (error) {
    if (error instanceof Refusal)
      return problemResponse(error, { requestId: request.requestId, locate: locateIn(request) })
    throw error
  }
}

/** A condition on the answer, or another form of it, is of no use here. */
function plain(headers: FaceRequest["headers"]): FaceRequest["headers"] {
  const { accept: _, "if-none-match": _tag, ...others } = headers
  return others
}

async function askAgain(request: FaceRequest, rest: Face): Promise<Asked> {
  try {
    const ask = (inner: Request): Promise<FaceResponse> => rest({ ...request, inner })
    const answered = await (request.lasting?.run(ask) ?? ask(startRequest("")))
    const { status, body } = answered
    if (isAnswer(answered)) return { kind: "answer", text: textOf(await wholeBody(body)) }
    request.lasting?.report(answered)
    if (status === 429 || status >= 500) return { kind: "later" }
    return { kind: "refused", text: textOf(await wholeBody(body)) }
  } catch (error) {
    if (error instanceof Refusal) return { kind: "later" }
    throw error
  }
}

const frameOf = (item: LiveItem): string =>
  item.kind === "patch"
    ? `event: patch\ndata: ${JSON.stringify(item.patch)}\n\n`
    : item.kind === "answer"
      ? `event: answer\n${dataOf(item.text)}\n`
      : problemFrame(item.text)

// A live read by REST: a read with the parameter `live=true`.
export interface LiveRequest {
  /** The read itself. */
  readonly request: FaceRequest
  /** Milliseconds between two answers, at the least. */
  readonly interval: number
}

/** Undefined for any other request. */
export function asksLive(request: FaceRequest): LiveRequest | undefined {
  if (!request.query.includes("live=") || (request.method !== "GET" && request.method !== "HEAD"))
    return undefined
  const pieces = request.query.split("&")
  const [asked, ...others] = pieces.filter((piece) => piece.startsWith("live="))
  if (asked === undefined) return undefined
  const own = pieces.filter((piece) => piece.startsWith("interval="))
  const query = pieces.filter((piece) => !piece.startsWith("live=") && !own.includes(piece)).join("&")
  const [given] = own
  const interval =
    given === undefined ? defaultInterval : readInterval(Number(given.slice("interval=".length)))
  const refused =
    request.refused ??
    (asked !== "live=true" || others.length > 0
      ? refusal("invalid_value", "`live` must be true, or absent.", { place: ["live"] })
      : undefined) ??
    (own.length > 1 || interval === undefined
      ? refusal("invalid_value", "`interval` must be a number of seconds from 0.1 to 3600.", {
          place: ["interval"],
        })
      : undefined)
  return {
    request: { ...request, query, ...(refused && { refused }) },
    interval: interval ?? defaultInterval,
  }
}
