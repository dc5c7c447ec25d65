// Who grants what: random callers make, change and delete keys and endpoints with roles, scopes and tiers, keys that they made
// among the callers. Verdicts and what is there then are what the naive interpreter says.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { type Random, seeded } from "../../examples/storefront/random.ts"
import { type Caller, type Managed, openManaged } from "../identity/open-grants.ts"
import { cleanUp } from "../support/database.ts"
import type { Entry, Store } from "../support/naive-access.ts"
import { dialects } from "../support/open-service.ts"
import type { Change } from "./changes.ts"
import { type Granter, type Granting, granting, grantingService, roles, scopes, tiers } from "./granting.ts"
import { createJudge, type Judge } from "./judged.ts"
import { full, seeds } from "./services.ts"
import { draw } from "./small-service.ts"
import { refusedFor } from "./write-doors.ts"

const writes = Number(process.env["BIFOLD_WRITES"] ?? (full ? 2_000 : 150))

for (const seed of seeds)
  for (const database of dialects)
    describe(`grants of service ${seed} on ${database}`, () => {
      const hooks = cleanUp(after)

      test("are at most what the granter may grant", async (context) => {
        const service = grantingService(seed)
        const opened = await openManaged(hooks, database, service.model)
        const judge = createJudge()
        const random = seeded(seed)
        const secrets = new Map<string, string>()
        const trying = { service, opened, judge, random, secrets }
        const people = await makePeople(opened)
        let store: Store = { records: { person: people, apiKey: [], webhookEndpoint: [] }, links: {} }
        let done = 0
        for (let turn = 0; turn < writes; turn += 1) {
          const then = await tryOne(trying, store, drawCaller(random, store, secrets))
          done += Number(then !== store)
          store = then
        }
        context.diagnostic(`${writes} writes, ${done} done, ${judge.refused} to be refused`)
        judge.settle()
        assert.ok(done > writes / 20 && judge.refused > writes / 20, `${done} were done`)
      })
    })

async function makePeople({ rest }: Managed): Promise<readonly Entry[]> {
  const people: Entry[] = []
  for (const name of ["Ada", "Bob", "Cyd"]) {
    const bossId = people[0]?.["id"] ?? null
    const { status, body } = await rest({}, "POST", "/people", { name, bossId })
    assert.equal(status, 201, JSON.stringify(body))
    people.push({ id: body.id, name, bossId })
  }
  return people
}

interface Asking {
  readonly who: Granter
  /** Claims, or the secret of a key. */
  readonly caller: Caller | string
}

const some = <Item>(random: Random, items: readonly Item[]): readonly Item[] =>
  items.filter(() => random.oneIn(3))

function drawCaller(random: Random, store: Store, secrets: ReadonlyMap<string, string>): Asking {
  const keys = (store.records["apiKey"] ?? []).filter(({ id }) => secrets.has(String(id)))
  if (keys.length > 0 && random.oneIn(4)) {
    const key = draw(random, keys)
    return { caller: secrets.get(String(key["id"])) ?? "", who: holderOf(key) }
  }
  const people = (store.records["person"] ?? []).map(({ id }) => String(id))
  const viewer = random.oneIn(2) ? draw(random, people) : undefined
  const tier = random.oneIn(2) ? draw(random, tiers) : undefined
  const caller = {
    roles: some(random, roles),
    scopes: some(random, scopes),
    ...(tier && { tier }),
    ...(viewer !== undefined && { viewer }),
  }
  return { caller, who: { signedIn: true, ...caller } }
}

const holderOf = ({ ownerId, tier, roles: own, scopes: others }: Entry): Granter => ({
  signedIn: true,
  roles: own as readonly string[],
  scopes: others as readonly string[],
  ...(tier !== null && { tier: tier as "pro" }),
  ...(ownerId !== null && { viewer: String(ownerId) }),
})

const paths = { apiKey: "/api-keys", webhookEndpoint: "/webhook-endpoints" } as const
const members = {
  apiKey: "id,name,roles,scopes,tier,ownerId",
  webhookEndpoint: "id,url,payload,roles,scopes,ownerId",
} as const

type Written = Extract<Change, { kind: "create" | "update" | "delete" }> & {
  readonly resource: keyof typeof paths
}

function drawChange(random: Random, store: Store): Written {
  const resource = random.oneIn(2) ? "apiKey" : "webhookEndpoint"
  const rows = store.records[resource] ?? []
  const people = (store.records["person"] ?? []).map(({ id }) => String(id))
  const given: Record<string, unknown> = {}
  const maybe = (member: string, value: () => unknown): void => {
    if (random.oneIn(3)) given[member] = value()
  }
  const kind = rows.length === 0 ? 0 : random.between(0, rows.length > 20 ? 14 : 9)
  if (kind >= 9) return { kind: "delete", resource, id: String(draw(random, rows)["id"]) }
  const named = `https://example.com/${random.between(1, 9)}`
  if (kind <= 3) given[resource === "apiKey" ? "name" : "url"] = named
  else maybe(resource === "apiKey" ? "name" : "url", () => named)
  if (resource === "apiKey") maybe("tier", () => (random.oneIn(3) ? null : draw(random, tiers)))
  else maybe("payload", () => draw(random, ["full", "thin"]))
  maybe("roles", () => some(random, roles))
  maybe("scopes", () => some(random, scopes))
  maybe("ownerId", () => (random.oneIn(4) ? null : draw(random, people)))
  return kind <= 3
    ? { kind: "create", resource, id: "new", given }
    : { kind: "update", resource, id: String(draw(random, rows)["id"]), given }
}

interface Trying {
  readonly service: Granting
  readonly opened: Managed
  readonly judge: Judge
  readonly random: Random
  /** Of the keys that are there, by their ids. */
  readonly secrets: Map<string, string>
}

/** The records as they are then. */
async function tryOne(trying: Trying, store: Store, asking: Asking): Promise<Store> {
  const { service, opened, judge, random, secrets } = trying
  const change = drawChange(random, store)
  const { resource } = change
  const expected = granting(service, store, asking.who, change)
  const { status, body } = await ask(trying, asking, change)
  const what = `${JSON.stringify(asking.who)}: ${JSON.stringify(change)}`
  const reasons = [...expected.reasons]
  if (status >= 300 || body["errors"]) {
    const [error] = (body["errors"] ?? []) as readonly { readonly extensions?: { readonly code: string } }[]
    const { reason } = refusedFor(String(error?.extensions?.code ?? body["code"]), JSON.stringify(body))
    // What is offered to nobody like them is forbidden, where they see such records.
    const said = reasons.includes("closed") && reason === "forbidden" ? "closed" : reason
    judge.judge(what, said, reasons.find((one) => one === said) ?? (reasons.length > 0 ? reasons : "done"))
    return store
  }
  judge.judge(what, "done", reasons.length > 0 ? reasons : "done")
  const answer = ((body["data"] as Entry | undefined)?.["done"] ?? body) as Entry
  const record = (answer[resource] ?? answer) as Entry
  if (change.kind === "create" && resource === "apiKey")
    secrets.set(String(record["id"]), String(answer["secret"]))
  const { body: list } = await opened.rest(
    { roles: ["admin"] },
    "GET",
    `${paths[resource]}?limit=100&fields=${members[resource]}`,
  )
  const rows = byId(list["data"] as readonly Entry[])
  if (reasons.length === 0) {
    const should = (expected.store.records[resource] ?? []).map((row) => ({
      ...row,
      id: row["id"] === "new" ? record["id"] : row["id"],
      roles: row["roles"] ?? [],
      scopes: row["scopes"] ?? [],
    }))
    judge.judge(`${what}: what is there`, rows, byId(should))
  }
  return { ...store, records: { ...store.records, [resource]: rows } }
}

const byId = (rows: readonly Entry[]): readonly Entry[] =>
  [...rows].sort((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1))

/** By either face. */
function ask(
  { opened: { rest, graphql }, random }: Trying,
  { caller }: Asking,
  change: Written,
): ReturnType<Managed["rest"]> {
  const { resource, kind } = change
  const type = `${resource.charAt(0).toUpperCase()}${resource.slice(1)}`
  const path = kind === "create" ? paths[resource] : `${paths[resource]}/${change.id}`
  const method = { create: "POST", update: "PATCH", delete: "DELETE" }[kind]
  const given = kind === "delete" ? undefined : change.given
  if (random.oneIn(2)) return rest(caller, method, path, given)
  const id = kind === "create" ? "" : `id: "${change.id}"`
  const name = `${kind}${type}`
  if (kind === "delete") return graphql(caller, `mutation { done: ${name}(${id}) { deletedId } }`)
  const input = `${type}${kind === "create" ? "Create" : "Update"}Input!`
  const shown = kind === "create" ? `secret ${resource} { id }` : `${resource} { id }`
  const text = `mutation ($input: ${input}) { done: ${name}(${id} input: $input) { ${shown} } }`
  return graphql(caller, text, { input: given })
}
