// Requests over HTTP as data, each with the exact answer: status, headers, body.
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { serveGraphql } from "./serve.ts"

const jsonType = "application/json; charset=utf-8"
export const newerType = "application/graphql-response+json; charset=utf-8"
export const json = { "content-type": "application/json" }
export const graphql = { "content-type": "application/graphql" }
export const newer = { accept: "application/graphql-response+json" }

export interface Form {
  readonly behaviour: string
  readonly method?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** Served by a face that keeps its schema to itself. */
  readonly closed?: true
  readonly status: number
  readonly type?: string
  readonly allow?: string
  readonly expected: unknown
}

export const data = { data: { __typename: "Query" } }

/** An envelope that is no request. */
export const malformed = (message: string, rest: object = {}, code = "malformed_request") => ({
  errors: [{ message, extensions: { code, ...rest } }],
})

/** A request that is not executed, under application/json. */
export const refused = (...errors: readonly object[]) => ({ data: null, errors })

export const body = (members: object): string => JSON.stringify(members)

/** A test for each form, on a server of their own. */
export function testForms(forms: readonly Form[]): void {
  let open: Awaited<ReturnType<typeof serveGraphql>>
  let closed: Awaited<ReturnType<typeof serveGraphql>>
  before(async () => {
    open = await serveGraphql()
    closed = await serveGraphql({ introspection: false })
  })
  after(() => Promise.all([open.close(), closed.close()]))
  for (const form of forms) {
    test(form.behaviour, () => checkForm(form, form.closed ? closed.url : open.url))
  }
  test("every form has a behaviour of its own", () => {
    assert.equal(new Set(forms.map(({ behaviour }) => behaviour)).size, forms.length)
  })
}

async function checkForm(form: Form, url: string): Promise<void> {
  const response = await fetch(`${url}${form.url ?? ""}`, {
    method: form.method ?? "POST",
    headers: { "x-request-id": "known", ...form.headers },
    ...(form.body !== undefined && { body: form.body }),
  })
  const text = await response.text()
  assert.deepEqual(withoutRequestId(JSON.parse(text)), form.expected, text)
  assert.equal(response.status, form.status)
  assert.equal(response.headers.get("content-type"), form.type ?? jsonType)
  assert.equal(response.headers.get("allow"), form.allow ?? null)
  const isCoded = Buffer.byteLength(text) >= 1024
  assert.equal(response.headers.get("vary"), isCoded ? "Accept, Accept-Encoding" : "Accept")
  assert.equal(response.headers.get("cache-control"), "no-store")
  const bodies = form.status === 415 ? "application/json, application/graphql" : null
  assert.equal(response.headers.get("accept-post"), bodies)
}

/** Each error names the request; that is checked here, once for all. */
function withoutRequestId(answer: { errors?: { extensions: { requestId?: string } }[] }): unknown {
  for (const { extensions } of answer.errors ?? []) {
    assert.equal(extensions.requestId, "known")
    delete extensions.requestId
  }
  return answer
}
