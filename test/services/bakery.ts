// A bakery: orders and lines with fields that are computed, for tests of those.
import { anyone, f, many, one, resource, role, service } from "../../src/index.ts"

const baker = role("baker")

export const bakery = service({
  name: "bakery",
  roles: ["baker"],
  resources: {
    order: resource({
      id: "ord",
      fields: {
        number: f.integer({ unique: true }),
        first: f.text({ optional: true }),
        last: f.text(),
        discount: f.decimal({ precision: 6, scale: 4, optional: true }),
        secret: f.decimal({ precision: 8, scale: 2, default: "0", read: baker }),
        fullName: f.text({
          computed: { concat: [{ coalesce: ["first", { value: "?" }] }, { value: " " }, "last"] },
        }),
        shout: f.text({ optional: true, computed: { upper: "first" } }),
        lineCount: f.integer({ computed: { count: "lines" } }),
        total: f.decimal({ precision: 14, scale: 2, computed: { sum: ["lines", "total"] } }),
        due: f.decimal({
          precision: 14,
          scale: 2,
          computed: {
            multiply: ["total", { subtract: [1, { coalesce: ["discount", 0] }] }],
          },
        }),
        size: f.oneOf(["none", "small", "large"], {
          computed: {
            if: {
              when: { lineCount: { eq: 0 } },
              give: { value: "none" },
              else: {
                if: { when: { total: { lt: "100" } }, give: { value: "small" }, else: { value: "large" } },
              },
            },
          },
        }),
        margin: f.decimal({
          precision: 14,
          scale: 2,
          read: baker,
          computed: { subtract: ["due", "secret"] },
        }),
        told: f.decimal({ precision: 10, scale: 1, computed: { multiply: ["secret", 2] } }),
      },
      relations: { lines: many("line", { by: "order", owned: true }) },
      allow: { read: anyone, create: anyone, update: { size: { ne: "large" } }, delete: baker },
    }),
    line: resource({
      id: "lin",
      fields: {
        quantity: f.integer(),
        price: f.decimal({ precision: 12, scale: 2 }),
        hidden: f.boolean({ default: false }),
        total: f.decimal({
          precision: 14,
          scale: 2,
          computed: { multiply: ["quantity", "price"] },
        }),
      },
      relations: { order: one("order") },
      history: true,
      allow: {
        read: { or: [baker, { hidden: { eq: false } }] },
        create: anyone,
        update: anyone,
        delete: anyone,
      },
    }),
  },
})
