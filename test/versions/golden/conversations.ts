// Requests that clients of each version were written with. `$1.id` is a member of the first answer.

export interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const post = (path: string, body?: unknown): Asked => ({
  method: "POST",
  path,
  ...(body !== undefined && { body }),
})
const get = (path: string): Asked => ({ method: "GET", path })
const patch = (path: string, body: unknown): Asked => ({ method: "PATCH", path, body })
const graphql = (query: string): Asked => post("/graphql", { query })

/** What has not changed between the versions of the storefront. */
const shelf: readonly Asked[] = [
  post("/categories", { slug: "tea", name: "Tea", position: 1 }),
  post("/products", {
    slug: "sencha",
    name: "Sencha",
    price: "12.50",
    weight: 0.1,
    colours: ["green"],
    attributes: { origin: "Uji" },
    categoryId: "$1.id",
  }),
]

function storefront(customerName: "name" | "fullName", total: "137.50" | 13_750, due: "due" | undefined) {
  const price = typeof total === "number" ? 20_000 : "200.00"
  return [
    ...shelf,
    post("/customers", { email: "ada@example.com", [customerName]: "Ada Lovelace" }),
    post("/addresses", {
      recipient: "Ada",
      street: "St James's Square 12",
      city: "London",
      country: "GB",
      customerId: "$3.id",
    }),
    post("/orders", {
      number: "A-1",
      total,
      customerId: "$3.id",
      billingAddressId: "$4.id",
      shippingAddressId: "$4.id",
      lines: {
        create: [{ position: 1, quantity: 11, unitPrice: "12.50", lineTotal: "137.50", productId: "$2.id" }],
      },
    }),
    get(`/orders/$5.id?include=customer,lines`),
    get(`/orders?filter[total][gte]=${total}&sort=-total&fields=number,total`),
    get(`/orders?filter[customer.${customerName}][startsWith]=Ada&aggregate=sum.total,count`),
    graphql(`{ order(id: "$5.id") { number total ${due ?? ""} status customer { ${customerName} } } }`),
    graphql(
      `mutation { updateOrder(id: "$5.id", input: { total: ${JSON.stringify(price)} }) { order { total } } }`,
    ),
    graphql(
      `{ orders(where: { customer: { ${customerName}: { eq: "Ada Lovelace" } } }) { totalCount aggregate { count sum { total } max { total } } } }`,
    ),
    patch("/customers/$3.id", { [customerName]: "Ada King" }),
    post("/orders/$5.id/transitions/place"),
    post("/orders/$5.id/transitions/pay", { reference: "R-1" }),
    get("/orders/$5.id/history"),
    get("/events?resource=order&limit=10"),
    graphql(`{ order(id: "$5.id") { status history { nodes { type changes } } } }`),
    // Mistakes are told in the version's names.
    post("/customers", { email: "ada@example.com", [customerName]: "Ada" }),
    post("/customers", { email: "x@example.com", [customerName === "name" ? "fullName" : "name"]: "X" }),
    post("/orders", { number: "A-2", total: "many" }),
    get(`/customers?filter[${customerName === "name" ? "fullName" : "name"}]=x`),
  ]
}

export const storefrontConversations: Readonly<Record<string, readonly Asked[]>> = {
  "2026-11-01": storefront("name", "137.50", "due"),
  "2026-06-01": storefront("fullName", "137.50", undefined),
  "2026-01-01": storefront("fullName", 13_750, undefined),
}

interface Journey {
  readonly resource: "journey" | "trip"
  readonly price: number | string
  readonly depart: "depart" | "setOff"
  readonly postpone: "postpone" | "move"
  readonly person: Readonly<Record<string, string>>
  readonly more: Readonly<Record<string, unknown>>
  readonly traveller: "traveller" | "passenger"
  readonly luggage?: true
}

const ada = { firstName: "Ada", lastName: "Lovelace" }
const whole = { name: "Ada Lovelace" }

function journey(version: Journey): readonly Asked[] {
  const { resource, price, depart, postpone, person, more, traveller } = version
  const path = `${resource}s`
  const type = `${resource.charAt(0).toUpperCase()}${resource.slice(1)}`
  const [name = ""] = Object.keys(person)
  const members = [name, ...Object.keys(more)]
  return [
    post("/travellers", person),
    post(`/${path}`, { number: "T-1", price, day: "2026-12-24", [`${traveller}Id`]: "$1.id", ...more }),
    get(`/${path}/$2.id?include=${traveller}`),
    get(`/${path}?filter[price][gt]=1&sort=-price&total=true`),
    get(`/${path}?filter[${traveller}.${name}][startsWith]=Ada&fields=number`),
    get(`/travellers/$1.id/${path}?fields=number,price`),
    graphql(
      `{ ${resource}(id: "$2.id") { __typename ${Object.keys(more).join(" ")} price state ${traveller} { ${Object.keys(person).join(" ")} } } }`,
    ),
    patch(`/travellers/$1.id`, person),
    patch(`/${path}/$2.id`, { price, ...more }),
    graphql(
      `mutation { ${postpone}${type}(id: "$2.id", input: { day: "2027-01-02" }) { before ${resource} { day } } }`,
    ),
    post(`/${path}/$2.id/transitions/${depart === "setOff" ? "set-off" : depart}`),
    graphql(`mutation { ${depart}${type}(id: "$2.id") { ${resource} { state } } }`),
    get(`/${path}/$2.id/history`),
    get("/travellers/$1.id/history"),
    get("/events?limit=20"),
    graphql(`{ events(first: 20) { nodes { type resource kind changes } } }`),
    ...(version.luggage
      ? [post("/luggage-list", { weight: 23, journeyId: "$2.id" })]
      : [get("/luggage-list")]),
    post(`/${path}`, { number: "T-1", price, day: "2026-12-24", [`${traveller}Id`]: "$1.id", ...more }),
    post(`/${path}`, { number: "T-2", price: "free", day: "soon" }),
    get(`/${path}?filter[${members.at(-1)}][in]=nothing,else`),
    get(`/${path}/trp_01h455vb4pex5vsknk084sn02q`),
    ...guided(version, path),
  ]
}

/** A journey has several guides since the newest version. */
function guided({ price, traveller, more, luggage: isNewest }: Journey, path: string) {
  const input = { price, day: "2026-12-26", [`${traveller}Id`]: "$1.id", ...more }
  const guide = isNewest ? "guides" : "guide"
  const guides = (id: string) => (isNewest ? { guides: { link: [id] } } : { guideId: id })
  return [
    post("/guides", { name: "Tenzing", rank: 3 }),
    post(`/${path}`, { ...input, number: "T-3", ...guides("$22.id") }),
    get(`/${path}/$23.id?include=${guide}&fields=number${isNewest ? "" : ",guideId"}`),
    get(`/${path}/$23.id/${guide}`),
    get(
      `/${path}?fields=number&filter=${encodeURIComponent(JSON.stringify({ [guide]: isNewest ? { some: { name: { eq: "Tenzing" } } } : { name: { eq: "Tenzing" } } }))}`,
    ),
    ...(isNewest
      ? []
      : [
          get(`/${path}?fields=number&sort=guide.name,-number&filter[guideId][isNull]=false`),
          graphql(
            `{ ${path}(where: { guideId: { eq: "$22.id" } }) { nodes { number guideId guide { name } } } }`,
          ),
        ]),
    patch(`/${path}/$23.id`, guides("$22.id")),
    get(`/guides/$22.id/${path}?fields=number`),
    get(`/${path}/$23.id/history`),
  ]
}

const newest: Journey = {
  resource: "journey",
  price: "98.50",
  depart: "depart",
  postpone: "postpone",
  person: ada,
  more: { seats: 2, class: "first", remark: null },
  traveller: "traveller",
  luggage: true,
}
const { luggage: _, ...withoutLuggage } = newest
const trip: Journey = { ...withoutLuggage, resource: "trip" }
const inCents: Journey = { ...trip, price: 9_850, depart: "setOff", postpone: "move" }
const named: Journey = { ...inCents, person: whole, more: { class: "first", remark: null } }
const coded: Journey = { ...named, traveller: "passenger", more: { code: "C-1", class: "1", remark: null } }

export const journeyConversations: Readonly<Record<string, readonly Asked[]>> = {
  "2026-10-01": journey(newest),
  "2026-08-01": journey(trip),
  "2026-06-01": journey(inCents),
  "2026-04-01": journey(named),
  "2026-02-01": journey(coded),
  "2026-01-01": journey({ ...coded, more: { code: "C-1", class: "1", remark: "by the window" } }),
}
