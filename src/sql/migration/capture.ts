// Triggers that log the writes of other programs to the tables of an unmanaged service. The found triggers are compared
// with the needed ones, as steps. The tables of the service are left as they are.
import { suggest } from "../../base/suggest.ts"
import type { Model, Resource, TableName } from "../../model/model.ts"
import { postgres } from "../dialects/postgres.ts"
import {
  type Capture,
  type CapturedTable,
  captureHead,
  captureOf,
  captureSettings,
  captureTrigger,
  dropCapture,
  dropTrigger,
  truncateTrigger,
} from "../log/capture.ts"
import { lackedColumns, systemTableNames, systemTables } from "../schema/system-tables.ts"
import { addOwnColumns } from "./migration.ts"
import { named, textOf } from "./renamed.ts"
import { plain, type Question, type Step } from "./steps.ts"

export interface FoundCapture {
  /** The schema of the log: where it is found, or would be made. */
  readonly schema: string
  readonly hasLog: boolean
  readonly logColumns: readonly string[]
  readonly tables: readonly FoundRelation[]
  readonly functions: readonly FoundFunction[]
}

interface FoundRelation extends CapturedTable {
  readonly visible: boolean
  readonly kind: "table" | "view" | "foreign" | "parent"
}

interface FoundFunction {
  readonly schema: string
  readonly name: string
  readonly body: string
  /** Runs with the rights of its owner. */
  readonly definer: boolean
  /** Others than its owner may use it. */
  readonly shared: boolean
  readonly settings: readonly string[]
  readonly triggers: readonly FoundTrigger[]
}

interface FoundTrigger {
  readonly name: string
  readonly schema: string
  readonly table: string
  /** Sessions that do not replicate have it run. */
  readonly enabled: boolean
  /** `tgtype` of PostgreSQL's catalog. */
  readonly events: number
  readonly conditional: boolean
}

/** AFTER INSERT OR UPDATE OR DELETE … FOR EACH ROW, and BEFORE TRUNCATE (src/include/catalog/pg_trigger.h). */
const triggers = [
  { name: captureTrigger, events: 1 | 4 | 8 | 16, conditional: true },
  { name: truncateTrigger, events: 2 | 32, conditional: false },
] as const

/** The steps from what was found to what the model needs; none when nothing differs. */
export function planCapture(model: Model, found: FoundCapture): readonly Step[] {
  const captured = model.log?.capture ? [...model.resources.values()].filter(({ logged }) => logged) : []
  const makesLog = captured.length > 0 && !found.hasLog
  const needed = captured.map((resource) => ({ resource, ...neededBy(model, resource, found) }))
  const kept = new Set(needed.flatMap(({ capture }) => capture?.name ?? []))
  const left = found.functions.filter(
    ({ name, body }) => body.startsWith(captureHead(model.name)) && !kept.has(name),
  )
  return [
    ...(makesLog ? [makeLog()] : []),
    ...(captured.length > 0 && found.hasLog
      ? addOwnColumns(postgres, "log", lackedColumns("log", found.logColumns))
      : []),
    ...needed.flatMap(({ resource, capture, table }) =>
      capture && table ? install(resource, table, capture, found) : [impossible(resource, found)],
    ),
    ...left.map(remove),
  ]
}

const makeLog = (): Step => ({
  ...plain,
  name: `add:${systemTableNames.log}`,
  says: `make Bifold's own table ${systemTableNames.log}`,
  changes: [{ kind: "makeOwn", commands: systemTables(postgres, ["log"]) }],
})

const isNamed = ({ schema, name }: TableName, table: FoundRelation): boolean =>
  table.name === name && (schema === undefined ? table.visible : table.schema === schema)

const relationOf = ({ table }: Resource, { tables }: FoundCapture): FoundRelation | undefined =>
  tables.find((one) => isNamed(table, one))

function neededBy(
  model: Model,
  resource: Resource,
  found: FoundCapture,
): { readonly capture?: Capture; readonly table?: FoundRelation } {
  const table = relationOf(resource, found)
  return table?.kind === "table" ? { table, capture: captureOf(model, resource, table, found.schema) } : {}
}

function install(
  resource: Resource,
  table: FoundRelation,
  capture: Capture,
  { schema, hasLog, functions }: FoundCapture,
): readonly Step[] {
  const there = functions.find((one) => one.schema === schema && one.name === capture.name)
  if (there && isAsNeeded(there, table, capture)) return []
  const isOn = (trigger: FoundTrigger): boolean =>
    trigger.schema === table.schema && trigger.table === table.name
  // The function reads the columns of its own table only.
  const astray = there?.triggers.filter((trigger) => !isOn(trigger)) ?? []
  const isWhole = there !== undefined && triggersOn(there, table).length === triggers.length
  return [
    {
      ...plain,
      name: `${isWhole ? "change" : "add"}:${resource.name}.capture`,
      says: isWhole
        ? `bring the triggers up to date that log what other programs write to ${displayed(table)}`
        : `log what other programs write to ${displayed(table)}, by triggers`,
      questions: questionsOf(table, hasLog ? schema : undefined),
      changes: [
        {
          kind: "makeOwn",
          commands: [
            ...astray.map(({ name, schema: of, table: on }) => dropTrigger(name, { schema: of, name: on })),
            ...capture.commands,
          ],
        },
      ],
    },
  ]
}

const displayed = ({ schema, name, visible }: FoundRelation): string =>
  visible ? name : named({ schema, name })

const triggersOn = (there: FoundFunction, table: FoundRelation): readonly FoundTrigger[] =>
  there.triggers.filter((one) => one.schema === table.schema && one.table === table.name)

function isAsNeeded(there: FoundFunction, table: FoundRelation, { body }: Capture): boolean {
  const own = triggersOn(there, table)
  return (
    there.body === body &&
    there.definer &&
    !there.shared &&
    captureSettings.every((setting) => there.settings.includes(setting)) &&
    own.length === there.triggers.length &&
    triggers.every(({ name, events, conditional }) =>
      own.some(
        (one) => one.name === name && one.enabled && one.events === events && one.conditional === conditional,
      ),
    )
  )
}

/** Rights without which writes of other programs would fail once the triggers are there. */
function questionsOf({ schema, name }: FoundRelation, log: string | undefined): readonly Question[] {
  const lacks = (place: TableName, right: "INSERT" | "SELECT"): Question => ({
    text: `SELECT 1 WHERE NOT has_table_privilege(to_regclass(${textOf(quotedPlace(place))}), '${right}')`,
    message: `The triggers run with the rights of this role, which has no ${right} on ${named(place)}.`,
    hint: "Grant it, or migrate as a role that has it.",
  })
  return [
    lacks({ schema, name }, "SELECT"),
    ...(log === undefined ? [] : [lacks({ schema: log, name: systemTableNames.log }, "INSERT")]),
  ]
}

const quotedPlace = ({ schema, name }: TableName): string =>
  [schema, name].flatMap((part) => (part === undefined ? [] : `"${part.replaceAll('"', '""')}"`)).join(".")

function impossible(resource: Resource, found: FoundCapture): Step {
  const { table } = resource
  const called = named(table)
  const { kind } = relationOf(resource, found) ?? {}
  const whys = {
    view: `${called} is a view, and what is written to the tables behind it has no trigger there.`,
    foreign: `${called} is a foreign table, which others change where it is.`,
    parent: `Other tables inherit from ${called}, and have no triggers of their own.`,
  }
  const message = kind === undefined || kind === "table" ? `The database has no table ${called}.` : whys[kind]
  const near = suggest(
    table.name,
    found.tables.map(({ name }) => name),
  )
  const hint =
    kind === undefined
      ? (near ?? "Make the table first.")
      : "Leave out `history` and handlers of this resource, or `log.capture`."
  return {
    ...plain,
    name: `add:${resource.name}.capture`,
    says: `log what other programs write to ${called}, by triggers`,
    refused: { message, hint },
    changes: [],
  }
}

const remove = ({ schema, name, triggers: own }: FoundFunction): Step => {
  const on = [...new Set(own.map((one) => named({ schema: one.schema, name: one.table })))]
  return {
    ...plain,
    leftover: true,
    name: `drop:${name}`,
    says: `remove the triggers that log what other programs write${on.length > 0 ? ` to ${on.join(", ")}` : ""}`,
    changes: [{ kind: "makeOwn", commands: [dropCapture(schema, name)] }],
  }
}
