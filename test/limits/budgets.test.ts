// Budgets of callers over HTTP: equal prices by both faces, headers, refusals, and who shares a budget with whom.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { createBudget, type Limiter, memoryBudget } from "../../src/access/limits/budget.ts"
import { dialects } from "../support/open-service.ts"
import { type Answered, openCounted } from "./open.ts"

const listed = "{ things(first: 10) { nodes { name } } }"
const nested = "{ people(first: 5) { nodes { name things(first: 10) { nodes { name owner { name } } } } } }"

const codeOf = ({ body }: Answered): string =>
  body.code ?? body.errors?.[0]?.extensions?.code ?? body.errors?.[0]?.code

for (const database of dialects)
  describe(`budgets, ${database}`, () => {
    it("equal questions cost the same by both faces, and what was not there is given back", async (test) => {
      const { get, ask } = await openCounted(test, { cost: { perMinute: 1_000 } }, { database })
      const pairs = [
        [listed, "/things?limit=10&fields=name", { requested: 11, used: 4 }],
        ["{ thing(id: 1) { name } }", "/things/1?fields=name", { requested: 2, used: 2 }],
        [
          nested,
          "/people?limit=5&fields=name&include=things.owner&include[things][limit]=10&include[things][fields]=name&include[things.owner][fields]=name",
          { requested: 1 + 5 + 50 + 50, used: 1 + 2 + 3 + 3 },
        ],
      ] as const
      let left = 1_000
      for (const [query, path, cost] of pairs) {
        const asked = await ask(query, "ada")
        assert.deepEqual(asked.body.errors, undefined)
        assert.deepEqual(asked.cost, cost, query)
        assert.deepEqual(asked.body.extensions, { cost })
        left -= cost.used
        assert.equal(asked.remaining, left)
        const got = await get(path, "ada")
        assert.equal(got.status, 200, JSON.stringify(got.body))
        assert.deepEqual(got.cost, cost, path)
        left -= cost.used
        assert.equal(got.remaining, left)
        assert.equal(got.headers.get("ratelimit-policy"), '"points";q=1000;w=60')
      }
    })

    it("a bulk write costs as many records as it may write", async (test) => {
      const { ask, send } = await openCounted(test, { cost: { perMinute: 100 } }, { database })
      const of = (name: string, ownerId = "1") => ({ name, ownerId })
      const create = (input: readonly object[]) => send("POST", "/things/bulk", input, "ada")
      // REST answers with the total too.
      assert.deepEqual((await create([of("four")])).cost, { requested: 22, used: 22 })
      assert.deepEqual((await create([of("five"), of("six")])).cost, { requested: 33, used: 33 })
      // What is refused answers with no record.
      const refused = await create([of("seven", "99")])
      assert.deepEqual([codeOf(refused), refused.cost], ["missing_reference", { requested: 22, used: 21 }])
      assert.equal(refused.remaining, 100 - 22 - 33 - 21)
      const some = 'where: { name: { eq: "four" } }, maxAffected: 2, input: { name: "4" }'
      const update = await ask(`mutation { updateThings(${some}) { things { name } } }`, "zoe")
      assert.deepEqual(update.cost, { requested: 23, used: 22 }, JSON.stringify(update.body))
      const one = 'input: [{ name: "eight", ownerId: "1" }]'
      const made = await ask(`mutation { createThings(${one}) { things { name } } }`, "zoe")
      assert.deepEqual(made.cost, { requested: 12, used: 12 }, JSON.stringify(made.body))
    })

    it("a caller without points is refused with 429 by both faces, and nothing is done", async (test) => {
      const { get, ask, send } = await openCounted(test, { cost: { perMinute: 30 } }, { database })
      const write = () => send("POST", "/things", { name: "more", ownerId: "1" }, "ada")
      assert.equal((await write()).status, 201)
      assert.equal((await write()).status, 201)
      const refused = await write()
      assert.deepEqual([refused.status, codeOf(refused)], [429, "rate_limited"])
      assert.deepEqual([refused.cost, refused.remaining], [{ requested: 12, used: 1 }, 5])
      const told = "The request costs 12 points, and 5 of the 30 a minute are left (limit `perMinute`)."
      assert.equal(refused.body.detail, told)
      const wait = Number(refused.headers.get("retry-after"))
      assert.ok(wait > 0 && wait <= 60, String(wait))
      // A request costs a point even if its plan is refused; a smaller one is still within the rest.
      assert.deepEqual((await get("/things/1", "ada")).remaining, 3)
      const asked = await ask(
        'mutation { createThing(input: {name: "more", ownerId: "1"}) { thing { id } } }',
        "ada",
      )
      assert.deepEqual([asked.status, codeOf(asked)], [429, "rate_limited"])
      const count = await get("/things?limit=1&fields=id&sort=-id", "zoe")
      assert.equal(count.body.data[0].id, "thing_5")
    })
  })

describe("a budget", () => {
  it("is one for both faces, for aliases and for the steps of a batch", async (test) => {
    const { ask, send } = await openCounted(test, { cost: { perMinute: 1_000 } })
    const aliased = await ask(
      `{ ${Array.from({ length: 7 }, (_, index) => `a${index}: things(first: 10) { nodes { id } }`).join(" ")} }`,
      "ada",
    )
    assert.equal(aliased.cost?.requested, 71)
    const batch = await send(
      "POST",
      "/batch",
      { requests: Array.from({ length: 7 }, () => ({ method: "GET", path: "/things?limit=10&fields=id" })) },
      "ada",
    )
    assert.equal(batch.status, 200, JSON.stringify(batch.body))
    assert.equal(batch.cost?.requested, 71)
  })

  it("belongs to the caller, whatever the address, and to the address without credentials", async (test) => {
    const { get } = await openCounted(test, { cost: { perMinute: 100 } }, { proxies: 1 })
    const from = (address: string, as?: string) => get("/things/1", as, { "x-forwarded-for": address })
    const remaining = async (address: string, as?: string) => (await from(address, as)).remaining
    assert.equal(await remaining("192.0.2.1", "ada"), 98)
    assert.equal(await remaining("192.0.2.2", "ada"), 96)
    assert.equal(await remaining("192.0.2.2", "zoe"), 98)
    assert.equal(await remaining("192.0.2.1"), 98)
    assert.equal(await remaining("192.0.2.2"), 98)
    assert.equal(await remaining("::ffff:192.0.2.2"), 96)
    assert.equal(await remaining("192.0.2.2:1234"), 94)
    assert.equal(await remaining("2001:db8:1:2::1"), 98)
    assert.equal(await remaining("2001:db8:1:2:ffff::9"), 96)
    assert.equal(await remaining("[2001:db8:1:2::7]:80"), 94)
    assert.equal(await remaining("2001:db8:1:3::1"), 98)
    // Entries to the left of what the trusted proxy adds are the client's own.
    assert.equal(await remaining("203.0.113.9, 192.0.2.2"), 92)
  })

  it("takes no address from a header where no proxy is trusted", async (test) => {
    const { get } = await openCounted(test, { cost: { perMinute: 100 } })
    const left = []
    for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"])
      left.push((await get("/things/1", undefined, { "x-forwarded-for": address })).remaining)
    assert.deepEqual(left, [98, 96, 94])
  })

  it("counts a refused document by its length, whatever is wrong with it", async (test) => {
    const { ask } = await openCounted(test, { cost: { perMinute: 10_000 } })
    const long = (text: string): string => text.padEnd(2_000, "#")
    const texts = [
      "{ nothing }",
      "{",
      "{ things { nodes { a: id a: name } } }",
      // Valid, and refused when it is planned.
      "{ things(first: 1000000) { nodes { id } } }",
    ]
    for (const text of texts) {
      assert.equal((await ask(text, "ada")).cost?.requested, 1)
      assert.equal((await ask(long(text), "ada")).cost?.requested, 10)
      // As it is kept.
      assert.equal((await ask(long(text), "ada")).cost?.requested, 10)
    }
    const dear = `{ ${Array.from({ length: 110 }, (_, at) => `a${at}: things(first: 100) { nodes { id } }`).join(" ")} }`
    const expensive = await ask(dear, "ada")
    assert.deepEqual(
      [codeOf(expensive), expensive.cost?.requested],
      ["too_expensive", Math.floor(dear.length / 200)],
    )
    const few = await openCounted(test, { cost: { perMinute: 9 } })
    const refused = await few.ask(long("{ nothing }"), "ada")
    assert.deepEqual([refused.status, codeOf(refused)], [429, "rate_limited"])
    // It was read: nothing is left for another one.
    const next = await few.ask("{ nothing }", "ada")
    assert.deepEqual([next.status, next.remaining, codeOf(next)], [429, 0, "rate_limited"])
  })

  it("counts requests that fail before they are planned", async (test) => {
    const { get, ask, send } = await openCounted(test, { cost: { perMinute: 4 } })
    assert.equal((await get("/nowhere", "ada")).remaining, 3)
    assert.equal((await ask("{ nonsense }", "ada")).remaining, 2)
    assert.equal((await send("POST", "/things", { nonsense: 1 }, "ada")).remaining, 1)
    assert.equal((await get("/things?nonsense=1", "ada")).remaining, 0)
    const refused = await get("/nowhere", "ada")
    assert.deepEqual([refused.status, codeOf(refused)], [429, "rate_limited"])
    assert.deepEqual([codeOf(await ask("{ nonsense }", "ada"))], ["rate_limited"])
  })

  it("does not count probes, the start page and preflights", async (test) => {
    const { url, get } = await openCounted(test, { cost: { perMinute: 1 } }, { cors: ["*"] })
    for (const path of ["/health", "/", "/livez", "/readyz"])
      assert.equal((await fetch(`${url}${path}`)).status, 200)
    const preflight = { origin: "https://a.example", "access-control-request-method": "GET" }
    assert.equal((await fetch(`${url}/things`, { method: "OPTIONS", headers: preflight })).status, 204)
    const refused = await get("/things/1")
    assert.equal(refused.status, 422, "a request of two points is beyond the budget of one")
    assert.equal(refused.headers.get("access-control-expose-headers")?.includes("ratelimit-policy"), true)
  })

  it("is that of the caller's tier", async (test) => {
    const limits = {
      cost: { perMinute: 100 },
      tiers: { anonymous: { perMinute: 10 }, pro: { perMinute: 5_000, perRequest: 50 } },
    }
    const { get, ask } = await openCounted(test, limits)
    const policy = async (as?: string) =>
      (await get("/things/1", as)).headers.get("ratelimit-policy")?.split(";")[1]
    assert.equal(await policy(), "q=10")
    assert.equal(await policy("ada"), "q=100")
    assert.equal(await policy("ada/pro"), "q=5000")
    // A tier that the service does not have gives nothing more.
    assert.equal(await policy("ada/gold"), "q=100")
    assert.equal(await policy("ada/constructor"), "q=100")
    const dear = await get("/things?limit=51", "ada/pro")
    assert.deepEqual([dear.status, codeOf(dear)], [422, "too_expensive"])
    // The limit is named where it is declared.
    const named = async (as?: string) => (await get("/things?limit=60&include=owner", as)).body.detail
    assert.match(await named("ada/pro"), /at most 50 are allowed \(limit `tiers\.pro\.perRequest`\)/)
    assert.match(await named("ada"), /at most 100 are allowed \(limit `cost\.perMinute`\)/)
    assert.match(await named(), /at most 10 are allowed \(limit `tiers\.anonymous\.perMinute`\)/)
    const { body } = await ask(
      "{ viewer { limits { tier perRequest perMinute left: remaining } } }",
      "ada/pro",
    )
    assert.deepEqual(body.data.viewer.limits, { tier: "pro", perRequest: 50, perMinute: 5_000, left: 4_995 })
  })

  it("is shown to its caller, the same by both faces", async (test) => {
    const { get, ask } = await openCounted(test, { cost: { perMinute: 100, concurrent: 7 } })
    const fields = "tier perRequest perMinute concurrent remaining resetAt"
    const byGraphql = (await ask(`{ viewer { limits { ${fields} __typename } } }`, "ada")).body.data.viewer
    const byRest = (await get("/viewer", "ada")).body
    const { resetAt, __typename, ...limits } = byGraphql.limits
    assert.equal(__typename, "ViewerLimits")
    assert.deepEqual(limits, { tier: null, perRequest: 100, perMinute: 100, concurrent: 7, remaining: 99 })
    assert.ok(Date.parse(resetAt) > Date.now())
    // The viewer's record is a point.
    assert.deepEqual(byRest.limits, { ...limits, remaining: 97, resetAt: byRest.limits.resetAt })
    assert.equal((await ask("{ viewer { limits { tier } } }")).body.data.viewer, null)
  })

  it("leaves a service without limits over time as it is", async (test) => {
    const { get, ask } = await openCounted(test, {})
    const asked = await ask(listed, "ada")
    assert.equal(asked.body.extensions, undefined)
    assert.equal((await get("/viewer", "ada")).body.limits, undefined)
    assert.equal(codeOf(await ask("{ viewer { limits { tier } } }", "ada")), "invalid_document")
  })
})

/** Waits for what is bound to be, and no longer than a slow machine takes. */
async function until(holds: () => boolean): Promise<undefined> {
  for (let tries = 0; !holds() && tries < 4_000; tries++)
    await new Promise((resolve) => setTimeout(resolve, 5))
  assert.ok(holds())
  return undefined
}

/** A store whose answers wait until they are let through. */
function heldBudget() {
  const waiting: (() => void)[] = []
  const { take, giveBack, close } = memoryBudget()
  return {
    waiting,
    budget: {
      giveBack,
      close,
      take: async (...of: Parameters<typeof take>) => {
        await new Promise<void>((resolve) => waiting.push(resolve))
        return take(...of)
      },
    },
  }
}

it("a caller has so many requests under way, and others are not held up", async (test) => {
  const { budget, waiting } = heldBudget()
  const { get } = await openCounted(test, { cost: { perMinute: 100, concurrent: 2 } }, { budget })
  const two = [get("/things/1", "ada"), get("/things/2", "ada")]
  await until(() => waiting.length >= 2)
  const third = await Promise.race([get("/things/3", "ada"), until(() => waiting.length >= 3)])
  assert.ok(third, "a third request is refused at once")
  assert.deepEqual(
    [third.status, codeOf(third), third.headers.get("retry-after")],
    [429, "rate_limited", "1"],
  )
  const other = get("/things/1", "zoe")
  await until(() => waiting.length >= 3)
  for (const go of waiting.splice(0)) go()
  assert.deepEqual(
    (await Promise.all([...two, other])).map(({ status }) => status),
    [200, 200, 200],
  )
  const again = get("/things/3", "ada")
  await until(() => waiting.length >= 1)
  for (const go of waiting.splice(0)) go()
  assert.equal((await again).status, 200)
})

it("points of a minute that is over are not given to the next one", async (test) => {
  let time = 1_000_000
  const given: number[] = []
  const limiter: Limiter = {
    consume: async (_, points) => ({ remainingPoints: 100 - points, msBeforeNext: 60_000 }) as never,
    reward: async (_, points) => {
      given.push(points)
      return {} as never
    },
  }
  const { take, giveBack, close } = createBudget({ create: () => limiter })
  const budget = {
    giveBack,
    close,
    take: async (...of: Parameters<typeof take>) => {
      const taken = await take(...of)
      return { ...taken, resetsIn: remains }
    },
  }
  let remains = 60_000
  const { get } = await openCounted(test, { cost: { perMinute: 100 } }, { budget, now: () => time })
  await get("/things?limit=10", "ada")
  assert.deepEqual(given, [7])
  remains = 500
  time += 60_000
  await get("/things?limit=10", "ada")
  assert.deepEqual(given, [7])
})

for (const whenDown of ["open", "closed"] as const)
  it(`a store that is down fails ${whenDown}, and says so`, async (test) => {
    const down = async (): Promise<never> => {
      throw new Error("connection refused")
    }
    const budget = createBudget({ create: () => ({ consume: down, reward: down }) })
    const { get, ask, observed } = await openCounted(test, { cost: { perMinute: 100 } }, { budget, whenDown })
    const answers = [await get("/things/1", "ada"), await ask(listed, "ada")]
    if (whenDown === "open") {
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
      assert.equal(answers[0]?.headers.get("ratelimit"), null)
      assert.deepEqual(
        observed.map(({ kind }) => kind),
        ["uncounted", "uncounted"],
      )
    } else {
      assert.deepEqual(
        answers.map(({ status }) => status),
        [503, 503],
      )
      assert.deepEqual(answers.map(codeOf), ["limits_unavailable", "limits_unavailable"])
      assert.deepEqual(
        observed.map(({ kind }) => kind),
        ["unanswered", "unanswered"],
      )
    }
  })

it("the memory of a process counts minutes of callers, and forgets those that are over", () => {
  let time = 1_000
  const budget = memoryBudget(() => time)
  const take = (caller: string, points: number) => budget.take(caller, points, 10)
  assert.deepEqual(take("a", 6), { refused: false, remaining: 4, resetsIn: 60_000 })
  time += 59_999
  assert.deepEqual(take("a", 5), { refused: true, remaining: 4, resetsIn: 1 })
  assert.deepEqual(take("b", 10), { refused: false, remaining: 0, resetsIn: 60_000 })
  time += 1
  assert.deepEqual(take("a", 5), { refused: false, remaining: 5, resetsIn: 60_000 })
  budget.giveBack("a", 100, 10)
  assert.deepEqual(take("a", 10), { refused: false, remaining: 0, resetsIn: 60_000 })
  assert.deepEqual(take("b", 1), { refused: true, remaining: 0, resetsIn: 59_999 })
})
