import ky, { isHTTPError } from "ky"

type Thing = Readonly<Record<string, unknown>>

export function openShop(baseUrl: string, authorization: string) {
  const api = ky.create({ baseUrl, headers: { authorization } })
  return {
    async list(path: string): Promise<readonly unknown[]> {
      const answer = await api.get(path)
      const { data } = await answer.json<{ data: unknown[] }>()
      const next = /<([^>]*)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1]
      return next ? [...data, ...(await this.list(next))] : data
    },

    async change(path: string, decide: (record: Thing) => object | Promise<object>): Promise<Thing> {
      const read = await api.get(path)
      const json = await decide(await read.json<Thing>())
      try {
        const headers = { "If-Match": read.headers.get("etag") ?? "" }
        return await api.patch(path, { json, headers }).json<Thing>()
      } catch (error) {
        if (isHTTPError(error) && error.response.status === 412) return this.change(path, decide)
        throw error
      }
    },

    create(path: string, json: object): Promise<Thing> {
      const headers = { "Idempotency-Key": crypto.randomUUID() }
      return api.post(path, { json, headers, retry: { methods: ["post"], limit: 3 } }).json<Thing>()
    },
  }
}
