// Non-interference over versions: who may not see a part of a service gets the same bytes as of a service with another one in
// its place, in every version, of every document, by every door.
import assert from "node:assert/strict"
import { after, describe, type TestContext, test } from "node:test"
import { getIntrospectionQuery } from "graphql"
import { type Random, seeded } from "../../examples/storefront/random.ts"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { withVersions } from "../../src/access/identity/identify.ts"
import { canonicalDateTime } from "../../src/model/values/datetime.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { createIds } from "../../src/plan/values/typeid.ts"
import { type FeedServer, openDatabase, openServer, openStream, until } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { startReceiver } from "../webhooks/receiver.ts"
import { type Hidden, hiddenNames, versionNames, worldModel } from "./worlds.ts"

const rounds = process.env["BIFOLD_PROOF"] === "full" ? 60 : 8
const seed = 5
const staff = "role:staff"
const json = { "content-type": "application/json" }

interface Asked {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

interface World {
  readonly server: FeedServer
  readonly hidden: Hidden
  readonly annId: string
  readonly ids: ReadonlyMap<string, string>
  ask(version: string | undefined, who: string | undefined, asked: Asked): Promise<string>
}

/** Without what is another text each time. */
const plain = (text: string, ids: ReadonlyMap<string, string>): string =>
  text
    .replaceAll(/per_[0-9a-z]{26}/g, (id) => ids.get(id) ?? "per")
    .replaceAll(/(evt|evc|whe|whs|whd|req)_[\w-]+/g, "$1")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "time")
    .replaceAll(/"requestId": ?"[^"]*"/g, "request")
    .replaceAll(/"(next|prev|endCursor|startCursor|cursor)":"[^"]*"/g, '"$1":"…"')
    .replaceAll(/(after|before)=[\w%.~-]+/g, "$1=…")
    .replaceAll(/localhost:\d+|127\.0\.0\.1:\d+/g, "host")
    .replaceAll(/wh(pk|sec)_[\w+/=-]+/g, "key")
    // Deliveries of webhooks take numbers of versions, too, at times of their own.
    .replaceAll(/"version": ?"\d+"/g, "version")
    .replaceAll(/"etag":"[^"]*"/g, '"etag":"…"')

async function openWorld(
  hooks: ReturnType<typeof cleanUp>,
  database: "sqlite" | "postgres",
  hidden: Hidden,
): Promise<World> {
  const model = worldModel(hidden)
  const url = await openDatabase(hooks, database, model)
  const identify = withVersions(
    ({ authorization }) =>
      authorization === undefined
        ? strangerTo(model)
        : actorFromText(model, authorization.replace("Bearer ", "")),
    model,
  )
  let [time, version] = [Date.UTC(2026, 10, 1), 0]
  const random = seeded(7)
  const ids26 = createIds(
    (count) => Uint8Array.from({ length: count }, () => random.between(0, 255)),
    () => time,
  )
  const fresh = {
    id: () => ids26(),
    uuid: () => crypto.randomUUID(),
    now: () => {
      time += 1_000
      return canonicalDateTime(time)
    },
    version: () => {
      version += 7
      return version
    },
  }
  const server = await openServer(hooks, url, model, { dialer: { networks: "any" }, fresh }, { identify })
  const { body: ann } = await server.send("POST", "/people", staff, { name: "Ann" })
  const { body: ben } = await server.send("POST", "/people", staff, { name: "Ben" })
  const ids = new Map([
    [ann.id, "ann"],
    [ben.id, "ben"],
  ])
  const real = (text: string): string => text.replaceAll("@ann", ann.id).replaceAll("@ben", ben.id)
  return {
    server,
    hidden,
    annId: ann.id,
    ids,
    async ask(version, who, { method = "GET", path, headers, body }) {
      const answer = await fetch(`${server.url}${real(path)}`, {
        method,
        headers: {
          ...json,
          ...headers,
          ...(who !== undefined && { authorization: `Bearer ${who === "ann" ? `person:${ann.id}` : who}` }),
          ...(version !== undefined && { "api-version": version }),
        },
        ...(body !== undefined && { body: real(JSON.stringify(body)) }),
      })
      const kept = [
        "api-version",
        "content-type",
        "vary",
        "link",
        "deprecation",
        "sunset",
        "location",
        "allow",
        "www-authenticate",
        "cost",
        "idempotency-replayed",
        "preference-applied",
        "value-errors",
        "cache-control",
      ].map((name) => `${name}: ${answer.headers.get(name)}`)
      const text = await answer.text()
      assert.ok(
        answer.status < 500,
        `${method} ${path} ${version}: ${answer.status} ${text}\n${JSON.stringify(body)}`,
      )
      return plain([answer.status, ...kept, text].join("\n"), ids)
    },
  }
}

const visible = [
  "id",
  "slug",
  "text",
  "heading",
  "price",
  "size",
  "margin",
  "first",
  "full",
  "kind",
  "shared",
  "owner",
  "ownerId",
  "writer",
  "writerId",
  "folder",
  "folderId",
  "city",
  "total",
  "state",
  "verdict",
  "history",
  "etag",
  "createdAt",
  "__typename",
  "title",
  "open",
]
const secretNames = hiddenNames.flatMap((one) => Object.values(one) as readonly string[])
const types = [
  "note.*",
  "article.*",
  "note.created",
  "article.open",
  "note.draft",
  "note.published",
  "article.published",
  "folder.*",
  "person.*",
]
const paths = [
  "notes",
  "articles",
  "folders",
  "people",
  "nodes",
  "events",
  "viewer",
  "webhook-endpoints",
  "version-uses",
]

const pick = <Of>(random: Random, of: readonly Of[]): Of => of[random.between(0, of.length - 1)] as Of

function name(random: Random): string {
  return random.oneIn(6) ? pick(random, secretNames) : pick(random, visible)
}
const value = (random: Random): unknown =>
  pick(random, [
    () => random.between(0, 200),
    () => "1.00",
    () => "grey",
    () => "gray",
    () => "draft",
    () => "open",
    () => "a",
    () => true,
    () => null,
    () => "",
    () => "@ann",
    () => "@ben",
    () => ["grey", "gray"],
    () => `n${random.between(0, 9)}`,
    () => "guilty",
    () => "culpable",
    () => "innocent",
    () => 100,
    () => -1,
    () => "hidden",
    () => "9223372036854775807",
    () => 2 ** 53,
    () => "12345678901.11",
    () => "\u{1F600}",
    () => 2147483647,
    () => -2147483648,
    () => "9999999999.99",
    () => 1.5,
  ])()
const operators = [
  "eq",
  "ne",
  "in",
  "notIn",
  "lt",
  "lte",
  "gt",
  "gte",
  "isNull",
  "contains",
  "startsWith",
  "endsWith",
  "search",
]

function condition(random: Random, depth = 0): Record<string, unknown> {
  const called = name(random)
  if (depth < 3 && random.oneIn(4))
    return { [pick(random, ["and", "or"])]: [condition(random, depth + 1), condition(random, depth + 1)] }
  if (depth < 3 && random.oneIn(6)) return { not: condition(random, depth + 1) }
  if (depth < 3 && random.oneIn(6))
    return {
      [pick(random, ["owner", "writer", "folder", "history", ...secretNames])]: random.oneIn(2)
        ? condition(random, depth + 1)
        : { some: condition(random, depth + 1) },
    }
  return { [called]: { [pick(random, operators)]: value(random) } }
}

function input(random: Random, withSlug: boolean): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  if (withSlug) made["slug"] = `n${random.between(0, 9)}`
  for (let count = random.between(1, 5); count > 0; count -= 1) made[name(random)] = value(random)
  if (random.oneIn(2)) made["text"] = `t${random.between(0, 9)}`
  if (withSlug || random.oneIn(4)) made[pick(random, ["ownerId", "writerId"])] = "@ann"
  if (random.oneIn(3)) made["price"] = pick(random, [150, "1.50", 12345678901, 2147483648])
  return made
}

const selected = (random: Random): string =>
  Array.from({ length: random.between(1, 5) }, () => {
    const called = name(random)
    if (called === "owner" || called === "writer") return `${called} { id name }`
    if (called === "folder") return "folder { slug city }"
    if (called === "history")
      return "history(first: 5) { nodes { type version transition from to input changes } }"
    return called
  }).join(" ")

const gql = (value: unknown): string =>
  value === null || typeof value !== "object"
    ? JSON.stringify(value)
    : Array.isArray(value)
      ? `[${value.map(gql).join(", ")}]`
      : `{ ${Object.entries(value)
          .map(([key, one]) => `${key}: ${gql(one)}`)
          .join(", ")} }`

function draw(random: Random, version: string | undefined): Asked {
  const path = random.oneIn(8)
    ? pick(random, [...paths, ...secretNames.map((one) => `${one}s`)])
    : random.oneIn(10)
      ? pick(random, ["notes", "articles"])
      : version === undefined || version === versionNames[0]
        ? "notes"
        : "articles"
  const one = `/${path}/n${random.between(0, 9)}`
  const noun = path === "notes" ? "note" : "article"
  const type = path === "notes" ? "Note" : "Article"
  const query = (extra: Record<string, string>): string => {
    const params = new URLSearchParams(extra)
    const text = params.toString()
    return text === "" ? "" : `?${text}`
  }
  const some = (): Record<string, string> => {
    const made: Record<string, string> = {}
    if (random.oneIn(2)) made["filter"] = JSON.stringify(condition(random))
    if (random.oneIn(4)) made[`filter[${name(random)}][${pick(random, operators)}]`] = String(value(random))
    if (random.oneIn(3)) made["sort"] = `${random.oneIn(2) ? "-" : ""}${name(random)}`
    if (random.oneIn(3)) made["fields"] = [name(random), name(random)].join()
    if (random.oneIn(3))
      made["include"] = pick(random, ["owner", "writer", "folder", "history", ...secretNames])
    if (random.oneIn(6)) made["limit"] = String(random.between(0, 5))
    if (random.oneIn(6)) made["total"] = "true"
    if (random.oneIn(5))
      made["aggregate"] = `count,${pick(random, ["sum", "avg", "min", "max"])}.${name(random)}`
    if (random.oneIn(8) && made["aggregate"] !== undefined) made["groupBy"] = name(random)
    return made
  }
  return pick<() => Asked>(random, [
    () => ({
      path: `/${path}${query(some())}`,
      ...(random.oneIn(6) && { headers: { accept: pick(random, ["text/csv", "application/x-ndjson"]) } }),
    }),
    () => ({ path: `${one}${query(some())}` }),
    () => ({
      method: "POST",
      path: `/${path}/query`,
      body: {
        filter: condition(random),
        sort: [name(random)],
        ...(random.oneIn(2) && { fields: [name(random)] }),
      },
    }),
    () => ({
      path: `${one}/${pick(random, ["history", "transitions", "owner", "writer", "folder", ...secretNames])}`,
    }),
    () => ({
      method: "POST",
      path: `${one}/transitions/${pick(random, ["publish", "finish", "nothing"])}`,
      body: random.oneIn(2) ? {} : { [pick(random, ["why", ...secretNames])]: value(random) },
    }),
    () => ({ method: "POST", path: `/${path}`, body: input(random, true) }),
    () => ({
      method: "POST",
      path: `/${path}`,
      body: {
        slug: `n${random.between(0, 9)}`,
        text: "x",
        [pick(random, ["ownerId", "writerId"])]: "@ann",
        ...(random.oneIn(2) && { [name(random)]: value(random) }),
      },
    }),
    () => ({ method: "PATCH", path: one, body: input(random, false) }),
    () => ({
      method: "PATCH",
      path: one,
      headers: { "content-type": "application/json-patch+json" },
      body: [
        {
          op: pick(random, ["replace", "add", "remove", "test"]),
          path: `/${name(random)}`,
          value: value(random),
        },
      ],
    }),
    () => ({ method: "PUT", path: one, body: input(random, false) }),
    () => (random.oneIn(12) ? { method: "DELETE", path: one } : { path: one }),
    () => ({
      method: "PATCH",
      path: `/${path}${query({ filter: JSON.stringify(condition(random)) })}`,
      headers: { prefer: "max-affected=20" },
      body: input(random, false),
    }),
    () => ({
      path: `/events${query({ limit: "10", ...(random.oneIn(2) && { types: random.oneIn(4) ? `${pick(random, secretNames)}.*` : pick(random, types) }), ...(random.oneIn(2) && { resource: pick(random, ["note", "article", "folder", ...secretNames]) }), ...(random.oneIn(2) && { filter: JSON.stringify(condition(random)) }) })}`,
    }),
    () => ({
      method: "POST",
      path: "/webhook-endpoints",
      body: {
        url: "http://127.0.0.1:9/",
        types: [random.oneIn(3) ? `${pick(random, secretNames)}.*` : pick(random, types)],
        ownerId: "@ann",
        ...(random.oneIn(2) && {
          filter: { [pick(random, ["note", "article", ...secretNames])]: condition(random) },
        }),
        ...(random.oneIn(2) && { version: pick(random, [...versionNames, "x"]) }),
      },
    }),
    () => ({
      method: "POST",
      path: "/graphql",
      body: {
        query: `{ ${path === "articles" || path === "notes" ? path : "notes"}(where: ${gql(condition(random))}, first: 5) { totalCount nodes { ${selected(random)} } } }`,
      },
    }),
    () => ({
      method: "POST",
      path: "/graphql",
      body: {
        query: `query($w: ${type}Where) { ${path === "notes" ? "notes" : "articles"}(where: $w, orderBy: [{field: ${name(random)}}]) { nodes { ${selected(random)} } aggregate { count max { ${name(random)} } } } }`,
        variables: { w: condition(random) },
      },
    }),
    () => ({
      method: "POST",
      path: "/graphql",
      body: { query: `{ ${noun}(id: "n${random.between(0, 9)}") { ${selected(random)} } }` },
    }),
    () => ({
      method: "POST",
      path: "/graphql",
      body: {
        query: `mutation($i: ${type}UpdateInput!) { update${type}(id: "n${random.between(0, 9)}", input: $i) { ${noun} { ${selected(random)} } } }`,
        variables: { i: input(random, false) },
      },
    }),
    () => ({
      method: "POST",
      path: "/graphql",
      body: {
        query: `mutation { ${pick(random, ["publish", "finish", ...secretNames])}${type}(id: "n${random.between(0, 9)}") { ${noun} { ${selected(random)} } } }`,
      },
    }),
    () => ({
      method: "POST",
      path: "/graphql",
      body: {
        query: `{ __type(name: "${pick(random, ["Note", "Article", "NoteWhere", "ArticleWhere", "NoteKind", "NoteVerdict", "ArticleVerdict", "EventsWhere", ...secretNames])}") { name fields { name } inputFields { name } enumValues { name } } }`,
      },
    }),
    () => ({
      method: "POST",
      path: "/graphql",
      body: {
        query: `{ events(first: 10, types: ["${pick(random, types)}"], where: { ${pick(random, ["note", "article", ...secretNames])}: ${gql(condition(random))} }) { nodes { kind type recordId changes } } }`,
      },
    }),
    () => ({
      method: "POST",
      path: "/batch",
      body: {
        requests: [
          { method: "GET", path: `/${path}${query(some())}` },
          { method: "PATCH", path: one, body: input(random, false) },
        ],
      },
    }),
    () => ({
      path: one,
      headers: {
        "api-version": pick(random, [
          "",
          " ",
          "latest",
          "2026-1-1",
          "2026-01-01 ",
          "2026-01-01,2026-04-01",
          "2026-01-01\u00e9",
          "0",
          "'",
          "2026-10-01;q=1",
        ]),
      },
    }),
  ])()
}

const documents: readonly Asked[] = [
  { path: "/" },
  { path: "/", headers: { accept: "text/html" } },
  { path: "/openapi.json" },
  { path: "/asyncapi.json" },
  { path: "/changelog" },
  { path: "/changelog", headers: { accept: "text/html" } },
  { path: "/changelog", headers: { accept: "text/markdown" } },
  { path: "/docs" },
  { method: "POST", path: "/graphql", body: { query: getIntrospectionQuery() } },
  { path: "/viewer" },
]

/** Events that she is told of in each version, by streams and webhooks: those of one record in their order. */
async function follow(
  t: TestContext,
  { server, annId, ids }: World,
): Promise<ReadonlyMap<string, () => readonly string[]>> {
  const ann = `person:${annId}`
  const channels = new Map<string, () => readonly string[]>()
  for (const version of versionNames) {
    const stream = await openStream(`${server.url}/events/stream`, ann, { "api-version": version })
    t.after(() => stream.cut())
    channels.set(`stream of ${version}`, () =>
      stream.frames.map((frame) => plain(JSON.stringify(frame), ids)).filter((text) => !isOfReceiver(text)),
    )
    const receiver = await startReceiver(t)
    const input = { url: receiver.url, ownerId: annId, version }
    const { status, body } = await server.send("POST", "/webhook-endpoints", ann, input)
    assert.equal(status, 201, JSON.stringify(body))
    channels.set(`webhook of ${version}`, () =>
      receiver.received
        .filter(({ id }, index, all) => all.findIndex((one) => one.id === id) === index)
        .filter(({ text }) => !isOfReceiver(text))
        .toSorted((a, b) => String(a.body.data["recordId"]).localeCompare(String(b.body.data["recordId"])))
        .map(({ text }) => plain(text, ids)),
    )
  }
  return channels
}

/** A receiver of a busy machine may cut a connection: the message comes again, and its endpoint tells since when. */
const isOfReceiver = (text: string): boolean =>
  text.includes('"webhookEndpoint.updated"') && text.includes('"field":"failingSince"')

/** Resolves when nothing has come for a while. */
async function settle(all: readonly ReadonlyMap<string, () => readonly string[]>[]): Promise<void> {
  const counts = (): string =>
    JSON.stringify(all.flatMap((one) => [...one.values()].map((texts) => texts().length)))
  let [last, since] = [counts(), Date.now()]
  await until(() => {
    const now = counts()
    if (now !== last) [last, since] = [now, Date.now()]
    return Date.now() - since > 3_000
  })
}

for (const database of dialects)
  describe(`two services that differ in what is not seen, on ${database}`, () => {
    const hooks = cleanUp(after)

    test("answer alike", async (t) => {
      const worlds = await Promise.all(hiddenNames.map((hidden) => openWorld(hooks, database, hidden)))
      const [first, second] = worlds as [World, World]
      const followed = await Promise.all(worlds.map((world) => follow(t, world)))
      let count = 0
      const differences: string[] = []
      const both = async (version: string | undefined, who: string | undefined, asked: Asked) => {
        const [a, b] = await Promise.all(worlds.map((world) => world.ask(version, who, asked)))
        count += 1
        if (a !== b) {
          const [l, r] = [a?.split(/\n|,(?=[{"])/) ?? [], b?.split(/\n|,(?=[{"])/) ?? []]
          const kind = `${asked.method} ${asked.path.split("?")[0]} ${version}`
          if (differences.filter((one) => one.startsWith(kind)).length > 0) return a ?? ""
          const at = l.findIndex((line, index) => line !== r[index])
          differences.push(
            `${kind} ${who} ${JSON.stringify(asked)}\n  ${l.slice(at, at + 3).join(" ")}\n  ${r.slice(at, at + 3).join(" ")}`,
          )
        }
        return a ?? ""
      }
      for (const version of versionNames)
        for (const who of [undefined, "ann"])
          for (const document of documents) await both(version, who, document)
      t.diagnostic(`${count} documents, ${differences.length} differences`)
      const random = seeded(seed)
      for (const slug of ["o", "c"])
        for (const world of worlds)
          await world.server.send("POST", "/folders", staff, {
            slug,
            city: slug === "o" ? "Rome" : `${world.hidden.field} town`,
            open: slug === "o",
          })
      for (let index = 0; index < 10; index += 1)
        for (const world of worlds) {
          const answer = await world.server.send("POST", "/notes", staff, {
            slug: `n${index}`,
            text: `t${index % 3}`,
            price: `${index}.50`,
            size: index,
            first: "Ada",
            margin: index % 2 === 0 ? index : world.hidden.field.length + index,
            ownerId: index % 2 === 0 ? world.annId : await benOf(world),
            shared: index % 3 === 0,
            folderId: index % 2 === 0 ? "o" : "c",
            [world.hidden.field]: `value of ${world.hidden.field}`,
            [world.hidden.half]: world.hidden.half,
          })
          assert.equal(answer.status, 201, JSON.stringify(answer.body))
        }
      const statuses = new Map<string, number>()
      for (let round = 0; round < rounds; round += 1) {
        for (let more = 0; more < 20; more += 1) {
          const version = pick(random, [...versionNames, undefined])
          const drawn = draw(random, version)
          const who =
            random.oneIn(4) &&
            drawn.path !== "/batch" &&
            !secretNames.some((one) => drawn.path.split("?")[0]?.includes(one))
              ? undefined
              : "ann"
          const answer = await both(version, who, drawn)
          const status = answer.slice(0, 3)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
        // Hidden values, as many changes in each.
        const slug = `n${random.between(0, 9)}`
        const turn = random.between(0, 3)
        const done = await Promise.all(
          worlds.map(async (world, index) => {
            if (turn === 0)
              return (
                await world.server.send(
                  "POST",
                  `/notes/${slug}/transitions/${world.hidden.transition}`,
                  staff,
                  {},
                )
              ).status
            if (turn === 1)
              return (
                await world.server.send("PATCH", "/folders/c", staff, {
                  city: `${world.hidden.field}${round}`,
                })
              ).status
            return (
              await world.server.send("PATCH", `/notes/${slug}`, staff, {
                [world.hidden.field]: `${index} ${round}`,
                [world.hidden.half]: `${index + 5} ${round}`,
              })
            ).status
          }),
        )
        assert.equal(done[0], done[1])
      }
      await settle(followed)
      let told = 0
      for (const [channel, texts] of followed[0] ?? []) {
        const [one, other] = [texts(), followed[1]?.get(channel)?.() ?? []]
        told += one.length
        const at = one.findIndex((text, index) => text !== other[index])
        if (at >= 0 || one.length !== other.length)
          differences.push(`${channel} ${at}, ${one.length}, ${other.length}: ${one[at]}\n  ${other[at]}`)
      }
      t.diagnostic(`${told} events told`)
      assert.ok(told >= rounds, `${told} events told`)
      t.diagnostic(`${count} requests, ${differences.length} differences, ${JSON.stringify([...statuses])}`)
      const failures = [first, second].flatMap(({ server }) =>
        server.observed.filter(({ kind }) => kind === "failed"),
      )
      assert.deepEqual(failures.slice(0, 3), [])
      assert.deepEqual(differences.slice(0, 12).join("\n"), "")
    })
  })

const bens = new WeakMap<World, string>()
async function benOf(world: World): Promise<string> {
  const known = bens.get(world)
  if (known !== undefined) return known
  const { body } = await world.server.send("GET", `/people?filter[name]=Ben`, staff)
  const [ben] = body["data"] as readonly { readonly id: string }[]
  bens.set(world, ben?.id ?? "")
  return ben?.id ?? ""
}
