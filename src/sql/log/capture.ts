// Triggers by which PostgreSQL itself logs the writes of other programs (docs/decisions/0147). Each logged table has a
// function, which writes the entry that Bifold would have written. Bifold's own sessions say that they log for
// themselves.
import { present } from "../../base/invariant.ts"
import type { Machine, Model, Resource } from "../../model/model.ts"
import type { Dialect } from "../dialect.ts"
import { postgres } from "../dialects/postgres.ts"
import { commas, type Fragment, join, literal, name, plain, sql } from "../fragment.ts"
import { publicId } from "../read/column-json.ts"
import type { Compilation, Row } from "../read/compilation.ts"
import { versionText } from "../read/row.ts"
import { startCompilation } from "../read/start-compilation.ts"
import { tableText } from "../schema/schema.ts"
import { logTable } from "../schema/system-tables.ts"
import { shortName } from "../schema/tables.ts"
import { keptTexts, namedRow } from "../write/log-entry.ts"

/**
 * Runs on each connection that writes: its statements have entries of their own. Writes that they set off in the database
 * have none.
 */
export const ownWrites = "SET bifold.writes = 'logged'"
const byOthers = sql`pg_catalog.current_setting('bifold.writes', true) IS DISTINCT FROM 'logged' OR pg_catalog.pg_trigger_depth() > 0`

/**
 * Triggers of a row run in the order of their names, before the triggers of foreign keys too. Further changes of the
 * row by other triggers are logged after the change itself.
 */
export const captureTrigger = "00_bifold_capture"
export const truncateTrigger = `${captureTrigger}_truncate`

/** Names of the functions begin so. */
export const captureFunctions = "bifold_capture_"

/**
 * Settings of the functions, as the catalog has them: they decide the text of values, and the meaning of names. All
 * other settings come from the session; Bifold's sessions keep the defaults.
 */
export const captureSettings = [
  "search_path=pg_catalog, pg_temp",
  "TimeZone=UTC",
  "DateStyle=ISO",
  "extra_float_digits=1",
  "row_security=off",
] as const

/** A table as the catalog has it. */
export interface CapturedTable {
  readonly schema: string
  readonly name: string
  /** Its rows have no more than the columns of its own. */
  readonly bare: boolean
}

export interface Capture {
  /** The function's, in the schema of the log. */
  readonly name: string
  /** The text of the function. */
  readonly body: string
  /** Commands of one transaction, which make the function and its triggers or bring them up to date. */
  readonly commands: readonly string[]
}

/** How the text of a function begins that captures for the service. */
export const captureHead = (service: string): string =>
  `\n-- Bifold, form 1, for the service ${JSON.stringify(service)}:`

/** @param schema of the log, where the function is made too */
export function captureOf(model: Model, resource: Resource, table: CapturedTable, schema: string): Capture {
  const called = shortName(`${captureFunctions}${model.name}_${resource.name}`)
  const body = bodyOf(model, resource, table, schema)
  const own = sql`${name(schema)}.${name(called)}`
  const on = sql`${name(table.schema)}.${name(table.name)}`
  const settings = sql`SET search_path = pg_catalog, pg_temp SET "TimeZone" = 'UTC' SET "DateStyle" = 'ISO' SET extra_float_digits = 1 SET row_security = off SET "IntervalStyle" FROM CURRENT SET lc_monetary FROM CURRENT`
  return {
    name: called,
    body,
    commands: [
      // With the rights of its owner: other programs need none on the log.
      sql`CREATE OR REPLACE FUNCTION ${own}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${settings} AS ${literal(body)}`,
      // Else anybody could have it write entries, by a trigger on a table of theirs.
      sql`REVOKE ALL ON FUNCTION ${own}() FROM PUBLIC`,
      sql`CREATE OR REPLACE TRIGGER ${name(captureTrigger)} AFTER INSERT OR UPDATE OR DELETE ON ${on} FOR EACH ROW WHEN (${byOthers}) EXECUTE FUNCTION ${own}()`,
      sql`CREATE OR REPLACE TRIGGER ${name(truncateTrigger)} BEFORE TRUNCATE ON ${on} FOR EACH STATEMENT EXECUTE FUNCTION ${own}()`,
    ].map(plain),
  }
}

/** Removes it with its triggers. */
export const dropCapture = (schema: string, called: string): string =>
  `DROP FUNCTION ${tableText({ schema, name: called })}() CASCADE`

/** Removes a trigger from a table. */
export const dropTrigger = (trigger: string, table: Pick<CapturedTable, "schema" | "name">): string =>
  `DROP TRIGGER ${plain(name(trigger))} ON ${tableText(table)}`

interface Writing {
  readonly all: Compilation
  readonly resource: Resource
  readonly log: Fragment
}

function bodyOf(model: Model, resource: Resource, table: CapturedTable, schema: string): string {
  const { all } = startCompilation(model, table.bare ? bareDialect : postgres)
  const writing: Writing = { all, resource, log: sql`${name(schema)}.${name(logTable.name)}` }
  const [before, after] = [namedRow(resource, sql`OLD`), namedRow(resource, sql`NEW`)]
  const texts = keptTexts(all, before)
  const keys = arrayOf(texts.map(({ key }) => literal(`${JSON.stringify(key)}:`)))
  const always = arrayOf(
    texts.map((text) => (text.always ? sql`TRUE` : sql`FALSE`)),
    sql`boolean`,
  )
  const deleted = entryOf(writing, {
    record: sql`former`,
    version: versionText(all, before),
    type: literal(`${resource.name}.deleted`),
    old: whole(sql`was`),
  })
  const created = entryOf(writing, {
    record: sql`latter`,
    version: versionText(all, after),
    type: literal(`${resource.name}.created`),
    new: whole(sql`becomes`),
  })
  const updated = entryOf(writing, {
    record: sql`latter`,
    version: versionText(all, after),
    type: sql`${literal(`${resource.name}.`)} || coalesce(goal, 'updated')`,
    from: sql`origin`,
    to: sql`goal`,
    old: changed(sql`was`),
    new: changed(sql`becomes`),
  })
  const text = sql`
#variable_conflict use_column
DECLARE
  keys CONSTANT text[] := ${keys};
  always CONSTANT boolean[] := ${always};
  former text; was text[];
  latter text; becomes text[];
  origin text; goal text; moves integer := 0;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    ${truncated(writing, table)};
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    former := ${publicId(all, before)};
    was := ${textsOf(all, before)};
  END IF;
  IF TG_OP <> 'DELETE' THEN
    latter := ${publicId(all, after)};
    becomes := ${textsOf(all, after)};
  END IF;
  IF TG_OP = 'UPDATE' AND former = latter THEN
    IF was = becomes THEN RETURN NULL; END IF;${moved(resource, before, after)}
    ${updated};
    RETURN NULL;
  END IF;
  IF former IS NOT NULL THEN
    ${deleted};
  END IF;
  IF latter IS NOT NULL THEN
    ${created};
  END IF;
  RETURN NULL;
END
`
  return `${captureHead(model.name)} changes of ${JSON.stringify(resource.name)} by other programs.${plain(text)}`
}

/** Versions of the rows of tables that lie in parts follow from their content. */
const bareDialect: Dialect = {
  ...postgres,
  writes: { ...postgres.writes, oddities: () => ({ bare: true }) },
}

const arrayOf = (values: readonly Fragment[], type = sql`text`): Fragment =>
  sql`ARRAY[${commas(values)}]::${type}[]`

/** The JSON texts of the members. */
const textsOf = (all: Compilation, row: Row): Fragment => arrayOf(keptTexts(all, row).map(({ text }) => text))

const objectOf = (members: Fragment): Fragment =>
  sql`(SELECT ('{' || coalesce(string_agg(member.key || member.text, ',' ORDER BY member.place), '') || '}')::json FROM ${members})`

const whole = (texts: Fragment): Fragment =>
  objectOf(sql`unnest(keys, ${texts}) WITH ORDINALITY AS member(key, text, place)`)

/** Members that changed, and those that are kept with every change. */
const changed = (texts: Fragment): Fragment =>
  objectOf(
    sql`unnest(keys, ${texts}, was, becomes, always) WITH ORDINALITY AS member(key, text, was, becomes, always, place) WHERE member.always OR member.was <> member.becomes`,
  )

type EntryColumn = keyof typeof logTable.columns

/** An entry, or one of each row of a FROM clause; it has no actor. */
function entryOf(
  { resource, log }: Writing,
  values: Readonly<Partial<Record<EntryColumn, Fragment>>>,
  from: Fragment = sql``,
): Fragment {
  const entries = Object.entries({
    resource: literal(resource.name),
    number: sql`0`,
    at: sql`date_trunc('milliseconds', clock_timestamp())`,
    ...values,
  })
  const names = entries.map(([column]) => name(logTable.columns[column as EntryColumn]))
  return sql`INSERT INTO ${log} (${commas(names)}) SELECT ${commas(entries.map(([, value]) => value))}${from}`
}

/** All rows as they are before they go. */
function truncated(writing: Writing, table: CapturedTable): Fragment {
  const { all, resource } = writing
  const row = namedRow(resource, sql`"bifold_row"`)
  const record = publicId(all, row)
  const values = {
    record,
    version: versionText(all, row),
    type: literal(`${resource.name}.deleted`),
    old: whole(textsOf(all, row)),
  }
  const from = sql` FROM ${name(table.schema)}.${name(table.name)} AS "bifold_row" WHERE ${record} IS NOT NULL`
  return entryOf(writing, values, from)
}

/** Whether the state of one machine has changed to one that it has: then the event is called after it. */
function moved(resource: Resource, before: Row, after: Row): Fragment {
  const machines = [...resource.machines.values()]
  if (machines.length === 0) return sql``
  const blocks = machines.map((machine) => {
    const { column } = present(resource.fields.get(machine.name), "a machine has its field")
    const [from, to] = [before, after].map((row) => sql`CAST(${row.stored(column)} AS text)`) as [
      Fragment,
      Fragment,
    ]
    return sql`
    IF ${from} IS DISTINCT FROM ${to} THEN
      moves := moves + 1;
      IF ${isState(machine, to)} THEN
        origin := ${from};
        goal := ${to};
      END IF;
    END IF;`
  })
  return sql`${join(blocks, sql``)}
    IF moves > 1 THEN origin := NULL; goal := NULL; END IF;`
}

const isState = ({ states }: Machine, value: Fragment): Fragment =>
  sql`${value} IN (${commas([...states.keys()].map(literal))})`
