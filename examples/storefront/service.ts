// The storefront: a shop's public API, declared once. `npm start` serves it with the records that data.ts makes.
import {
  action,
  anyone,
  computed,
  f,
  many,
  one,
  only,
  problem,
  resource,
  role,
  scope,
  service,
  viewer,
  withCode,
} from "bifold"

/** The caller's own records. */
const own = { customer: { id: { eq: viewer.id } } }
const ownOrder = { order: own }
/** The cart, which the customer may still change. */
const ownCart = { ...own, status: { eq: "cart" } }
const toPack = { status: { in: ["paid", "shipped"] } }
const staff = role("staff")
const warehouse = role("warehouse")
/** Callers who maintain the products: people, or a program with a key for it. */
const catalogue = [staff, scope("catalogue")]

const storefront = service({
  name: "storefront",
  title: "Storefront API",
  description:
    "Customers, products and orders of a small shop: the example that Bifold's documentation uses.",
  about: {
    licence: { name: "MIT", identifier: "MIT" },
    contact: { name: "Storefront team", email: "api@storefront.example" },
  },

  roles: ["staff", "warehouse"],
  scopes: ["catalogue"],
  viewer: "customer",
  limits: {
    cost: { perMinute: 100_000, concurrent: 100 },
    tiers: { anonymous: { perMinute: 50_000, concurrent: 50 } },
  },
  identity: { keys: { manage: staff } },

  versions: {
    "2026-11-01": [
      { renamed: "customer.fullName", to: "name" },
      { added: "order.due", description: "Clients need not subtract the discount themselves." },
    ],
    "2026-06-01": [
      {
        changed: "order.total",
        was: f.integer({ description: "Cents." }),
        reads: { multiply: ["total", 100] },
        writes: { multiply: ["total", 0.01] },
        description: "Amounts are decimals, as prices of products are.",
      },
    ],
    "2026-01-01": [],
  },

  enums: {
    paymentMethod: {
      values: ["card", "bank_transfer", "wallet"],
      description: "How money reached the shop.",
    },
  },

  resources: {
    customer: resource({
      id: "cus",
      description: "A person who buys, or might.",
      fields: {
        email: f.email({ unique: true }),
        name: f.text({ max: 200 }),
        phone: f.text({ optional: true, max: 40 }),
        bornOn: f.date({ optional: true }),
        note: f.text({
          optional: true,
          description: "A note for the staff.",
          read: staff,
          write: staff,
        }),
        newsletter: f.boolean({ default: false }),
        createdAt: f.timestamp({ readonly: true, default: "now" }),
      },
      relations: {
        orders: many("order", { by: "customer" }),
        addresses: many("address", { by: "customer", owned: true }),
      },
      allow: {
        read: [staff, { id: { eq: viewer.id } }, only(["name", "phone"], warehouse)],
        create: staff,
        update: [staff, { id: { eq: viewer.id } }],
        delete: staff,
      },
    }),

    address: resource({
      id: "adr",
      description: "Where a customer wants bills or parcels.",
      fields: {
        recipient: f.text({ max: 200 }),
        street: f.text({ max: 200 }),
        extra: f.text({ optional: true, description: "Flat, floor, company." }),
        postcode: f.text({ optional: true, max: 12 }),
        city: f.text({ max: 100 }),
        country: f.text({ pattern: "[A-Z]{2}", description: "ISO 3166-1 alpha-2." }),
      },
      relations: {
        customer: one("customer"),
        billedOrders: many("order", { by: "billingAddress" }),
        shippedOrders: many("order", { by: "shippingAddress" }),
      },
      allow: {
        read: [staff, warehouse, own],
        create: [staff, own],
        update: [staff, own],
        delete: [staff, own],
      },
    }),

    category: resource({
      id: "cat",
      description: "A shelf of the shop; shelves stand within shelves.",
      fields: {
        slug: f.slug({ unique: true }),
        name: f.text({ max: 80 }),
        position: f.integer({ min: 1, description: "Place among the categories of the same parent." }),
      },
      relations: {
        parent: one("category", { optional: true }),
        children: many("category", { by: "parent" }),
        products: many("product", { by: "category" }),
      },
      allow: { read: anyone, create: catalogue, update: catalogue, delete: catalogue },
    }),

    product: resource({
      id: "prd",
      description: "Something to buy.",
      fields: {
        slug: f.slug({ unique: true }),
        name: f.text({ max: 120 }),
        description: f.text({ optional: true }),
        price: f.decimal({ precision: 12, scale: 2 }),
        active: f.boolean({ default: true }),
        weight: f.float({ description: "Kilograms." }),
        stock: f.int64({
          optional: true,
          description: "Pieces in the warehouse; missing when they are not counted.",
          read: [...catalogue, warehouse],
        }),
        colours: f.list(f.text({ max: 40 })),
        attributes: f.json(),
        manual: f.url({ optional: true }),
        thumbnail: f.bytes({ optional: true, max: 65_536 }),
        releasedOn: f.date({ optional: true }),
        createdAt: f.timestamp({ readonly: true, default: "now" }),
      },
      relations: {
        category: one("category"),
        tags: many("tag", { through: "product_tag" }),
        lines: many("orderLine", { by: "product" }),
      },
      indexes: [["price"], ["category", "price"]],
      allow: {
        read: [{ active: { eq: true } }, ...catalogue, warehouse],
        create: catalogue,
        update: catalogue,
        delete: catalogue,
      },
    }),

    tag: resource({
      key: ["name"],
      description: "A word that products are found by; the word itself is the key.",
      fields: {
        name: f.slug({ immutable: true }),
        featured: f.boolean({ default: false }),
      },
      relations: { products: many("product", { through: "product_tag" }) },
      allow: { read: anyone, create: catalogue, update: catalogue, delete: catalogue },
    }),

    coupon: resource({
      key: ["code"],
      description: "A discount on an order, redeemed by its code.",
      fields: {
        code: f.slug({ immutable: true }),
        percent: f.integer({ min: 1, max: 100 }),
        left: f.integer({ min: 0, description: "How often it can still be used." }),
      },
      allow: { read: staff, create: staff, update: staff, delete: staff },
    }),

    order: resource({
      id: "ord",
      description: "A purchase, from the cart to the doorstep.",
      fields: {
        number: f.text({ unique: true, immutable: true, max: 20 }),
        total: f.decimal({ precision: 12, scale: 2, description: "The sum of the lines." }),
        discount: f.decimal({
          precision: 12,
          scale: 2,
          optional: true,
          write: staff,
          description: "The reduction by a coupon.",
        }),
        due: f.decimal({
          precision: 12,
          scale: 2,
          computed: { subtract: ["total", { coalesce: ["discount", 0] }] },
          description: "The amount to pay.",
        }),
        note: f.text({ optional: true }),
        createdAt: f.timestamp({ readonly: true, default: "now" }),
        placedAt: f.timestamp({ optional: true, readonly: true }),
      },
      relations: {
        customer: one("customer"),
        billingAddress: one("address"),
        shippingAddress: one("address", { optional: true }),
        lines: many("orderLine", { by: "order", owned: true }),
        payments: many("payment", { by: "order", owned: true }),
        shipments: many("shipment", { by: "order", owned: true }),
      },
      indexes: [["placedAt"], ["status", "placedAt"]],
      states: {
        status: {
          initial: "cart",
          final: ["shipped", "cancelled"],
          transitions: {
            place: {
              from: "cart",
              to: "placed",
              description: "The customer wants it.",
              when: { lines: { some: {} }, shippingAddressId: { isNull: false } },
              reason: "An order is placed with at least one line and an address to ship to.",
              set: { placedAt: "now" },
              allow: [staff, own],
            },
            pay: {
              from: "placed",
              to: "paid",
              description: "The money is there.",
              input: { reference: f.text({ max: 80, description: "The bank's reference of the payment." }) },
              allow: staff,
            },
            ship: {
              from: "paid",
              to: "shipped",
              description: "The order leaves the warehouse.",
              allow: warehouse,
            },
            cancel: {
              from: ["cart", "placed"],
              to: "cancelled",
              description: "The order is called off.",
              allow: [staff, own],
            },
          },
        },
      },
      allow: {
        read: [staff, { and: [warehouse, toPack] }, own],
        create: [staff, own],
        update: [staff, ownCart],
        delete: [staff, ownCart],
      },
    }),

    orderLine: resource({
      id: "line",
      key: ["order", "position"],
      description: "One product of an order. Its key is the order's and its place in it.",
      fields: {
        position: f.integer({ min: 1, immutable: true }),
        quantity: f.integer({ min: 1 }),
        unitPrice: f.decimal({ precision: 12, scale: 2 }),
        lineTotal: f.decimal({ precision: 12, scale: 2 }),
        giftMessage: f.text({ optional: true, max: 200 }),
      },
      relations: { order: one("order"), product: one("product") },
      allow: {
        read: [staff, { and: [warehouse, { order: toPack }] }, ownOrder],
        create: [staff, { order: ownCart }],
        update: [staff, { order: ownCart }],
        delete: [staff, { order: ownCart }],
      },
    }),

    payment: resource({
      id: "pay",
      fields: {
        amount: f.decimal({ precision: 12, scale: 2 }),
        method: f.oneOf("paymentMethod"),
        reference: f.uuid({ unique: true }),
        paidAt: f.timestamp(),
      },
      relations: { order: one("order") },
      allow: { read: [staff, ownOrder], create: staff, update: staff, delete: staff },
    }),

    shipment: resource({
      id: "shp",
      fields: {
        carrier: f.text({ max: 80 }),
        tracking: f.url({ optional: true }),
        deliverAfter: f.time({ optional: true, description: "The earliest time of day to ring the bell." }),
        shippedAt: f.timestamp(),
        deliveredAt: f.timestamp({ optional: true }),
      },
      relations: { order: one("order") },
      allow: {
        read: [staff, warehouse, ownOrder],
        create: [staff, warehouse],
        update: [staff, warehouse],
        delete: staff,
      },
    }),
  },
})

/** The date of the last of so many days from a moment on, without Saturdays and Sundays. */
function afterWorkingDays(moment: string, days: number): string {
  const date = new Date(moment)
  for (let left = days; left > 0; ) {
    date.setUTCDate(date.getUTCDate() + 1)
    if (date.getUTCDay() % 6 !== 0) left -= 1
  }
  return date.toISOString().slice(0, 10)
}

export default withCode(storefront, {
  computed: {
    order: {
      expectedOn: computed({
        type: f.date({ optional: true, description: "When it should arrive: the third working day." }),
        needs: ["placedAt", "status"],
        run: (orders) =>
          orders.map(({ placedAt, status }) =>
            placedAt && (status === "placed" || status === "paid") ? afterWorkingDays(placedAt, 3) : null,
          ),
      }),
    },
  },
  actions: {
    order: {
      applyCoupon: action({
        description: "Takes what a coupon is worth off a cart.",
        input: { code: f.slug({ max: 40 }) },
        output: {
          discount: f.decimal({ precision: 12, scale: 2 }),
          due: f.decimal({ precision: 12, scale: 2 }),
        },
        allow: [{ and: [staff, { status: { eq: "cart" } }] }, ownCart],
        // Customers see no coupons, and set no discounts.
        as: { roles: ["staff"] },
        async run({ input: { code }, record: { id, total, discount }, db }) {
          const coupon = await db.coupon.get(code)
          if (!coupon) throw problem("invalid_value", "There is no such coupon.", { place: ["code"] })
          if (coupon.left === 0) throw problem("conflict", "This coupon is used up.")
          if (discount !== null) throw problem("conflict", "This order has a coupon already.")
          await db.coupon.update(coupon.id, { left: coupon.left - 1 })
          const off = ((Number(total) * coupon.percent) / 100).toFixed(2)
          const { due } = await db.order.update(id, { discount: off })
          return { discount: off, due }
        },
      }),
    },
  },
})
