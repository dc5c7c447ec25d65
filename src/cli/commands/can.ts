// `bifold can`: says whether an actor may do something, and which rule decides.
import { Command } from "commander"
import { actorFromText, readActorText } from "../../access/identity/actor-text.ts"
import { refusal } from "../../base/problem.ts"
import type { Action, Model, Resource } from "../../model/model.ts"
import { actions } from "../../model/policy-declaration.ts"
import { exitCodes } from "../../observe/terminal/failure.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { everybodyOf } from "../../plan/access/actor.ts"
import { openModel } from "../../plan/access/visible-model.ts"
import { hintFor, listed } from "../../plan/hints.ts"
import { transitionsOf } from "../../plan/lookup.ts"
import { checkDatabase } from "../../service/database-check.ts"
import { openStorage } from "../../storage/open.ts"
import { createFollow, createLookup } from "../lookup.ts"
import { asJson, asText, type CanReport } from "../output/can-text.ts"
import { withSettings } from "../settings/options.ts"
import { findSource, isServiceFile, openSource } from "../source.ts"
import {
  type AccessQuestion,
  decide,
  decideCall,
  type Includes,
  isTransition,
  type Verdict,
} from "../verdict.ts"

interface Options {
  readonly database?: string
  readonly field?: string
  readonly json?: true
}

export function canCommand(terminal: Terminal): Command {
  const command = new Command("can")
    .summary("say whether an actor may do something, and which rule decides")
    .description(
      "Says whether an actor may act on a resource or a record, or call an operation, and which rules decide it.",
    )
    .argument("<actor>", "customer:cus_…, role:staff, scope:catalogue, several joined by +; signedIn; anyone")
    .argument(
      "<action>",
      "read, create, update, delete, a transition or an own action of the resource; or an operation of the service",
    )
    .argument(
      "[resource]",
      "a resource such as order, or a record such as order:ord_…; none for an operation",
    )
    .argument("[file]", "the service file; service.ts when absent")
    .option("--field <name>", "one of its fields: may the actor read it, or set it")
    .option("--json", "print the result as JSON")
  return withSettings(command, { database: "where the record is" })
    .addHelpText(
      "after",
      `
Examples:
  $ bifold can anyone read order service.ts
  $ bifold can customer:cus_1 update order:ord_2 service.ts --database shop.db
  $ bifold can role:warehouse read customer service.ts --field email
  $ bifold can role:warehouse ship order:ord_2 service.ts --database shop.db
  $ bifold can customer:cus_1 applyCoupon order service.ts
  $ bifold can role:staff restock service.ts

Exit codes: 0 yes, 1 no.`,
    )
    .action(
      (
        actor: string,
        action: string,
        ...[what, file, options]: [string | undefined, string | undefined, Options]
      ) => can(terminal, { actor, action, ...aboutAndFile(what, file), options }),
    )
}

interface Given {
  readonly actor: string
  /** An action, or the name of a transition, of an own action or of an operation. */
  readonly action: string
  /** `order`, or `order:ord_1`; undefined for an operation. */
  readonly what: string | undefined
  readonly file: string | undefined
  readonly options: Options
}

/** An operation is about nothing, so that the file comes in its place; what has a resource before a colon is a record. */
const aboutAndFile = (what: string | undefined, file: string | undefined): Pick<Given, "what" | "file"> =>
  what !== undefined && file === undefined && isServiceFile(what) && !/^\w{2,}:/.test(what)
    ? { what: undefined, file: what }
    : { what, file }

async function can(terminal: Terminal, given: Given): Promise<void> {
  const { options } = given
  const source = findSource(given.file)
  if (source.kind === "database")
    throw refusal("invalid_command", "A database without a service file has no rules.", {
      hint: "Give a service file, and the database with --database.",
    })
  const { model } = await openSource(source)
  const told = await (given.what === undefined
    ? toldOfCall(model, given)
    : toldOfRecords(terminal, { given, model, file: source.file, what: given.what }))
  if (!told.verdict.allowed) terminal.exitWith(exitCodes.failed)
  terminal.print(options.json ? asJson(given, told) : asText(terminal, given, told))
}

async function toldOfCall(model: Model, { actor: who, action, options }: Given): Promise<CanReport> {
  const operation = operationOf(model, action)
  if (options.field !== undefined)
    throw refusal("invalid_command", "An operation is about no record, and about no field.", {
      hint: "Leave out --field.",
    })
  const asked = { actor: actorFromText(model, who), model, operation }
  return { asked, verdict: await decideCall(asked), id: undefined }
}

interface GivenRecords {
  readonly given: Given
  readonly model: Model
  readonly file: string
  readonly what: string
}

async function toldOfRecords(
  terminal: Terminal,
  { given, model, file, what }: GivenRecords,
): Promise<CanReport> {
  const { options } = given
  const [name = "", ...rest] = what.split(":")
  const id = what.includes(":") ? rest.join(":") : undefined
  const resource = resourceOf(model, name)
  const action = actionOf(model, resource, given.action)
  const field = options.field === undefined ? {} : fieldOf(resource, action, options.field)
  const actor = actorFromText(model, given.actor)
  const asked: AccessQuestion = { actor, model, resource, action, ...field }
  const verdict =
    id === undefined
      ? await decide(asked)
      : await decideOf(terminal, asked, { id, file, actor: given.actor, options })
  return { asked, verdict, id }
}

function resourceOf(model: Model, name: string): Resource {
  const resource = model.resources.get(name)
  if (resource) return resource
  const hint = hintFor(name, model.resources.keys())
  throw refusal("invalid_command", `There is no resource ${JSON.stringify(name)}.`, hint ? { hint } : {})
}

/** Operations on its records. */
const actionNames = (resource: Resource): readonly string[] => [
  ...actions,
  ...transitionsOf(resource).map(({ name }) => name),
  ...(resource.actions?.keys() ?? []),
]

function actionOf({ operations }: Model, resource: Resource, name: string): AccessQuestion["action"] {
  const found =
    actions.find((one) => one === name) ??
    transitionsOf(resource).find((transition) => transition.name === name) ??
    resource.actions?.get(name)
  if (found) return found
  if (operations?.has(name))
    throw refusal("invalid_command", `"${name}" is an operation of the service, and about no record.`, {
      hint: `Leave out ${resource.name}.`,
    })
  const known = actionNames(resource)
  throw refusal(
    "invalid_command",
    `"${resource.name}" has no action or transition ${JSON.stringify(name)}.`,
    { hint: hintFor(name, known) ?? `There is ${listed(known, "and")}.` },
  )
}

function operationOf({ operations, resources }: Model, name: string): Action {
  const found = operations?.get(name)
  if (found) return found
  const owner = [...resources.values()].find((resource) => actionNames(resource).includes(name))
  if (owner)
    throw refusal("invalid_command", `Nothing says what ${JSON.stringify(name)} is to act on.`, {
      hint: `Name a resource after it, or a record: ${owner.name}, ${owner.name}:${owner.prefix}_….`,
    })
  throw refusal("invalid_command", `The service has no operation ${JSON.stringify(name)}.`, {
    hint: hintFor(name, operations?.keys() ?? []) ?? "Name a resource after the action: read order.",
  })
}

function fieldOf(
  resource: Resource,
  action: AccessQuestion["action"],
  name: string,
): Required<Pick<AccessQuestion, "field">> & Pick<AccessQuestion, "needs"> {
  if (action === "delete" || typeof action === "object")
    throw refusal(
      "invalid_command",
      action === "delete"
        ? "A record is deleted with all of its fields."
        : isTransition(action)
          ? "A transition is fired on a record as a whole."
          : "An action is done to a record as a whole.",
      { hint: "Leave out --field." },
    )
  const field = resource.fields.get(name)
  if (field) return { field }
  const computed = resource.computed?.get(name)
  if (computed) return { field: computed.field, needs: computed.needs }
  const hint = hintFor(name, [...resource.fields.keys(), ...(resource.computed?.keys() ?? [])])
  throw refusal(
    "invalid_command",
    `${resource.name} has no field ${JSON.stringify(name)}.`,
    hint ? { hint } : {},
  )
}

/** About one record, which is looked for in the database. */
async function decideOf(
  terminal: Terminal,
  asked: AccessQuestion,
  {
    id,
    file,
    actor: who,
    options,
  }: Omit<Given, "what" | "action"> & { readonly id: string; readonly file: string },
): Promise<Verdict> {
  const { model, resource, action } = asked
  if (action === "create")
    throw refusal("invalid_command", "A record to create has no id yet.", {
      hint: `Leave out the id: ${resource.name}.`,
    })
  if (options.database === undefined)
    throw refusal("invalid_command", `Nothing says where the ${resource.name} is.`, {
      hint: "Name the database with --database, or set BIFOLD_DATABASE.",
    })
  const fitting = await checkDatabase(terminal, {
    model,
    database: options.database,
    file,
    dev: false,
  })
  const storage = await openStorage(options.database)
  try {
    const isFound = createLookup(storage)
    const everybody = everybodyOf(openModel(fitting))
    const viewer = model.viewer === undefined ? undefined : model.resources.get(model.viewer)
    const person = readActorText(model, who)?.viewer
    if (viewer && person !== undefined && !(await isFound(everybody, viewer, person)))
      throw refusal("not_found", `There is no ${viewer.name} ${JSON.stringify(person)}.`, {
        hint: "Name one that the database has.",
      })
    if (!(await isFound(everybody, resource, id)))
      throw refusal("not_found", `There is no ${resource.name} ${JSON.stringify(id)}.`, {
        hint: "The answer is the same as for a record that the actor cannot see.",
      })
    const { actor } = asked
    const includes: Includes = ({ model: of }) => isFound({ ...actor, model: of }, resource, id)
    return await decide(asked, { includes, follow: createFollow(storage, { actor, resource, id, includes }) })
  } finally {
    await storage.close()
  }
}
