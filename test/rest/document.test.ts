// Runs the examples of docs/rest.md: each `http` block against the storefront, its answer against the `json` block
// behind it. BIFOLD_UPDATE=1 writes the answers into the document.
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { test } from "node:test"
import { restFace } from "../../src/faces/rest/face.ts"
import { openExample } from "../support/open-service.ts"
import { readHttp } from "../support/spelling.ts"

const file = new URL("../../docs/rest.md", import.meta.url)
const example = /```http\n(?<request>.*?)```\n\n```json\n(?<answer>.*?)```/gs

interface Example {
  readonly request: string
  readonly answer: string
}

/** The request lines, then headers, then, after an empty line, the body. */
function readExample(text: string): {
  request: ReturnType<typeof readHttp>
  headers: [string, string][]
  body: string
} {
  const [head = "", ...rest] = text.split("\n\n")
  const lines = head.trimEnd().split("\n")
  const isHeader = (line: string): boolean => /^[A-Z][\w-]+: /.test(line)
  const headers = lines.filter(isHeader).map((line): [string, string] => {
    const [name = "", value = ""] = line.split(": ")
    return [name.toLowerCase(), value]
  })
  return {
    request: readHttp(lines.filter((line) => !isHeader(line)).join("\n")),
    headers,
    body: rest.join("\n\n"),
  }
}

/** Cursors and request ids differ from one time to the next. */
function settled(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (name, value) => (isPassing(name, value) ? "…" : value)))
}

const isPassing = (name: string, value: unknown): boolean =>
  typeof value === "string" && ["next", "prev", "requestId"].includes(name)

test("the examples of docs/rest.md are answered as it says", async (context) => {
  const { context: planning, engine } = await openExample(context, "storefront", "sqlite")
  const face = restFace({ ...planning, answer: engine.answer })
  let document = readFileSync(file, "utf8")
  const examples = [...document.matchAll(example)].map(({ groups }) => groups as unknown as Example)
  assert.equal(examples.length, 5)
  assert.equal(document.match(/```http/g)?.length, examples.length)
  for (const { request, answer } of examples) {
    const { headers, body, request: line } = readExample(request)
    const response = await face({
      ...line,
      headers: Object.fromEntries(headers),
      body: Buffer.from(body),
      requestId: "test",
    })
    const given = settled(JSON.parse(response.body))
    if (process.env["BIFOLD_UPDATE"] === "1")
      document = document.replace(
        `${request}\`\`\`\n\n\`\`\`json\n${answer}`,
        () => `${request}\`\`\`\n\n\`\`\`json\n${JSON.stringify(given, null, 2)}\n`,
      )
    else assert.deepEqual(given, JSON.parse(answer), request)
  }
  if (process.env["BIFOLD_UPDATE"] === "1") writeFileSync(file, document)
})
