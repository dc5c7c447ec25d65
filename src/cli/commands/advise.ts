// `bifold advise`: indexes that a service's rules, orders and registered documents would be served by, and that are missing.
import { Command } from "commander"
import { Refusal, refusal } from "../../base/problem.ts"
import { createDocumentPlans, readDocuments } from "../../documents/document-plans.ts"
import { createEngine } from "../../engine/engine.ts"
import { planDocument } from "../../graphql/planning/plan.ts"
import type { Model } from "../../model/model.ts"
import { type Claims, openModel, stranger, visibleModelOf } from "../../plan/access/visible-model.ts"
import type { Statistics } from "../../plan/cost/access-paths.ts"
import { figure } from "../../plan/cost/allowance.ts"
import { adviseIndexes, type IndexAdvice } from "../../plan/cost/index-advice.ts"
import type { PlanContext } from "../../plan/draft/draft.ts"
import type { Plan } from "../../plan/plan.ts"
import { planRequest } from "../../rest/read/plan.ts"
import { openStorage } from "../../storage/open.ts"
import type { Storage } from "../../storage/storage.ts"
import { columns } from "../output/columns.ts"
import type { Terminal } from "../output/terminal.ts"
import { withSettings } from "../settings/options.ts"
import { findSource, openSource } from "../source.ts"

interface Options {
  readonly database?: string
  readonly json?: true
}

export function adviseCommand(terminal: Terminal): Command {
  const command = new Command("advise")
    .summary("list indexes that are missing")
    .description(
      "Lists indexes that would serve lists under the service's rules, their orders, and registered documents, and that the database lacks. Nothing is changed.",
    )
    .argument("[source]", "a service file, or the address of a database; service.ts when absent")
    .option("--json", "print the result as JSON")
  return withSettings(command, { database: "the database of a service file" })
    .addHelpText(
      "after",
      `
Examples:
  $ bifold advise service.ts --database shop.db
  $ bifold advise postgres://localhost/shop --json

The sizes of tables are those that the database knows: PostgreSQL's last estimate, SQLite's last ANALYZE or greatest row.
A list that looks at 5,000 rows at the most needs no index.`,
    )
    .action((source: string | undefined, options: Options) => advise(terminal, source, options))
}

/** A missing index, and what would be read by it. */
interface Advice extends IndexAdvice {
  readonly reasons: readonly string[]
}

async function advise(terminal: Terminal, given: string | undefined, options: Options): Promise<void> {
  const source = findSource(given)
  const url = source.kind === "database" ? source.url : options.database
  if (url === undefined)
    throw refusal("invalid_command", "Nothing says how large the tables are.", {
      hint: "Name the database: --database shop.db, or set BIFOLD_DATABASE.",
    })
  const { model } = await openSource(source)
  const storage = await openStorage(url)
  try {
    const found = new Map<string, Advice>()
    for (const { plan, reason } of await questionsOf(model, storage))
      note(found, plan, reason, storage.statistics)
    const all = [...found.values()].toSorted((one, other) => other.rows - one.rows)
    if (options.json) terminal.print(JSON.stringify({ missing: all.map(adviceJson) }, null, 2))
    else if (all.length === 0) terminal.print(`${terminal.out.green("✓")} No index is missing.`)
    else terminal.print(adviceTable(terminal, all))
  } finally {
    await storage.close()
  }
}

/** A request that clients may send. */
interface AskedQuestion {
  readonly plan: Plan
  readonly reason: string
}

async function questionsOf(model: Model, storage: Storage): Promise<readonly AskedQuestion[]> {
  return [
    ...listQuestions(model),
    ...(model.documents === undefined ? [] : await documentQuestions(model, storage)),
  ]
}

const noCursors = { seal: () => "", open: () => undefined }

/** Each list of each audience, and under the open service each of its orders. */
function listQuestions(whole: Model): readonly AskedQuestion[] {
  const open = openModel(whole)
  const ruled = audiencesOf(whole).flatMap(({ name, claims }) => {
    const model = visibleModelOf(whole, claims)
    return [...model.resources.values()].flatMap(({ path, name: resource }) =>
      question({ model, cursors: noCursors }, `/${path}`, "", `rules of ${resource} for ${name}`),
    )
  })
  const sorted = [...open.resources.values()].flatMap(({ path, fields }) =>
    [...fields.keys()].flatMap((field) =>
      question({ model: open, cursors: noCursors }, `/${path}`, `sort=${field}`, `sorted by ${field}`),
    ),
  )
  return [...ruled, ...sorted]
}

/** Nothing where the service has no such list, or not for this audience. */
function question(
  context: PlanContext,
  path: string,
  query: string,
  reason: string,
): readonly AskedQuestion[] {
  const request = { method: "GET", path, query, headers: {}, body: new Uint8Array() }
  return planned(() => planRequest(context, request), reason)
}

function planned(plan: () => Plan, reason: string): readonly AskedQuestion[] {
  try {
    return [{ plan: plan(), reason }]
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

interface NamedAudience {
  readonly name: string
  readonly claims: Claims
}

const audiencesOf = ({ viewer, roles, scopes }: Model): readonly NamedAudience[] => [
  { name: "anyone", claims: stranger },
  { name: viewer ?? "signedIn", claims: { ...stranger, signedIn: true, viewer: viewer !== undefined } },
  ...roles.map((role) => ({ name: `role:${role}`, claims: { ...stranger, signedIn: true, roles: [role] } })),
  ...scopes.map((scope) => ({
    name: `scope:${scope}`,
    claims: { ...stranger, signedIn: true, scopes: [scope] },
  })),
]

/** Those that need no variables: pages have their usual size. */
async function documentQuestions(model: Model, storage: Storage): Promise<readonly AskedQuestion[]> {
  const plans = createDocumentPlans(model)
  const { answer } = createEngine({ storage, cursors: noCursors, singleFlight: false })
  const documents = readDocuments(await answer(plans.list(), plans.actor))
  const context = { model: openModel(model), cursors: noCursors }
  return documents.flatMap(({ documentId, text }) =>
    planned(() => planDocument(context, { query: text }), `document ${documentId}`),
  )
}

function note(found: Map<string, Advice>, plan: Plan, reason: string, statistics: Statistics): void {
  for (const missing of adviseIndexes(plan, statistics, "rules")) {
    const key = `${missing.resource} ${missing.members.join()}`
    const known = found.get(key)
    const reasons = [...(known?.reasons ?? []), reason]
    found.set(key, { ...missing, rows: Math.max(missing.rows, known?.rows ?? 0), reasons })
  }
}

const isCounted = ({ rows }: Advice): boolean => rows < Number.POSITIVE_INFINITY

const adviceJson = (advice: Advice): object => ({
  resource: advice.resource,
  index: advice.members,
  rows: isCounted(advice) ? advice.rows : null,
  reasons: advice.reasons,
})

function adviceTable({ out }: Terminal, all: readonly Advice[]): string {
  return columns([
    ["Resource", "Index", "Rows looked at", "For"].map((head) => out.dim(head)),
    ...all.map((advice) => [
      out.bold(advice.resource),
      `[${advice.members.map((name) => JSON.stringify(name)).join(", ")}]`,
      isCounted(advice) ? figure(advice.rows) : "not known",
      advice.reasons.join("; "),
    ]),
  ])
}
