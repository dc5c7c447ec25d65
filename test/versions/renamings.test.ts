// Renamings that data says: names that are swapped in one version, and inputs of transitions and actions.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { withVersions } from "../../src/access/identity/identify.ts"
import { action, anyone, f, given, many, one, resource, role, service, withCode } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { changelogOf } from "../../src/model/versions/changelog.ts"
import { differencesBetween } from "../../src/model/versions/diff.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { startService } from "../../src/tools/testing/start-service.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

interface Call {
  readonly input: object
  readonly record: { readonly id: string }
  readonly db: { readonly order: { update(id: string, of: object): Promise<unknown> } }
}

const everybody = { read: anyone, create: anyone, update: anyone, delete: anyone }
type Versions = Parameters<typeof service>[0]["versions"]

const shop = (
  names: {
    readonly [Name in "first" | "second" | "buyer" | "payer" | "small" | "large" | "card" | "amount"]: string
  },
  versions?: Versions,
) =>
  load(
    withCode(
      service({
        name: "shop",
        ...(versions && { versions }),
        resources: {
          person: resource({
            id: "per",
            fields: { name: f.text() },
            relations: {
              bought: many("order", { by: names.buyer }),
              paid: many("order", { by: names.payer }),
            },
            allow: everybody,
          }),
          order: resource({
            id: "ord",
            history: true,
            fields: {
              [names.first]: f.text({ column: "first" }),
              [names.second]: f.text({ column: "second", unique: true }),
              size: f.oneOf([names.small, names.large] as [string, string]),
              paidWith: f.text({ optional: true, readonly: true }),
              note: f.text({ optional: true }),
            },
            relations: {
              [names.buyer]: one("person", { column: "buyer_id", optional: true }),
              [names.payer]: one("person", { column: "payer_id", optional: true }),
            },
            states: {
              initial: "open",
              transitions: {
                pay: {
                  from: "open",
                  to: "paid",
                  input: { [names.card]: f.text(), other: f.integer({ optional: true }) },
                  set: { paidWith: { given: names.card } },
                  allow: anyone,
                },
              },
            },
            allow: everybody,
          }),
        },
      } as unknown as Parameters<typeof service>[0]),
      {
        actions: {
          order: {
            remark: action({
              input: { [names.amount]: f.integer() },
              allow: anyone,
              run: (async ({ input, record, db }: Call) => {
                await db.order.update(record.id, { note: JSON.stringify(input) })
              }) as never,
            }),
          },
        },
      } as never,
    ),
  )

const then = {
  first: "title",
  second: "label",
  buyer: "owner",
  payer: "giver",
  small: "s",
  large: "l",
  card: "cardNumber",
  amount: "sum",
}
const changes = [
  { renamed: "order.title", to: "label" },
  { renamed: "order.label", to: "title" },
  { renamed: "order.owner", to: "giver" },
  { renamed: "order.giver", to: "owner" },
  { renamed: "order.size.s", to: "l" },
  { renamed: "order.size.l", to: "s" },
  { renamed: "order.pay.cardNumber", to: "card" },
  { renamed: "order.remark.sum", to: "amount" },
]
const today = {
  first: "label",
  second: "title",
  buyer: "giver",
  payer: "owner",
  small: "l",
  large: "s",
  card: "card",
  amount: "amount",
}
const [newest, oldest] = ["2026-06-01", "2026-01-01"] as const
const model = shop(today, { [newest]: changes, [oldest]: [] } as never)

test("the older version is what it was, in whatever order the renamings stand", () => {
  const before = shop(then)
  for (const all of [changes, changes.toReversed()]) {
    const old = modelAt(shop(today, { [newest]: all, [oldest]: [] } as never), oldest)
    assert.deepEqual(differencesBetween(before, old), [])
    assert.deepEqual(differencesBetween(old, before), [])
    assert.equal(
      old.resources.get("order")?.fields.get("title")?.deprecated,
      `Since ${newest} it is called label.`,
    )
  }
  assert.deepEqual(
    changelogOf(model)[0]
      ?.changes.map(({ text }) => text)
      .slice(-2),
    [
      "`cardNumber`, an input of `order.pay`, is now called `card`.",
      "`sum`, an input of `order.remark`, is now called `amount`.",
    ],
  )
})

test("an input that there is not, or that is taken, is told", () => {
  const told = (change: object) =>
    examineVersions({ [newest]: [change], [oldest]: [] }).map(({ message }) => message)
  assert.deepEqual(told({ renamed: "order.pay.cardNumber", to: "crd" }), [
    '`pay` takes no "crd" in this version.',
  ])
  assert.deepEqual(told({ renamed: "order.pay.other", to: "card" }), [
    '`pay` takes "other" in this version, too.',
  ])
  assert.deepEqual(told({ renamed: "order.label", to: "title" }), [
    'order has a member "label" in this version, too.',
  ])
})

function examineVersions(versions: object) {
  try {
    shop(today, versions as never)
    return []
  } catch (error) {
    return (error as { problems: readonly { message: string }[] }).problems
  }
}

for (const database of ["sqlite", "postgres"] as const)
  describe(`renamings on ${database}`, async () => {
    const hooks = cleanUp(after)
    const url = await openDatabase(hooks, database, model)
    const identify = withVersions(() => strangerTo(model), model)
    const server = await openServer(hooks, url, model, {}, { identify })
    const send = async (version: string, method: string, path: string, body?: object) => {
      const headers = { "content-type": "application/json", "api-version": version }
      const answered = await fetch(`${server.url}${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      const found = JSON.parse((await answered.text()) || "{}")
      assert.ok(answered.status < 300, `${method} ${path} ${JSON.stringify(found)}`)
      return found
    }

    test("are written and read by both versions", async () => {
      const [ada, bob] = [
        await send(newest, "POST", "/people", { name: "Ada" }),
        await send(newest, "POST", "/people", { name: "Bob" }),
      ]
      const input = { title: "T", label: "L", size: "s", ownerId: ada.id, giverId: bob.id }
      const made = await send(oldest, "POST", "/orders", input)
      const now = await send(newest, "GET", `/orders/${made.id}`)
      assert.deepEqual(
        [now.label, now.title, now.size, now.giverId, now.ownerId],
        ["T", "L", "l", ada.id, bob.id],
      )
      await send(oldest, "PATCH", "/orders/label=L", { size: "l", title: "T2" })
      const found = await send(
        oldest,
        "GET",
        "/orders?filter[size]=l&filter[owner.name]=Ada&sort=title&include=owner,giver",
      )
      assert.deepEqual(
        found.data.map((one: Record<string, { name: string }>) => [
          one["title"],
          one["label"],
          one["owner"]?.name,
          one["giver"]?.name,
        ]),
        [["T2", "L", "Ada", "Bob"]],
      )
      assert.equal((await send(newest, "GET", "/orders/title=L")).size, "s")
    })

    test("inputs have the names of their version, in histories too", async () => {
      const { id } = await send(newest, "POST", "/orders", { label: "a", title: "b", size: "s" })
      await send(oldest, "POST", `/orders/${id}/transitions/pay`, { cardNumber: "77" })
      assert.equal((await send(newest, "GET", `/orders/${id}`)).paidWith, "77")
      for (const [version, expected] of [
        [oldest, { cardNumber: "77" }],
        [newest, { card: "77" }],
      ] as const) {
        const { history } = await send(version, "GET", `/orders/${id}?include=history`)
        assert.deepEqual(history.data.at(-1).input, expected)
      }
      await send(oldest, "POST", `/orders/${id}/actions/remark`, { sum: 5 })
      assert.equal((await send(newest, "GET", `/orders/${id}`)).note, '{"amount":5}')
      const query = `mutation { remarkOrder(id: "${id}", input: { sum: 6 }) { order { note } } }`
      const { data } = await send(oldest, "POST", "/graphql", { query })
      assert.deepEqual(data, { remarkOrder: { order: { note: '{"amount":6}' } } })
    })
  })

for (const database of ["sqlite", process.env["BIFOLD_TEST_POSTGRES"] ?? ""])
  test(`an older version that lacks what an input sets shows the input to those who see it now, on ${database === "sqlite" ? database : "postgres"}`, async () => {
    const staff = role("staff")
    const declared = service({
      name: "parcels",
      roles: ["staff"],
      versions: {
        "2026-06-01": [{ added: "parcel.seal" }, { added: "parcel.secret" }],
        "2026-01-01": [],
      },
      resources: {
        parcel: resource({
          id: "par",
          fields: {
            seal: f.text({ optional: true }),
            secret: f.text({ optional: true, read: staff }),
          },
          states: {
            initial: "open",
            transitions: {
              send: {
                from: "open",
                to: "sent",
                input: { seal: f.text(), secret: f.text() },
                set: { seal: given("seal"), secret: given("secret") },
                allow: anyone,
              },
            },
          },
          allow: { read: anyone, create: anyone },
        }),
      },
    })
    await using kit = await startService(declared, { database })
    const { body } = await kit.anyone.rest<{ id: string }>("POST", "/parcels", {})
    const input = { seal: "red", secret: "s" }
    await kit.anyone.rest("POST", `/parcels/${body.id}/transitions/send`, input)
    for (const version of ["2026-01-01", "2026-06-01"])
      for (const [client, shown] of [
        [kit.anyone, { seal: "red" }],
        [kit.as("role:staff"), input],
      ] as const) {
        const headers = { "api-version": version }
        const history = await client.rest<{ data: readonly { input: unknown }[] }>(
          "GET",
          `/parcels/${body.id}/history`,
          undefined,
          headers,
        )
        assert.deepEqual(history.body.data.at(-1)?.input, shown, version)
      }
  })
