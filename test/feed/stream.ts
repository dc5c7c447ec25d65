// A client of server-sent events, by what a test waits for.
import { setTimeout as sleep } from "node:timers/promises"

/** Throws when it does not come true for long. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await isTrue()); waited += 20) {
    if (waited > 30_000) throw new Error("It did not come true.")
    await sleep(20)
  }
}

/** A frame of server-sent events. */
export interface Frame {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

export interface Stream {
  readonly status: number
  readonly frames: readonly Frame[]
  /** That a browser sends back as `Last-Event-ID`: of the last frame that has one, also of one without data. */
  readonly lastId: string | undefined
  /** Resolves when there are so many frames. */
  until(count: number): Promise<readonly Frame[]>
  /** Resolves when the stream has ended: whether its body was whole. */
  readonly ended: Promise<boolean>
  cut(): void
}

/** @param actor nobody when empty @param body of a POST; a GET when absent */
export async function openStream(
  url: string,
  actor: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<Stream> {
  const leaving = new AbortController()
  const answer = await fetch(url, {
    headers: {
      ...(actor !== "" && { authorization: `Bearer ${actor}` }),
      accept: "text/event-stream",
      ...headers,
    },
    ...(body !== undefined && { method: "POST", body }),
    signal: leaving.signal,
  })
  const frames: Frame[] = []
  let lastId: string | undefined
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    let text = ""
    for await (const bytes of answer.body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      const parts = text.split("\n\n")
      text = parts.pop() ?? ""
      for (const part of parts) {
        lastId = /^id: ?(.*)$/m.exec(part)?.[1] ?? lastId
        frames.push(...frameOf(part))
      }
    }
  }
  const ended = read().then(
    () => true,
    () => false,
  )
  return {
    status: answer.status,
    frames,
    get lastId() {
      return lastId
    },
    ended,
    async until(count) {
      for (let waited = 0; frames.length < count; waited += 20) {
        if (waited > 30_000) throw new Error(`${frames.length} of ${count} frames: ${JSON.stringify(frames)}`)
        await sleep(20)
      }
      return frames
    },
    cut: () => leaving.abort(),
  }
}

function frameOf(text: string): readonly Frame[] {
  const lines = new Map(
    text.split("\n").map((line) => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const
    }),
  )
  const data = lines.get("data")
  return data === undefined
    ? []
    : [{ id: lines.get("id"), event: lines.get("event"), data: JSON.parse(data || "null") }]
}
