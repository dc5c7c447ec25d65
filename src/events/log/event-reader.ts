// The one reader of events. Turns rows of the log into events that one kind of subscriber may see, by the rules of now.
import { createRecent, type Recent } from "../../base/caches.ts"
import type { JsonValue } from "../../base/json.ts"
import type { Problem } from "../../base/problem.ts"
import type { Request } from "../../base/request.ts"
import type { ChangeKind } from "../../http/changes.ts"
import type { AnswerPlan } from "../../http/face.ts"
import type { Model } from "../../model/model.ts"
import type { Actor } from "../../plan/access/actor.ts"
import { wholeOf } from "../../plan/lookup.ts"
import type { Value } from "../../plan/read-plan.ts"
import { readId } from "../../plan/values/ids.ts"
import type { Log, LogRow } from "../../storage/log-types.ts"
import { batch, feedModel, isConcerned, loggedEntries } from "./feed-model.ts"
import { createStatesAround, imageValues, readMarked, type State, type StatesAround } from "./images.ts"
import type { Sight } from "./sight.ts"

/** An entry of the record's history, as the subscriber may see it. */
export interface Entry {
  readonly version: string
  readonly type: string
  /** RFC 3339, UTC. */
  readonly at: string
  readonly actor: string | null
  readonly transition: string | null
  readonly from: string | null
  readonly to: string | null
  readonly input: JsonValue
  /** For resources with events of their own; null of any other event. */
  readonly payload?: JsonValue
  readonly changes: readonly { readonly field: string; readonly from: JsonValue; readonly to: JsonValue }[]
}

export interface SeenEvent {
  readonly row: LogRow
  /** The resource's name in the subscriber's version. */
  readonly resource: string
  readonly kind: ChangeKind
  /** Undefined where the record is not visible: of `LEFT` and `DELETED`. */
  readonly entry: Entry | undefined
  /** The record as it is now, where the sight has it and it is visible. */
  readonly record?: SeenRecord
  /** Values of the record that cannot be shown, which are null there; each with its place in the record. */
  readonly missing?: readonly Problem[]
  /**
   * A change of a record that is hidden, and was hidden before, judged by the related records of now. Subscribers who saw the
   * record before another record hid it receive `LEFT`, all others nothing.
   */
  readonly lost?: true
}

type SeenRecord = Readonly<Record<string, JsonValue>>

/** An entry and its record, as far as they are shown. */
type Shown = Partial<Pick<SeenEvent, "entry" | "record">>

interface Reader {
  readonly actor: Actor
  readonly request?: Request | undefined
}

export interface EventReader {
  /**
   * The events that a subscriber sees, in the order of the rows.
   * @param sights by resource; rows of other resources are passed over
   */
  read(rows: readonly LogRow[], by: Reader, sights: ReadonlyMap<string, Sight>): Promise<readonly SeenEvent[]>
  /** The same with those that are `lost`. */
  look: EventReader["read"]
  /**
   * Shows a row to followers that receive every row. A deleted record has the members that are visible of every such record.
   */
  show(row: LogRow, actor: Actor, sight: Sight): Promise<Shown>
}

export interface EventReaderOptions {
  /** The whole service. */
  readonly model: Model
  readonly log: Pick<Log, "for">
  readonly answer: AnswerPlan
}

export function createEventReader({ model, log, answer }: EventReaderOptions): EventReader {
  const states = createStatesAround({ model, log, answer })
  const known = createRecent<string, Listing>(mostKnown)
  const askingAs = ({ actor, request }: Reader): Asking => ({
    answer: (plan, as) => answer(plan, as, request),
    states: (rows, sight) => states(rows, sight, request),
    known,
    actor: { ...actor, model: feedModel(actor.model) },
  })
  return {
    show: (row, actor, sight) => showRow(askingAs({ actor }), row, sight),
    read: async (rows, by, sights) => (await look(rows, by, sights)).filter(({ lost }) => !lost),
    look,
  }
  async function look(...[rows, by, sights]: Parameters<EventReader["read"]>): Promise<readonly SeenEvent[]> {
    const asking = askingAs(by)
    const found: SeenEvent[] = []
    for (let from = 0; from < rows.length; from += batch)
      found.push(...(await readBatch(asking, rows.slice(from, from + batch), sights)))
    return found
  }
}

interface Asking {
  readonly answer: AnswerPlan
  readonly states: StatesAround
  /** Parsed answers by their texts: followers with equal answers share one. */
  readonly known: Recent<string, Listing>
  readonly actor: Actor
}

const mostKnown = { count: 1_000, weight: 8_000_000 } as const

async function readBatch(
  asking: Asking,
  rows: readonly LogRow[],
  sights: ReadonlyMap<string, Sight>,
): Promise<readonly SeenEvent[]> {
  const groups = Map.groupBy(rows, ({ resource }) => resource)
  const seen = new Map<LogRow, SeenEvent>()
  await Promise.all(
    [...groups].map(async ([resource, all]) => {
      const sight = sights.get(resource)
      const own = sight ? all.filter(({ record }) => sight.allows(record)) : []
      if (!sight || own.length === 0) return
      const visible = await visibleRecords(asking, sight, own)
      const states = asking.states(own, sight)
      await Promise.all(
        own.map(async (row) => {
          const { entries, record, missing = [] } = visible.get(row.record) ?? {}
          const kind = await kindOf(asking, sight, { row, entries, states })
          const entry = entries?.get(row.seq)
          const { called } = sight
          if (!kind && sight.dependsOnOthers && entries === undefined)
            seen.set(row, { row, resource: called, kind: "LEFT", entry: undefined, lost: true })
          else if (kind && isGone(kind)) seen.set(row, { row, resource: called, kind, entry: undefined })
          else if (kind)
            seen.set(row, {
              row,
              resource: called,
              kind,
              entry,
              ...(sight.hasRecord && record && { record, missing }),
            })
        }),
      )
    }),
  )
  return rows.flatMap((row) => seen.get(row) ?? [])
}

async function showRow(asking: Asking, row: LogRow, sight: Sight): Promise<Shown> {
  const { entries, record } = (await visibleRecords(asking, sight, [row])).get(row.record) ?? {}
  const entry = entries?.get(row.seq) ?? (await goneEntry(asking, sight, row))
  return { ...(entry && { entry }), ...(sight.hasRecord && record && { record }) }
}

async function goneEntry(
  { answer, actor }: Asking,
  { gone, whole }: Sight,
  { record, seq }: LogRow,
): Promise<Entry | undefined> {
  const key = readId(whole, record)
  if (!gone || !key) return undefined
  const answered = await answer(gone.plan(key, seq), { ...actor, model: gone.model })
  const [json] = answered.roots
  return json ? entriesOf(readMarked(String(json), answered).value as never).get(seq) : undefined
}

export const isGone = (kind: ChangeKind): boolean => kind === "LEFT" || kind === "DELETED"

/** Entries of a visible record by the numbers of their rows. */
type Entries = ReadonlyMap<bigint, Entry>

interface Visible {
  readonly entries: Entries
  readonly record: SeenRecord
  readonly missing: readonly Problem[]
}

/** By the ids of records. */
type Listing = ReadonlyMap<string, Visible>

async function visibleRecords(
  { answer, actor, known }: Asking,
  sight: Sight,
  rows: readonly LogRow[],
): Promise<Listing> {
  const keys = new Map<string, Value>()
  for (const { record } of rows) {
    const key = readId(sight.whole, record)
    if (key) keys.set(record, key)
  }
  if (keys.size === 0) return new Map()
  const numbers = rows.map(({ seq }) => seq)
  const answered = await answer(sight.entries([...keys.values()], numbers), actor)
  const [json] = answered.roots
  if (!json) return new Map()
  const text = String(json)
  const found = known.get(text)
  if (found) return found
  const made = listingOf(readMarked(text, answered))
  // The text, and what it says. Equal texts may stand for different failures of user code.
  if (!answered.failures) known.set(text, made, 2 * text.length)
  return made
}

function listingOf({ value, problems }: ReturnType<typeof readMarked>): Listing {
  const { rows } = value as never as { readonly rows: readonly Listed[] }
  return new Map(
    rows.map(({ [loggedEntries]: entries, ...record }, index) => {
      const missing = problems.flatMap(({ place = [], ...problem }) =>
        place[1] === index && place[2] !== loggedEntries ? [{ ...problem, place: place.slice(2) }] : [],
      )
      return [record.id, { entries: entriesOf({ [loggedEntries]: entries }), record, missing }]
    }),
  )
}

interface WithEntries {
  readonly [loggedEntries]: { readonly rows: readonly (Entry & { readonly rowNumber: string })[] }
}

type Listed = WithEntries & { readonly id: string }

const entriesOf = ({ [loggedEntries]: { rows } }: WithEntries): Entries =>
  new Map(rows.map(({ rowNumber, ...entry }) => [BigInt(rowNumber), entry]))

interface Judged {
  readonly row: LogRow
  /** Undefined where the record is not visible now. */
  readonly entries: Entries | undefined
  readonly states: ReturnType<StatesAround>
}

/** Undefined for an event that the subscriber does not see. */
async function kindOf(
  asking: Asking,
  sight: Sight,
  { row, entries, states }: Judged,
): Promise<ChangeKind | undefined> {
  const { old, new: fresh } = row
  // An earlier record may have had the id.
  const isVisible = entries?.has(row.seq) === true
  if (old === null) return isVisible ? "CREATED" : undefined
  const changed = namesNow(sight, Object.keys({ ...old, ...fresh }))
  if (fresh !== null && !isConcerned(sight.concerns, changed)) return isVisible ? "UPDATED" : undefined
  const { before, after } = await states(row)
  const wasVisible = await isMatch(asking, sight, row, before)
  if (fresh === null) return wasVisible ? "DELETED" : undefined
  const staysVisible = await isMatch(asking, sight, row, after)
  if (wasVisible && !staysVisible) return "LEFT"
  if (!isVisible || !staysVisible) return undefined
  return wasVisible ? "UPDATED" : "ENTERED"
}

/** Members that were renamed are kept under their former names. */
const namesNow = ({ image }: Sight, names: readonly string[]): readonly string[] =>
  names.map((name) => image.find(({ was }) => was.includes(name))?.name ?? name)

async function isMatch({ answer, actor }: Asking, sight: Sight, row: LogRow, state: State): Promise<boolean> {
  if (state === null) return false
  const values = imageValues(wholeOf(actor.model), sight, row, state)
  const { roots } = await answer(sight.matches(values), actor)
  const [json] = roots
  return json !== null && json !== undefined
}
