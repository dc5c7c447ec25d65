// A WritePlan becomes a program: a command for each write, and one that reads each step's answer. The program is a
// single statement where the database can read back the rows that a statement writes.
import { invariant, present } from "../../base/invariant.ts"
import type { Model, Resource } from "../../model/model.ts"
import { isReached, looksAt, touchesOf } from "../../plan/guard/looks-at.ts"
import { transitionNamed, wholeOf } from "../../plan/lookup.ts"
import { answersModel } from "../../plan/plan.ts"
import type { Filter, RecordRoot } from "../../plan/read-plan.ts"
import type { Fires, Kind, Step, Write, WritePlan } from "../../plan/write-plan.ts"
import type { Dialect } from "../dialect.ts"
import { allOf, commas, type Fragment, name, render, sql, where } from "../fragment.ts"
import { concatenated } from "../json-text.ts"
import { subjectText } from "../read/column-json.ts"
import { type Compilation, type Row, resourceOf, tableOf } from "../read/compilation.ts"
import { rootRecordText, rootText } from "../read/compile.ts"
import { holds, isOneOf } from "../read/condition.ts"
import { isOfRowAlone, readsSeparately } from "../read/returning.ts"
import { nextVersion, openTable, withMasks } from "../read/row.ts"
import { startCompilation } from "../read/start-compilation.ts"
import { columnsOf, keyOf, toOne } from "../read/subject.ts"
import { firesHere, meetsWhen, startsHere } from "../read/transitions.ts"
import type { Filled, Program, ProgramCommand, Statement, StepAnswer } from "../statement.ts"
import {
  aroundUpsert,
  changeLogged,
  changeWhatWasThere,
  isLogged,
  type LoggedUpsert,
  loggedCommands,
  loggedRows,
  makeUnlessThere,
  written,
} from "./log.ts"
import {
  allColumns,
  isDeferred,
  isKeyAssigned,
  isTriggered,
  mayKeepLinks,
  systemColumns,
  tellsNew,
} from "./table-traits.ts"
import { isReferable, judged, mayRefer, wouldMeet } from "./would-be.ts"
import { areGone, findKeys, isThere, locateKey, meetsCheck, onlyRelated, sumOf } from "./write-find.ts"
import {
  assigned,
  assignedTo,
  deleteRows,
  insertRow,
  isForLinks,
  isOnlyCheck,
  keyColumns,
  keyParts,
  linkRows,
  linksStand,
  namesRecord,
  type Query,
  ruledBy,
  targeted,
  unlinkRows,
  updateRows,
  upsertRow,
} from "./write-rows.ts"

/** Depends on the plan's model and shape only, never on its values. */
export function compileWrite(plan: WritePlan, dialect: Dialect): Program {
  const assembly: Assembly = { plan, dialect, commands: [], filled: [], cursors: [] }
  const answers = plan.steps.map((step, index) => compileStep(assembly, step, index))
  const { commands, filled, cursors } = assembly
  return { commands, filled, answers, cursors }
}

/**
 * One statement for a step that makes one record under rules: it makes none where a reference or a rule refuses it. Undefined
 * where one statement cannot tell. Whatever it does not do is for the whole program, which says why.
 */
export function compileAttempt(plan: WritePlan, dialect: Dialect): Program | undefined {
  const [step, ...more] = plan.steps
  if (!step || more.length > 0 || !plan.model.managed || !dialect.writes.readsBack) return undefined
  const { writes, answer } = step
  const [insert, ...others] = writes.filter(({ kind }) => kind === "insert") as Kind<"insert">[]
  if (!insert || others.length > 0 || writes.length < 2 || answer.kind !== "record") return undefined
  const asked = writes.filter((write) => write !== insert)
  if (!asked.every((write) => isAskedWithin(plan, insert, write))) return undefined
  const assembly: Assembly = { plan, dialect, commands: [], filled: [], cursors: [] }
  const given = (compilation: Compilation): Fragment =>
    allOf(asked.map((write) => askedOfNew(compilation, insert, write)))
  const merged = mergedWrite(
    assembly,
    { write: insert, answer, place: { step: 0, write: writes.indexOf(insert) } },
    given,
  )
  const { commands, filled, cursors } = assembly
  return merged && { commands, filled, answers: [merged], cursors }
}

type Asked = Kind<"refers" | "check"> & Write

/** Whether the condition is of the new record's own members, or of other tables than its own. */
function isAskedWithin({ model }: WritePlan, insert: Kind<"insert"> & Write, write: Write): write is Asked {
  if (write.kind === "refers") return write.of.kind === "insert" && !write.hooked
  if (write.kind !== "check" || write.key.slot !== insert.key.slot) return false
  if (write.refuses.kind !== "action" || write.refuses.before || write.several || write.locks) return false
  const whole = wholeOf(model)
  const resource = resourceOf({ model: whole }, insert.resource)
  const looked = looksAt(whole, resource, write.that)
  const made = insert.keyFrom === "database" ? keyOf(resource).parts.map(({ column }) => column) : []
  return !made.some((column) => looked.own.has(column)) && !isReached(looked, touchesOf(whole, insert))
}

const askedOfNew = (compilation: Compilation, insert: Kind<"insert">, write: Asked): Fragment =>
  write.kind === "refers" ? isReferable(compilation, write) : wouldMeet(compilation, insert, write.that)

interface Assembly {
  readonly plan: WritePlan
  readonly dialect: Dialect
  readonly commands: ProgramCommand[]
  readonly filled: Filled[]
  readonly cursors: string[]
}

function compileStep(assembly: Assembly, step: Step, index: number): StepAnswer {
  const merged = mergedStep(assembly, step, index)
  if (merged) return merged
  const { writes } = step
  const looks = writes.findIndex(({ kind }) => kind !== "find" && kind !== "locate")
  const first = step.reads === "before" ? (looks < 0 ? writes.length : looks) : writes.length
  let created: StepAnswer["created"]
  const run = (from: number, to: number): void => {
    for (const [offset, write] of writes.slice(from, to).entries())
      created = compileOne(assembly, write, { step: index, write: from + offset }) ?? created
  }
  run(0, first)
  const command = answerCommand(assembly, step, index)
  run(first, writes.length)
  return { ...(command === undefined ? {} : { command }), ...(created && { created }) }
}

/** Undefined for an answer that needs no database. */
function answerCommand(assembly: Assembly, { answer }: Step, step: number): number | undefined {
  return compiled(
    assembly,
    { step },
    (compilation) => {
      const text = rootText(compilation, answer)
      return text && { query: sql`SELECT ${text}`, ...(answer.kind === "record" && { present: true }) }
    },
    answersOf(assembly),
  )
}

/** The model whose names answers have, and conditions that find records. */
const answersOf = ({ plan }: Assembly): Model => answersModel(plan)

type Place = Pick<ProgramCommand, "step" | "write" | "triggered">

/** The index of the command. */
function compiled(
  assembly: Assembly,
  place: Place,
  compile: (compilation: Compilation) => Query | undefined,
  model: Model = assembly.plan.model,
): number | undefined {
  const { dialect, cursors, commands } = assembly
  const compilation = startCompilation(model, dialect, cursors)
  const made = compile(compilation)
  if (!made) return undefined
  const { query, ...expected } = made
  const flaws = compilation.flaws && ({ flaws: true } as const)
  return commands.push({ ...render(query, dialect.placeholder), ...place, ...expected, ...flaws }) - 1
}

/** A write whose commands are made. */
interface Making {
  readonly assembly: Assembly
  /** The whole service, and the resource in it. */
  readonly model: Model
  readonly resource: Resource
  readonly command: Command
}

function compileOne(assembly: Assembly, write: Write, place: Place): StepAnswer["created"] {
  const model = wholeOf(assembly.plan.model)
  const resource = resourceOf({ model }, write.resource)
  const compile = compilers[write.kind] as (write: Write, making: Making) => StepAnswer["created"]
  return compile(write, { assembly, model, resource, command: commandsOf(assembly, write, place) })
}

/** An upsert's says where the program finds whether it created the record. */
const compilers: {
  readonly [Name in Write["kind"]]: (
    write: Kind<Name>,
    making: Making,
  ) => Name extends "upsert" ? StepAnswer["created"] : void
} = {
  update(write, { assembly, command }) {
    const { fires, target } = write
    if (fires && target.several) command((compilation) => eachFires(compilation, { ...write, fires }))
    if (isForLinks(write)) {
      const { touch: _, moves: __, ...look } = write
      command((compilation) => updateRows(compilation, { ...look, sets: [] }))
    }
    changeRows(assembly, write, command)
  },
  insert(write, { assembly, command }) {
    changeRows(assembly, write, command)
  },
  delete(write, { assembly, model, command }) {
    changeRows(assembly, write, command)
    // A single one says itself that it is gone.
    if ((write.target.several || write.any) && !model.managed && !assembly.dialect.writes.readsBack)
      command((compilation) => areGone(compilation, write))
  },
  upsert(write, { assembly, resource, command }) {
    const { dialect, filled } = assembly
    if (isLogged(write)) return upsertLogged(assembly, write, command)
    // If RETURNING cannot tell a new row, an earlier command looks for it. SQLite has one writer, so the row cannot
    // appear in between. In a partitioned table, a row that another writer makes in between is reported as new.
    const before = tellsNew(dialect, resource)
      ? undefined
      : command((compilation) => isThere(compilation, write))
    const upsert = isDeferred(dialect, resource.table) ? upsertDeferred : upsertRow
    const at = command((compilation) => upsert(compilation, write))
    const parts = keyOf(resource).parts.length
    filled.push({ ...write.key, kind: "key", command: at, column: 0, parts })
    return before === undefined ? { command: at, column: parts } : { command: before }
  },
  find(write, { assembly, command }) {
    const at = command((compilation) => findKeys(compilation, write), answersOf(assembly))
    assembly.filled.push({ ...write.into, kind: "keys", command: at })
  },
  locate(write, { assembly: { filled }, model, resource, command }) {
    const { relation } = write
    const at = command((compilation) => locateKey(compilation, write))
    const owner = relation === undefined ? resource : resourceOf({ model }, toOne(resource, relation).target)
    filled.push({ ...write.into, kind: "key", command: at, column: 0, parts: keyOf(owner).parts.length })
  },
  only(write, { assembly, model, command }) {
    const { place, target, optional } = write
    if (!optional)
      command((compilation) =>
        updateRows(compilation, { kind: "update", resource: write.resource, place, target, sets: [] }),
      )
    const answers = answersOf(assembly)
    const at = command((compilation) => onlyRelated(compilation, write), answers)
    const { target: of } = toOne(resourceOf({ model: answers }, write.resource), write.relation)
    const { parts } = keyOf(resourceOf({ model }, of))
    assembly.filled.push({ ...write.into, kind: "key", command: at, column: 1, parts: parts.length })
  },
  sum(write, { assembly, command }) {
    const at = command((compilation) => sumOf(compilation, write))
    assembly.filled.push({ ...write.into, kind: "number", command: at, column: 0 })
  },
  collect({ into, of }, { assembly }) {
    assembly.filled.push({ ...into, kind: "collected", of })
  },
  // The guard has put a check in its place, unless everybody may do everything.
  may() {},
  check(write, { command }) {
    command((compilation) => meetsCheck(compilation, write))
  },
  judge(write, { assembly: { filled }, command }) {
    const at = command((compilation) => judged(compilation, write))
    for (const [column, { into }] of write.asks.entries())
      filled.push({ ...into, kind: "verdict", command: at, column })
  },
  refers(write, { command }) {
    command((compilation) => mayRefer(compilation, write))
  },
  link(write, making) {
    making.command((compilation) => ({ query: linkRows(compilation, write) }))
    seeThatLinksStand(write, making)
  },
  unlink(write, making) {
    making.command((compilation) => ({ query: unlinkRows(compilation, write) }))
    seeThatLinksStand(write, making)
  },
}

function seeThatLinksStand(
  write: Kind<"link" | "unlink">,
  { assembly: { dialect }, model, resource, command }: Making,
): void {
  if (mayKeepLinks(dialect, model, resource, write.relation))
    command((compilation) => linksStand(compilation, write))
}

/** Adds a command of the write, and gives its index. */
type Command = (make: (compilation: Compilation) => Query, model?: Model) => number

function commandsOf(assembly: Assembly, write: Write, at: Place): Command {
  const { dialect, plan } = assembly
  const resource = resourceOf({ model: wholeOf(plan.model) }, write.resource)
  const place: Place = { ...at, ...(isTriggered(dialect, resource) && { triggered: true }) }
  return (make, model) =>
    present(
      compiled(assembly, place, (compilation) => make(write.cascade ? compilation.all : compilation), model),
      "a write is a command",
    )
}

/** @param change what the row's own command is otherwise, and the column of its result in which a key begins */
function changeRows(
  assembly: Assembly,
  write: RowChange,
  command: Command,
  change?: { readonly make: (compilation: Compilation) => Query; readonly keyAt: number },
): number {
  const logged = isLogged(write)
    ? loggedCommands(assembly.dialect, wholeOf(assembly.plan.model), write)
    : undefined
  for (const make of logged?.before ?? []) command(make)
  const at = command(change?.make ?? logged?.change ?? ((compilation) => changed(compilation, write)))
  fillKey(assembly, write, { command: at, column: change?.keyAt ?? 0 })
  for (const make of logged?.after ?? []) command(make)
  return at
}

/** The key of a record that is made, unless it is known. */
function fillKey(
  { filled, plan, dialect }: Assembly,
  write: RowChange,
  at: { readonly command: number; readonly column: number },
): void {
  if (write.kind !== "insert") return
  const model = wholeOf(plan.model)
  const resource = resourceOf({ model }, write.resource)
  if (isKeyAssigned(dialect, resource, write))
    filled.push({ ...write.key, ...at, kind: "key", parts: keyOf(resource).parts.length })
  else if (write.keyFrom === "sets") filled.push({ ...write.key, kind: "parts", of: keyParts(model, write) })
}

/** An upsert in two halves, so that each is logged as what it is. */
function upsertLogged(assembly: Assembly, write: LoggedUpsert, command: Command): StepAnswer["created"] {
  const { filled, dialect, plan } = assembly
  const parts = keyOf(resourceOf({ model: wholeOf(plan.model) }, write.resource)).parts.length
  const fill = (at: number): void =>
    void filled.push({ ...write.key, kind: "key", command: at, column: 0, parts })
  if (dialect.writes.readsBack) {
    const made = command((compilation) => makeUnlessThere(compilation, write))
    const at = command((compilation) => changeWhatWasThere(compilation, write, made))
    fill(at)
    return { command: at, column: parts }
  }
  const there = command((compilation) => isThere(compilation, write))
  const { before, after } = aroundUpsert(wholeOf(plan.model), write, there)
  for (const make of before) command(make)
  fill(command((compilation) => upsertRow(compilation, write)))
  for (const make of after) command(make)
  return { command: there }
}

/**
 * One statement for a step that writes one row. The returned row is the answer if the answer is about the row alone. If
 * the answer reads nothing else of the table, it is read from the returned row (docs/decisions/0116). Tables with
 * triggers are excepted, as triggers change the stored row after the statement has answered.
 */
function mergedStep(assembly: Assembly, { writes, answer }: Step, step: number): StepAnswer | undefined {
  const [write, ...more] = writes
  if (!write || more.length > 0 || answer.kind !== "record" || !changesOneRow(write)) return undefined
  return mergedWrite(assembly, { write, answer, place: { step, write: 0 } })
}

/** @param given the condition for making the record, which includes that the caller sees it */
function mergedWrite(
  assembly: Assembly,
  {
    write,
    answer,
    place,
  }: { readonly write: RowChange & Write; readonly answer: RecordRoot; readonly place: Place },
  given?: (compilation: Compilation) => Fragment,
): StepAnswer | undefined {
  const { plan, dialect } = assembly
  const model = answersOf(assembly)
  const resource = resourceOf({ model }, write.resource)
  if (isTriggered(dialect, resource)) return undefined
  const masked = [...resource.fields.values()].some(({ seen }) => seen)
  const alone = isOfRowAlone(model, answer) && !masked
  const query = alone
    ? dialect.writes.readsBack || plan.model.managed
      ? answerAlone
      : undefined
    : dialect.writes.readsBack && readsSeparately(model, answer)
      ? readWritten
      : undefined
  if (!query) return undefined
  const make = (compilation: Compilation): Query => ({
    query: query(compilation, write, { model, answer, given: given?.(compilation) }),
    present: true,
  })
  return { command: changeRows(assembly, write, commandsOf(assembly, write, place), { make, keyAt: 1 }) }
}

interface Answered {
  readonly model: Model
  readonly answer: RecordRoot
  readonly given: Fragment | undefined
}

/** A part of the same statement that is in the names of its answer. */
function inAnswers<Part>(
  compilation: Compilation,
  { model }: Answered,
  make: (compilation: Compilation) => Part,
): Part {
  if (model === compilation.model) return make(compilation)
  const own = { ...compilation, model }
  const part = make(own)
  compilation.flaws ||= own.flaws
  return part
}

/** The written row gives the answer itself. */
function answerAlone(compilation: Compilation, write: RowChange, answered: Answered): Fragment {
  const given = inAnswers(compilation, answered, (own) => {
    const row = rowAlone(own, resourceOf(own, write.resource))
    return gives(own, row, write, answered.answer)
  })
  if (!isLogged(write)) return changed(compilation, write, given, answered.given).query
  if (compilation.dialect.writes.readsBack)
    return sql`WITH ${loggedRows(compilation, write, answered.given)} SELECT ${given} FROM ${written}`
  return write.kind === "insert"
    ? insertRow(compilation, write, given).query
    : changeLogged(compilation, write, true, () => given).query
}

/** The row that RETURNING is about, which nothing can be joined to. */
function rowAlone(compilation: Compilation, resource: Resource): Row {
  const row: Row = {
    ...withMasks(compilation, resource, name, () => row),
    one: ({ name: relation }) => invariant(false, `${relation} is not of the row alone`) as never,
  }
  return row
}

/** The answer, then the key where the database has made it. */
function gives(compilation: Compilation, row: Row, write: RowChange, answer: RecordRoot): Fragment {
  const made = write.kind === "insert" && write.keyFrom === "database"
  const key = made ? keyOf(row.resource).parts.map(({ column }) => row.column(column)) : []
  return commas([rootRecordText(compilation, row, answer), ...key])
}

type RowChange = Extract<Write, { readonly kind: "insert" | "update" | "delete" }>

const changesOneRow = (write: Write): write is RowChange =>
  write.kind === "insert" ||
  ((write.kind === "update" || write.kind === "delete") && !write.target.several && !isOnlyCheck(write))

function changed(compilation: Compilation, write: RowChange, all?: Fragment, given?: Fragment): Query {
  const returned = all && (() => all)
  switch (write.kind) {
    case "insert":
      return insertRow(compilation, write, all, given)
    case "update":
      return updateRows(compilation, write, returned)
    case "delete":
      return deleteRows(compilation, write, returned)
  }
}

function readWritten(compilation: Compilation, write: RowChange, answered: Answered): Fragment {
  const resource = resourceOf(compilation, write.resource)
  const all = sql`${allColumns(compilation, resource.name)}${systemColumns(compilation, resource)}`
  const [source, given] = inAnswers(compilation, answered, (own) => {
    const opened = openTable(own, resourceOf(own, write.resource), written)
    return [opened, gives(own, opened.row, write, answered.answer)] as const
  })
  const rows = isLogged(write)
    ? loggedRows(compilation, write, answered.given)
    : sql`${written} AS (${changed(compilation, write, all, answered.given).query})`
  return sql`WITH ${rows} SELECT ${given} FROM ${source.from()}${where(source.rules)}`
}

// An upsert by a unique key that the database may look at when a transaction ends: ON CONFLICT is refused there.

/** As `upsertRow`. If two such statements make the same record at the same time, one violates the key. */
function upsertDeferred(compilation: Compilation, write: Kind<"upsert">): Query {
  const { all } = compilation
  const resource = resourceOf(compilation, write.resource)
  const { alias, row, rules } = openTable(compilation, resource)
  const key = keyColumns(compilation, resource)
  const changes = assignedTo(compilation, row, write.changes).map(
    ({ column, value }) => sql`${name(column)} = ${value}`,
  )
  const kept = write.unique.flatMap((subject) =>
    columnsOf(all, resource, subject).columns.map(
      ({ column }) => sql`${name(column)} = ${row.stored(column)}`,
    ),
  )
  const tests = [...namesRecord(all, row, write), ...ruledBy(compilation, row, write), ...rules]
  const values = assigned(compilation, resource, write.sets)
  const columns = commas(values.map(({ column }) => name(column)))
  const other = openTable(all, resourceOf(all, write.resource))
  const there = sql`SELECT 1 FROM ${other.from()} WHERE ${allOf(namesRecord(all, other.row, write))}`
  const table = tableOf(resource)
  // The table says what type each column has, a value that is bound does not.
  const typed = sql`SELECT ${columns} FROM ${table} WHERE FALSE`
  const rows = sql`${typed} UNION ALL SELECT ${commas(values.map(({ value }) => value))} WHERE NOT EXISTS (${there})`
  const [changed, made] = [compilation.alias(), compilation.alias()]
  const sets = changes.length > 0 ? [...changes, ...nextVersion(row)] : kept
  return {
    query: sql`WITH ${changed} AS (UPDATE ${table} AS ${alias} SET ${commas(sets)} WHERE ${allOf(tests)} RETURNING ${key}, FALSE), ${made} AS (INSERT INTO ${table} (${columns}) ${rows} RETURNING ${key}, TRUE) SELECT * FROM ${changed} UNION ALL SELECT * FROM ${made}`,
    present: true,
  }
}

// Checks on records whose transition fires, besides the update itself. For several records they run before the update;
// for a refused one they run after it, to say why.
type Firing = Extract<Write, { readonly kind: "update" }> & { readonly fires: Fires }

/** A row where each of the records is in a state that it starts from, and meets its condition. */
function eachFires(compilation: Compilation, { resource, target, fires }: Firing): Query {
  const { all } = compilation
  const { row, from } = openTable(all, resourceOf(all, resource))
  const [named] = target.by
  invariant(named && target.by.length === 1, "several records are named by their keys")
  const among = isOneOf(all, row, columnsOf(all, row.resource, named.subject), named)
  const transition = transitionNamed(resourceOf(compilation, resource), fires.transition)
  const fit = allOf(firesHere(compilation, row, transition))
  return {
    query: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${from()} WHERE ${among} AND (${fit}) IS NOT TRUE)`,
    present: true,
  }
}

/** Columns of what `whyNotFired` gives: a text where it holds, null where it does not. */
export const verdictColumns = { allowed: 0, version: 1, starts: 2, meets: 3, state: 4, id: 5 } as const

/**
 * The verdict on a record whose transition was not fired, as it is now; no row where the actor does not see it. The
 * state and the id are JSON, the state only where the actor sees it.
 * @param among of several, which they were: the first that it could not be fired on
 */
export function whyNotFired(
  model: Model,
  dialect: Dialect,
  { resource: called, target, match, rule, fires }: Firing,
  among?: Filter,
): Statement {
  const compilation = startCompilation(model, dialect)
  const source = openTable(compilation, resourceOf(compilation, called))
  const { row, rules } = source
  const transition = transitionNamed(row.resource, fires.transition)
  const starts = startsHere(compilation, row, transition)
  const meets = meetsWhen(compilation, row, transition)
  const which = among
    ? [holds(compilation, row, among), sql`(${allOf(firesHere(compilation, row, transition))}) IS NOT TRUE`]
    : targeted(compilation, row, { target })
  const columns = commas([
    held(rule && [compilation.holds(row, rule)]),
    held(match && targeted(compilation, row, { target: { by: [] }, match })),
    held([starts]),
    held(meets && [meets]),
    stateText(compilation, row, transition.machine),
    concatenated(dialect, subjectText(compilation, row, { kind: "id" })),
  ])
  const query = sql`SELECT ${columns} FROM ${source.from()} WHERE ${allOf([...which, ...rules])} LIMIT 1`
  const { text, binds } = render(query, dialect.placeholder)
  return { text, binds, columns: Object.values(verdictColumns), cursors: [], flaws: false }
}

const held = (conditions: readonly Fragment[] | undefined): Fragment =>
  conditions ? sql`CASE WHEN ${allOf(conditions)} THEN '1' END` : sql`'1'`

function stateText(compilation: Compilation, row: Row, field: string): Fragment {
  if (!row.resource.fields.has(field)) return sql`NULL`
  return concatenated(compilation.dialect, subjectText(compilation, row, { kind: "field", field }))
}
