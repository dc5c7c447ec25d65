// Accounts of requests: how much a caller may request in a minute and at the same time, and the remainder.

import { Refusal, refusal } from "../../base/problem.ts"
import type { Cost, Meter } from "../../base/request.ts"
import type { CostLimits } from "../../model/limits.ts"
import type { Limits } from "../../model/model.ts"
import type { Actor } from "../../plan/access/actor.ts"
import { allowanceOf, figure } from "../../plan/cost/allowance.ts"
import { prices } from "../../plan/cost/points.ts"
import { type Budget, type Taken, windowSeconds } from "./budget.ts"

export interface MeterOptions {
  readonly limits: Limits
  readonly budget: Budget
  /** Answers to requests while the store of budgets is down: as without limits, or 503. */
  readonly whenDown: "open" | "closed"
  /** Called when a request goes on uncounted, as the store does not answer. */
  readonly failed: (fault: unknown) => void
  /** Milliseconds by a clock that is not set back. */
  readonly now?: () => number
  /** Milliseconds of the calendar; the machine's when absent. */
  readonly date?: () => number
}

/** The account of a request at the server. */
interface RequestMeter extends Meter {
  /** A refusal of the request as a whole, before anything of it is read. */
  readonly refused: Refusal | undefined
  /** Charges a request that ran no plan. Never rejects. */
  settle(): void | Promise<void>
  /** Names and values in turn. */
  headers(): readonly string[]
  /** The request is over. */
  end(): void
}

/** @param client the same for all requests of one credential's owner, or of one address */
export type OpenMeter = (actor: Actor, client: string) => RequestMeter

const mostExhausted = 10_000

export function createMeters({
  limits,
  budget,
  whenDown,
  failed,
  now = () => performance.now(),
  date = Date.now,
}: MeterOptions): OpenMeter {
  const underWay = new Map<string, number>()
  /** Callers without a point, and when they have some again: they are refused without asking the store. */
  const exhausted = new Map<string, number>()
  const exhaust = (caller: string, until: number): void => {
    if (exhausted.size >= mostExhausted) exhausted.clear()
    exhausted.set(caller, until)
  }
  const shared: Shared = { budget, whenDown, failed, now, date, underWay, exhausted, exhaust }
  return (actor, client) => {
    const { tier, limits: own } = allowanceOf(limits, actor)
    return new Account(shared, own, { tier, caller: tier === undefined ? client : `${tier} ${client}` })
  }
}

/** All accounts have it in common. */
interface Shared extends Pick<MeterOptions, "budget" | "whenDown" | "failed"> {
  readonly now: () => number
  readonly date: () => number
  readonly underWay: Map<string, number>
  readonly exhausted: Map<string, number>
  readonly exhaust: (caller: string, until: number) => void
}

class Account implements RequestMeter {
  readonly refused: Refusal | undefined
  readonly #of: Shared
  readonly #own: CostLimits
  readonly #caller: string
  readonly #tier: string | undefined
  #requested = 0
  #refunded = 0
  /** The store's last answer; undefined before, and while it is down. */
  #taken: Taken | undefined
  /** As of `now`. */
  #resetAt = 0
  #tookPlace = false
  /** A plan was beyond the caller's remaining points. */
  #wasOver = false

  constructor(
    of: Shared,
    own: CostLimits,
    { tier, caller }: { readonly tier: string | undefined; readonly caller: string },
  ) {
    this.#of = of
    this.#own = own
    this.#caller = caller
    this.#tier = tier
    this.refused = this.#exhausted() ?? this.#place()
  }

  get cost(): Cost {
    return { requested: this.#requested, used: this.#requested - this.#refunded }
  }

  charge(points: number): void | Promise<void> {
    // A request is paid for once, though it may take several plans.
    return this.#take(this.#requested === 0 ? points : points - prices.request)
  }

  async spend(points: number): Promise<void> {
    try {
      await this.charge(points)
    } catch (error) {
      const left = this.#taken?.remaining ?? 0
      if (left > 0) await this.#take(left)
      throw error
    }
  }

  refund(points: number): void {
    const { budget, now } = this.#of
    const { perMinute } = this.#own
    if (points <= 0) return
    this.#refunded += points
    if (!this.#taken || perMinute === undefined) return
    // Points of a minute that is over are not given to the next one.
    if (now() + clockMargin >= this.#resetAt) return
    budget.giveBack(this.#caller, points, perMinute)
    this.#taken = { ...this.#taken, remaining: Math.min(perMinute, this.#taken.remaining + points) }
  }

  settle(): void | Promise<void> {
    if (this.#requested > 0 || this.refused) return
    // The answer is made by now.
    try {
      return this.#take(prices.request)?.catch(() => {})
    } catch {
      return undefined
    }
  }

  allowance(): Readonly<Record<string, string | number | null>> {
    const own = this.#own
    return {
      tier: this.#tier ?? null,
      perRequest: own.perRequest,
      perMinute: own.perMinute ?? null,
      concurrent: own.concurrent ?? null,
      remaining: this.#taken?.remaining ?? null,
      resetAt: this.#taken ? new Date(this.#of.date() + this.#resetAt - this.#of.now()).toISOString() : null,
    }
  }

  headers(): readonly string[] {
    const own = this.#own
    const { requested, used } = this.cost
    const sent = requested > 0 ? ["cost", `requested=${requested}, used=${used}`] : []
    if (this.refused && !this.#taken) sent.push("retry-after", "1")
    if (own.perMinute === undefined || !this.#taken) return sent
    const { remaining } = this.#taken
    const seconds = Math.max(1, Math.ceil((this.#resetAt - this.#of.now()) / 1_000))
    sent.push(
      "ratelimit-policy",
      `"points";q=${own.perMinute};w=${windowSeconds}`,
      "ratelimit",
      `"points";r=${remaining};t=${seconds}`,
    )
    if (this.refused || this.#wasOver) sent.push("retry-after", String(seconds))
    return sent
  }

  end(): void {
    const { underWay } = this.#of
    const caller = this.#caller
    if (!this.#tookPlace) return
    this.#tookPlace = false
    const count = (underWay.get(caller) ?? 1) - 1
    if (count > 0) underWay.set(caller, count)
    else underWay.delete(caller)
  }

  #exhausted(): Refusal | undefined {
    const { exhausted, now } = this.#of
    const caller = this.#caller
    if (exhausted.size === 0) return undefined
    const until = exhausted.get(caller)
    if (until === undefined) return undefined
    if (now() >= until) {
      exhausted.delete(caller)
      return undefined
    }
    this.#note({ refused: true, remaining: 0, resetsIn: until - now() })
    return overBudget(this.#own, 0)
  }

  #place(): Refusal | undefined {
    const { underWay } = this.#of
    const own = this.#own
    const caller = this.#caller
    if (this.refused || own.concurrent === undefined) return undefined
    const count = underWay.get(caller) ?? 0
    if (count >= own.concurrent)
      return refusal(
        "rate_limited",
        `${figure(own.concurrent)} requests of this caller are under way; that is the most at the same time (limit \`concurrent\`).`,
        { hint: "Wait for their answers." },
      )
    underWay.set(caller, count + 1)
    this.#tookPlace = true
    return undefined
  }

  #take(points: number): void | Promise<void> {
    const { budget } = this.#of
    const { perMinute } = this.#own
    if (perMinute === undefined) {
      this.#requested += points
      return undefined
    }
    const taking = budget.take(this.#caller, points, perMinute)
    if (!(taking instanceof Promise)) return this.#charged(points, taking)
    return taking.then(
      (taken) => this.#charged(points, taken),
      (fault: unknown) => this.#uncounted(points, fault),
    )
  }

  #charged(points: number, taken: Taken): void {
    this.#note(taken)
    if (taken.remaining < prices.request) this.#of.exhaust(this.#caller, this.#resetAt)
    if (taken.refused) {
      this.#wasOver = true
      throw overBudget(this.#own, points, taken)
    }
    this.#requested += points
  }

  #uncounted(points: number, fault: unknown): void {
    const { whenDown, failed } = this.#of
    if (whenDown === "closed") throw unavailable(fault)
    failed(fault)
    this.#requested += points
  }

  #note(taken: Taken): void {
    this.#taken = taken
    this.#resetAt = this.#of.now() + taken.resetsIn
  }
}

/** Milliseconds before the end of a minute in which no points are returned: a store's clock is not this one. */
const clockMargin = 1_000

const overBudget = ({ perMinute = 0 }: CostLimits, points: number, taken?: Taken): Refusal =>
  refusal(
    "rate_limited",
    taken
      ? `The request costs ${figure(points)} points, and ${figure(taken.remaining)} of the ${figure(perMinute)} a minute are left (limit \`perMinute\`).`
      : `The ${figure(perMinute)} points of this minute are used up (limit \`perMinute\`).`,
    { hint: "Wait for as many seconds as Retry-After says." },
  )

const unavailable = (cause: unknown): Refusal =>
  new Refusal(
    [
      {
        code: "limits_unavailable",
        message: "The limits of requests cannot be checked at the moment.",
        hint: "Try again later.",
      },
    ],
    { cause },
  )
