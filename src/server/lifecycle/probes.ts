// Answers to programs that watch the server: is the process there, should it get requests, what of the service is served.
import type { FaceResponse } from "../../http/face.ts"
import { retryAfter } from "../../http/face.ts"
import type { Health } from "../service.ts"
import type { ReadinessCheck } from "./readiness.ts"

/** The process and its event loop answer; the database is not asked. */
export const livenessResponse = (): FaceResponse => answer(200, { status: "ok" })

export async function readinessResponse({ check }: Pick<ReadinessCheck, "check">): Promise<FaceResponse> {
  const { ready, checks } = await check()
  return answer(ready ? 200 : 503, { status: ready ? "ready" : "unready", checks })
}

/** @param health rejects when the service cannot answer now */
export async function healthResponse(health: () => Promise<Health>): Promise<FaceResponse> {
  try {
    const { unavailable } = await health()
    // 200: a balancer that took the process away would take the other resources with it. Names are for the log.
    return answer(200, unavailable === 0 ? { status: "ok" } : { status: "degraded", unavailable })
  } catch {
    return answer(503, { status: "unavailable" })
  }
}

function answer(status: number, body: object): FaceResponse {
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" }
  return { status, headers: { ...headers, ...retryAfter(status) }, body: JSON.stringify(body) }
}
