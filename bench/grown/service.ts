// A service for the curves of growth: its number of resources, and of rules on `item`, come from a variable.
import { f, many, one, type ResourceDeclaration, type ServiceDeclaration } from "bifold"

/** The variable that gives the size, as JSON. */
export const sizeVariable = "BENCH_SIZE"

export interface Size {
  readonly resources: number
  /** The number of conditions; only the last one is met. */
  readonly rules: number
}

const key = { column: "id", type: "integer" } as const
const item = (rules: number): ResourceDeclaration => ({
  key,
  fields: { name: f.text({ max: 100 }), rank: f.integer(), price: f.decimal({ precision: 12, scale: 2 }) },
  relations: { parent: one("item", { optional: true }), children: many("item", { by: "parent" }) },
  indexes: [["rank"]],
  allow: {
    read: [
      ...Array.from({ length: rules - 1 }, (_, index) => ({ rank: { eq: -1 - index } })),
      { rank: { gte: 0 } },
    ],
  },
})

const other = (): ResourceDeclaration => ({
  key,
  fields: { name: f.text({ max: 100 }), note: f.text({ optional: true }), count: f.integer() },
  relations: { item: one("item") },
  allow: { read: { count: { gte: 0 } } },
})

export const grown = ({ resources, rules }: Size): ServiceDeclaration => ({
  name: "grown",
  limits: { page: { default: 20, max: 1000 } },
  resources: {
    item: item(rules),
    ...Object.fromEntries(
      Array.from({ length: resources - 1 }, (_, index) => [`thing${index + 1}`, other()]),
    ),
  },
})

export default grown(JSON.parse(process.env[sizeVariable] ?? '{"resources":1,"rules":1}') as Size)
