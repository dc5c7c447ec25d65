// What the compiler refuses in a service, and what it infers from one. Each expectation stands before the line whose
// mistake it is; the compiler complains about one that nothing answers to (language-types.test.ts shows that it does).
import {
  action,
  anyone,
  createService,
  databaseDefault,
  f,
  given,
  handler,
  many,
  one,
  only,
  operation,
  type RecordOf,
  resource,
  role,
  scope,
  service,
  signedIn,
  viewer,
  withCode,
} from "bifold"
import type { JsonValue } from "../../src/base/json.ts"

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(equal: Same<A, B>): boolean => equal

const shop = service({
  name: "shop",
  enums: { size: { values: ["s", "m"] } },
  resources: {
    customer: resource({
      fields: {
        email: f.email({ unique: true }),
        points: f.int64({ default: "0" }),
        size: f.oneOf("size", { optional: true, default: "m" }),
        sizes: f.list(f.oneOf("size")),
        otherSize: f.oneOf("size", { default: databaseDefault }),
        mood: f.oneOf(["good", "bad"], { default: databaseDefault }),
        extra: f.json({ optional: true }),
        words: f.list(f.text({ max: 9 }), { optional: true }),
      },
      relations: {
        orders: many("order", { by: "customer" }),
        card: one("card", { by: "customer" }),
      },
    }),
    card: resource({
      key: ["customer"],
      fields: { photo: f.bytes() },
      relations: { customer: one("customer") },
    }),
    order: resource({
      fields: {
        total: f.decimal({ precision: 9, scale: 2 }),
        count: f.integer({ default: databaseDefault }),
        weight: f.float(),
        paid: f.boolean(),
        status: f.oneOf(["cart", "placed"], { default: "cart" }),
        placedAt: f.timestamp({ optional: true }),
      },
      relations: {
        customer: one("customer"),
        giver: one("customer", { optional: true, column: "from" }),
        former: one("order", { columns: { former: "id" } }),
        tags: many("order", { through: "order_tag" }),
      },
      unique: [["customer", "placedAt"]],
      indexes: [["giver", "total"]],
    }),
    log: resource({ key: false, fields: { line: f.text() } }),
  },
})

type Customer = RecordOf<typeof shop, "customer">
type Order = RecordOf<typeof shop, "order">

same<Customer["id"], string>(true)
same<Customer["points"], string>(true)
same<Customer["size"], "s" | "m" | null>(true)
same<Customer["sizes"], readonly ("s" | "m")[]>(true)
same<Customer["otherSize"], "s" | "m">(true)
same<Customer["mood"], "good" | "bad">(true)
same<Customer["extra"], JsonValue>(true)
same<Customer["words"], readonly string[] | null>(true)
same<keyof Customer, "id" | "email" | "points" | "size" | "sizes" | "otherSize" | "mood" | "extra" | "words">(
  true,
)
same<
  RecordOf<typeof shop, "card">,
  { readonly id: string; readonly photo: string; readonly customerId: string }
>(true)
same<Order["total"], string>(true)
same<Order["count"], number>(true)
same<Order["weight"], number>(true)
same<Order["paid"], boolean>(true)
same<Order["status"], "cart" | "placed">(true)
same<Order["placedAt"], string | null>(true)
same<Order["customerId"], string>(true)
same<Order["giverId"], string | null>(true)
same<Order["formerId"], string | undefined>(true)
same<RecordOf<typeof shop, "log">, { readonly line: string }>(true)

// @ts-expect-error no such resource
export type Unknown = RecordOf<typeof shop, "custmer">
// @ts-expect-error not what the field holds
same<Order["status"], string>(true)

// --- names within a resource ---

export const own = resource({
  fields: { name: f.text(), data: f.json() },
  relations: { parent: one("x"), children: many("x", { by: "parent" }), twin: one("x", { by: "parent" }) },
  // @ts-expect-error a misspelt member
  unique: [["nam"]],
  // @ts-expect-error a to-many relation has no column here
  indexes: [["parent"], ["children"]],
})
export const key = resource({
  // @ts-expect-error a misspelt member
  key: ["nam"],
  fields: { name: f.text() },
})
export const far = resource({
  // @ts-expect-error the far side of a one-to-one has no column here
  key: ["twin"],
  fields: { name: f.text() },
  relations: { twin: one("x", { by: "parent" }) },
})
// @ts-expect-error a misspelt option
export const option = resource({ fields: {}, relatons: {} })

// --- options of fields and relations ---

export const fields = {
  // @ts-expect-error a misspelt option
  a: f.text({ optinal: true }),
  // @ts-expect-error an option of another scalar
  b: f.integer({ pattern: "[a-z]" }),
  // @ts-expect-error a default of the wrong type
  c: f.text({ default: 1 }),
  // @ts-expect-error a default of the wrong type
  d: f.boolean({ default: "true" }),
  // @ts-expect-error none of the values
  e: f.oneOf(["a", "b"], { default: "c" }),
  // @ts-expect-error an enumeration has values
  g: f.oneOf([]),
  // @ts-expect-error a list is of what one item is
  h: f.list(f.text({ optional: true })),
  // @ts-expect-error a list of lists
  i: f.list(f.list(f.text())),
  // @ts-expect-error a decimal's default is exact
  j: f.decimal({ default: true }),
}
export const relations = {
  // @ts-expect-error a way to the targets is missing
  a: many("x"),
  // @ts-expect-error two ways to the targets
  b: many("x", { by: "y", through: "z" }),
  // @ts-expect-error two ways to the target
  c: one("x", { column: "y", columns: { y: "id" } }),
  // @ts-expect-error the far side may always be empty
  d: one("x", { by: "y", optional: true }),
}

// --- names of other resources, and of enumerations ---

export const others = service({
  name: "others",
  enums: { size: { values: ["s"] } },
  resources: {
    // @ts-expect-error a misspelt target
    a: resource({ fields: {}, relations: { b: one("bb") } }),
    // @ts-expect-error a misspelt `by`
    b: resource({ fields: {}, relations: { cs: many("c", { by: "bee" }) } }),
    // @ts-expect-error `by` is a relation that leads elsewhere
    c: resource({ fields: {}, relations: { b: one("b"), d: one("d"), ds: many("d", { by: "b" }) } }),
    // @ts-expect-error `by` is a field
    d: resource({ fields: { e: f.text() }, relations: { b: one("b"), dd: many("d", { by: "e" }) } }),
    // @ts-expect-error `by` is a to-many relation
    e: resource({ fields: {}, relations: { es: many("e", { by: "es" }) } }),
    // @ts-expect-error a misspelt enumeration
    g: resource({ fields: { size: f.oneOf("sizes") } }),
    // @ts-expect-error a misspelt enumeration in a list
    h: resource({ fields: { sizes: f.list(f.oneOf("sizes")) } }),
    // @ts-expect-error no value of the enumeration
    i: resource({ fields: { size: f.oneOf("size", { default: "xl" }) } }),
  },
})
// @ts-expect-error a misspelt option
export const whole = service({ name: "whole", resorces: {}, resources: {} })

// --- rules ---

export const asked = resource({
  fields: { name: f.text(), role: f.text({ optional: true }) },
  relations: { owner: one("x"), parts: many("x", { by: "y" }) },
  allow: {
    // @ts-expect-error a misspelt field
    read: { nam: { eq: "a" } },
    // @ts-expect-error a misspelt relation beside what is right
    create: [role("staff"), { owner: {}, ownr: { id: { eq: viewer.id } } }],
    // @ts-expect-error within a connective
    update: { not: { and: [{ name: { eq: "a" } }, { partsId: { eq: "x" } }] } },
    // @ts-expect-error `only` lists fields, and no others
    delete: [anyone, only(["name", "owner"], signedIn)],
  },
})
export const asking = resource({
  fields: { name: f.text(), role: f.text({ optional: true }) },
  relations: { owner: one("x"), parts: many("x", { by: "y" }) },
  allow: {
    read: [
      { role: { eq: "boss" }, id: { eq: "x" } },
      { role: "staff", parts: { some: {} }, ownerId: { eq: viewer.id } },
    ],
    // @ts-expect-error what `only` holds for
    create: only(["name"], { nam: { eq: "a" } }),
    // @ts-expect-error no such action
    remove: anyone,
  },
})
const members = { nam: { eq: "a" } }
export const elsewhere = resource({
  fields: { name: f.text() },
  // @ts-expect-error a misspelt field of a rule that is written elsewhere
  allow: { read: members, update: viewer["name"] ? anyone : signedIn },
})
const staff = role("staff")
export const ruled = service({
  name: "ruled",
  roles: ["staff", "boss"],
  scopes: ["write"],
  viewer: "a",
  resources: {
    a: resource({
      fields: { name: f.text({ read: staff, write: [scope("write"), { id: { eq: viewer.id } }] }) },
      allow: { read: [staff, only(["name"], { and: [role("boss"), signedIn] })], create: scope("write") },
    }),
    // @ts-expect-error a misspelt role
    b: resource({ fields: {}, allow: { read: [staff, role("stuff")] } }),
    // @ts-expect-error a misspelt scope
    c: resource({ fields: {}, allow: { delete: { not: scope("wrote") } } }),
    // @ts-expect-error a role is no scope
    d: resource({ fields: { e: f.text() }, allow: { read: only(["e"], role("write")) } }),
    // @ts-expect-error a misspelt role of a field
    e: resource({ fields: { e: f.text({ read: role("stuff") }) } }),
    // @ts-expect-error a misspelt role of a list
    g: resource({ fields: { e: f.list(f.text(), { write: role("stuff") }) } }),
    // @ts-expect-error a misspelt scope of a choice
    h: resource({ fields: { e: f.oneOf(["a"], { read: staff, write: scope("wrote") }) } }),
    // @ts-expect-error a misspelt member in a field's rule
    i: resource({ fields: { e: f.text({ read: { ee: { eq: "a" } } }) } }),
  },
})
// @ts-expect-error a misspelt resource
export const unseen = service({ name: "unseen", viewer: "aa", resources: { a: resource({ fields: {} }) } })
same<typeof viewer.id, { readonly viewer: "id" }>(true)

// --- states ---

const desk = service({
  name: "desk",
  roles: ["agent"],
  viewer: "person",
  enums: { mood: { values: ["good", "bad", "worse"] } },
  resources: {
    person: resource({ fields: { name: f.text() } }),
    ticket: resource({
      fields: {
        answer: f.text({ optional: true, read: { state: { eq: "solved" } } }),
        closedAt: f.timestamp({ optional: true }),
        billing: f.text({ column: "Billing" }),
        mood: f.oneOf("mood"),
      },
      relations: {
        reporter: one("person"),
        assignee: one("person", { optional: true }),
        notes: many("person", { through: "note" }),
      },
      states: {
        state: {
          initial: "open",
          final: ["closed", "dropped"],
          states: { dropped: { was: "lost" } },
          transitions: {
            solve: {
              from: ["open", "dropped"],
              to: "solved",
              when: { billing: { eq: "paid" }, notes: { some: {} } },
              input: { answer: f.text() },
              set: { answer: given("answer"), assigneeId: viewer.id, closedAt: "now" },
              allow: [role("agent"), { reporter: { id: { eq: viewer.id } }, state: { ne: "open" } }],
            },
            close: { from: "any", to: "closed", set: { answer: null } },
          },
        },
        billing: { initial: "unpaid", transitions: { pay: { from: "unpaid", to: "paid" } } },
        mood: { initial: "good", transitions: { annoy: { from: "good", to: "bad" } } },
      },
      indexes: [["state", "closedAt"]],
      allow: { read: { state: { ne: "closed" } }, update: only(["answer"], { billing: { eq: "paid" } }) },
    }),
    single: resource({
      fields: {},
      states: { initial: "a", transitions: { go: { from: "a", to: "b" } } },
      indexes: [["state"]],
    }),
    b: resource({
      fields: {},
      // @ts-expect-error a misspelt role of a transition
      states: { initial: "a", transitions: { go: { from: "a", to: "b", allow: role("agnt") } } },
    }),
    c: resource({
      // @ts-expect-error a misspelt state's field in a rule of a field
      fields: { name: f.text({ read: { stat: { eq: "a" } } }) },
      states: { initial: "a", transitions: { go: { from: "a", to: "b" } } },
    }),
  },
})
type Ticket = RecordOf<typeof desk, "ticket">
same<Ticket["state"], "open" | "closed" | "dropped" | "solved">(true)
same<Ticket["billing"], "unpaid" | "paid">(true)
same<Ticket["mood"], "good" | "bad" | "worse">(true)
same<Ticket["answer"], string | null>(true)
same<keyof Ticket, "id" | "answer" | "closedAt" | "billing" | "mood" | "state" | "reporterId" | "assigneeId">(
  true,
)
same<RecordOf<typeof desk, "single">["state"], "a" | "b">(true)

export const moved = resource({
  fields: { name: f.text({ optional: true }) },
  relations: { owner: one("x"), parts: many("x", { by: "y" }) },
  states: {
    initial: "open",
    // @ts-expect-error a misspelt state
    final: ["closed", "closd"],
    // @ts-expect-error a misspelt member of a machine
    finale: "closed",
    states: {
      closed: { description: "Over." },
      // @ts-expect-error a misspelt state
      opne: { description: "New." },
    },
    transitions: {
      // @ts-expect-error a misspelt state
      close: { from: ["open", "opn"], to: "closed" },
      // @ts-expect-error a misspelt state
      reopen: { from: "closd", to: "open" },
      // @ts-expect-error a misspelt member
      rename: { from: "open", to: "open", set: { nam: null } },
      // @ts-expect-error a to-many relation is not set
      share: { from: "open", to: "open", set: { partsId: viewer.id } },
      // @ts-expect-error a state is not set
      force: { from: "open", to: "open", set: { state: "closed" } },
      // @ts-expect-error a misspelt input
      give: { from: "open", to: "open", input: { name: f.text() }, set: { name: given("nam") } },
      // @ts-expect-error an input that is not there
      take: { from: "open", to: "open", set: { name: given("name") } },
      // @ts-expect-error a misspelt member
      check: { from: "open", to: "open", when: { nam: { isNull: false } } },
      // @ts-expect-error a misspelt member beside what is right
      sign: { from: "open", to: "open", allow: [role("staff"), { ownr: { id: { eq: viewer.id } } }] },
      // @ts-expect-error a misspelt member of a transition
      hurry: { from: "open", to: "open", wen: { name: { isNull: false } } },
    },
  },
  // @ts-expect-error the machine's field is called `state`
  indexes: [["status"]],
})
export const stateless = resource({
  fields: { name: f.text() },
  // @ts-expect-error there are no states
  allow: { read: { state: { eq: "open" } } },
})

const stateful = service({
  name: "stateful",
  roles: ["staff"],
  resources: {
    order: resource({
      fields: { number: f.text(), count: f.integer({ optional: true }) },
      relations: { owner: one("person") },
      states: { initial: "open", transitions: { pay: { from: "open", to: "paid" } } },
    }),
    person: resource({ fields: { name: f.text() } }),
  },
})
export const handled = withCode(stateful, {
  on: {
    "order.paid": async ({ event, record, db }) => {
      same<typeof record, (RecordOf<typeof stateful, "order"> & { readonly etag: string }) | undefined>(true)
      same<NonNullable<typeof event.changes.count>["to"], number | null>(true)
      await db.order.update(event.recordId, { count: 1 })
      // @ts-expect-error a misspelt member
      return record?.numbr
    },
    "order.created": [
      handler({ name: "a", from: "start", run: ({ record }) => record?.ownerId }),
      ({ event }) => event.changes.number?.from,
      // @ts-expect-error a misspelt member, in a list
      handler({ name: "c", run: ({ record }) => record?.ownrId }),
    ],
    "order.*": handler({ as: { roles: ["staff"] }, run: ({ event }) => event.changes.state?.to }),
    "person.updated": handler({
      // @ts-expect-error a member of another resource
      run: ({ record }) => record?.number,
    }),
  },
})
const telling = service({
  name: "telling",
  roles: ["staff"],
  resources: {
    order: resource({
      fields: { number: f.text() },
      events: {
        coupon: {
          payload: {
            code: f.text(),
            worth: f.integer({ optional: true }),
            margin: f.integer({ read: role("staff") }),
          },
        },
        seen: {},
      },
    }),
    note: resource({ fields: { text: f.text() } }),
  },
})
export const told = withCode(telling, {
  actions: {
    order: {
      apply: action({
        emits: "order.coupon",
        async run({ emit }) {
          await emit("order.coupon", { code: "A", margin: 1 })
          // @ts-expect-error a value of another type
          await emit("order.coupon", { code: 1, margin: 1 })
          // @ts-expect-error a member is missing
          await emit("order.coupon", { code: "A" })
          // @ts-expect-error an event that it does not say it emits
          await emit("order.seen", {})
        },
      }),
      // @ts-expect-error a misspelt event
      misspelt: action({ emits: ["order.copon"], run() {} }),
      // @ts-expect-error an event that nothing emits
      silent: action({ run: ({ emit }) => emit("order.seen", {}) }),
    },
    note: {
      see: action({
        emits: "order.seen",
        async run({ emit, record }) {
          await emit("order.seen", {}, record.text)
          // @ts-expect-error of no record
          await emit("order.seen", {})
        },
      }),
    },
  },
  operations: {
    // @ts-expect-error of no record
    see: operation({ emits: "order.seen", run: ({ emit }) => emit("order.seen", {}) }),
  },
  on: {
    "order.coupon": ({ event: { payload } }) => {
      same<typeof payload.code, string>(true)
      same<typeof payload.worth, number | null>(true)
      same<typeof payload.margin, number | undefined>(true)
    },
    "order.created": handler({ run: ({ event }) => same<typeof event.payload, null>(true) }),
    "order.*": ({ event }) => event.payload?.["code"],
  },
})
export const mishandled = withCode(stateful, {
  on: {
    // @ts-expect-error a misspelt state
    "order.payd": () => {},
  },
})
export const unresourced = withCode(stateful, {
  on: {
    // @ts-expect-error a resource without states
    "person.paid": () => {},
  },
})

const granting = { note: resource({ fields: { text: f.text() }, history: true }) }
const declared = { roles: ["staff", "admin"], scopes: ["reports"], limits: { tiers: { pro: {} } } } as const
export const granted = service({
  name: "granted",
  ...declared,
  identity: {
    keys: {
      manage: role("staff"),
      grant: {
        admin: role("admin"),
        reports: [scope("reports"), { and: [role("staff")] }],
        pro: role("staff"),
      },
    },
  },
  webhooks: { manage: role("staff"), grant: { admin: role("admin") } },
  resources: granting,
})
export const misgranted = service({
  name: "misgranted",
  ...declared,
  identity: {
    // @ts-expect-error a misspelt role in a rule
    keys: { manage: role("staff"), grant: { pro: role("staf") } },
  },
  // @ts-expect-error endpoints have no tier
  webhooks: { manage: role("staff"), grant: { pro: role("staff") } },
  resources: granting,
})
export const misspelt = service({
  name: "misspelt",
  ...declared,
  identity: {
    keys: {
      manage: role("staff"),
      // @ts-expect-error a misspelt role
      grant: { admn: role("admin") },
    },
  },
  resources: granting,
})

const database = "granted.db"
interface Session {
  readonly id?: string
  readonly roles?: "staff"[]
}
export const embedded = (found: Session | null, roles: "staff"[]) => [
  createService(granted, {
    database,
    identify: () => (found?.id === undefined ? null : { viewer: found.id }),
  }),
  createService(granted, {
    database,
    identify: async () => (found ? { viewer: "per_1", roles, name: "a" } : undefined),
  }),
  createService(granted, { database, identify: () => ({ roles }) }),
  createService(granted, { database, identify: () => ({}) }),
  createService(granted, { database, identify: () => "role:staff" }),
  // @ts-expect-error a session without an id would sign in
  createService(granted, { database, identify: () => ({ viewer: found?.id }) }),
  // @ts-expect-error the same with a role
  createService(granted, { database, identify: async () => ({ viewer: found?.id, roles }) }),
  // @ts-expect-error a member without a value
  createService(granted, { database, identify: () => ({ viewer: undefined }) }),
  // @ts-expect-error the same of roles
  createService(granted, { database, identify: () => ({ roles: found?.roles }) }),
]
