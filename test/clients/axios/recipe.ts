import axios, { isAxiosError } from "axios"

type Thing = Readonly<Record<string, unknown>>

export function openShop(baseURL: string, authorization: string) {
  const api = axios.create({ baseURL, headers: { authorization } })
  return {
    async list(path: string): Promise<readonly unknown[]> {
      const { data, headers } = await api.get(path)
      const next = /<([^>]*)>; rel="next"/.exec(headers["link"])?.[1]
      return next ? [...data.data, ...(await this.list(next))] : data.data
    },

    async change(path: string, decide: (record: Thing) => object | Promise<object>): Promise<Thing> {
      const { data, headers } = await api.get(path)
      const changes = await decide(data)
      try {
        return (await api.patch(path, changes, { headers: { "If-Match": headers["etag"] } })).data
      } catch (error) {
        if (isAxiosError(error) && error.response?.status === 412) return this.change(path, decide)
        throw error
      }
    },

    async create(path: string, record: object, key = crypto.randomUUID(), attempts = 3): Promise<Thing> {
      try {
        return (await api.post(path, record, { headers: { "Idempotency-Key": key } })).data
      } catch (error) {
        if (attempts === 1 || (isAxiosError(error) && error.response)) throw error
        return this.create(path, record, key, attempts - 1)
      }
    },
  }
}
