// What a face takes and gives: HTTP without a server. The server turns its own requests into these.
import type { Json } from "../base/json.ts"
import { kindOf, type Refusal } from "../base/problem.ts"
import type { Actor } from "../plan/actor.ts"
import type { Once } from "../plan/once.ts"
import type { Plan } from "../plan/plan.ts"
import type { Answer } from "../plan/types.ts"

export interface FaceRequest {
  /** Upper case. */
  readonly method: string
  /** Below the face's own base, still percent-encoded: `/orders/ord_1`. */
  readonly path: string
  /** Without the question mark, still percent-encoded; empty when absent. */
  readonly query: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
  /** Who asks. */
  readonly actor: Actor
  /** For errors, which name the request they belong to. */
  readonly requestId: string
  /** What the server found wrong before it could read the body (too large, an encoding): the face answers with this. */
  readonly refused?: Refusal
}

export interface FaceResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
  /** What broke inside, when the response says `internal`: for the server's log, never for the client. */
  readonly fault?: unknown
}

/** The engine, as a face sees it. A WritePlan with `once` is done once however often it is asked. */
export type AnswerPlan = (plan: Plan, actor: Actor, once?: Once) => Promise<Answer>

export type Face = (request: FaceRequest) => Promise<FaceResponse>

/** What broke inside, of a refusal that says no more than that. */
export const faultIn = ({ problems: [first], cause }: Refusal): Pick<FaceResponse, "fault"> =>
  cause !== undefined && kindOf(first) === "internal" ? { fault: cause } : {}

/** In seconds, for whoever may ask again: it is not the request that is at fault. */
export const retryAfter = (status: number): Readonly<Record<string, string>> =>
  status === 503 || status === 507 ? { "retry-after": "5" } : {}
