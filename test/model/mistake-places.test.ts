// A compiler error stands at the very member whose mistake it is, and says in words what is wrong with it.
import assert from "node:assert/strict"
import { it } from "node:test"
import { compile } from "./compile.ts"

// Stands before each member that is wrong.
const mark = "/*!*/"

interface Told {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Errors, each with the lines below it. */
function toldIn(output: string): readonly Told[] {
  return output
    .trim()
    .split(/^(?=\S*service\.ts\()/m)
    .map((part) => {
      const [, line, column, message = ""] =
        /service\.ts\((\d+),(\d+)\): error TS\d+: (.*)$/s.exec(part) ?? []
      assert.ok(line !== undefined, part)
      return { line: Number(line), column: Number(column), message }
    })
}

const placesIn = (source: string): readonly string[] =>
  source
    .split("\n")
    .flatMap((text, index) => [
      ...text.matchAll(/\/\*!\*\//g).map(({ index: at }) => `${index + 1}:${at + mark.length + 1}`),
    ])

/** @param messages one for each mark, in their order */
async function assertTold(source: string, messages: readonly RegExp[]): Promise<void> {
  const { output } = await compile(source)
  const told = toldIn(output).toSorted((a, b) => a.line - b.line || a.column - b.column)
  assert.deepEqual(
    told.map(({ line, column }) => `${line}:${column}`),
    placesIn(source),
    output,
  )
  assert.equal(told.length, messages.length)
  for (const [index, message] of messages.entries()) assert.match(told[index]?.message ?? "", message)
}

const imports = `import { f, many, one, only, resource, role, scope, service, signedIn, viewer } from "bifold"`

it("names of a service are told at the member that has them", async () => {
  const source = `${imports}
const boss = role("bos")
export default service({
  name: "shop",
  roles: ["staff", "boss"],
  scopes: ["write"],
  enums: { size: { values: ["s", "m"] } },
  resources: {
    customer: resource({
      fields: {
        name: f.text(),
        /*!*/size: f.oneOf("sizes"),
        /*!*/sizes: f.list(f.oneOf("sizes")),
        /*!*/usual: f.oneOf("size", { default: "xl" }),
        /*!*/note: f.text({ read: role("stuff") }),
        /*!*/mail: f.text({ write: [signedIn, scope("wrote")] }),
      },
      relations: {
        orders: many("order", { by: "customer" }),
        /*!*/other: one("custmer"),
        /*!*/lines: many("line", { through: "customer_line" }),
      },
      allow: {
        /*!*/read: role("stuff"),
        create: [signedIn, /*!*/role("staf"), { id: { eq: viewer.id } }],
        update: { /*!*/role: "stuf", id: { eq: viewer.id } },
        delete: { and: [signedIn, { /*!*/not: scope("wrote") }, /*!*/boss] },
      },
    }),
    order: resource({
      fields: { total: f.integer() },
      relations: { customer: one("customer") },
      states: {
        initial: "cart",
        transitions: {
          place: { from: "cart", to: "placed", /*!*/allow: role("stuff") },
          pay: { from: "placed", to: "paid", allow: [role("staff"), /*!*/scope("pay")] },
        },
      },
      allow: { read: only(["total"], role("staff")), /*!*/create: only(["total"], role("stuff")) },
    }),
  },
})
`
  await assertTold(source, [
    /Mistake<"no enumeration is called \\"sizes\\"", "size">/,
    /Mistake<"no enumeration is called \\"sizes\\"", "size">/,
    /Mistake<"\\"xl\\" is no value of the enumeration \\"size\\"", "m" \| "s">/,
    /Mistake<"no role is called \\"stuff\\"", "boss" \| "staff">/,
    /Mistake<"no scope is called \\"wrote\\"", "write">/,
    /Mistake<"no resource is called \\"custmer\\"", "customer" \| "order">/,
    /Mistake<"no resource is called \\"line\\"", "customer" \| "order">/,
    /Mistake<"no role is called \\"stuff\\"", "boss" \| "staff">/,
    /Mistake<"no role is called \\"staf\\"", "boss" \| "staff">/,
    /Mistake<"no role is called \\"stuf\\"", "boss" \| "staff">/,
    /Mistake<"no scope is called \\"wrote\\"", "write">/,
    /Mistake<"no role is called \\"bos\\"", "boss" \| "staff">/,
    /Mistake<"no role is called \\"stuff\\"", "boss" \| "staff">/,
    /Mistake<"no scope is called \\"pay\\"", "write">/,
    /Mistake<"no role is called \\"stuff\\"", "boss" \| "staff">/,
  ])
})

it("names of the record's own members are told where they are misspelt", async () => {
  const source = `${imports}
export const order = resource({
  key: [/*!*/"ordr"],
  fields: {
    total: f.integer(),
    madeAt: f.timestamp(),
    /*!*/note: f.text({ read: { totl: { gt: 1 } } }),
  },
  relations: { customer: one("customer"), lines: many("line", { by: "order" }) },
  unique: [[/*!*/"totl", "madeAt"]],
  indexes: [["madeAt"], [/*!*/"lines"]],
  allow: {
    read: { /*!*/custmer: { id: { eq: viewer.id } } },
    create: [role("staff"), { total: { gt: 1 }, not: { /*!*/totl: { gt: 1 } } }],
    /*!*/update: only(["totl"], signedIn),
    /*!*/remove: signedIn,
  },
})
`
  await assertTold(source, [
    /^Type '"ordr"' is not assignable to type '"customer" \| "madeAt" \| "note" \| "total"'/,
    /Mistake<"no member is called \\"totl\\"", /,
    /^Type '"totl"' is not assignable to type '[^<]*'\. Did you mean '"total"'\?/,
    /^Type '"lines"' is not assignable to type '"customer" \| "madeAt" \| "note" \| "total"'/,
    /Mistake<"no member is called \\"custmer\\"", [^>]*"customer"[^>]*>/,
    /Mistake<"no member is called \\"totl\\"", [^>]*"total"[^>]*>/,
    /Mistake<"no field is called \\"totl\\"", "madeAt" \| "note" \| "total">/,
    /Mistake<"no action is called \\"remove\\"", "create" \| "delete" \| "read" \| "update">/,
  ])
})

it("a relation's `by`, and a resource written elsewhere, are told at the resource in words", async () => {
  const source = `${imports}
const apart = resource({ fields: {}, relations: { other: one("custmer") }, allow: { read: role("stuff") } })
export default service({
  name: "shop",
  roles: ["staff"],
  resources: {
    /*!*/customer: resource({ fields: {}, relations: { orders: many("order", { by: "custmer" }) } }),
    order: resource({ fields: {}, relations: { customer: one("customer") } }),
    /*!*/apart,
  },
})
`
  await assertTold(source, [
    /orders: no to-one relation \\"custmer\\" leads from \\"order\\" to \\"customer\\"/,
    /other: no resource is called \\"custmer\\"[\s\S]*read: no role is called \\"stuff\\"|read: no role is called \\"stuff\\"[\s\S]*other: no resource is called \\"custmer\\"/,
  ])
})

it("a wrong option's value is told at the option", async () => {
  const source = `${imports}
export const order = resource({
  fields: { total: f.integer({ /*!*/unique: "x" }), note: f.text({ /*!*/optinal: true }) },
  relations: {
    customer: one("customer", { /*!*/optional: "yes" }),
    giver: one("customer", { /*!*/colum: "x" }),
    lines: many("line", { by: "order", /*!*/owned: "yes" }),
  },
  /*!*/history: "yes",
  /*!*/versioned: true,
})
`
  await assertTold(source, [
    /^Type 'string' is not assignable to type 'boolean/,
    /Did you mean to write 'optional'/,
    /^Type 'string' is not assignable to type 'boolean/,
    /'colum' does not exist in type .*Did you mean to write 'column'/,
    /^Type 'string' is not assignable to type 'boolean/,
    /^Type '"yes"|^Type 'string' is not assignable to type 'boolean/,
    /^Type 'true|^Type 'boolean' is not assignable to type '"required"'/,
  ])
})
