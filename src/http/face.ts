// Requests and responses of a face: HTTP without a server. The server turns its own requests into these.
import { type Code, kindEntry } from "../base/codes.ts"
import type { Json } from "../base/json.ts"
import { kindOf, type Refusal, Withheld } from "../base/problem.ts"
import type { Request } from "../base/request.ts"
import type { Actor } from "../plan/access/actor.ts"
import type { Plan } from "../plan/plan.ts"
import type { Answer } from "../plan/read-plan.ts"
import type { AnswerHeaders, Body } from "./answer.ts"

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
  /** The caller. */
  readonly actor: Actor
  /** For answers that last; absent where they are not counted. */
  readonly lasting?: Lasting
  /** For errors, which name the request they belong to. */
  readonly requestId: string
  /** A refusal from before the body was read (too large, an encoding): the face answers with it. */
  readonly refused?: Refusal | undefined
  /** The request for the engine and the database; absent where no client is counted, bounded or observed. */
  readonly inner?: Request
}

/** The server, as an answer that lasts sees it. */
export interface Lasting {
  /** Gives the function that ends the count. Throws a Refusal where the client has reached its limit. */
  begin(): () => void
  /** Rejects with a Refusal when the credentials are no longer accepted. */
  identify(): Actor | Promise<Actor>
  /** Callers without credentials may be known, too, and for a time. */
  readonly bySession?: true | undefined
  /** Makes a later part of the answer, which is counted as a request of its own. Rejects with a Refusal for a caller over its limits. */
  run<Part>(make: (inner: Request) => Promise<Part>): Promise<Part>
  /** Gives the server's log the fault of a later part. */
  report(faults: Faults): void
}

/** For the server's log. */
export type Faults = Pick<FaceResponse, "fault" | "unable" | "withheld">

export interface FaceResponse<Content extends Body = Body> {
  readonly status: number
  /** Names in lower case. */
  readonly headers: AnswerHeaders
  /** HEAD is answered as GET is: the server leaves the body out, and the headers still describe it. */
  readonly body: Content
  /** Seconds for which caches may show it to any caller, as it is the same for all; the server says so in its headers. */
  readonly publicFor?: number | undefined
  /** Bytes of the body that a 304 stands for; a stream counts as endless. */
  readonly size?: number
  /** The body is one of the few documents that are asked for again and again. */
  readonly isDocument?: true
  /** The code of the first problem in the body. */
  readonly code?: Code
  /** The cause of an `internal` response: for the server's log, never for the client. */
  readonly fault?: unknown
  /** Why the service could not answer (an outage, not a mistake of the client or a bug): for the server's log. */
  readonly unable?: Refusal
  /** Why user code was refused: for the server's log. */
  readonly withheld?: Withheld
}

export type JsonResponse = FaceResponse<Json>

/** The engine, as a face sees it. */
export type AnswerPlan = (plan: Plan, actor: Actor, request?: Request) => Promise<Answer>

export type Face = (request: FaceRequest) => Promise<FaceResponse>

/** The part of a refusal for the server's log. */
export function faultIn(refused: Refusal): Faults {
  const kind = kindOf(refused.problems[0])
  if (kindEntry(kind).blame === "client")
    return refused.cause instanceof Withheld ? { withheld: refused.cause } : {}
  if (kind !== "internal") return { unable: refused }
  return refused.cause === undefined ? {} : { fault: refused.cause }
}

/** Seconds after which a client may retry. */
export const retryAfter = (status: number): AnswerHeaders =>
  status === 503 || status === 507 ? { "retry-after": "5" } : {}
