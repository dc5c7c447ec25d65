// Services over somebody else's SQLite tables, made of SQL and asked by REST.
import type { Model } from "../../src/model/model.ts"
import { openStorage } from "../../src/storage/open.ts"
import { inspectSql } from "../introspection/databases.ts"
import type { Hooks } from "../support/database.ts"
import { connectFaces, type OpenService } from "../support/open-service.ts"

export interface Told {
  readonly status: number
  /** Of a problem. */
  readonly code?: string
  readonly etag?: string
  /** The body, parsed; undefined where there is none. */
  readonly body: unknown
}

export interface Theirs {
  readonly url: string
  readonly model: Model
  readonly service: OpenService
  ask(
    method: string,
    address: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Told>
}

export async function openTheirs(hooks: Hooks, sql: string): Promise<Theirs> {
  const { url, model } = await inspectSql(hooks, "sqlite", sql)
  const storage = await openStorage(url, { writes: "durable" })
  hooks.after(() => storage.close())
  const service = connectFaces(model, storage)
  return {
    url,
    model,
    service,
    async ask(method, address, body, headers = {}) {
      const [path = "", query = ""] = address.split("?")
      const typed = body ? { "content-type": "application/json" } : {}
      const told = await service.rest({
        method,
        path,
        query,
        headers: { ...typed, ...headers },
        ...(body && { body: Buffer.from(JSON.stringify(body)) }),
      })
      const read: unknown = told.body === "" ? undefined : JSON.parse(told.body)
      const code =
        told.status >= 400 && typeof read === "object" && read !== null && "code" in read
          ? String(read.code)
          : undefined
      const { etag } = told.headers
      return { status: told.status, body: read, ...(code && { code }), ...(etag && { etag }) }
    },
  }
}
