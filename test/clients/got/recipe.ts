import got, { HTTPError } from "got"

type Thing = Readonly<Record<string, unknown>>

export function openShop(url: string, authorization: string) {
  const api = got.extend({ headers: { authorization } })
  return {
    /** got follows `Link` by itself. */
    list: (path: string): Promise<readonly unknown[]> =>
      api.paginate.all(new URL(path, url), {
        pagination: { transform: ({ body }) => JSON.parse(String(body)).data },
      }),

    async change(path: string, decide: (record: Thing) => object | Promise<object>): Promise<Thing> {
      const { body, headers } = await api.get(new URL(path, url))
      const json = await decide(JSON.parse(body))
      try {
        const more = { "If-Match": headers.etag }
        return await api.patch(new URL(path, url), { json, headers: more }).json<Thing>()
      } catch (error) {
        if (error instanceof HTTPError && error.response.statusCode === 412) return this.change(path, decide)
        throw error
      }
    },

    create(path: string, json: object): Promise<Thing> {
      const headers = { "Idempotency-Key": crypto.randomUUID() }
      const retry = { methods: ["POST" as const], limit: 3 }
      return api.post(new URL(path, url), { json, headers, retry }).json<Thing>()
    },
  }
}
