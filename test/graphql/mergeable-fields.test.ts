// Fields that can be merged are told from those that cannot as graphql-js does, and no document takes more than its size.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { anyone, f, many, one, resource, service } from "bifold"
import { buildSchema, OverlappingFieldsCanBeMergedRule, parse, validate } from "graphql"
import { checkDocument } from "../../src/graphql/document/document.ts"
import { mergeableFieldsRule } from "../../src/graphql/document/mergeable-fields.ts"
import { buildSchema as schemaOf } from "../../src/graphql/schema/schema.ts"
import { load } from "../../src/model/load.ts"
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

const things = schemaOf(
  load(
    service({
      name: "things",
      resources: {
        thing: resource({
          key: { column: "id", type: "integer" },
          fields: { name: f.text(), note: f.text() },
          relations: { parent: one("thing", { optional: true }), children: many("thing", { by: "parent" }) },
          allow: { read: anyone, create: anyone },
        }),
      },
    }),
  ),
)

const each = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(" ")

/** Documents of a size, each hard for another rule. */
const documents: Readonly<Record<string, (size: number) => string>> = {
  "differing arguments": (n) => `{${each(n, (i) => `things(first:${i}){nodes{id}}`)}}`,
  "differing arguments in fragments": (n) =>
    `{${each(n / 10, (i) => `...f${i}`)}}${each(n / 10, (i) => `fragment f${i} on Query{${each(8, (j) => `things(first:${8 * i + j}){nodes{id}}`)}}`)}`,
  "the same field": (n) => `{${each(n, () => "things(first:1){nodes{id}}")}}`,
  "the same fields in one another": (n) => `{things{nodes{${each(n, () => "parent{id parent{id name}}")}}}}`,
  "one alias of several fields": (n) =>
    `{things{nodes{${each(2 * n, (i) => `a:${i % 2 ? "id" : "name"}`)}}}}`,
  "inline fragments": (n) => `{things{nodes{${each(n, () => "...on Thing{id}")}}}}`,
  "impossible fragments": (n) => `{things{nodes{${each(n, () => "...on Query{__typename}")}}}}`,
  "fragments that spread all others": (n) =>
    `{...f0}${each(Math.sqrt(n), (i) => `fragment f${i} on Query{__typename ${each(Math.sqrt(n), (j) => `...f${j}`)}}`)}`,
  "fragments that spread all later ones": (n) =>
    `{...f0}${each(Math.sqrt(n), (i) => `fragment f${i} on Query{a${i}:__typename ${each(Math.sqrt(n) - i - 1, (j) => `...f${i + j + 1}`)}}`)}`,
  "a circle of fragments": (n) =>
    `{...f0}${each(n / 5, (i) => `fragment f${i} on Query{...f${(i + 1) % (n / 5)}}`)}`,
  operations: (n) => each(n, (i) => `query q${i}{things{nodes{id}}}`),
  "operations of one name": (n) => each(n, () => "query q{things{nodes{id}}}"),
  "operations without a name": (n) => each(n, () => "{things{nodes{id}}}"),
  "unknown fields": (n) => `{${each(n, (i) => `thigns${i}`)}}`,
  "long unknown fields": (n) => `{${each(60, (i) => `t${"h".repeat(n)}${i}`)}}`,
  "unknown fragments": (n) => `{${each(n, (i) => `...f${i}`)}}`,
  "unknown types": (n) => `query(${each(n, (i) => `$v${i}:Thign${i}`)}){things{nodes{id}}}`,
  "unknown arguments": (n) => `{things(${each(n, (i) => `frist${i}:1`)}){nodes{id}}}`,
  "unknown members of an input": (n) => `{things(where:{${each(n, (i) => `naem${i}:{eq:1}`)}}){nodes{id}}}`,
  "unknown directives": (n) => `{things{nodes{${each(n / 2, (i) => `a${i}:id @foo${i}`)}}}}`,
  "repeated arguments": (n) => `{things(${each(n, () => "first:1")}){nodes{id}}}`,
  "repeated variables": (n) => `query(${each(n, () => "$v:Int")}){things(first:$v){nodes{id}}}`,
  "repeated members of an input": (n) => `{things(where:{${each(n, (i) => `id:{eq:${i}}`)}}){nodes{id}}}`,
  "repeated directives": (n) => `{things{nodes{id ${each(n / 2, () => "@include(if:true)")}}}}`,
  "unused variables": (n) => `query(${each(n, (i) => `$v${i}:Int`)}){things{nodes{id}}}`,
  "undefined variables": (n) => `{${each(n / 2, (i) => `a${i}:things(first:$v${i}){nodes{id}}`)}}`,
  "values of a list": (n) => `{things(where:{id:{in:[${each(n, String)}]}}){nodes{id}}}`,
  "wrong values": (n) => `{${each(n / 2, (i) => `a${i}:things(first:"x"){nodes{id}}`)}}`,
  "conditions beside one another": (n) =>
    `{things(where:{or:[${each(n, (i) => `{id:{eq:${i}}}`)}]}){nodes{id}}}`,
  "fields without a selection": (n) => `{${each(n, (i) => `a${i}:things`)}}`,
  "selections of a scalar": (n) => `{things{nodes{${each(n, (i) => `a${i}:id{x}`)}}}}`,
  "introspection again and again": (n) => `{${each(n / 2, (i) => `a${i}:__schema{types{name}}`)}}`,
  "a long text": (n) => `{things(where:{name:{eq:"${"x".repeat(20 * n)}"}}){nodes{id}}}`,
}

/** Milliseconds of processor time; the middle of three. */
function timeOf(text: string): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    checkDocument(things, text, { introspection: true, stranger: true })
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return times.toSorted((one, other) => one - other)[1] ?? 0
}

describe("a document takes time by its size", () => {
  for (const [name, make] of Object.entries(documents))
    it(`with ${name}`, () => {
      timeOf(make(100))
      // Four times the size: four times the time, or sixteen times where each part meets each other.
      const ratios: number[] = []
      const isLinear = (): boolean => {
        const [small, large] = [timeOf(make(200)), timeOf(make(800))]
        ratios.push(large / small)
        return large < 4 || large / small < 9
      }
      while (!isLinear()) assert.ok(ratios.length < 10, ratios.map((ratio) => ratio.toFixed(1)).join(" "))
    })
})
