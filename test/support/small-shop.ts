// A storefront with hardly anything in it, for cases that change it: ids that can be read, and a clock that stands still.
import { join } from "node:path"
import type { Model } from "../../src/model/model.ts"
import type { Fresh } from "../../src/plan/draft/draft.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { type Command, insertRecords, type Records, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "./database.ts"
import { connectFaces, type Database, type OpenService } from "./open-service.ts"

/** `id(7)`: the 26 characters of the seventh record. */
const id = (number: number): string => String(number).padStart(26, "0")

const moment = "2026-01-01T00:00:00Z"

const customers: readonly Row[] = [
  {
    id: id(1),
    email: "ada@example.org",
    name: "Ada",
    phone: null,
    bornOn: null,
    note: "early",
    newsletter: true,
    createdAt: moment,
  },
  {
    id: id(2),
    email: "bob@example.org",
    name: "Bob",
    phone: "123",
    bornOn: "1990-05-01",
    note: null,
    newsletter: false,
    createdAt: moment,
  },
  {
    id: id(3),
    email: "cyd@example.org",
    name: "Cyd",
    phone: null,
    bornOn: null,
    note: null,
    newsletter: false,
    createdAt: moment,
  },
]
const addresses: readonly Row[] = [
  {
    id: id(11),
    recipient: "Ada",
    street: "First 1",
    extra: null,
    postcode: "1",
    city: "Ulm",
    country: "DE",
    customerId: id(1),
  },
  {
    id: id(12),
    recipient: "Bob",
    street: "Second 2",
    extra: null,
    postcode: null,
    city: "Bern",
    country: "CH",
    customerId: id(2),
  },
]
const categories: readonly Row[] = [
  { id: id(21), slug: "tea", name: "Tea", position: 1, parentId: null },
  { id: id(22), slug: "green-tea", name: "Green tea", position: 1, parentId: id(21) },
]
const product = (number: number, slug: string, categoryId: string): Row => ({
  id: id(number),
  slug,
  name: slug,
  description: null,
  price: "2.50",
  active: true,
  weight: 0.1,
  stock: 9n,
  colours: ["green"],
  attributes: '{"loose":true}',
  manual: null,
  thumbnail: null,
  releasedOn: null,
  createdAt: moment,
  categoryId,
})
const tags: readonly Row[] = [
  { name: "new", featured: true },
  { name: "old", featured: false },
]
const order = (number: number, name: string, customerId: string, billingAddressId: string): Row => ({
  id: id(number),
  number: name,
  status: "cart",
  total: "5.00",
  note: null,
  createdAt: moment,
  placedAt: null,
  customerId,
  billingAddressId,
  shippingAddressId: null,
})
const line = (orderId: string, position: number, productId: string): Row => ({
  orderId,
  position,
  quantity: 2,
  unitPrice: "2.50",
  lineTotal: "5.00",
  giftMessage: null,
  productId,
})

const smallShop: Records = {
  records: new Map<string, readonly Row[]>([
    ["customer", customers],
    ["address", addresses],
    ["category", categories],
    ["product", [product(31, "sencha", id(22)), product(32, "matcha", id(22))]],
    ["tag", tags],
    ["order", [order(41, "A-1", id(1), id(11)), order(42, "A-2", id(2), id(12))]],
    ["orderLine", [line(id(41), 1, id(31)), line(id(41), 2, id(32)), line(id(42), 1, id(31))]],
  ]),
  links: [
    {
      resource: "product",
      relation: "tags",
      pairs: [
        [id(31), "new"],
        [id(31), "old"],
      ],
    },
  ],
}

/** Ids from 1,001 on; it is always noon. */
function countedFresh(): Fresh {
  let made = 1_000
  const next = (): number => ++made
  return {
    id: () => id(next()),
    uuid: () => `00000000-0000-4000-8000-${String(next()).padStart(12, "0")}`,
    now: () => "2026-11-21T12:00:00Z",
  }
}

export interface Shop {
  /** As it was at first, with ids that are counted anew. */
  refill(): Promise<OpenService>
}

/** An empty shop; the database is gone when the tests end. */
export async function openShop(hooks: Hooks, model: Model, database: Database): Promise<Shop> {
  const dialect = database === "sqlite" ? sqlite : postgres
  const url =
    database === "sqlite" ? join(await temporaryFolder(hooks), "shop.sqlite") : await temporaryPostgres(hooks)
  await setUp(
    url,
    createSchema(model, dialect).map((text) => ({ text, parameters: [] })),
  )
  const storage = await openStorage(url, { writes: "unsafe" })
  hooks.after(() => storage.close())
  return {
    async refill() {
      await setUp(url, [...emptied(model, database), ...insertRecords(model, dialect, smallShop)])
      return connectFaces(model, storage, { fresh: countedFresh() })
    },
  }
}

/** Takes every record out of a service's own tables. */
export function emptied(model: Model, database: Database): readonly Command[] {
  const tables = [...model.resources.values()].flatMap(({ table, relations }) => [
    table.name,
    ...[...relations.values()].flatMap((one) =>
      one.kind === "many" && one.through ? [one.through.table.name] : [],
    ),
  ])
  const texts =
    database === "sqlite"
      ? ["PRAGMA defer_foreign_keys = ON", ...tables.map((name) => `DELETE FROM "${name}"`)]
      : // In a third of the time that TRUNCATE takes to make new files for tables and indexes.
        [
          "SET LOCAL session_replication_role = replica",
          ...tables.map((name) => `DELETE FROM "${name}"`),
          "SET LOCAL session_replication_role = origin",
        ]
  return texts.map((text) => ({ text, parameters: [] }))
}
