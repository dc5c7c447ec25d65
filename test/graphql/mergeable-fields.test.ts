// Fields that can be merged are told from those that cannot as graphql-js does, and no document takes more than its size.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { buildSchema, OverlappingFieldsCanBeMergedRule, parse, validate } from "graphql"
import { mergeableFieldsRule } from "../../src/graphql/document/mergeable-fields.ts"
import { randomFrom } from "../fuzz/random.ts"

const animals = buildSchema(`
  interface Being { id: ID! name(upper: Boolean, in: Where): String mother: Being friends(first: Int): [Being!]! }
  type Cat implements Being { id: ID! name(upper: Boolean, in: Where): String mother: Cat friends(first: Int): [Being!]! age: Int lives: Int! }
  type Dog implements Being { id: ID! name(upper: Boolean, in: Where): String mother: Dog friends(first: Int): [Being!]! age: String lives: Int! owner: Dog }
  union Pet = Cat | Dog
  input Where { a: Int b: [String] c: Where }
  type Query { being: Being pet(id: ID): Pet cat(id: ID): Cat dog: Dog beings: [Being] }
`)
const fieldsOf = {
  Query: [
    "being{B}",
    "pet{P}",
    "pet(id:1){P}",
    "cat{C}",
    "cat(id:1){C}",
    'cat(id:"1"){C}',
    "dog{D}",
    "beings{B}",
    "__typename",
  ],
  B: [
    "id",
    "name",
    "name(upper:true)",
    "name(in:{a:1,b:[]})",
    "name(in:{b:[],a:1})",
    "mother{B}",
    "friends{B}",
    "friends(first:$n){B}",
    "__typename",
  ],
  P: ["__typename"],
  C: ["id", "name", "age", "lives", "mother{C}", "friends(first:2){B}"],
  D: ["id", "name", "age", "lives", "owner{D}", "mother{D}", "friends(first:2){B}", "friends(first:$n){B}"],
} as const
const typesOf = { Query: "Query", B: "Being", P: "Pet", C: "Cat", D: "Dog" } as const
type Kind = keyof typeof fieldsOf
const narrower = {
  Query: ["Query"],
  B: ["B", "C", "D", "P"],
  P: ["C", "D", "B"],
  C: ["C", "B"],
  D: ["D", "P"],
} as const

describe("fields with one response key", () => {
  it("are refused where graphql-js refuses them, and nowhere else", () => {
    let conflicts = 0
    const documents = process.env["BIFOLD_PROOF"] === "full" ? 20_000 : 2_000
    for (let seed = 0; seed < documents; seed += 1) {
      const { whole: below, one: pick } = randomFrom(seed)
      const fragments = new Map<string, Kind>(
        Array.from({ length: below(4) }, (_, index) => [
          `f${index}`,
          pick(["Query", "B", "C", "D", "P"] as const),
        ]),
      )
      const set = (kind: Kind, depth: number): string => {
        const selections = Array.from({ length: 1 + below(4) }, () => {
          const what = below(10)
          if (what < 2 && depth > 0) {
            const inner = pick(narrower[kind])
            return `... on ${typesOf[inner]} { ${set(inner, depth - 1)} }`
          }
          const fitting = [...fragments].filter(([, of]) => (narrower[kind] as readonly Kind[]).includes(of))
          if (what < 4 && fitting.length > 0) return `...${pick(fitting)[0]}`
          const field = pick(fieldsOf[kind])
          const alias = below(3) === 0 ? `${pick(["a", "id", "name"])}: ` : ""
          const found = /^(.*)\{(\w+)\}$/.exec(field)
          if (!found) return `${alias}${field}`
          return depth > 0 ? `${alias}${found[1]} { ${set(found[2] as Kind, depth - 1)} }` : "__typename"
        })
        return selections.join(" ")
      }
      const text = [
        `query($n: Int) { ${set("Query", 4)} }`,
        ...[...fragments].map(([name, kind]) => `fragment ${name} on ${typesOf[kind]} { ${set(kind, 2)} }`),
      ].join(" ")
      const document = parse(text)
      // Of fragments that lead to themselves, or that nothing spreads, other rules tell.
      const others = validate(animals, document).filter(({ message }) => !message.startsWith("Fields "))
      if (others.some(({ message }) => /Cannot spread|never used/.test(message))) continue
      const theirs = validate(animals, document, [OverlappingFieldsCanBeMergedRule]).length > 0
      const ours = validate(animals, document, [mergeableFieldsRule(1_000_000)]).length > 0
      if (theirs) conflicts += 1
      assert.equal(ours, theirs, text)
    }
    assert.ok(conflicts > documents / 20, `${conflicts} documents have conflicts`)
  })

  it("are named with both of them", () => {
    const text =
      "{ cat { a: age } cat { a: lives id } cat { friends(first: 1) { id } friends(first: 2) { id } } }"
    const errors = validate(animals, parse(text), [mergeableFieldsRule(1_000)])
    assert.deepEqual(
      errors.map(({ message, locations }) => [message, locations?.map(({ column }) => column)]),
      [
        [
          'Fields "a" conflict because "age" and "lives" are different fields. Use different aliases on the fields to fetch both if this was intentional.',
          [9, 24],
        ],
        [
          'Fields "friends" conflict because they have differing arguments. Use different aliases on the fields to fetch both if this was intentional.',
          [44, 69],
        ],
      ],
    )
  })
})
