// Sends random requests, counts what became of them, and makes those that broke something as small as they can be.

import type { Hooks } from "../support/database.ts"
import type { Database } from "../support/open-service.ts"
import { drawRequest } from "./draw.ts"
import { replacedAt } from "./mutate.ts"
import { type FuzzRequest, type Json, shownRequest } from "./request.ts"
import { type Answered, openTarget, type Target } from "./target.ts"

export interface Tally {
  asked: number
  /** By status, each with how many there were. */
  readonly statuses: Map<number, number>
  /** Doors by which something was answered well. */
  readonly opened: Set<string>
  /** Of other doors: what was said last. */
  readonly refused: Map<string, string>
  readonly failures: Failure[]
}

interface Failure {
  readonly seed: number
  readonly database: Database
  readonly status: number
  readonly request: FuzzRequest
  readonly told: string
}

export const newTally = (): Tally => ({
  asked: 0,
  statuses: new Map(),
  opened: new Set(),
  refused: new Map(),
  failures: [],
})

/** Requests under way at the same time: too few for the service to refuse any for being busy. */
const together = 12
/** Beyond so many there is nothing more to learn. */
const mostFailures = 20

/** @param seed of the first request; those that follow have the numbers after it */
export async function fuzz(target: Target, tally: Tally, { seed, count, database }: Fuzzing): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count && tally.failures.length < mostFailures) {
      const number = seed + next
      next += 1
      const request = drawRequest(target.world, number)
      const answer = await target.ask(request)
      tally.asked += 1
      tally.statuses.set(answer.status, (tally.statuses.get(answer.status) ?? 0) + 1)
      if (isGood(request, answer)) tally.opened.add(request.door)
      else tally.refused.set(request.door, `${request.as} ${answer.status} ${answer.body.slice(0, 200)}`)
      if (!isBroken(answer)) continue
      const smallest = await shrink(target, request)
      const told = [answer.body.slice(0, 300), ...target.observed().slice(0, 1).map(faultOf)].join("\n")
      tally.failures.push({ seed: number, database, status: answer.status, request: smallest, told })
    }
  }
  await Promise.all(Array.from({ length: together }, work))
}

export interface Fuzzing {
  readonly seed: number
  readonly count: number
  readonly database: Database
}

/** Whatever the service is to blame for, also where it says that it is busy; and an answer that never came. */
const isBroken = ({ status }: Answered): boolean => status >= 500 || status === 0

/** GraphQL answers mistakes with 200 too. */
const isGood = ({ path }: FuzzRequest, { status, body }: Answered): boolean =>
  status >= 200 && status < 300 && (path !== "/graphql" || !body.includes('"errors":['))

const faultOf = (observation: object): string => {
  const { error, cause, problem } = observation as { error?: unknown; cause?: unknown; problem?: unknown }
  const fault = error ?? cause ?? problem
  return fault instanceof Error ? `${fault.stack}\n${String(fault.cause ?? "")}` : JSON.stringify(fault)
}

/** A fresh database each so many requests: what is deleted is there again, and no list grows long. */
const perRound = 5_000

export async function fuzzRounds(
  hooksOf: () => { readonly hooks: Hooks; readonly end: () => Promise<void> },
  tally: Tally,
  { seed, count, database, isOlder = false }: Fuzzing & { readonly isOlder?: boolean },
): Promise<void> {
  for (let done = 0; done < count && tally.failures.length < mostFailures; done += perRound) {
    const { hooks, end } = hooksOf()
    try {
      const target = await openTarget(hooks, database, undefined, isOlder)
      await fuzz(target, tally, { seed: seed + done, count: Math.min(perRound, count - done), database })
    } finally {
      await end()
    }
  }
}

/** The smallest that still breaks it: parts are left out one by one, until none can be. */
async function shrink(target: Target, request: FuzzRequest): Promise<FuzzRequest> {
  const breaks = async (candidate: FuzzRequest): Promise<boolean> => isBroken(await target.ask(candidate))
  let smallest = request
  for (let tries = 0; tries < 400; ) {
    let smaller: FuzzRequest | undefined
    for (const candidate of simpler(smallest)) {
      tries += 1
      if (tries >= 400) break
      if (await breaks(candidate)) {
        smaller = candidate
        break
      }
    }
    if (!smaller) break
    smallest = smaller
  }
  return smallest
}

function* simpler(request: FuzzRequest): Generator<FuzzRequest> {
  const { headers, query, body } = request
  if (request.raw !== undefined) {
    const { raw: _, ...rest } = request
    yield rest
  }
  for (const index of headers.keys()) yield { ...request, headers: headers.toSpliced(index, 1) }
  for (const index of query.keys()) yield { ...request, query: query.toSpliced(index, 1) }
  for (const [index, [name, value]] of query.entries())
    for (const shorter of shorterTexts(value)) yield { ...request, query: query.with(index, [name, shorter]) }
  if (body !== undefined) yield { ...request, body: undefined }
  if (body === undefined || body instanceof Uint8Array) return
  for (const simple of simplerJson(body)) yield { ...request, body: simple }
}

function* simplerJson(value: Json): Generator<Json> {
  if (typeof value === "string") for (const text of shorterTexts(value)) yield text
  if (typeof value !== "object" || value === null) return
  const names = Object.keys(value)
  // What stands inside, without what is around it.
  for (const inner of Object.values(value).slice(0, 8))
    if (typeof inner === "object" && inner !== null) yield inner as Json
  if (names.length > 8) {
    const half = Math.floor(names.length / 2)
    if (Array.isArray(value)) {
      yield value.slice(0, half)
      yield value.slice(half)
    } else {
      yield Object.fromEntries(Object.entries(value).slice(0, half))
      yield Object.fromEntries(Object.entries(value).slice(half))
    }
  }
  for (const name of names.slice(0, 40)) {
    const less = replacedAt(value, [name], undefined)
    if (less !== undefined) yield less
  }
  for (const [name, inner] of Object.entries(value).slice(0, 40))
    for (const simple of simplerJson(inner as Json)) {
      const less = replacedAt(value, [name], simple)
      if (less !== undefined) yield less
    }
}

function* shorterTexts(text: string): Generator<string> {
  if (text.length < 24) return
  yield text.slice(0, Math.floor(text.length / 2))
  yield text.slice(Math.floor(text.length / 2))
}

/** For the message of a test that failed. */
export function failureText({ seed, database, status, request, told }: Failure): string {
  return `${status} on ${database}, seed ${seed}:\n${shownRequest(request).slice(0, 2_000)}\n${told}`
}

export const statusText = ({ statuses }: Tally): string =>
  [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`)
    .join(", ")

/** Of all answers, those with such a status. */
export const shareOf = ({ asked, statuses }: Tally, from: number, to: number): number =>
  [...statuses].reduce((sum, [status, count]) => sum + (status >= from && status <= to ? count : 0), 0) /
  asked
