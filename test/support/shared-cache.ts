// A shared cache in front of a server, by RFC 9111: it keeps what it may, shows it while it is fresh to whom it may, and asks
// the server whether what is stale has changed. It keeps as much as the standard allows.

interface CachedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  /** Whether the server was not asked, was asked whether it has changed, or gave the answer. */
  readonly from: "cache" | "validated" | "origin"
}

interface Stored {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly storedAt: number
  /** Values of the request's headers that `Vary` names. */
  readonly varied: ReadonlyMap<string, string | null>
}

type RequestHeaders = Readonly<Record<string, string>>

export interface SharedCache {
  get(path: string, headers?: RequestHeaders): Promise<CachedAnswer>
  forget(): void
  /** Seconds. */
  pass(seconds: number): void
}

/** Freshness of answers that say nothing of it (section 4.2.2). */
const heuristic = 10
/** RFC 9110 section 15.1. */
const cacheableByDefault = new Set([200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501])

export function createSharedCache(origin: string): SharedCache {
  const stores = new Map<string, Stored[]>()
  let now = 0
  const ask = async (path: string, headers: RequestHeaders) => {
    const response = await fetch(`${origin}${path}`, { headers })
    return { status: response.status, headers: response.headers, body: await response.text() }
  }
  const keep = (path: string, asked: RequestHeaders, answer: Omit<Stored, "storedAt" | "varied">): void => {
    if (!mayStore(answer, new Headers(asked))) return
    const varied = new Map(
      listOf(answer.headers.get("vary")).map((name) => [name, new Headers(asked).get(name)]),
    )
    const others = (stores.get(path) ?? []).filter((one) => !matches(one, asked))
    stores.set(path, [...others, { ...answer, storedAt: now, varied }])
  }
  return {
    forget: () => stores.clear(),
    pass: (seconds) => {
      now += seconds
    },
    async get(path, headers = {}) {
      const found = (stores.get(path) ?? []).findLast((one) => matches(one, headers))
      if (found && now - found.storedAt < lifetimeOf(found)) return { ...found, from: "cache" }
      const etag = found?.headers.get("etag")
      if (!found || !etag) {
        const answer = await ask(path, headers)
        keep(path, headers, answer)
        return { ...answer, from: "origin" }
      }
      const answer = await ask(path, { ...headers, "if-none-match": etag })
      if (answer.status !== 304) {
        keep(path, headers, answer)
        return { ...answer, from: "origin" }
      }
      // Section 4.3.4.
      const fresher = new Headers(found.headers)
      for (const [name, value] of answer.headers) if (name !== "content-length") fresher.set(name, value)
      const updated = { status: found.status, headers: fresher, body: found.body }
      keep(path, headers, updated)
      return { ...updated, from: "validated" }
    },
  }
}

/** Section 3. */
function mayStore({ status, headers }: Omit<Stored, "storedAt" | "varied">, asked: Headers): boolean {
  const said = directivesOf(headers)
  if (said.has("no-store") || said.has("private") || listOf(headers.get("vary")).includes("*")) return false
  // Section 3.5.
  if (asked.has("authorization") && !["public", "s-maxage", "must-revalidate"].some((one) => said.has(one)))
    return false
  return said.has("public") || said.has("max-age") || said.has("s-maxage") || cacheableByDefault.has(status)
}

/** Section 4.2.1. */
function lifetimeOf({ headers }: Stored): number {
  const said = directivesOf(headers)
  if (said.has("no-cache")) return 0
  const given = said.get("s-maxage") ?? said.get("max-age")
  return given === undefined ? heuristic : Number(given)
}

/** Section 4.1. */
const matches = ({ varied }: Stored, asked: RequestHeaders): boolean =>
  [...varied].every(([name, value]) => new Headers(asked).get(name) === value)

const listOf = (header: string | null): readonly string[] =>
  (header ?? "")
    .split(",")
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== "")

function directivesOf(headers: Headers): ReadonlyMap<string, string> {
  return new Map(
    listOf(headers.get("cache-control")).map((one) => {
      const [name = "", value = ""] = one.split("=")
      return [name, value]
    }),
  )
}
