// Records of the desk that tests of writes begin with, and how their replies are read.
import assert from "node:assert/strict"
import type { Reply, Send } from "./desk.ts"

export const merge = { "content-type": "application/merge-patch+json" }
export const patch = { "content-type": "application/json-patch+json" }

let count = 0
/** No two tests speak of the same e-mail address, number or word. */
export const fresh = (): string => {
  count += 1
  return `n${count}`
}

export const tagOf = ({ headers }: Reply): string => headers["etag"] ?? ""
export const pointers = ({ json }: Reply): readonly string[] =>
  json.errors.map(({ pointer, parameter }: { pointer?: string; parameter?: string }) => pointer ?? parameter)

/** Makes valid records by `send`; each gives the reply to its POST. */
export function recordMakers(send: Send) {
  const makeCustomer = async (more: object = {}): Promise<Reply> => {
    const made = await send("POST /customers", { email: `${fresh()}@example.org`, name: "Ada", ...more })
    assert.equal(made.status, 201, made.body)
    return made
  }
  const makeOrder = async (more: object = {}): Promise<Reply> => {
    const customer = await makeCustomer()
    const made = await send("POST /orders", {
      number: fresh(),
      total: "1.00",
      customerId: customer.json.id,
      ...more,
    })
    assert.equal(made.status, 201, made.body)
    return made
  }
  return { makeCustomer, makeOrder }
}
