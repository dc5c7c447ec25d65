// The examples of the documentation: a question in a `graphql` or `http` block, and what it answers in the `json` block
// behind it. A question asked by both faces stands in two blocks; the answer is REST's, and GraphQL's must be the same.
import assert from "node:assert/strict"
import type { OpenService } from "./open-service.ts"
import { readMessage } from "./spelling.ts"

export interface Block {
  /** What stands behind the opening fence: `json variables`. */
  readonly info: string
  readonly text: string
  /** Where the text begins in the document. */
  readonly start: number
  /** The line of the opening fence, from 1. */
  readonly line: number
  readonly service: ServiceName
}

type ServiceName = "storefront" | "desk"

export interface Example {
  readonly line: number
  readonly service: ServiceName
  readonly graphql?: { readonly query: string; readonly variables?: string }
  readonly http?: string
  readonly answer: Block
}

/** Fenced blocks. A line `<!-- service: desk -->` before one asks that service in place of the storefront. */
export function blocksOf(document: string): readonly Block[] {
  const fence = /^(?:<!-- service: (?<named>desk) -->\n+)?```(?<info>.*)\n(?<text>[\s\S]*?)^```$/gm
  return [...document.matchAll(fence)].map(({ 0: whole, index, groups: { named, info, text } = {} }) => {
    assert.ok(info !== undefined && text !== undefined)
    const start = index + whole.length - text.length - 3
    const line = document.slice(0, start).split("\n").length - 1
    return {
      info,
      text,
      start,
      line,
      service: named === "desk" ? named : "storefront",
    }
  })
}

/** Throws when a question has no answer, or variables have no question. */
export function examplesOf(document: string): readonly Example[] {
  const examples: Example[] = []
  let open: Partial<Omit<Example, "answer">> & { line?: number } = {}
  for (const block of blocksOf(document)) {
    const { info, text, line, service } = block
    const pending = open.graphql ?? open.http
    const first = pending === undefined ? { line, service } : open
    if (info === "graphql" && !open.graphql) open = { ...open, ...first, graphql: { query: text } }
    else if (info === "http" && !open.http) open = { ...open, ...first, http: text }
    else if (info === "json variables" && open.graphql && !open.http)
      open = { ...open, graphql: { ...open.graphql, variables: text } }
    else if (pending === undefined) assert.notEqual(info, "json variables", `line ${line}: no question`)
    else {
      assert.equal(info, "json", `line ${open.line}: the question has no answer`)
      examples.push({ line, service, ...open, answer: block })
      open = {}
    }
  }
  assert.deepEqual(open, {}, `line ${open.line}: the question has no answer`)
  return examples
}

/** What answers questions: a service in this process, or `npm start` by curl. */
export interface Asker {
  graphql(query: string, variables: string | undefined): Promise<unknown>
  /** @param text a message as `http` blocks have them */
  rest(text: string): Promise<unknown>
}

/** Asks by each face that the example has, and compares what both say; REST's answer, or GraphQL's when only that was asked. */
export async function answerOf(
  { graphql, http }: Omit<Example, "answer">,
  ask: Asker,
  cursor: string,
): Promise<unknown> {
  const placed = (text: string): string => text.replaceAll("…", cursor)
  const variables = graphql?.variables
  const byGraphql =
    graphql &&
    (await ask.graphql(placed(graphql.query), variables === undefined ? variables : placed(variables)))
  const byRest = http === undefined ? undefined : await ask.rest(placed(http))
  if (byGraphql !== undefined && byRest !== undefined)
    assert.deepEqual(commonOf(rootOf(byGraphql)), commonOf(byRest), "both faces answer the same")
  return byRest ?? byGraphql
}

/**
 * Asks the examples in their order. Gives what was answered, as the document should have it: a cursor or a request's id
 * is `…`, and `…` in a question is the last cursor that was answered before.
 */
async function answersOf(
  examples: readonly Example[],
  open: (service: ServiceName) => Promise<OpenService>,
): Promise<readonly unknown[]> {
  let cursor = "…"
  const answers: unknown[] = []
  for (const example of examples) {
    const answer = await answerOf(example, askerOf(await open(example.service)), cursor)
    cursor = lastCursor(answer) ?? cursor
    answers.push(settled(answer))
  }
  return answers
}

const askerOf = (service: OpenService): Asker => ({
  graphql: (query, variables) => askGraphql(service, query, variables),
  rest: (text) => askRest(service, text),
})

/** What is wrong in the document: the examples' answers that are not given. */
export async function findWrongAnswers(
  document: string,
  open: (service: ServiceName) => Promise<OpenService>,
): Promise<readonly { readonly example: Example; readonly given: unknown }[]> {
  const examples = examplesOf(document)
  const answers = await answersOf(examples, open)
  return examples
    .map((example, index) => ({ example, given: answers[index] }))
    .filter(({ example, given }) => {
      try {
        assert.deepEqual(given, JSON.parse(example.answer.text))
        return false
      } catch {
        return true
      }
    })
}

export function withAnswers(
  document: string,
  given: readonly { readonly example: Pick<Example, "answer">; readonly given: unknown }[],
): string {
  let text = document
  for (const { example, given: answer } of given.toReversed()) {
    const { start, text: old } = example.answer
    text = `${text.slice(0, start)}${layOut(answer)}\n${text.slice(start + old.length)}`
  }
  return text
}

/** `$ command` in a `console` block, and what it prints: `…` on a line by itself stands for any lines. */
export function consoleExamplesOf(
  document: string,
): readonly { readonly command: string; readonly printed: RegExp }[] {
  return blocksOf(document)
    .filter(({ info }) => info === "console")
    .flatMap(({ text }) => {
      assert.ok(text.startsWith("$ "), text)
      return text.split(/^(?=\$ )/m)
    })
    .map((text) => {
      const [first = "", ...lines] = text.split("\n")
      const parts = lines.join("\n").split("…\n")
      const escaped = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
      return { command: first.slice(2), printed: new RegExp(`^${escaped.join("[\\s\\S]*")}$`) }
    })
}

async function askGraphql(
  service: OpenService,
  query: string,
  variables: string | undefined,
): Promise<unknown> {
  const given = variables === undefined ? {} : { variables: JSON.parse(variables) }
  const { body } = await service.graphql({ body: { query, ...given } })
  return JSON.parse(body)
}

async function askRest(service: OpenService, text: string): Promise<unknown> {
  const { body } = await service.rest(readMessage(text))
  return body === "" ? null : JSON.parse(body)
}

/** The value of the only root. */
function rootOf(answer: unknown): unknown {
  const { data, errors } = answer as { data: Record<string, unknown> | null; errors?: unknown }
  assert.equal(errors, undefined, JSON.stringify(errors))
  const roots = Object.values(data ?? {})
  assert.equal(roots.length, 1, "one root is compared with REST's answer")
  return roots[0]
}

/** What both faces say of a record or list, without their envelopes and cursors; a missing record is null. */
function commonOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(commonOf)
  if (typeof value !== "object" || value === null) return value
  const { pageInfo, page, nodes, data = nodes, totalCount, ...others } = value as Record<string, unknown>
  if (others["code"] === "not_found") return null
  const total = totalCount ?? (page as { total?: number } | undefined)?.total
  const rest = Object.entries(others).map(([name, member]) => [name, commonOf(member)])
  const members = Object.fromEntries(total === undefined ? rest : [["total", total], ...rest])
  if (data === undefined) return members
  return Object.keys(members).length === 0 ? commonOf(data) : { rows: commonOf(data), ...members }
}

const cursors = new Set(["cursor", "startCursor", "endCursor", "next", "prev"])

function settled(answer: unknown): unknown {
  const text = JSON.stringify(answer, (name, value) =>
    typeof value === "string" && (cursors.has(name) || name === "requestId") ? "…" : value,
  )
  return JSON.parse(text)
}

export function lastCursor(answer: unknown): string | undefined {
  let last: string | undefined
  JSON.stringify(answer, (name, value) => {
    if (typeof value === "string" && ["cursor", "endCursor", "next"].includes(name)) last = value
    return value
  })
  return last
}

const width = 100

/** JSON as people lay it out: on one line what fits there. `lead` is what already stands on the line. */
export function layOut(value: unknown, indent = "", lead = 0): string {
  const flat = onOneLine(value)
  if (lead + flat.length <= width || typeof value !== "object" || value === null) return flat
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const lines = Object.entries(value).map(([name, member]) => {
    const key = isList ? "" : `${JSON.stringify(name)}: `
    return `${inner}${key}${layOut(member, inner, inner.length + key.length + 1)}`
  })
  const [opening, closing] = isList ? ["[", "]"] : ["{", "}"]
  return `${opening}\n${lines.join(",\n")}\n${indent}${closing}`
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`,
  )
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`
}
