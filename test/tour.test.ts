// docs/start/tour.md is true for its reader: each question is asked by curl, in order, of what `npm start` serves.
// BIFOLD_UPDATE=1 writes the answers into it; what differs from run to run must be written as `…` by hand.
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { cleanUp } from "./support/database.ts"
import { blocksOf, withAnswers } from "./support/documents.ts"
import { asPrinted, curlOf, type Shell, startTour, stopsOf, walk } from "./support/tour.ts"

const file = join(import.meta.dirname, "../docs/start/tour.md")
const tour = readFileSync(file, "utf8")
const page = (...blocks: readonly string[]): string => `# Page\n\n${blocks.join("\n\n")}\n`
const block = (info: string, text: string): string => `\`\`\`${info}\n${text}\n\`\`\``

describe("the tour", () => {
  const hooks = cleanUp(after)
  let started: Promise<Shell> | undefined
  const shell = (): Promise<Shell> => {
    const [first] = blocksOf(tour).filter(({ info }) => info === "sh")
    started ??= startTour(hooks, first?.text.trim() ?? "")
    return started
  }

  test("has stops of every kind", () => {
    const stops = stopsOf(tour)
    assert.ok(stops.length >= 20, `${stops.length} stops`)
    assert.ok(stops.filter(({ commands }) => commands).length >= 5)
    assert.ok(stops.filter(({ example }) => example?.graphql && example.http).length >= 3)
  })

  test("is answered as printed by what npm start serves", async () => {
    const wrong = (await walk(tour, await shell())).flatMap(([{ line, answer }, answered]) => {
      if (!answer) return []
      const printed: unknown = JSON.parse(answer.text)
      const given = asPrinted(answered, printed)
      try {
        assert.deepEqual(given, printed, `docs/start/tour.md:${line}`)
        return []
      } catch (error) {
        return [{ example: { answer }, given, error }]
      }
    })
    if (process.env["BIFOLD_UPDATE"] === "1") writeFileSync(file, withAnswers(tour, wrong))
    else for (const { error } of wrong) throw error
  })

  test("finds what a reader would be refused", async () => {
    const refused = page(block("sh", "curl -g 'localhost:4000/orders?filter[numbr]=A-1'"))
    await assert.rejects(walk(refused, await shell()), /line 3: .*unknown_field/)
    const failed = page(
      block(
        "sh",
        `curl localhost:4000/graphql -H 'Content-Type: application/graphql' -d '{ order(id: 1) { none } }'`,
      ),
    )
    await assert.rejects(walk(failed, await shell()), /line 3/)
  })

  test("finds faces that answer differently", async () => {
    const both = page(
      block("graphql", '{ orderByNumber(number: "A-1") { number } }'),
      block("http", "GET /orders/number=A-1\n  ?fields=status"),
      block("json", "{}"),
    )
    await assert.rejects(walk(both, await shell()), /both faces answer the same/)
  })
})

describe("a message of the tour", () => {
  test("is one command of curl", () => {
    const message = 'POST /tags\n  ?fields=id\n  &x[y]=z\nIdempotency-Key: 1\n\n{ "name": "spring" }\n'
    assert.equal(
      curlOf(message),
      `curl -g -X POST 'localhost:4000/tags?fields=id&x[y]=z' -H 'Idempotency-Key: 1' -H 'Content-Type: application/json' -d '{ "name": "spring" }'`,
    )
    assert.throws(() => curlOf("GET /tags?filter[name]='x'\n"), /apostrophe/)
  })
})

test("only what is written as … may be anything", () => {
  const printed = { id: "ord_…", number: "A-1", lines: [{ id: "line_…~1" }] }
  const given = { id: "ord_01", number: "A-2", lines: [{ id: "line_01~2" }], note: "…" }
  assert.deepEqual(asPrinted(given, printed), {
    id: "ord_…",
    number: "A-2",
    lines: [{ id: "line_01~2" }],
    note: "…",
  })
  assert.equal(asPrinted("", "…"), "")
})
