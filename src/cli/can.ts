import { Command, Option } from "commander"
import { refusal } from "../base/problem.ts"
import { actorFromText } from "../identity/actor-text.ts"
import type { Field, Model, Resource, Transition } from "../model/model.ts"
import { everybodyOf } from "../plan/actor.ts"
import { openModel, setsViewer } from "../plan/audience.ts"
import { transitionsOf } from "../plan/names.ts"
import { hintFor, listed } from "../plan/naming.ts"
import { actions } from "../plan/rule-types.ts"
import { openStorage } from "../storage/open.ts"
import { columns } from "./columns.ts"
import { exitCodes, placeText } from "./failure.ts"
import { fitDatabase } from "./fit.ts"
import { createLookup } from "./lookup.ts"
import { findSource, openSource } from "./source.ts"
import type { Terminal } from "./terminal.ts"
import { type Asked, decide, type Need, neverWritten, type RuleVerdict, type Verdict } from "./verdict.ts"

interface Options {
  readonly database?: string
  readonly field?: string
  readonly json?: true
}

export function canCommand(terminal: Terminal): Command {
  return new Command("can")
    .summary("say whether somebody may do something, and which rule says so")
    .description(
      "Says whether an actor may do something with a resource, or with one of its records, and what each rule has to do with it.",
    )
    .argument("<actor>", "customer:cus_…, role:staff, scope:catalogue, several joined by +; signedIn; anyone")
    .argument("<action>", "read, create, update, delete, or a transition of the resource")
    .argument("<resource>", "a resource such as order, or a record of it such as order:ord_…")
    .argument("[file]", "the service file; service.ts when absent")
    .addOption(new Option("--database <url>", "where the record is").env("BIFOLD_DATABASE"))
    .option("--field <name>", "this field of it: whether it can be seen, or set")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ bifold can anyone read order service.ts
  $ bifold can customer:cus_1 update order:ord_2 service.ts --database shop.db
  $ bifold can role:warehouse read customer service.ts --field email
  $ bifold can role:warehouse ship order:ord_2 service.ts --database shop.db

Exit codes: 0 yes, 1 no.`,
    )
    .action((actor: string, action: string, what: string, file: string | undefined, options: Options) =>
      can(terminal, { actor, action, what, file, options }),
    )
}

interface Given {
  readonly actor: string
  /** An action, or the name of a transition. */
  readonly action: string
  /** `order`, or `order:ord_1`. */
  readonly what: string
  readonly file: string | undefined
  readonly options: Options
}

async function can(terminal: Terminal, given: Given): Promise<void> {
  const { options } = given
  const source = findSource(given.file)
  if (source.kind === "database")
    throw refusal("invalid_command", "A database by itself has no rules.", {
      hint: "Give a service file, and the database with --database.",
    })
  const { model } = await openSource(source)
  const [name = "", ...rest] = given.what.split(":")
  const id = given.what.includes(":") ? rest.join(":") : undefined
  const resource = resourceOf(model, name)
  const action = actionOf(resource, given.action)
  const field = options.field === undefined ? undefined : fieldOf(resource, action, options.field)
  const actor = actorFromText(model, given.actor)
  const asked: Asked = { actor, model, resource, action, ...(field && { field }) }
  const verdict =
    id === undefined ? await decide(asked) : await decideOf(terminal, asked, { id, source, options })
  if (!verdict.allowed) process.exitCode = exitCodes.failed
  terminal.print(options.json ? asJson(given, verdict) : asText(terminal, given, { asked, verdict, id }))
}

function resourceOf(model: Model, name: string): Resource {
  const resource = model.resources.get(name)
  if (resource) return resource
  const hint = hintFor(name, model.resources.keys())
  throw refusal("invalid_command", `There is no resource ${JSON.stringify(name)}.`, hint ? { hint } : {})
}

function actionOf(resource: Resource, name: string): Asked["action"] {
  const action = actions.find((one) => one === name)
  const transitions = transitionsOf(resource)
  const found = action ?? transitions.find((transition) => transition.name === name)
  if (found) return found
  const known = [...actions, ...transitions.map((transition) => transition.name)]
  throw refusal(
    "invalid_command",
    `"${resource.name}" has no action or transition ${JSON.stringify(name)}.`,
    { hint: hintFor(name, known) ?? `There is ${listed(known, "and")}.` },
  )
}

function fieldOf(resource: Resource, action: Asked["action"], name: string): Field {
  if (action === "delete" || typeof action === "object")
    throw refusal(
      "invalid_command",
      action === "delete"
        ? "A record is deleted with all of its fields."
        : "A transition is fired on a record as a whole.",
      { hint: "Leave out --field." },
    )
  const field = resource.fields.get(name)
  if (field) return field
  const hint = hintFor(name, resource.fields.keys())
  throw refusal(
    "invalid_command",
    `${resource.name} has no field ${JSON.stringify(name)}.`,
    hint ? { hint } : {},
  )
}

/** About one record, which is looked for in the database. */
async function decideOf(
  terminal: Terminal,
  asked: Asked,
  {
    id,
    source,
    options,
  }: { readonly id: string; readonly source: { readonly file: string }; readonly options: Options },
): Promise<Verdict> {
  const { model, resource, action } = asked
  if (action === "create")
    throw refusal("invalid_command", "What is created has no id yet.", {
      hint: `Ask about ${resource.name} by itself.`,
    })
  if (options.database === undefined)
    throw refusal("invalid_command", `Nothing says where the ${resource.name} is.`, {
      hint: "Name the database with --database, or set BIFOLD_DATABASE.",
    })
  const fitting = await fitDatabase(terminal, {
    model,
    database: options.database,
    file: source.file,
    dev: false,
  })
  const storage = await openStorage(options.database)
  try {
    const isFound = createLookup(storage)
    if (!(await isFound(everybodyOf(openModel(fitting)), resource, id)))
      throw refusal("not_found", `There is no ${resource.name} ${JSON.stringify(id)}.`, {
        hint: "Everybody is told so, as they are of a record that they cannot see.",
      })
    return await decide(asked, (records) => isFound({ ...asked.actor, model: records.model }, resource, id))
  } finally {
    await storage.close()
  }
}

interface Told {
  readonly asked: Asked
  readonly verdict: Verdict
  readonly id: string | undefined
}

function asText({ out }: Terminal, given: Given, told: Told): string {
  const { verdict } = told
  const mark = verdict.allowed ? out.green("✓") : out.red("✗")
  const sections = verdict.needs.map((need) => {
    const title = `${titleOf(need, given)}${need.records === null ? "" : out.dim(` · ${need.records}`)}`
    const rows = need.rules.map(({ place, rule, holds }) => {
      const said = saysOf(holds)
      return [`  ${paintFor(holds, out)(said)}`, placeText(place), rule]
    })
    return [
      `${need.met ? out.green("✓") : out.red("✗")} ${title}`,
      ...(rows.length > 0 ? [columns(rows)] : []),
    ].join("\n")
  })
  return [`${mark} ${sentence(given, told)}`, ...sections].join("\n\n")
}

const titleOf = ({ what }: Need, { action, options }: Given): string =>
  what === "field" ? `field ${options.field}` : what === "transition" ? action : what

const saysOf = (holds: RuleVerdict["holds"]): string =>
  ({
    always: "holds",
    never: "never holds for them",
    where: "holds where it says",
    yes: "holds for this record",
    no: "does not hold for this record",
    elsewhere: "is about other fields",
  })[holds]

const paintFor = (holds: RuleVerdict["holds"], out: Terminal["out"]) =>
  holds === "always" || holds === "yes" ? out.green : holds === "where" ? out.yellow : out.dim

function sentence({ actor, action, what, options }: Given, { asked, verdict, id }: Told): string {
  const { field, resource } = asked
  const verb = field && action !== "read" ? (action === "create" ? "give" : "set") : action
  const object = `${field ? `${options.field} of ` : ""}${id === undefined ? resource.name : what.replace(":", " ")}`
  if (!verdict.allowed) return `${actor} may not ${verb} ${object}: ${reason(asked, verdict, id)}.`
  const conditions = id === undefined ? conditionsOf(verdict) : []
  return `${actor} may ${verb} ${object}${conditions.length > 0 ? `, where ${conditions.join(", and ")}` : ""}.`
}

/** What has to be true of the record. */
const conditionsOf = ({ needs }: Verdict): readonly string[] => [
  ...new Set(needs.flatMap(({ records }) => (records === null || records === "all" ? [] : [records]))),
]

function reason(asked: Asked, { needs }: Verdict, id: string | undefined): string {
  const { field, action } = asked
  const failed = needs.find(({ met }) => !met)
  const unmet = failed && typeof action === "object" && unmetTransition(asked, action, failed)
  if (unmet) return unmet
  const never = field && neverWritten(field, action)
  if (failed?.what === "field" && never !== undefined) return never
  if (failed?.what === "read" && action !== "read")
    return `${id === undefined ? "they can read none, and" : "they cannot read it, and"} what is written has to be readable`
  const what = failed?.what === "field" ? "of the field" : "for it"
  const own = field?.[action === "read" ? "read" : "write"]
  if (failed?.what === "field" && own === undefined) return "the record's rules keep it from them"
  if (failed?.rules.length === 0) return `there is no rule ${what}`
  return failed?.records === null
    ? `no rule ${what} can hold for them`
    : `no rule ${what} holds for this record`
}

/** Undefined for what is said of any action. */
function unmetTransition(
  { actor, model }: Asked,
  transition: Transition,
  { what, records }: Need,
): string | undefined {
  const { name, reason } = transition
  if (what === "state") return `\`${name}\` is possible only where ${records}`
  if (what === "condition") return reason?.replace(/\.$/, "") ?? `the record does not meet ${records}`
  return what === "transition" && setsViewer(transition) && actor.key === null
    ? `it sets who fires it, and they are no ${model.viewer}`
    : undefined
}

function asJson({ actor, action, what, options }: Given, { allowed, needs }: Verdict): string {
  const needJson = ({ what: need, records, met, rules }: Need) => ({
    what: need,
    met,
    records,
    rules: rules.map(({ place, rule, holds }) => ({ place: placeText(place), rule, holds })),
  })
  const field = options.field === undefined ? {} : { field: options.field }
  return JSON.stringify({ allowed, actor, action, what, ...field, needs: needs.map(needJson) }, null, 2)
}
