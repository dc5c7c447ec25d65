// Answers messages of node:http, for any server: in their turn, with the response of dispatch, to the end of a stream.
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Writable } from "node:stream"
import type { RequestRecord } from "../../base/telemetry.ts"
import type { Leave } from "../admission.ts"
import { readBody } from "../body.ts"
import { type Dispatch, type Dispatched, dispatch } from "../dispatch.ts"
import { createPipelining } from "../pipelining.ts"
import { requestIdOf } from "../request-id.ts"
import { sendResponse } from "./send-response.ts"

export interface AnsweringOptions {
  readonly dispatch: Dispatch
  /** Milliseconds for a client that takes nothing of an answer. */
  readonly untaken: number
  /** Whether the answer to the request is the last on its connection. */
  readonly isLast: (request: IncomingMessage) => boolean
  /** The request is answered. */
  readonly ended: (request: IncomingMessage) => void
}

/**
 * Resolves when the answer was sent, or its client has left. Never rejects: a fault is observed, and ends the connection.
 * @param ask gives the response; that of dispatch when absent
 */
export type AnswerMessage = (
  request: IncomingMessage,
  to: ServerResponse,
  leave: Leave,
  ask?: () => Promise<Dispatched | undefined>,
) => Promise<void>

export function createAnswerMessage(options: AnsweringOptions): AnswerMessage {
  const { dispatch: dispatching, untaken, isLast, ended } = options
  const pipelining = createPipelining()
  return async (request, to, leave, ask) => {
    let response: Dispatched | undefined
    try {
      const turn = pipelining.wait(request, to)
      if (turn) await turn
      // Its client has left while it waited: nothing need be done for it.
      if (request.socket.destroyed) return
      response = await (ask ? ask() : dispatch(dispatching, request, readBody))
      // Without a response there is no client left.
      if (!response) return
      leave()
      if (response.record) watchSending(to, response.record)
      const sending = sendResponse(to, response, { last: isLast(request), untaken })
      if (sending) await sending
    } catch (error) {
      const { "x-request-id": given } = request.headers
      const requestId = requestIdOf(typeof given === "string" ? given : undefined)
      dispatching.observe({ kind: "failed", requestId, error })
      response?.record?.failed()
      to.destroy()
    } finally {
      leave()
      pipelining.end(request)
      ended(request)
    }
  }
}

/** The record ends with the answer, or with its client. */
export function watchSending(to: Writable, record: RequestRecord): void {
  const ended = (): void => {
    if (to.writableFinished) record.sent()
    else record.left()
  }
  if (to.destroyed) ended()
  else to.once("close", ended)
}
