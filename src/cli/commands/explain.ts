// `bifold explain`: what a request asks, and the statement that answers it on each database.
import { randomBytes } from "node:crypto"
import { Command, Option } from "commander"
import { actorFromText } from "../../access/identity/actor-text.ts"
import { type Problem, refusal } from "../../base/problem.ts"
import { compileProgram, workOf } from "../../engine/bind-program.ts"
import { chargeText } from "../../http/dry-run.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { type Actor, everybodyOf } from "../../plan/access/actor.ts"
import { openModel } from "../../plan/access/visible-model.ts"
import { printPlan, printWrite } from "../../plan/analysis/print.ts"
import type { Statistics } from "../../plan/cost/access-paths.ts"
import { allowanceOf, figure, tooExpensive } from "../../plan/cost/allowance.ts"
import { printCost } from "../../plan/cost/cost.ts"
import { adviseIndexes, type IndexAdvice } from "../../plan/cost/index-advice.ts"
import { type ExplainedCharge, explainCharge } from "../../plan/cost/points.ts"
import { createCursors } from "../../plan/draft/cursor.ts"
import { guard } from "../../plan/guard/guard.ts"
import type { Plan } from "../../plan/plan.ts"
import type { ReadPlan } from "../../plan/read-plan.ts"
import { planRequest } from "../../rest/read/plan.ts"
import { type Bound, type DeferredParameter, isDeferredParameter } from "../../sql/deferred-parameter.ts"
import type { Dialect } from "../../sql/dialect.ts"
import { dialects } from "../../sql/dialects/dialects.ts"
import { compile } from "../../sql/read/compile.ts"
import type { Bind, Parameter } from "../../sql/statement.ts"
import { openStorage } from "../../storage/open.ts"
import { columns } from "../output/columns.ts"
import { parseRequest } from "../request.ts"
import { withSettings } from "../settings/options.ts"
import { findSource, openSource, type Source } from "../source.ts"
import type { Timings } from "../timings.ts"

interface Options {
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operation?: string
  readonly dialect?: Dialect["name"]
  readonly base: string
  readonly secret?: string
  readonly json?: true
  readonly timings?: true
  readonly database?: string
  readonly as?: string
}

interface Explained {
  readonly name: Dialect["name"]
  /** One for a read; of a write its commands, in one transaction, in the order in which they run. */
  readonly statements: readonly Sent[]
}

interface Sent {
  readonly sql: string
  /** In the order of the placeholders. */
  readonly values: readonly Bound[]
}

export function explainCommand(terminal: Terminal): Command {
  const command = new Command("explain")
    .summary("show the plan and the SQL of a request")
    .description(
      "Shows the plan of a request, its cost and its SQL: one statement for a read, the commands of a transaction for a mutation. Nothing is run unless --timings is given.",
    )
    .argument("<request>", "a GraphQL document, or GET and a path; - reads it from the standard input")
    .argument("[source]", "a service file, or the address of a database; service.ts when absent")
    .addOption(new Option("--variables <json>", "variables of a GraphQL document").argParser(variablesObject))
    .addOption(new Option("--operation <name>", "the operation of a GraphQL document that has several"))
    .addOption(new Option("--dialect <name>", "only this database's SQL").choices(Object.keys(dialects)))
    .option(
      "--as <actor>",
      "apply the rules for this actor, such as customer:cus_… or role:staff; no rules when absent",
    )
    .option("--json", "print the result as JSON")
    .option("--timings", "run the request, and show how long each stage of it takes")
  return withSettings(command, {
    base: "path before the REST endpoints",
    secret: "the secret of the server that issued the cursors in the request",
    database: "the database of a service file: its sizes, and where --timings runs",
  })
    .addHelpText(
      "after",
      `
Examples:
  $ bifold explain 'GET /orders?limit=2&include=customer' service.ts
  $ bifold explain '{ orders(first: 2) { nodes { number customer { name } } } }' service.ts
  $ bifold explain 'query($n: String!) { orderByNumber(number: $n) { total } }' --variables '{"n": "A-1"}' service.ts
  $ bifold explain '{ orders { totalCount } }' service.ts --as role:warehouse
  $ bifold explain 'mutation { payOrder(id: "ord_1") { order { status } } }' service.ts
  $ bifold explain - service.ts --dialect postgres < query.graphql
  $ bifold explain 'GET /orders/ord_1' service.ts --timings --database shop.db`,
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
  const request = parseRequest(
    (given.request === "-" ? await terminal.input() : given.request).trim(),
    options,
  )
  const source = findSource(given.source)
  const opened = await openSource(source)
  const actor =
    options.as === undefined ? everybodyOf(openModel(opened.model)) : actorFromText(opened.model, options.as)
  const context = {
    model: actor.model,
    cursors: createCursors(options.secret ?? randomBytes(32).toString("hex")),
  }
  const timings = options.timings
    ? await (await import("../timings.ts")).timeStages(context, request, {
        actor,
        database: databaseOf(source, options.database),
      })
    : undefined
  const asked =
    request.kind === "graphql"
      ? (await import("../../graphql/planning/plan.ts")).planDocument(context, request.body)
      : planRequest(context, request)
  const plan = guard(asked, actor)
  const statistics = await statisticsOf(source, options.database)
  const shown = options.dialect ? [dialects[options.dialect]] : Object.values(dialects)
  const explained = shown.map((dialect) => statementsOf(plan, dialect))
  const told = {
    as: options.as,
    plan,
    cost: printCost(plan, statistics),
    missing: adviseIndexes(plan, statistics, "rules"),
    price: priceFor(plan, actor),
    ...(timings && { timings }),
  }
  terminal.print(options.json ? asJson(told, explained) : await asText(terminal, told, explained))
}

/** Statistics of a database's tables; a service file alone has none. */
async function statisticsOf(source: Source, given: string | undefined): Promise<Statistics> {
  const url = source.kind === "database" ? source.url : given
  if (url === undefined) return new Map()
  const storage = await openStorage(url)
  await storage.close()
  return storage.statistics
}

function databaseOf(source: Source, given: string | undefined): string {
  if (source.kind === "database") return source.url
  if (given !== undefined) return given
  throw refusal("invalid_command", "--timings runs the request, and nothing says on which database.", {
    hint: "Name it with --database, or set BIFOLD_DATABASE.",
  })
}

function statementsOf(plan: Plan, dialect: Dialect): Explained {
  const { name } = dialect
  if (plan.kind === "read") {
    const { text: sql, binds } = compile(plan, dialect)
    return { name, statements: [{ sql, values: valuesOf(plan, binds) }] }
  }
  const whole = compileProgram(plan, dialect)
  const program = whole.attempt ?? whole
  const { parameters } = workOf(plan, program)
  let from = 0
  const statements = program.program.commands.map(({ text: sql, binds }) => {
    const values = parameters.slice(from, from + binds.length)
    from += binds.length
    return { sql, values }
  })
  return { name, statements }
}

const valuesOf = ({ values }: ReadPlan, binds: readonly Bind[]): readonly Parameter[] =>
  binds.map(({ slot, encode }) => encode(values[slot] ?? null))

const printed = (plan: Plan): string => (plan.kind === "read" ? printPlan(plan) : printWrite(plan))

const shownAs = {
  sqlite: { title: "SQLite", language: "sqlite" },
  postgres: { title: "PostgreSQL", language: "postgresql" },
} as const

interface Told {
  /** Whose plan it is, in words. */
  readonly as: string | undefined
  readonly plan: Plan
  readonly cost: string
  readonly price: Price
  readonly missing: readonly IndexAdvice[]
  readonly timings?: Timings
}

interface Price {
  readonly charge: ExplainedCharge
  /** The refusal that a request of this price gets. */
  readonly refused: Problem | undefined
}

function priceFor(plan: Plan, actor: Actor): Price {
  const charge = explainCharge(plan)
  return { charge, refused: tooExpensive(plan, charge, allowanceOf(actor.model.limits, actor))?.problems[0] }
}

const missingText = ({ resource, members, rows }: IndexAdvice): string =>
  `an index of ${resource} on ${members.join(", ")} would help${rows < Number.POSITIVE_INFINITY ? "" : " if the table is large"}`

function priceText({ out }: Terminal, { charge, refused }: Price): string {
  const { points, records, bytes, parts } = charge
  const dearest = parts.filter((part) => part.points > 0)
  const table = columns(
    dearest.map((part) => [
      `  ${figure(part.points)}`,
      part.place.length === 0 ? "the request" : part.place.join("."),
    ]),
  )
  const total = `${figure(points)} points: at most ${figure(records)} record${records === 1 ? "" : "s"}, some ${figure(bytes)} bytes`
  const refusal = refused && `${out.yellow(refused.message)}\n${out.dim(`→ ${refused.hint ?? ""}`)}`
  return [total, table, ...(refusal ? [refusal] : [])].join("\n")
}

async function asText(terminal: Terminal, told: Told, explained: readonly Explained[]): Promise<string> {
  const { format } = await import("sql-formatter")
  const { out } = terminal
  const { as, plan, cost, price, missing, timings } = told
  const title = out.bold(as === undefined ? "Plan" : `Plan for ${as}`)
  const parts = [
    `${title}\n${printed(plan).trimEnd()}`,
    `${out.bold("Cost")}\n${[cost, ...missing.map(missingText), priceText(terminal, price)].join("\n")}`,
  ]
  for (const { name, statements } of explained) {
    const { title: database, language } = shownAs[name]
    for (const [index, { sql, values }] of statements.entries()) {
      const bound = values.map((value, at) => `  ${at + 1} = ${shown(value)}`)
      const list = bound.length === 0 ? "" : `\n${out.dim("bound:")}\n${bound.join("\n")}`
      const which =
        statements.length === 1 ? database : `${database}, command ${index + 1} of ${statements.length}`
      parts.push(`${out.bold(which)}\n${format(sql, { language, expressionWidth: 100 })}${list}`)
    }
  }
  if (timings) {
    const { timingsText } = await import("../timings.ts")
    parts.push(`${out.bold("Timings")}\n${timingsText(timings)}`)
  }
  return parts.join("\n\n")
}

function asJson({ as, plan, cost, price, missing, timings }: Told, explained: readonly Explained[]): string {
  const statements = Object.fromEntries(
    explained.map(({ name, statements: sent }) => {
      const all = sent.map(({ sql, values }) => ({ sql, values: values.map(portable) }))
      return [name, plan.kind === "read" ? all[0] : all]
    }),
  )
  const actor = as === undefined ? {} : { as }
  return JSON.stringify(
    {
      ...actor,
      plan: printed(plan),
      cost,
      indexAdvice: missing.map(({ resource, members }) => ({ resource, index: members })),
      price: JSON.parse(chargeText(price.charge)),
      ...(price.refused && { refused: price.refused.message }),
      statements,
      ...(timings && { timings }),
    },
    null,
    2,
  )
}

const shown = (value: Bound): string =>
  isDeferredParameter(value)
    ? given(value)
    : typeof value === "bigint"
      ? `${value}`
      : value instanceof Uint8Array
        ? `0x${Buffer.from(value).toString("hex")}`
        : JSON.stringify(value)

/** Where a value comes from that is known only when the write runs. */
const given = (value: DeferredParameter): string =>
  "command" in value ? `of command ${value.command + 1}` : "of earlier commands"

const portable = (value: Bound): unknown =>
  isDeferredParameter(value)
    ? { given: given(value) }
    : typeof value === "bigint"
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
