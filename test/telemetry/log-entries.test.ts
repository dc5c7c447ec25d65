// What a log says: members by their names and nothing else, of bounded length, without control characters and secrets.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { Writable } from "node:stream"
import { describe, test } from "node:test"
import { stripVTControlCharacters } from "node:util"
import { Refusal, Withheld } from "../../src/base/problem.ts"
import { RequestRecord, Telemetry } from "../../src/base/telemetry.ts"
import { UserCodeError } from "../../src/engine/code/user-code-error.ts"
import type { Level } from "../../src/observe/logs/catalog.ts"
import { catalog, type Entry, safeMembers } from "../../src/observe/logs/catalog.ts"
import { createJsonLog } from "../../src/observe/logs/json-log.ts"
import { type WatchOptions, watchRequests } from "../../src/observe/logs/watch-requests.ts"
import { entryOf, sayObservation } from "../../src/observe/observations.ts"
import { openTerminal } from "../../src/observe/terminal/terminal.ts"
import type { Observation } from "../../src/server/observation.ts"

const page = readFileSync(new URL("../../docs/operate/logs.md", import.meta.url), "utf8")

interface Documented {
  readonly event: string | undefined
}

test("docs/operate/logs.md has every event with its level and its members", () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+) \| [^|]+ \|([^|]*)\|$/gm)]
  const documented = rows.map(([, event, level, members = ""]) => ({
    event,
    level,
    members: [...members.matchAll(/`(\w+)`/g)].map(([, name]) => name).toSorted(),
  }))
  const known = Object.entries(catalog).map(([event, { level, members, ...form }]) => ({
    event,
    level,
    // One of them may be the message.
    members: Object.keys(members)
      .filter((name) => !("message" in form) || form.message !== name)
      .toSorted(),
  }))
  const byName = (one: Documented, other: Documented): number =>
    (one.event ?? "").localeCompare(other.event ?? "")
  assert.ok(known.length > 20)
  assert.deepEqual(documented.toSorted(byName), known.toSorted(byName))
})

/** What a log of JSON writes of the entries. */
function written(entries: readonly Entry[], level: Level = "debug"): readonly Record<string, unknown>[] {
  let output = ""
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      output += chunk
      done()
    },
  })
  const log = createJsonLog({ stream, level })
  for (const entry of entries) log.write(entry)
  return output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
}

const away = { code: "storage_unavailable", message: "The database cannot be reached." } as const
const fault = Object.assign(new Error('invalid input syntax for type integer: "4111 1111"'), {
  code: "22P02",
})
const observations: readonly Observation[] = [
  {
    kind: "failed",
    requestId: "r1",
    error: new Error("no host\nfake: line at postgres://me:hunter2@db/shop"),
  },
  {
    kind: "failed",
    requestId: "r2",
    error: new UserCodeError("The code of pay of order failed.", {
      cause: new Error(
        '401 for Authorization: Bearer s3cr3tt0ken, password=hunter2, client_secret=hunter2; Cookie: sid-4711, api_key=\'4712\' {"token": "4713"} eyJhbGciOi.eyJzdWIiOi.4714',
      ),
    }),
  },
  {
    kind: "unanswered",
    requestId: "r3",
    problem: { code: "storage_unavailable", message: "The database cannot be reached." },
    cause: new AggregateError([new Error("connect ECONNREFUSED"), new Error("timeout")]),
    count: 3,
  },
  {
    kind: "unanswered",
    requestId: "r4",
    problem: { code: "database_mismatch", message: "No." },
    cause: fault,
    count: 1,
  },
  {
    kind: "withheld",
    requestId: "r10",
    error: new Withheld(
      "pay of order",
      new Refusal([
        {
          code: "forbidden",
          message: "You may not create this audit.",
          hint: "Send password=hunter2.",
          place: ["lines", 0],
        },
      ]),
    ),
  },
  { kind: "unidentified", requestId: "r5", fault: "the token has expired", count: 1 },
  { kind: "uncounted", fault: new Error("redis"), count: 2 },
  { kind: "unready", check: "database", fault: new Refusal([away], { cause: new Error("ECONNREFUSED") }) },
  { kind: "unready", check: "migrations", fault: new Refusal([away]) },
  { kind: "unready", check: "database", fault: new Error("gone") },
  { kind: "ready", after: 1_500 },
  { kind: "cut", connections: 4 },
  { kind: "refused", problem: away, count: 3 },
  { kind: "hung", process: 7, after: 5_000 },
  { kind: "unhung", process: 7 },
  { kind: "said", process: 7, text: "FATAL ERROR" },
  { kind: "lost", process: undefined, reason: "SIGKILL" },
  { kind: "unstarted", problems: [{ code: "internal", message: "No." }] },
  { kind: "unstarted", problems: [away], cause: new Error("connect ECONNREFUSED") },
  { kind: "expiring", until: new Date(1), days: 1 },
  { kind: "outdated", valid: { from: new Date(0), until: new Date(1) } },
  { kind: "crashed", what: undefined, error: "a text" },
  {
    kind: "unhandled",
    handler: "mail",
    event: "evt_7",
    count: 3,
    record: "ord_1",
    error: new Error("smtp"),
    attempts: 2,
    due: 0,
  },
  {
    kind: "undelivered",
    handler: "subscriber:webhook:whe_1",
    event: "evt_8",
    record: "ord_1",
    error: new Error("not valid JSON"),
    attempts: 2,
    due: null,
  },
  { kind: "halted", error: new Error("gone") },
  { kind: "resumed" },
  { kind: "held", handler: "mail", since: 0 },
  { kind: "replaced", handlers: ["mail", "subscriber:nats:shop"] },
  { kind: "unforgotten", error: new Error("gone") },
  { kind: "unsent", sink: "nats", error: new Error("gone") },
  { kind: "sent", sink: "nats" },
  { kind: "drifted", problems: [] },
  {
    kind: "drifted",
    problems: [
      { code: "database_mismatch", message: "One." },
      { code: "database_mismatch", message: "Another." },
    ],
  },
  { kind: "noticed", text: "Where to go:\nhttps://me:hunter2@localhost" },
]

describe("entries", () => {
  test("of every observation have their members, and no secret or control character", () => {
    const lines = written(observations.map(entryOf))
    assert.equal(lines.length, observations.length)
    const all = JSON.stringify(lines)
    for (const secret of ["hunter2", "s3cr3tt0ken", "4111 1111", "4711", "4712", "4713", "4714", "eyJ"])
      assert.ok(!all.includes(secret), secret)
    const [first, second, third, fourth] = lines
    assert.equal(first?.["event"], "request_failed")
    assert.equal(first?.["errorMessage"], "no host fake: line at postgres://…@db/shop")
    assert.match(String(first?.["stack"]), /^at .+log-entries\.test\.ts/)
    assert.equal(second?.["in"], "The code of pay of order failed.")
    assert.equal(third?.["errorMessage"], "connect ECONNREFUSED, timeout")
    assert.equal(fourth?.["errorCode"], "22P02")
    const refused = lines.find(({ event }) => event === "code_refused")
    assert.deepEqual(
      [refused?.["in"], refused?.["code"], refused?.["problem"], refused?.["place"]],
      ["The code of pay of order was refused.", "forbidden", "You may not create this audit.", "lines.0"],
    )
    const lost = lines.filter(({ event }) => event === "readiness_lost")
    assert.deepEqual(
      lost.map(({ check, problem, errorMessage, stack }) => [check, problem, errorMessage, stack]),
      [
        ["database", away.message, "ECONNREFUSED", undefined],
        ["migrations", away.message, undefined, undefined],
        ["database", undefined, "gone", undefined],
      ],
    )
    const [repaired, drifted, notice] = lines.slice(-3)
    assert.deepEqual([repaired?.["event"], drifted?.["event"]], ["schema_repaired", "schema_drifted"])
    assert.deepEqual([drifted?.["problem"], drifted?.["count"]], ["One. Another.", 2])
    assert.deepEqual(
      [notice?.["event"], notice?.["msg"], notice?.["text"]],
      ["notice", "Where to go: https://…@localhost", undefined],
    )
    for (const line of lines) assert.doesNotMatch(JSON.stringify({ ...line, stack: "" }), /\\n|\\u00/)
  })

  test("of every observation are told to a terminal without secrets, and cannot be taken for others", () => {
    const hostile: readonly Observation[] = [
      {
        kind: "failed",
        requestId: "r6",
        error: "\u001b]0;title\u0007\u001b[2J\u009b2J\rgone\n✗ Request r7 failed",
      },
      {
        kind: "unhandled",
        handler: "mail",
        event: "order.placed",
        record: "ord_\u001b[2J\n✗ Request r8 failed",
        error: new Error("smtp"),
        attempts: 2,
        due: 0,
      },
    ]
    const said: string[] = []
    const terminal = { ...openTerminal(process), say: (text: string) => void said.push(text) }
    for (const observation of [...observations, ...hostile]) sayObservation(terminal, observation)
    const all = said.join("\n")
    for (const secret of ["hunter2", "s3cr3tt0ken"]) assert.ok(!all.includes(secret), secret)
    assert.match(all, /\n {4}fake: line at postgres:\/\/…@db\/shop/)
    assert.doesNotMatch(all, /^✗ Request r[78] failed/m)
    assert.doesNotMatch(stripVTControlCharacters(all).replaceAll("\n", ""), /\p{Cc}/u)
  })

  test("have no secret of a place in the code", () => {
    const error = Object.assign(new Error("no"), {
      stack: "Error: no\n    at run (https://me:hunter3@host/a.js:1:2)",
    })
    const [line] = written([entryOf({ kind: "failed", requestId: "r", error })])
    assert.equal(line?.["stack"], "at run (https://…@host/a.js:1:2)")
  })

  test("have nothing but the members of the catalog", () => {
    const members = { handler: "mail", since: "now", body: "of a request", headers: { cookie: "x" } }
    assert.deepEqual(safeMembers({ event: "log_held", members }), { handler: "mail", since: "now" })
    const [{ level: _, time: __, pid: ___, ...line } = {}] = written([{ event: "log_held", members }])
    assert.deepEqual(Object.keys(line), ["event", "handler", "since", "msg"])
  })

  test("are lines with their level, time, process and message, and only of the levels that are asked for", () => {
    const time = new Date().toISOString().slice(0, 10)
    const [line] = written([{ event: "stopping", members: { uptimeMs: 1.2345 } }])
    const { time: at, ...others } = line ?? {}
    assert.match(String(at), new RegExp(`^${time}T\\d\\d:\\d\\d:\\d\\d\\.\\d\\d\\dZ$`))
    assert.deepEqual(others, {
      level: "info",
      pid: process.pid,
      event: "stopping",
      uptimeMs: 1.23,
      msg: "Shutting down; draining requests.",
    })
    const few: readonly Entry[] = [
      { event: "handlers_resumed", members: {} },
      { event: "log_held", members: { handler: 'a "b" \\ ü', since: "now" } },
    ]
    assert.deepEqual(
      written(few, "warn").map(({ event, handler }) => [event, handler]),
      [["log_held", 'a "b" \\ ü']],
    )
  })

  test("are lines of at most 4,096 bytes, whatever is in them", () => {
    const long = '\u{1f980}"\\'.repeat(5_000)
    const error = Object.assign(new Error(long), { stack: `Error\n  at ${long}`, code: long })
    const [line] = written([entryOf({ kind: "failed", requestId: long, error })])
    assert.ok(Buffer.byteLength(JSON.stringify(line)) <= 4_096)
    assert.ok(String(line?.["errorMessage"]).isWellFormed())
  })
})

/** What is logged of requests that ended so. */
function logged(options: Partial<WatchOptions>, ended: readonly Partial<RequestRecord>[]): readonly string[] {
  const told: string[] = []
  const watch = watchRequests({
    requests: "all",
    sample: 1,
    slowRequest: 1_000,
    slowStatement: 0,
    write: ({ event, members }) =>
      told.push(
        "route" in members ? String(members.route) : `${event} ${"count" in members ? members.count : ""}`,
      ),
    ...options,
  })
  for (const each of ended) {
    const record = new RequestRecord(new Telemetry(), { id: "r", method: "GET" })
    watch.listener.requestEnded?.(Object.assign(record, each))
  }
  watch.end()
  return told
}

describe("requests", () => {
  const fine = { route: "/fine", status: 200, took: 3 }
  const slow = { route: "/slow", status: 200, took: 2_000 }
  const broken = { route: "/broken", status: 503, took: 1 }
  const inside = { route: "/graphql", status: 200, code: "internal", took: 1 } as const
  const refused = { route: "/refused", status: 404, code: "not_found", took: 1 } as const
  const waited = {
    route: "/stream",
    status: 200,
    took: 60_000,
    times: { read: 0, plan: 0, queue: 0, statement: 0, code: 0, write: 59_999 },
  }
  const all = [fine, slow, broken, inside, refused, waited]

  test("are logged by their choice", () => {
    assert.deepEqual(logged({ requests: "errors" }, all), ["/broken", "/graphql"])
    assert.deepEqual(logged({ requests: "slow" }, all), ["/slow", "/broken", "/graphql"])
    assert.deepEqual(logged({ requests: "none" }, all), [])
    assert.equal(logged({}, all).length, 6)
  })

  test("are sampled, but for those that failed or were slow", () => {
    const chances = [0.3, 0.05, 0.5]
    const chance = (): number => chances.shift() ?? 1
    assert.deepEqual(logged({ sample: 0.1, chance }, all), ["/slow", "/broken", "/graphql", "/refused"])
  })

  test("that fail are at most fifty lines in a second, and the others are counted", () => {
    const found = logged({ requests: "errors" }, Array<typeof broken>(1_000).fill(broken))
    assert.equal(found.length, 51)
    assert.equal(found.at(-1), "requests_omitted 950")
  })
})

test("slow statements are bundled by their text, and few texts are kept", () => {
  const told: (readonly [number, number])[] = []
  const { listener, end } = watchRequests({
    requests: "none",
    sample: 1,
    slowRequest: 1_000,
    slowStatement: 100,
    write({ event, members }) {
      if (event === "slow_statement") told.push([members.durationMs, members.count])
    },
  })
  const note = (text: string, took: number): void =>
    listener.statementEnded?.({ kind: "read", commands: [{ text }], record: undefined, began: 0, took })
  for (const took of [99, 100, 300, 200]) note("SELECT 1", took)
  assert.deepEqual(told, [[100, 1]])
  for (let index = 0; index < 1_000; index++) note(`SELECT ${index} `, 500)
  assert.equal(told.length, 101)
  end()
  assert.deepEqual(told.slice(101), [
    [300, 2],
    [500, 900],
  ])
})
