type Thing = Readonly<Record<string, unknown>>

export function openShop(url: string, authorization: string) {
  const send = (path: string, method = "GET", more: Record<string, string> = {}, body?: object) =>
    fetch(new URL(path, url), {
      method,
      headers: { authorization, "content-type": "application/json", ...more },
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    async list(path: string): Promise<readonly unknown[]> {
      const answer = await send(path)
      const { data } = (await answer.json()) as { data: unknown[] }
      const next = /<([^>]*)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1]
      return next ? [...data, ...(await this.list(next))] : data
    },

    async change(path: string, decide: (record: Thing) => object | Promise<object>): Promise<Thing> {
      const read = await send(path)
      const changes = await decide((await read.json()) as Thing)
      const answer = await send(path, "PATCH", { "if-match": read.headers.get("etag") ?? "" }, changes)
      return answer.status === 412 ? this.change(path, decide) : ((await answer.json()) as Thing)
    },

    async create(path: string, record: object, key = crypto.randomUUID(), attempts = 3): Promise<Thing> {
      try {
        return (await (await send(path, "POST", { "idempotency-key": key }, record)).json()) as Thing
      } catch (error) {
        if (attempts === 1) throw error
        return this.create(path, record, key, attempts - 1)
      }
    },
  }
}
