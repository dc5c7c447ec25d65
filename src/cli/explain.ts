// `bifold explain`: what a request asks, and the statement that answers it on each database.
import { randomBytes } from "node:crypto"
import { text } from "node:stream/consumers"
import { Command, Option } from "commander"
import { format } from "sql-formatter"
import { refusal } from "../base/problem.ts"
import { planDocument } from "../faces/graphql/plan.ts"
import { planRequest } from "../faces/rest/plan.ts"
import type { Statistics } from "../plan/access.ts"
import { printCost } from "../plan/cost.ts"
import { createCursors } from "../plan/cursor.ts"
import type { PlanContext } from "../plan/draft.ts"
import { printPlan } from "../plan/print.ts"
import type { ReadPlan } from "../plan/types.ts"
import { compile } from "../sql/compile.ts"
import type { Dialect } from "../sql/dialect.ts"
import { postgres } from "../sql/postgres.ts"
import { sqlite } from "../sql/sqlite.ts"
import type { Parameter } from "../sql/statement.ts"
import { openStorage } from "../storage/open.ts"
import { basePath, secretText } from "./options.ts"
import { findSource, openSource, type Source } from "./source.ts"
import type { Terminal } from "./terminal.ts"

interface Options {
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operation?: string
  readonly dialect?: "sqlite" | "postgres"
  readonly base: string
  readonly secret?: string
  readonly json?: true
}

interface Explained {
  readonly name: Dialect["name"]
  readonly sql: string
  /** In the order of the placeholders. */
  readonly values: readonly Parameter[]
}

export function explainCommand(terminal: Terminal): Command {
  return new Command("explain")
    .summary("show the plan and the SQL of a request")
    .description(
      "Shows what a request asks (its plan) and the one SQL statement that answers it, without running it.",
    )
    .argument("<request>", "a GraphQL document, or GET and a path; - reads it from the standard input")
    .argument("[source]", "a service file, or the address of a database; service.ts when absent")
    .addOption(new Option("--variables <json>", "variables of a GraphQL document").argParser(variablesObject))
    .addOption(new Option("--operation <name>", "the operation of a GraphQL document that has several"))
    .addOption(new Option("--dialect <name>", "only this database's SQL").choices(["sqlite", "postgres"]))
    .addOption(new Option("--base <path>", "path before the REST endpoints").default("").argParser(basePath))
    .addOption(
      new Option("--secret <text>", "of the server that gave the cursors in the request")
        .env("BIFOLD_SECRET")
        .argParser(secretText),
    )
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ bifold explain 'GET /orders?limit=2&include=customer' service.ts
  $ bifold explain '{ orders(first: 2) { nodes { number customer { name } } } }' service.ts
  $ bifold explain 'query($n: String!) { orderByNumber(number: $n) { total } }' --variables '{"n": "A-1"}' service.ts
  $ bifold explain - service.ts --dialect postgres < query.graphql`,
    )
    .action((request: string, source: string | undefined, options: Options) =>
      explain(terminal, { request, source, options }),
    )
}

async function explain(
  terminal: Terminal,
  given: { readonly request: string; readonly source: string | undefined; readonly options: Options },
): Promise<void> {
  const { options } = given
  const request = (given.request === "-" ? await text(process.stdin) : given.request).trim()
  const source = findSource(given.source)
  const { model } = await openSource(source)
  const cursors = createCursors(options.secret ?? randomBytes(32).toString("hex"))
  const plan = planOf({ model, cursors }, request, options)
  const dialects = [sqlite, postgres].filter(
    ({ name }) => options.dialect === undefined || options.dialect === name,
  )
  const explained = dialects.map((dialect) => statementOf(plan, dialect))
  const cost = printCost(plan, await statisticsOf(source))
  if (options.json) terminal.print(asJson({ plan, cost }, explained))
  else terminal.print(asText(terminal, { plan, cost }, explained))
}

/** What a database says of its tables; a service file by itself says nothing of them. */
async function statisticsOf(source: Source): Promise<Statistics> {
  if (source.kind === "file") return new Map()
  const storage = await openStorage(source.url)
  await storage.close()
  return storage.statistics
}

function planOf(context: PlanContext, request: string, options: Options): ReadPlan {
  const rest = /^(?:([A-Za-z]+)\s+)?(\/\S*)$/.exec(request)
  if (!rest) {
    const { variables, operation: operationName } = options
    return planDocument(context, { query: request, variables, operationName })
  }
  const method = (rest[1] ?? "GET").toUpperCase()
  if (options.variables !== undefined || options.operation !== undefined)
    throw refusal("invalid_command", "--variables and --operation belong to a GraphQL document.", {
      hint: "Leave them out.",
    })
  if (method !== "GET" && method !== "HEAD")
    throw refusal("invalid_command", `${method} cannot be explained, only what reads with GET.`, {
      hint: "What POST …/query asks by its body can be asked by GET with parameters too.",
    })
  const target = rest[2] ?? "/"
  const [path = "/", ...query] = target.split("?")
  if (!path.startsWith(`${options.base}/`))
    throw refusal("invalid_command", `${path} is not below ${options.base}.`, {
      hint: "Correct the path, or --base.",
    })
  return planRequest(context, {
    method,
    path: path.slice(options.base.length),
    query: query.join("?"),
    body: new Uint8Array(),
  })
}

function statementOf(plan: ReadPlan, dialect: Dialect): Explained {
  const statement = compile(plan, dialect)
  return {
    name: dialect.name,
    sql: statement.text,
    values: statement.binds.map(({ slot, encode }) => encode(plan.values[slot] ?? null)),
  }
}

const shownAs = {
  sqlite: { title: "SQLite", language: "sqlite" },
  postgres: { title: "PostgreSQL", language: "postgresql" },
} as const

interface Told {
  readonly plan: ReadPlan
  readonly cost: string
}

function asText({ out }: Terminal, { plan, cost }: Told, explained: readonly Explained[]): string {
  const parts = [`${out.bold("Plan")}\n${printPlan(plan).trimEnd()}`, `${out.bold("Cost")}\n${cost}`]
  for (const { name, sql, values } of explained) {
    const bound = values.map((value, index) => `  ${index + 1} = ${shown(value)}`)
    const list = bound.length === 0 ? "" : `\n${out.dim("bound:")}\n${bound.join("\n")}`
    const { title, language } = shownAs[name]
    parts.push(`${out.bold(title)}\n${format(sql, { language, expressionWidth: 100 })}${list}`)
  }
  return parts.join("\n\n")
}

function asJson({ plan, cost }: Told, explained: readonly Explained[]): string {
  const statements = Object.fromEntries(
    explained.map(({ name, sql, values }) => [name, { sql, values: values.map(portable) }]),
  )
  return JSON.stringify({ plan: printPlan(plan), cost, statements }, null, 2)
}

const shown = (value: Parameter): string =>
  typeof value === "bigint"
    ? `${value}`
    : value instanceof Uint8Array
      ? `0x${Buffer.from(value).toString("hex")}`
      : JSON.stringify(value)

const portable = (value: Parameter): unknown =>
  typeof value === "bigint"
    ? String(value)
    : value instanceof Uint8Array
      ? Buffer.from(value).toString("base64")
      : value

function variablesObject(given: string): Readonly<Record<string, unknown>> {
  const parsed = parseJson(given)
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw refusal("invalid_command", "--variables is not a JSON object.", {
      hint: `Write it as '{"number": "A-1"}'.`,
    })
  return { ...parsed }
}

function parseJson(given: string): unknown {
  try {
    return JSON.parse(given)
  } catch {
    return undefined
  }
}
