// The pictures of a service: as they were agreed on, and, whatever is declared, with nothing over anything else.
import assert from "node:assert/strict"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import fc from "fast-check"
import storefront from "../../examples/storefront/service.ts"
import { anyone, f, many, one, resource, role, service } from "../../src/index.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Machine, Model, Resource } from "../../src/model/model.ts"
import { modelMermaid, statesMermaid } from "../../src/tools/diagram/mermaid.ts"
import { modelSvg } from "../../src/tools/diagram/model-svg.ts"
import { statesSvg } from "../../src/tools/diagram/states-svg.ts"
import { desk } from "../services/desk.ts"
import { isApart, runsThrough, type Shapes, shapesOf } from "./shapes.ts"

const update = process.env["BIFOLD_UPDATE"] === "1"

/** Compares with the golden file, or writes it when asked to. */
function golden(file: string, text: string): void {
  const path = join(import.meta.dirname, file)
  if (update) writeFileSync(path, text)
  assert.equal(text, existsSync(path) ? readFileSync(path, "utf8") : undefined, file)
}

function resourceOf(model: Model, name: string): Resource {
  const found = model.resources.get(name)
  assert.ok(found, name)
  return found
}

const machinesOf = ({ machines }: Resource): readonly Machine[] => [...machines.values()]

/** No box lies over another, all are on the picture, and no line runs through one. */
function assertClear({ rectangles, lines }: Shapes, boxes: readonly string[]): void {
  const [ground] = rectangles
  assert.ok(ground)
  const solid = rectangles.filter(({ className }) => boxes.includes(className))
  for (const [index, box] of solid.entries()) {
    assert.ok(box.left >= 0 && box.top >= 0 && box.right <= ground.right && box.bottom <= ground.bottom)
    for (const other of solid.slice(index + 1))
      assert.ok(isApart(box, other), `${JSON.stringify(box)} lies over ${JSON.stringify(other)}`)
    for (const segment of lines.flat())
      assert.ok(!runsThrough(segment, box), `${JSON.stringify(segment)} runs through ${JSON.stringify(box)}`)
  }
}

const model = load(desk)
const ticket = resourceOf(model, "ticket")

describe("pictures of the desk", () => {
  test("its states are drawn as they were", async () => {
    const svg = await statesSvg(model, ticket, machinesOf(ticket))
    golden("ticket.golden.svg", svg)
    assert.equal(await statesSvg(load(desk), ticket, machinesOf(ticket)), svg, "drawn again")
    const { rectangles, lines } = shapesOf(svg)
    assert.equal(rectangles.filter(({ className }) => className === "state").length, 7)
    assert.equal(rectangles.filter(({ className }) => className === "end").length, 2)
    assert.equal(rectangles.filter(({ className }) => className === "card").length, 6)
    // One to where each machine begins, one from each state a transition starts from, one to where it leads.
    assert.equal(lines.length, 2 + 9 + 6)
    assertClear(shapesOf(svg), ["state", "card"])
  })

  test("one of its machines is drawn without a heading", async () => {
    const svg = await statesSvg(model, ticket, machinesOf(ticket).slice(1))
    assert.match(svg, /<title id="title">The states of ticket\.billing<\/title>/)
    assert.doesNotMatch(svg, /<text class="heading"|>open</)
  })

  test("the documentation shows one of its machines as it is", async () => {
    golden("../../docs/pictures/ticket.svg", await statesSvg(model, ticket, machinesOf(ticket).slice(0, 1)))
  })

  test("the README shows the storefront as it is", async () => {
    const shop = load(storefront)
    const order = resourceOf(shop, "order")
    golden("../../docs/pictures/order.svg", await statesSvg(shop, order, machinesOf(order)))
    golden("../../docs/pictures/model.svg", await modelSvg(shop))
  })

  test("its model is drawn as it was", async () => {
    const svg = await modelSvg(model)
    golden("desk.golden.svg", svg)
    assertClear(shapesOf(svg), ["table"])
  })

  test("its Mermaid texts are what they were", () => {
    golden("ticket.golden.mmd", statesMermaid(model, ticket, machinesOf(ticket)))
    golden("billing.golden.mmd", statesMermaid(model, ticket, machinesOf(ticket).slice(1)))
    golden("desk.golden.mmd", modelMermaid(model))
  })
})

const awkward = service({
  name: "awkward",
  title: 'A "title" & <more>',
  roles: ["a"],
  resources: {
    thing: resource({
      description: "Is <b>bold</b> & \u0001 odd.",
      fields: { name: f.text({ unique: true }), price: f.decimal({ precision: 8, scale: 2 }) },
      relations: {
        partner: one("thing", { optional: true }),
        buddies: many("thing", {
          through: { table: "buddy", near: { thing_id: "id" }, far: { buddy_id: "id" } },
        }),
        memo: one("memo", { optional: true }),
      },
      states: {
        initial: "draft",
        final: ["end", "state"],
        transitions: {
          publish: {
            from: "draft",
            to: "published",
            when: { or: [{ name: { contains: '"<b>&; %%{init}%%' } }, { price: { gt: "10" } }] },
            allow: role("a"),
          },
          again: { from: "published", to: "published" },
          touch: { from: ["published", "draft"], to: "draft", allow: anyone, input: { why: f.text() } },
          quit: { from: "any", to: "end", allow: role("a") },
          stop: { from: "any", to: "state", allow: role("a") },
        },
      },
      allow: { read: anyone, create: role("a"), update: role("a") },
    }),
    memo: resource({ fields: { text: f.text() }, allow: { read: anyone } }),
    lonely: resource({ fields: {}, allow: { read: anyone } }),
  },
})

describe("pictures of what is awkward", () => {
  const odd = load(awkward)
  const thing = resourceOf(odd, "thing")

  test("texts cannot become markup", async () => {
    const svg = (await modelSvg(odd)) + (await statesSvg(odd, thing, machinesOf(thing)))
    assert.match(svg, /A &quot;title&quot; &amp; &lt;more&gt;/)
    assert.match(svg, /<title>Is &lt;b&gt;bold&lt;\/b&gt; &amp; \u{fffd} odd\.<\/title>/u)
    assert.ok(!svg.includes("<b>") && !svg.includes("\u0001"))
  })

  test("names and texts cannot become something else in Mermaid", () => {
    const text = statesMermaid(odd, thing, machinesOf(thing))
    assert.match(text, /^ {2}state "end" as state3\n {2}state "state" as state4$/m)
    assert.match(text, /name contains "\\"＜b>&； ％%\{init\}％%"/)
    assert.match(text, /^ {2}published --> published : again<br\/>by actors that may update$/m)
    assert.match(modelMermaid(odd), /accTitle: The model of A "title" & ＜more>/)
  })

  test("relations to oneself and on one side only are drawn apart", async () => {
    const svg = await modelSvg(odd)
    assertClear(shapesOf(svg), ["table"])
    const ends = shapesOf(svg).lines.flatMap((line) => [
      line.at(0)?.from.join(" "),
      line.at(-1)?.to.join(" "),
    ])
    assert.equal(ends.length, 6)
    assert.equal(new Set(ends).size, ends.length)
  })
})

/** Machines of any form: something leads to each state, and what nothing leads out of is final. */
const machine = fc
  .record({
    parents: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
    others: fc.array(
      fc.record({ from: fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 4 }), to: fc.nat(6) }),
      { maxLength: 6 },
    ),
    words: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ parents, others, words }) => {
    const nameOf = (index: number): string => "s".repeat((index % (parents.length + 1)) + 1)
    const transitions = [
      ...parents.map((parent, index) => ({ from: [nameOf(parent % (index + 1))], to: nameOf(index + 1) })),
      ...others.map(({ from, to }) => ({ from: [...new Set(from.map(nameOf))], to: nameOf(to) })),
    ]
    const left = new Set(transitions.flatMap(({ from }) => from))
    const when = {
      or: Array.from({ length: words }, (_, index) => ({ name: { contains: `rather long ${index}` } })),
    }
    return service({
      name: "any",
      resources: {
        it: resource({
          fields: { name: f.text() },
          states: {
            initial: nameOf(0),
            final: transitions.map(({ to }) => to).filter((to) => !left.has(to)),
            transitions: Object.fromEntries(
              transitions.map(({ from, to }, index) => [`go${index}`, { from, to, when }]),
            ),
          },
          allow: { read: anyone, update: anyone },
        }),
      },
    })
  })

/** Models of any form: each resource has to-one relations to others or itself, with the way back or without. */
const network = fc
  .array(fc.array(fc.tuple(fc.nat(6), fc.boolean(), fc.boolean()), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 7,
  })
  .map((given): ServiceDeclaration => {
    const target = (index: number): string => `r${index % given.length}`
    const resources = given.map((ones, index) => {
      const here = ones.map(([to, optional], at) => [`to${at}`, one(target(to), { optional })] as const)
      const back = given.flatMap((others, from) =>
        others.flatMap(([to, , both], at) =>
          both && target(to) === `r${index}`
            ? [[`back${from}x${at}`, many(`r${from}`, { by: `to${at}` })] as const]
            : [],
        ),
      )
      const relations = Object.fromEntries([...here, ...back])
      return [`r${index}`, resource({ fields: { name: f.text() }, relations })] as const
    })
    return { name: "any", resources: Object.fromEntries(resources) } as ServiceDeclaration
  })

describe("pictures of anything", () => {
  test("no line runs through the words of a transition", async () => {
    await fc.assert(
      fc.asyncProperty(machine, async (declared) => {
        const any = load(declared)
        const it = resourceOf(any, "it")
        assertClear(shapesOf(await statesSvg(any, it, machinesOf(it))), ["state", "card"])
      }),
      { numRuns: 12 },
    )
  })

  test("no line runs through a table", async () => {
    await fc.assert(
      fc.asyncProperty(network, async (declared) => {
        const shapes = shapesOf(await modelSvg(load(declared)))
        assertClear(shapes, ["table"])
        for (const line of shapes.lines) {
          const reach = line.flatMap(({ from, to }) => [from[0], to[0]])
          const [start = 0, end = 0] = [reach.at(0), reach.at(-1)]
          if (start !== end)
            assert.ok(
              reach.every((x) => x >= Math.min(start, end) && x <= Math.max(start, end)),
              "no way around",
            )
        }
      }),
      { numRuns: 12 },
    )
  })
})
