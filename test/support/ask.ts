// Asks a server that is served by a process, as a client does that keeps no connection.
import assert from "node:assert/strict"

export type Json = Readonly<Record<string, unknown>>

/** Rejects where it is refused, and where nobody answers. */
export async function send(method: string, url: string, body?: object): Promise<Json> {
  const response = await fetch(url, {
    method,
    headers: { "content-type": "application/json", connection: "close" },
    ...(body && { body: JSON.stringify(body) }),
  })
  assert.ok(response.ok, await response.clone().text())
  return (await response.json()) as Json
}

interface Page {
  readonly data: readonly Json[]
  readonly page: { readonly next: string; readonly hasMore: boolean }
}

/** All events that the service has, in their order. @param resource of all when absent */
export async function eventsOf(url: string, resource?: string): Promise<readonly Json[]> {
  const all: Json[] = []
  const query = new URLSearchParams({ limit: "100", ...(resource !== undefined && { resource }) })
  for (;;) {
    const { data, page } = (await send("GET", `${url}/events?${query}`)) as unknown as Page
    all.push(...data)
    if (!page.hasMore) return all
    query.set("after", page.next)
  }
}
