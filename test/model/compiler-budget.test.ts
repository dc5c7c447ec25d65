// What a large service costs the compiler. Its time is that of the processors, which does not depend on who else uses
// them; instantiations are the same on every machine.
import assert from "node:assert/strict"
import { it } from "node:test"
import { type Compiled, compile } from "./compile.ts"

const fields = `
        name: f.text({ max: 200 }),
        email: f.email({ unique: true }),
        rank: f.integer({ optional: true }),
        number: f.int64(),
        price: f.decimal({ precision: 12, scale: 2 }),
        madeAt: f.timestamp({ default: "now" }),
        active: f.boolean({ default: false }),
        state: f.oneOf(["draft", "live", "gone"], { default: "draft" }),
        size: f.oneOf("size", { default: "s" }),
        words: f.list(f.text({ max: 10 }), { optional: true }),
        secret: f.text({ optional: true, read: role("staff"), write: [role("staff"), scope("write")] }),`

const states = `
      states: {
        life: {
          initial: "new",
          final: "old",
          transitions: {
            use: { from: "new", to: "used", when: { active: { eq: true } }, set: { madeAt: "now", otherId: viewer.id } },
            drop: { from: ["new", "used"], to: "old", input: { why: f.text() }, set: { name: given("why") }, allow: own },
          },
        },
      },`

/** Eleven fields, five relations and nine rules each, a machine in every third, and the record type of each put to use. */
function largeService(count: number): string {
  const near = (index: number, steps: number): string => `thing${(index + steps + count) % count}`
  const numbers = Array.from({ length: count }, (_, index) => index)
  const resources = numbers.map(
    (index) => `
    thing${index}: resource({
      fields: {${fields}
      },
      relations: {
        next: one("${near(index, 1)}"),
        other: one("${near(index, 7)}", { optional: true }),
        previous: many("${near(index, -1)}", { by: "next" }),
        others: many("${near(index, -7)}", { by: "other" }),
        tags: many("${near(index, 31)}", { through: "thing_${index}_tag" }),
      },
      unique: [["next", "number"]],
      indexes: [["name"], ["other", "madeAt"]],
      allow: {
        read: [role("staff"), own, { and: [signedIn, { active: { eq: true }, next: { rank: { gt: ${index} } } }] }],
        create: [role("staff"), scope("write")],
        update: [role("staff"), { nextId: { eq: viewer.id }, not: { state: { eq: "gone" } } }, only(["name", "rank"], signedIn)],
        delete: { role: "admin", active: { eq: false } },
      },${index % 3 === 0 ? states : ""}
    }),`,
  )
  const uses = numbers.map(
    (index) =>
      `export const use${index} = (it: RecordOf<typeof large, "thing${index}">): string => it.nextId + it.state`,
  )
  return `import { f, given, many, one, only, type RecordOf, resource, role, scope, service, signedIn, viewer } from "bifold"

const own = { next: { id: { eq: viewer.id } } }
const large = service({
  name: "large",
  enums: { size: { values: ["s", "m", "l"] } },
  roles: ["staff", "admin"],
  scopes: ["write"],
  viewer: "thing1",
  resources: {${resources.join("")}
  },
})
${uses.join("\n")}
`
}

const figure = ({ output }: Compiled, name: string): number => {
  const found = new RegExp(`^${name}:\\s+([\\d.]+)`, "m").exec(output)
  assert.ok(found, `the compiler tells its ${name}`)
  return Number(found[1])
}

const nothing = 'import { f } from "bifold"\nexport const name = f.text()\n'

// Instantiations stand for the time, which says nothing on a machine that others share. Those of Bifold's own sources are not a
// service's: the package has declarations in their place.
it("a service of 300 resources compiles within 1,200,000 instantiations and 1 GiB", async () => {
  const imported = await compile(nothing, "--extendedDiagnostics")
  assert.equal(imported.code, 0, imported.output.slice(0, 2000))
  const compiled = await compile(largeService(300), "--extendedDiagnostics")
  assert.equal(compiled.code, 0, compiled.output.slice(0, 2000))
  const own = figure(compiled, "Instantiations") - figure(imported, "Instantiations")
  assert.ok(own > 100_000, "the service was checked")
  assert.ok(own < 1_200_000, `${own} instantiations`)
  assert.ok(figure(compiled, "Memory used") < 2 ** 20, "in KiB")
})

it("mistakes in a large service are found: in a relation, in a rule and in a machine", async () => {
  const source = largeService(300)
    .replace('previous: many("thing41"', 'previous: many("thing4l"')
    .replace('role("staff"), own', 'role("stuff"), own')
    .replace('from: "new"', 'from: "mew"')
  const { code, output } = await compile(source)
  assert.notEqual(code, 0)
  assert.match(output, /no resource is called \\"thing4l\\"/)
  assert.match(output, /no role is called \\"stuff\\"/)
  assert.match(output, /no transition leads to the state \\"mew\\"/)
})
