// What the small services are about: their resources, what is computed in them, and records with random values.
import { type Random, typeidSuffix } from "../../examples/storefront/random.ts"
import type { FieldDeclaration, ResourceDeclaration } from "../../src/model/declaration/declaration.ts"
import type { Records, Row } from "../../src/sql/write/insert.ts"

export const draw = <Item>(random: Random, items: readonly Item[]): Item => {
  const item = items[random.between(0, items.length - 1)]
  if (item === undefined) throw new Error("nothing to choose from")
  return item
}

/** Of the record's own fields, of what is computed already, of relations by a reference and by a join table. */
export const computed: Readonly<Record<string, readonly (readonly [string, FieldDeclaration])[]>> = {
  person: [
    ["holds", { scalar: "decimal", precision: 14, scale: 2, computed: { sum: ["items", "worth"] } }],
    [
      "title",
      {
        scalar: "text",
        computed: { concat: [{ upper: "name" }, { value: " " }, { coalesce: ["secret", { value: "?" }] }] },
      },
    ],
  ],
  team: [
    ["size", { scalar: "integer", computed: { count: "members" } }],
    ["stock", { scalar: "decimal", precision: 14, scale: 2, computed: { sum: ["items", "worth"] } }],
  ],
  item: [
    [
      "worth",
      { scalar: "decimal", precision: 12, scale: 2, computed: { multiply: ["amount", { count: "parts" }] } },
    ],
    [
      "stage",
      {
        scalar: "text",
        optional: true,
        computed: {
          if: {
            when: { status: { eq: "draft" } },
            give: { concat: ["number", { value: "?" }] },
            else: "note",
          },
        },
      },
    ],
  ],
  part: [
    ["volume", { scalar: "int64", computed: { subtract: [{ multiply: ["size", "size", "position"] }, 1] } }],
    ["mark", { scalar: "text", optional: true, computed: { upper: "remark" } }],
  ],
  label: [
    ["used", { scalar: "integer", computed: { count: "items" } }],
    ["caption", { scalar: "text", computed: { concat: ["name", { value: "!" }] } }],
  ],
}

export const resources: Readonly<Record<string, ResourceDeclaration>> = {
  person: {
    id: "per",
    plural: "people",
    fields: {
      name: { scalar: "text" },
      email: { scalar: "email", unique: true },
      level: { scalar: "integer" },
      active: { scalar: "boolean", default: true },
      secret: { scalar: "text", optional: true },
    },
    history: true,
    relations: {
      boss: { kind: "one", target: "person", optional: true },
      reports: { kind: "many", target: "person", by: "boss" },
      team: { kind: "one", target: "team", optional: true },
      items: { kind: "many", target: "item", by: "owner" },
    },
  },
  team: {
    key: ["code"],
    fields: {
      code: { scalar: "slug", immutable: true },
      open: { scalar: "boolean" },
      rank: { scalar: "integer", optional: true },
    },
    relations: {
      members: { kind: "many", target: "person", by: "team" },
      items: { kind: "many", target: "item", by: "team" },
    },
  },
  item: {
    id: "itm",
    fields: {
      number: { scalar: "text", unique: true },
      amount: { scalar: "decimal", precision: 10, scale: 2 },
      status: { scalar: "oneOf", of: ["draft", "sent", "done"], default: "draft" },
      note: { scalar: "text", optional: true },
      weight: { scalar: "int64", optional: true },
    },
    relations: {
      owner: { kind: "one", target: "person" },
      team: { kind: "one", target: "team", optional: true },
      parts: { kind: "many", target: "part", by: "item", owned: true },
      labels: { kind: "many", target: "label", through: "item_label" },
    },
  },
  part: {
    key: ["item", "position"],
    fields: {
      position: { scalar: "integer", immutable: true },
      size: { scalar: "integer" },
      remark: { scalar: "text", optional: true },
    },
    history: true,
    relations: { item: { kind: "one", target: "item" } },
  },
  label: {
    key: ["name"],
    fields: { name: { scalar: "slug", immutable: true }, featured: { scalar: "boolean" } },
    relations: { items: { kind: "many", target: "item", through: "item_label" } },
  },
}

export function smallRecords(random: Random): Records {
  const moment = Date.UTC(2026, 0, 1)
  const times = <Made>(count: number, make: (index: number) => Made): readonly Made[] =>
    Array.from({ length: count }, (_, index) => make(index))
  const maybe = <Value>(value: Value): Value | null => (random.oneIn(3) ? null : value)
  const teams: readonly Row[] = ["red", "blue", "green", "grey"].map((code) => ({
    code,
    open: random.oneIn(2),
    rank: maybe(random.between(1, 4)),
  }))
  const people: Row[] = []
  for (let index = 0; index < 7; index += 1)
    people.push({
      id: typeidSuffix(moment + index, random),
      name: draw(random, ["Ada", "Bob", "Cyd", "Dee"]),
      email: `p${index}@example.org`,
      level: random.between(1, 5),
      active: !random.oneIn(3),
      secret: maybe(draw(random, ["one", "two", "three"])),
      bossId: index === 0 ? null : (maybe(draw(random, people)["id"]) ?? null),
      teamId: maybe(draw(random, teams)["code"]) ?? null,
    })
  const items: readonly Row[] = times(16, (index) => ({
    id: typeidSuffix(moment + 100 + index, random),
    number: `N-${index}`,
    amount: draw(random, ["5.00", "9.99", "10.00", "12.50", "100.00"]),
    status: draw(random, ["draft", "sent", "done"]),
    note: maybe(draw(random, ["soon", "later", "never"])),
    weight: maybe(BigInt(random.between(1, 9)) * 1_000_000_000_000n),
    ownerId: draw(random, people)["id"] ?? null,
    teamId: maybe(draw(random, teams)["code"]) ?? null,
  }))
  const parts = items.flatMap(({ id }) =>
    times(random.between(0, 3), (index) => ({
      itemId: id ?? null,
      position: index + 1,
      size: random.between(1, 3),
      remark: maybe(draw(random, ["left", "right"])),
    })),
  )
  const labels = ["big", "blue", "cold", "dry"].map((name) => ({ name, featured: random.oneIn(2) }))
  const pairs = items.flatMap(({ id }) =>
    labels.filter(() => random.oneIn(3)).map(({ name }) => [id ?? null, name] as const),
  )
  return {
    records: new Map<string, readonly Row[]>([
      ["team", teams],
      ["person", people],
      ["item", items],
      ["part", parts],
      ["label", labels],
    ]),
    links: [{ resource: "item", relation: "labels", pairs }],
  }
}
