type Thing = Readonly<Record<string, unknown>>

/** fetch answers a refusal like a success. */
class Refusal extends Error {
  readonly problem: Thing
  constructor(problem: Thing) {
    super(String(problem["detail"]))
    this.problem = problem
  }
}

export function openShop(url: string, authorization: string) {
  const send = async (path: string, method = "GET", more: Record<string, string> = {}, body?: object) => {
    const answer = await fetch(new URL(path, url), {
      method,
      headers: { authorization, "content-type": "application/json", ...more },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (answer.ok || answer.status === 412) return answer
    throw new Refusal((await answer.json()) as Thing)
  }
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
        if (attempts === 1 || error instanceof Refusal) throw error
        return this.create(path, record, key, attempts - 1)
      }
    },
  }
}
