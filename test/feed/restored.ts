// Consumers of a served shop that keep the ids of what they have had, as the guide tells them to: each is asked for the orders
// that it was shown under an id that it did not know.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Hooks } from "../support/database.ts"
import type { Receiver } from "../webhooks/receiver.ts"
import { openStream } from "./stream.ts"

export const shop = `import { appendFileSync } from "node:fs"
import { anyone, f, handler, resource, service, withCode } from "bifold"
const shop = service({
  name: "shop",
  roles: ["staff"],
  webhooks: { manage: anyone, networks: ["127.0.0.0/8"] },
  resources: {
    order: resource({
      id: "ord",
      history: true,
      fields: { number: f.text() },
      allow: { read: anyone, create: anyone },
    }),
  },
})
export default withCode(shop, {
  on: {
    "order.created": handler({
      from: "start",
      run: ({ event }) => appendFileSync("handled", JSON.stringify([event.id, event.recordId]) + "\\n"),
    }),
  },
})
`

export interface Consumer {
  /** Ids of orders. */
  readonly seen: ReadonlySet<string>
  /** How often it was told that something is missing. */
  readonly gaps: number
}

/** Goes on through refusals and cuts until the test ends. */
async function keepOn(hooks: Hooks, step: () => Promise<unknown>): Promise<void> {
  let over = false
  hooks.after(() => {
    over = true
  })
  const run = async (): Promise<void> => {
    while (!over) {
      await step().catch(() => {})
      await sleep(50)
    }
  }
  void run()
}

interface Event {
  readonly id: string
  readonly recordId: string
}

interface Page {
  readonly code?: string
  readonly data: readonly Event[]
  readonly page: { readonly next: string }
}

/** Asks for what came after the last page; when that is refused, from the start of the log. */
export function followPages(hooks: Hooks, base: () => string): Consumer {
  const consumer = { seen: new Set<string>(), gaps: 0 }
  const known = new Set<string>()
  let after: string | undefined
  void keepOn(hooks, async () => {
    const answer = await fetch(`${base()}/events${after === undefined ? "" : `?after=${after}`}`)
    const page = (await answer.json()) as Page
    if (answer.status === 410) {
      consumer.gaps += 1
      after = undefined
      return
    }
    if (answer.status !== 200) return
    note(consumer.seen, known, page.data)
    after = page.page.next
  })
  return consumer
}

function note(seen: Set<string>, known: Set<string>, events: readonly Event[]): void {
  for (const { id, recordId } of events) {
    if (!known.has(id)) seen.add(recordId)
    known.add(id)
  }
}

/** As a browser does: again after its last id. */
export function followStream(hooks: Hooks, base: () => string): Consumer {
  const consumer = { seen: new Set<string>(), gaps: 0 }
  const known = new Set<string>()
  let last: string | undefined
  void keepOn(hooks, async () => {
    const stream = await openStream(`${base()}/events/stream`, "", {
      ...(last !== undefined && { "last-event-id": last }),
    })
    hooks.after(() => stream.cut())
    let ended = false
    void stream.ended.then(() => {
      ended = true
    })
    for (let at = 0; !ended || at < stream.frames.length; await sleep(20))
      for (; at < stream.frames.length; at += 1) {
        const { event, data } = stream.frames[at] ?? {}
        if (event === "gap") consumer.gaps += 1
        else note(consumer.seen, known, [data as unknown as Event])
        // Of a stream that gave no id, the last one of those before it stays.
        last = stream.lastId ?? last
      }
    last = stream.lastId ?? last
  })
  return consumer
}

interface Told {
  readonly data?: { readonly orderChanges?: { readonly cursor: string; readonly recordId: string } }
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[]
}

/** Goes on after its last change; when that is refused, follows from now on and asks for the records as they are. */
export function followSubscription(hooks: Hooks, base: () => string): Consumer {
  const consumer = { seen: new Set<string>(), gaps: 0 }
  const known = new Set<string>()
  let after: string | undefined
  void keepOn(hooks, async () => {
    const query = "subscription ($after: String) { orderChanges(after: $after) { cursor recordId } }"
    const body = JSON.stringify({ query, variables: { after } })
    const headers = { "content-type": "application/json" }
    const stream = await openStream(`${base()}/graphql`, "", headers, body)
    hooks.after(() => stream.cut())
    if (after === undefined && consumer.gaps > 0) {
      const { data } = (await (await fetch(`${base()}/orders?limit=100`)).json()) as {
        data: { id: string }[]
      }
      for (const { id } of data) consumer.seen.add(id)
    }
    let ended = false
    void stream.ended.then(() => {
      ended = true
    })
    for (let at = 0; !ended || at < stream.frames.length; await sleep(20))
      for (; at < stream.frames.length; at += 1) {
        const { data, errors } = (stream.frames[at]?.data ?? {}) as Told
        if (errors?.some(({ extensions }) => extensions?.code === "events_expired")) {
          consumer.gaps += 1
          after = undefined
        }
        const change = data?.orderChanges
        if (!change) continue
        note(consumer.seen, known, [{ id: change.cursor, recordId: change.recordId }])
        after = change.cursor
      }
  })
  return consumer
}

/** Drops what has an id that it knows. */
export const receivedBy = ({ received }: Receiver): Consumer => ({
  get seen() {
    const seen = new Set<string>()
    note(
      seen,
      new Set(),
      received.map(({ id, body }) => ({ id, recordId: String(body.data["recordId"]) })),
    )
    return seen
  },
  gaps: 0,
})

/** Its idempotency key is the event's id. @param folder where it writes */
export const handledIn = (folder: string): Consumer => ({
  get seen() {
    const seen = new Set<string>()
    const lines = readFileSync(join(folder, "handled"), "utf8").trim().split("\n")
    const handled = lines.map((line) => JSON.parse(line) as [string, string])
    note(
      seen,
      new Set(),
      handled.map(([id, recordId]) => ({ id, recordId })),
    )
    return seen
  },
  gaps: 0,
})
