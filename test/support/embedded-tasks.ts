// The service of examples/embedded as a client uses it in any host: both faces, a subscription, a session.
import assert from "node:assert/strict"

type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** Opens a session of the person, and gives the value of its cookie. */
type SessionOf = (person: string) => string

/** A person makes a task by REST, reads it by GraphQL, and sees it in a subscription; others see nothing. */
export async function useTasks(ask: Ask, session: SessionOf): Promise<void> {
  const as = (session: string, body?: unknown, more: Readonly<Record<string, string>> = {}): RequestInit => ({
    headers: { cookie: `session=${session}`, "content-type": "application/json", ...more },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  })
  const made = await ask("/api/people", as("staff", { name: "Ada" }))
  assert.equal(made.status, 201)
  const { id } = (await made.json()) as { readonly id: string }
  const ada = session(id)
  const left = new AbortController()
  const query = "subscription { taskChanges { task { title } } }"
  const live = await ask("/api/graphql", {
    ...as(ada, { query }, { accept: "text/event-stream" }),
    signal: left.signal,
  })
  assert.equal(live.headers.get("content-type"), "text/event-stream; charset=utf-8")
  const task = await ask("/api/tasks", as(ada, { title: "Write", ownerId: id }))
  assert.equal(task.status, 201, await task.clone().text())
  let received = ""
  assert.ok(live.body)
  const reader = live.body.getReader()
  while (!received.includes("Write")) {
    const { value, done } = await reader.read()
    assert.ok(!done, received)
    received += Buffer.from(value).toString()
  }
  left.abort()
  const own = await ask("/api/graphql", as(ada, { query: "{ tasks { nodes { title } } }" }))
  assert.deepEqual(await own.json(), { data: { tasks: { nodes: [{ title: "Write" }] } } })
  const list = await ask("/api/tasks", as(ada))
  assert.equal(((await list.json()) as { readonly data: readonly unknown[] }).data.length, 1)
  assert.equal((await ask("/api/tasks")).status, 401)
  const forged = await ask("/api/tasks", as(ada, { title: "x" }, { origin: "https://evil.example" }))
  assert.equal(forged.status, 403)
}
