// Server-sent events (HTML standard, section 9.2): an answer that lasts until its client leaves, or is no longer who it was.
import { type BodyStream, noPieces } from "./answer.ts"
import type { FaceRequest, FaceResponse } from "./face.ts"
import { callerState } from "./same-caller.ts"

export interface EventStream {
  /** Aborts when the answer has to end. */
  readonly signal: AbortSignal
  /** Ends the answer at once, whatever its client has not taken. */
  readonly cut: () => void
  /** @param frames whole frames, each with the empty line at its end */
  respond(frames: BodyStream): FaceResponse<BodyStream>
  /** For an answer that is refused after all. */
  end(): void
}

/** Milliseconds between signs of life. */
const heartbeat = 15_000
/** Milliseconds between looks at the credentials: with the time for which they are remembered, below five seconds. */
const recheck = 1_500

/** Made while the request is answered, so that it learns when its client leaves. Throws a Refusal where the client has too many. */
export function openEventStream(request: FaceRequest): EventStream {
  const leave = request.lasting?.begin()
  const left = new AbortController()
  const end = (): void => {
    if (left.signal.aborted) return
    left.abort()
    clearInterval(checking)
    unwatch?.()
    leave?.()
  }
  // A client that leaves before the first frame is written.
  const unwatch = request.inner?.whenGone?.(end)
  const checking = setInterval(async () => {
    if ((await callerState(request)) !== "same") end()
  }, recheck)
  checking.unref()
  const cut = new AbortController()
  return {
    signal: left.signal,
    cut() {
      end()
      cut.abort()
    },
    respond: (frames) => ({
      status: 200,
      headers,
      body: Object.assign(write(frames, end), { cut: cut.signal }),
    }),
    end,
  }
}

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Proxies would collect frames before they send them on.
  "x-accel-buffering": "no",
}

/** The same answer to HEAD, for which no stream is opened. */
export const streamHead: FaceResponse = { status: 200, headers, body: noPieces }

async function* write(frames: BodyStream, end: () => void): AsyncGenerator<string | Buffer, void> {
  const source = frames[Symbol.asyncIterator]()
  let beat: NodeJS.Timeout | undefined
  const silence = (): Promise<"silence"> =>
    new Promise((resolve) => {
      beat = setTimeout(() => resolve("silence"), heartbeat).unref()
    })
  try {
    yield "retry: 1000\n\n"
    for (let next = source.next(); ; ) {
      const got = await Promise.race([next, silence()])
      clearTimeout(beat)
      if (got === "silence") yield ":\n\n"
      else if (got.done) return
      else {
        yield got.value
        next = source.next()
      }
    }
  } finally {
    clearTimeout(beat)
    end()
    // Releases the room of the last frame, sent or not.
    source.return?.().catch(() => {})
  }
}

/** The lines of a frame: stored JSON may have line breaks between its parts. */
export const dataOf = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join("")
