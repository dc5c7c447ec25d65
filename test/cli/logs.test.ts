// The log of `bifold serve`, as processes write it.
import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { cleanUp, type Hooks, temporaryFolder } from "../support/database.ts"
import { bifold, main } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
writeFileSync(
  join(cwd, "desk.ts"),
  `import { anyone, f, resource, service } from "bifold"
export default service({
  name: "desk",
  roles: ["staff"],
  viewer: "agent",
  resources: { agent: resource({ id: "agt", fields: { name: f.text(), pin: f.text() }, allow: { read: anyone, create: anyone } }) },
})
`,
)
const on = ["desk.ts", "--database", join(cwd, "desk.db")]
assert.equal((await bifold(["migrate", "apply", ...on], { cwd })).code, 0)

type Line = Readonly<Record<string, unknown>>

interface Logging {
  readonly url: string
  readonly child: ChildProcess
  /** All of stderr until now. */
  output(): string
  lines(): readonly Line[]
  /** Resolves when so many lines of the event are there. */
  seen(event: string, count?: number): Promise<void>
  end(): Promise<number | null>
}

async function serve(context: Hooks, ...given: readonly string[]): Promise<Logging> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("BIFOLD_")))
  const args = [main, "serve", ...on, "--port", "0", "--secret", "a secret of the tests", ...given]
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
  let [output, printed] = ["", ""]
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    printed += chunk
  })
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk
  })
  const lines = (): readonly Line[] =>
    output
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  const seen = async (event: string, count = 1): Promise<void> => {
    while (lines().filter((line) => line["event"] === event).length < count) {
      assert.equal(child.exitCode, null, output)
      await once(child.stderr, "data")
    }
  }
  context.after(() => void child.kill("SIGKILL"))
  await seen("started")
  assert.equal(printed, "", "no page for a person")
  const urls = lines().find(({ event }) => event === "started")?.["urls"]
  return {
    url: Array.isArray(urls) ? String(urls[0]) : "",
    child,
    output: () => output,
    lines,
    seen,
    async end() {
      child.kill("SIGTERM")
      if (child.exitCode === null) await once(child, "exit")
      return child.exitCode
    },
  }
}

const jwt = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJzM2NyM3QifQ.c2lnbmF0dXJl"

describe("the log of serve", () => {
  test("has the start, requests, refused credentials and the end, and nothing that a client sent", async (context) => {
    const { url, output, lines, seen, end } = await serve(
      context,
      "--log-requests",
      "all",
      "--slow-statement",
      "1",
    )
    const json = { "content-type": "application/json", connection: "close" }
    const send = (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(url + path, {
        method: body === undefined ? "GET" : "POST",
        headers: { ...json, cookie: "session=c00k1e", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    await send("/agents", { name: "n4me", pin: "p1n" })
    await send("/agents?filter[name]=v4lue")
    await send("/agents/agt_s3gment")
    await send("/n0where/%0a%1b[31m")
    await send("/agents", undefined, { authorization: `Bearer ${jwt}` })
    const query = `query Fi\u0066th${"x".repeat(300)}($pin: String) { agents(where: {pin: {eq: $pin}}) { nodes { name } } }`
    await send("/graphql", { query, variables: { pin: "v4riable" } })
    await seen("request", 6)
    await seen("credentials_refused")
    assert.equal(await end(), 0)

    for (const sent of [
      "c00k1e",
      "n4me",
      "p1n",
      "v4lue",
      "s3gment",
      "n0where",
      "v4riable",
      jwt,
      "a secret of",
    ])
      assert.ok(!output().includes(sent), sent)
    const requests = lines().filter(({ event }) => event === "request")
    assert.deepEqual(
      requests.map(({ method, route, status, code }) => [method, route, status, code]),
      [
        ["POST", "/agents", 201, undefined],
        ["GET", "/agents", 200, undefined],
        ["GET", "/agents/{id}", 404, "not_found"],
        ["GET", undefined, 404, "not_found"],
        ["GET", undefined, 401, "invalid_credentials"],
        ["POST", undefined, 200, undefined],
      ],
    )
    assert.ok(String(requests[5]?.["operation"]).length <= 128)
    const names = lines().map(({ event }) => event)
    assert.deepEqual([names[0], ...names.slice(-2)], ["started", "stopping", "stopped"])
    const [started] = lines()
    assert.equal(started?.["database"], "sqlite")
    assert.equal(started?.["secretGiven"], true)
  })

  test("goes on without a reader of its lines", async (context) => {
    const { url, child, end } = await serve(context, "--log-requests", "all")
    child.stderr?.destroy()
    const statuses: number[] = []
    for (let count = 0; count < 20; count++) {
      const { status } = await fetch(`${url}/agents`, {
        headers: { authorization: "Bearer x", connection: "close" },
      })
      statuses.push(status)
    }
    assert.deepEqual(new Set(statuses), new Set([401]))
    assert.equal(await end(), 0)
  })

  test("has whole lines of each worker, and a failed start as a line", async (context) => {
    const { url, lines, seen, end } = await serve(context, "--workers", "2", "--log-requests", "all")
    for (let count = 0; count < 6; count++) await fetch(`${url}/agents`, { headers: { connection: "close" } })
    await seen("request", 6)
    const workers = new Set(lines().flatMap(({ event, pid }) => (event === "request" ? [pid] : [])))
    assert.equal(workers.size, 2)
    const taken = ["serve", ...on, "--port", new URL(url).port, "--log-format", "json"]
    const { code, stdout, stderr } = await bifold(taken, { cwd })
    assert.deepEqual({ code, stdout }, { code: 1, stdout: "" })
    const { event, code: problem } = JSON.parse(stderr)
    assert.deepEqual([event, problem], ["start_failed", "cannot_listen"])
    assert.equal(await end(), 0)
  })
})
