// The example's records, made from a seed: the same 1,000 customers, 500 products and 10,000 orders everywhere. Values
// are in the forms that answers have (docs/guide/reading.md); there are ties, missing values and awkward text among them.
import { type Random, seeded, typeidSuffix, uuid } from "./random.ts"
import * as words from "./words.ts"

type Value = null | boolean | number | bigint | string | readonly Value[]

/** Members of one record by name: `id` is its bare key, `customerId` the bare key of its customer. */
export type Row = Readonly<Record<string, Value>>

interface Links {
  readonly resource: string
  readonly relation: string
  /** Bare key of the record, bare key of the target. */
  readonly pairs: readonly (readonly [string, string])[]
}

export interface StorefrontData {
  /** By resource, in an order in which every record stands behind those it refers to. */
  readonly records: ReadonlyMap<string, readonly Row[]>
  readonly links: readonly Links[]
}

const counts = { customers: 1_000, products: 500, orders: 10_000, linesPerOrder: 3 } as const
const second = 1_000
const hour = 3_600 * second
const day = 24 * hour
const opened = Date.UTC(2023, 0, 1)
const closed = Date.UTC(2026, 9, 31)

/** Moments spread evenly over the first days, so that records numbered in order also happened in order. */
function arrivals(
  count: number,
  days: number,
): { momentOf(index: number): number; arrivedBy(moment: number): number } {
  const step = (days * day) / count
  return {
    momentOf: (index) => opened + Math.floor(index * step),
    arrivedBy: (moment) => Math.min(count, Math.floor((moment - opened) / step) + 1),
  }
}
const customerArrivals = arrivals(counts.customers, 700)
const productArrivals = arrivals(counts.products, 600)

export function storefrontData(seed = 1): StorefrontData {
  const random = seeded(seed)
  const customers = times(counts.customers, (index) => customer(random, index))
  const addresses = customers.flatMap((owner, index) =>
    addressesOf(random, owner, customerArrivals.momentOf(index)),
  )
  const categories = categoryRows(random)
  const products = times(counts.products, (index) => product(random, index, categories))
  const tags = words.tagNames.map((name, index) => ({ name, featured: index % 3 === 0 }))
  const book = orderBook(random, { customers, addresses, products })
  return {
    records: new Map<string, readonly Row[]>([
      ["customer", customers],
      ["address", addresses],
      ["category", categories],
      ["product", products],
      ["tag", tags],
      ["coupon", words.coupons],
      ["order", book.orders],
      ["orderLine", book.lines],
      ["payment", book.payments],
      ["shipment", book.shipments],
    ]),
    links: [{ resource: "product", relation: "tags", pairs: tagPairs(random, products) }],
  }
}

function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`There are ${items.length} items, but no item at ${index}.`)
  return item
}

function times<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** `YYYY-MM-DDThh:mm:ssZ`, with the fraction if there is one; `micros` adds digits beyond a millisecond. */
function timestamp(moment: number, micros = 0): string {
  const whole = new Date(moment).toISOString()
  const fraction = `${whole.slice(20, 23)}${String(micros).padStart(3, "0")}`.replace(/0+$/, "")
  return `${whole.slice(0, 19)}${fraction === "" ? "" : `.${fraction}`}Z`
}

const date = (moment: number): string => new Date(moment).toISOString().slice(0, 10)

const money = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`

const cents = (text: string): number => Math.round(Number(text) * 100)

/** Now and then a moment with a fraction of a second, so that every length of fraction occurs. */
function somewhat(random: Random, moment: number): string {
  const whole = Math.floor(moment / second) * second
  if (random.oneIn(20)) return timestamp(whole + random.between(1, 999), random.between(0, 999))
  return timestamp(random.oneIn(10) ? whole + 500 : whole)
}

const maybe = <Item>(random: Random, calls: number, item: Item): Item | null =>
  random.oneIn(calls) ? null : item

interface Customer extends Row {
  readonly id: string
  readonly name: string
}

function customer(random: Random, index: number): Customer {
  const [first, firstAscii] = random.pick(words.given)
  const [last, lastAscii] = random.pick(words.family)
  const joined = customerArrivals.momentOf(index)
  return {
    id: typeidSuffix(joined, random),
    email: `${firstAscii}.${lastAscii}.${index}@${random.pick(words.mailDomains)}`,
    name: `${first} ${last}`,
    phone: maybe(
      random,
      3,
      `+${random.between(1, 99)} ${random.between(100, 999)} ${random.between(10_000, 99_999)}`,
    ),
    bornOn: maybe(
      random,
      4,
      date(Date.UTC(random.between(1931, 2006), random.between(0, 11), random.between(1, 28))),
    ),
    note: random.oneIn(6) ? random.pick(words.notes) : null,
    newsletter: random.oneIn(3),
    createdAt: somewhat(random, joined),
  }
}

interface Address extends Row {
  readonly id: string
  readonly customerId: string
}

function addressesOf(random: Random, owner: Customer, joined: number): Address[] {
  return times(random.between(1, 2), () => {
    const [city, country] = random.pick(words.cities)
    return {
      id: typeidSuffix(joined, random),
      customerId: owner.id,
      recipient: owner.name,
      street: `${random.pick(words.streets)} ${random.between(1, 240)}`,
      extra: random.oneIn(5) ? `Flat ${random.between(1, 40)}` : null,
      postcode: maybe(random, 12, String(random.between(1_000, 99_999)).padStart(5, "0")),
      city,
      country,
    }
  })
}

interface Category extends Row {
  readonly id: string
}

function categoryRows(random: Random): Category[] {
  const rows: Category[] = []
  const add = (name: string, position: number, parentId: string | null): string => {
    const id = typeidSuffix(opened, random)
    rows.push({ id, name, slug: slugOf(name), position, parentId })
    return id
  }
  for (const [rootIndex, [root, children]] of words.categoryTree.entries()) {
    const rootId = add(root, rootIndex + 1, null)
    for (const [childIndex, [child, grandchildren]] of children.entries()) {
      const childId = add(child, childIndex + 1, rootId)
      for (const [index, grandchild] of grandchildren.entries()) add(grandchild, index + 1, childId)
    }
  }
  return rows
}

function slugOf(name: string): string {
  const ascii = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
  return ascii.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "")
}

interface Product extends Row {
  readonly id: string
  readonly name: string
  readonly price: string
}

function product(random: Random, index: number, categories: readonly Category[]): Product {
  const added = productArrivals.momentOf(index)
  const category = itemAt(categories, random.oneIn(3) ? 0 : random.between(0, categories.length - 1))
  const name = `${random.pick(words.adjectives)} ${random.pick(words.things)}`
  return {
    id: typeidSuffix(added, random),
    slug: [slugOf(name), String(index + 1)].filter((part) => part !== "").join("-"),
    name,
    description: random.oneIn(3) ? null : random.pick(words.descriptions),
    // Few prices, so that many products share one.
    price: money(
      random.oneIn(4) ? random.between(100, 25_000) : random.pick([999, 1_000, 1_999, 4_950, 12_000]),
    ),
    active: !random.oneIn(8),
    // In eighths of a kilogram: sums of these are exact in every order of adding them up.
    weight: random.between(1, 400) / 8,
    stock: stock(random),
    colours: random.shuffle(words.colours).slice(0, random.between(0, 3)),
    attributes: attributes(random),
    manual: random.oneIn(4) ? `https://docs.example/manuals/${index + 1}?lang=en&page=1` : null,
    thumbnail: random.oneIn(5) ? bytes(random, random.between(0, 12)) : null,
    releasedOn: maybe(random, 6, date(added + random.between(0, 90) * day)),
    createdAt: somewhat(random, added),
    categoryId: category.id,
  }
}

/** Missing for products without a count, and sometimes beyond the exact integers of a double. */
function stock(random: Random): bigint | null {
  if (random.oneIn(9)) return null
  if (random.oneIn(40)) return 9_007_199_254_740_993n
  return BigInt(random.oneIn(5) ? 0 : random.between(-2, 900))
}

function attributes(random: Random): string {
  const [least, greatest] = [random.between(5, 20), random.between(30, 60)]
  return JSON.stringify(
    random.pick([
      { material: random.pick(words.materials), washable: random.oneIn(2) },
      {
        material: random.pick(words.materials),
        origin: { country: random.pick(words.cities)[1], certified: null },
      },
      { range: [least, greatest], unit: "°C", 'odd "key"': "a\\b\n" },
      {},
      [1, "two", null, { three: 3.5 }],
    ]),
  )
}

function bytes(random: Random, length: number): string {
  return Buffer.from(times(length, () => random.between(0, 255))).toString("base64")
}

function tagPairs(random: Random, products: readonly Product[]): [string, string][] {
  return products.flatMap((tagged) =>
    random
      .shuffle(words.tagNames.slice(0, -1)) // the last tag is on nothing
      .slice(0, random.between(0, 4))
      .map((tag): [string, string] => [tagged.id, tag]),
  )
}

interface Stock {
  readonly customers: readonly Customer[]
  readonly addresses: readonly Address[]
  readonly products: readonly Product[]
}

interface OrderBook {
  readonly orders: Row[]
  readonly lines: Row[]
  readonly payments: Row[]
  readonly shipments: Row[]
}

/** One order as it is being made. */
interface OrderDraft {
  readonly id: string
  readonly status: Status
  readonly created: number
  readonly total: number
}

type Status = "cart" | "placed" | "paid" | "shipped" | "cancelled"

function orderBook(random: Random, shop: Stock): OrderBook {
  const book: OrderBook = { orders: [], lines: [], payments: [], shipments: [] }
  const addressesOfCustomer = Map.groupBy(shop.addresses, (address) => address.customerId)
  for (const [index, lineCount] of lineCounts(random).entries()) {
    const moment = opened + Math.floor((index / counts.orders) * ((closed - opened) / hour)) * hour
    // Some at midnight sharp, so that moments tie.
    const created = random.oneIn(5)
      ? moment - ((moment - opened) % day)
      : moment + random.between(0, 3_599) * second
    // The last customers never order; of the others the earlier ones order more.
    const known = Math.min(customerArrivals.arrivedBy(created), counts.customers - 40)
    const buyer = itemAt(shop.customers, Math.floor(random.next() ** 2 * known))
    const products = shop.products.slice(0, productArrivals.arrivedBy(created))
    const id = typeidSuffix(created, random)
    const total = addLines(random, book, { id, count: lineCount, products })
    const draft = { id, created, total, status: statusOf(random, lineCount) }
    book.orders.push(
      orderRow(random, { draft, index, buyer, addresses: addressesOfCustomer.get(buyer.id) ?? [] }),
    )
    addPayments(random, book, draft)
    addShipments(random, book, draft)
  }
  return book
}

/** From none to twice the mean per order, and exactly the mean over all orders. */
function lineCounts(random: Random): number[] {
  const mean = counts.linesPerOrder
  const cycle = 2 * mean + 1
  const whole = counts.orders - (counts.orders % cycle)
  return random.shuffle(times(counts.orders, (index) => (index < whole ? index % cycle : mean)))
}

function statusOf(random: Random, lineCount: number): Status {
  // An order without lines cannot be placed.
  return lineCount === 0
    ? "cart"
    : random.pick(["cart", "placed", "paid", "paid", "shipped", "shipped", "shipped", "cancelled"])
}

function orderRow(
  random: Random,
  made: { draft: OrderDraft; index: number; buyer: Customer; addresses: readonly Address[] },
): Row {
  const { draft, buyer, addresses } = made
  const billing = itemAt(addresses, random.between(0, addresses.length - 1))
  const shipping = random.oneIn(3) ? itemAt(addresses, random.between(0, addresses.length - 1)) : billing
  const placed =
    draft.status === "cart" || (draft.status === "cancelled" && random.oneIn(2)) ? null : draft.created + hour
  return {
    id: draft.id,
    number: `A-${made.index + 1}`,
    status: draft.status,
    total: money(draft.total),
    note: random.oneIn(7) ? random.pick(words.notes) : null,
    createdAt: somewhat(random, draft.created),
    placedAt: placed === null ? null : somewhat(random, placed),
    customerId: buyer.id,
    billingAddressId: billing.id,
    shippingAddressId: draft.status === "cart" && random.oneIn(2) ? null : shipping.id,
  }
}

/** Gives the order's total in cents. */
function addLines(
  random: Random,
  book: OrderBook,
  order: { id: string; count: number; products: readonly Product[] },
): number {
  let total = 0
  for (let position = 1; position <= order.count; position += 1) {
    const chosen = itemAt(order.products, random.between(0, order.products.length - 1))
    const quantity = random.oneIn(4) ? random.between(2, 9) : 1
    const unit = random.oneIn(10) ? Math.floor(cents(chosen.price) / 2) : cents(chosen.price)
    total += quantity * unit
    book.lines.push({
      orderId: order.id,
      position,
      quantity,
      unitPrice: money(unit),
      lineTotal: money(quantity * unit),
      giftMessage: random.oneIn(15) ? `For ${random.pick(words.given)[0]}` : null,
      productId: chosen.id,
    })
  }
  return total
}

function addPayments(random: Random, book: OrderBook, order: OrderDraft): void {
  if (order.status !== "paid" && order.status !== "shipped") return
  const first = random.oneIn(6) ? Math.floor(order.total / 3) : order.total
  const parts = first === order.total ? [first] : [first, order.total - first]
  for (const [index, part] of parts.entries()) {
    const paid = order.created + (2 + index) * hour
    book.payments.push({
      id: typeidSuffix(paid, random),
      orderId: order.id,
      amount: money(part),
      method: random.pick(["card", "card", "bank_transfer", "wallet"]),
      reference: uuid(random),
      paidAt: somewhat(random, paid),
    })
  }
}

function addShipments(random: Random, book: OrderBook, order: OrderDraft): void {
  if (order.status !== "shipped") return
  const shipped = order.created + random.between(4, 96) * hour
  const carrier = random.pick(words.carriers)
  const number = String(random.between(1, 999_999_999)).padStart(9, "0")
  book.shipments.push({
    id: typeidSuffix(shipped, random),
    orderId: order.id,
    carrier,
    tracking: random.oneIn(5) ? null : `https://track.example/${encodeURIComponent(carrier)}/${number}`,
    deliverAfter: random.oneIn(3)
      ? random.pick(["08:00:00", "12:30:00", "17:45:30.5", "23:59:59.999999"])
      : null,
    shippedAt: somewhat(random, shipped),
    deliveredAt: random.oneIn(6) ? null : somewhat(random, shipped + random.between(20, 200) * hour),
  })
}
