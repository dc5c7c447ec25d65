// Bifold beside others: who takes part, what they are asked, and the rounds in which they take turns.
import { join } from "node:path"
import { type Prepared, refuseDifferences } from "./compare.ts"
import { askingLabel, type MusicData } from "./data.ts"
import { withLiterals } from "./literals.ts"
import { clientName, writeSupply } from "./load.ts"
import { type Cores, canPin } from "./machine.ts"
import type { Options } from "./options.ts"
import { findPeers } from "./peers.ts"
import { oneLine } from "./report.ts"
import { checkOut } from "./revision.ts"
import { type Cell, type Measured, measureCell, summaries, type Taken } from "./rounds.ts"
import { signToken } from "./ruled/token.ts"
import {
  type Asker,
  askOver,
  bifoldAt,
  byHand,
  type Contestant,
  everythingOn,
  type Fleet,
  type HandKind,
  isByHand,
  twoWorkers,
} from "./servers.ts"
import { turnsOf, type WorkloadName, writeNames } from "./workloads.ts"

const root = join(import.meta.dirname, "..")

const say = (text: string): void => void process.stderr.write(`${text}\n`)

interface Gathered {
  readonly contestants: readonly Contestant[]
  readonly notes: readonly string[]
}

export async function gather(
  options: Options,
  folder: string,
  undo: (() => void | Promise<void>)[],
): Promise<Gathered> {
  const { against, peers, rules, foreign } = options
  const service = foreign && "foreign/service.ts"
  const asker: Asker | undefined = rules && { as: `label:${askingLabel}` }
  const contestants = [...handServers(options), bifoldAt(root, "Bifold", asker, service)]
  const signed = await signToken(askingLabel)
  if (rules) contestants.push(bifoldAt(root, "Bifold, by token", { signed }))
  else if (!foreign && options.servers.includes("everything"))
    contestants.push(everythingOn(root, "Bifold, everything on", signed))
  if (!rules && options.servers.includes("workers")) contestants.push(twoWorkers(root, "Bifold, two workers"))
  const notes: string[] = []
  if (against !== undefined) {
    const checkout = checkOut(against, folder)
    undo.push(() => checkout.remove())
    contestants.push(bifoldAt(checkout.root, `Bifold at ${checkout.short}`, asker, service))
  }
  if (peers) {
    say("Installing the peers …")
    const found = findPeers()
    contestants.push(...found.peers)
    notes.push(...found.notes)
  }
  return { contestants, notes }
}

/** Headers cost most by REST, where each answer has an entity tag and each list links. */
function handServers({ rules, headers, servers, foreign }: Options): readonly Contestant[] {
  const given = { ...(rules && { label: askingLabel }), ...(foreign && { foreign }) }
  const named = servers.filter(isByHand)
  const kinds: readonly HandKind[] = rules ? ["bare", ...(headers ? (["headers"] as const) : [])] : named
  return kinds.map((kind) => ({
    ...byHand(kind, given),
    ...(kind === "headers" && !headers && { faces: ["rest"] as const }),
  }))
}

interface Course {
  readonly contestants: readonly Contestant[]
  readonly fleet: Fleet
  readonly data: MusicData
  readonly folder: string
  /** The process whose children are PostgreSQL's. */
  readonly postgres: number | undefined
  /** Filled with what keeps a peer from taking part. */
  readonly absent: Set<string>
}

export async function measureAll(options: Options, course: Course): Promise<readonly Measured[]> {
  const taken: Taken[] = []
  // One process differs from another of the same program, by where its memory happens to lie.
  for (let pass = 0; pass < options.passes; pass += 1) {
    if (pass > 0) await course.fleet.stop()
    taken.push(...(await measurePass(options, course)))
  }
  return summaries(taken)
}

async function measurePass(options: Options, course: Course): Promise<readonly Taken[]> {
  const taken: Taken[] = []
  const { rounds, seconds } = options
  for (const ask of asksOf(options)) {
    const prepared = await prepare(course, ask, options.turns)
    await refuseDifferences(ask.workload, prepared)
    const ready = prepared.map((one, index) => ({
      ...one,
      supply: writeSupply(one.url, one.requests, join(course.folder, `requests-${index}.bin`)),
    }))
    for (const connections of options.connections) {
      const results = await measureCell({ ...ask, connections }, ready, {
        rounds,
        seconds,
        folder: course.folder,
        postgres: ask.database === "postgres" ? course.postgres : undefined,
        progress: showProgress(rounds),
      })
      if (process.stderr.isTTY) process.stderr.write("\r\x1b[2K")
      say(oneLine(summaries(results)))
      taken.push(...results)
    }
  }
  return taken
}

type Ask = Omit<Cell, "connections">

/** Reads come before writes, which make the tables longer. */
const asksOf = (options: Options): readonly Ask[] =>
  options.database.flatMap((database) =>
    options.face.flatMap((face) =>
      options.workload.flatMap((workload) =>
        valuesOf(options, workload).flatMap((values) =>
          values === "literals" && face === "rest"
            ? []
            : coresOf(options, workload).map((cores): Ask => ({ database, face, workload, values, cores })),
        ),
      ),
    ),
  )

/** No cache knows what a write answers, so that its values are new ones where that is measured at all. */
const valuesOf = ({ values }: Options, workload: WorkloadName): Options["values"] =>
  isWrite(workload) && values.includes("fresh") ? ["fresh"] : values

const coresOf = ({ cores }: Options, workload: WorkloadName): readonly Cores[] =>
  canPin() ? (cores ?? (isWrite(workload) ? [1, 2] : [1])) : [1]

const isWrite = (workload: WorkloadName): boolean => writeNames.some((name) => name === workload)

async function prepare(
  { contestants, fleet, data, absent }: Course,
  { workload, face, database, values, cores }: Ask,
  length: number | undefined,
): Promise<readonly Prepared[]> {
  const turns = turnsOf(workload, data, { values, ...(length !== undefined && { length }) })
  const able = contestants.filter(
    (one) =>
      one.faces.includes(face) && one.databases.includes(database) && (one.cores ?? [cores]).includes(cores),
  )
  const prepared: Prepared[] = []
  for (const contestant of able) {
    const started = fleet.server(contestant, { face, database, cores })
    if (contestant.kind === "peer") {
      const trouble = await started.then(() => undefined, String)
      if (trouble !== undefined) {
        absent.add(`${contestant.name} could not be started on ${database}: ${trouble.split("\n", 1)[0]}`)
        continue
      }
    }
    const { url, pid } = await started
    const ask = askOver(url)
    const requests = await contestant.requests(ask, { workload, face, database, turns })
    const asked = values === "literals" ? withLiterals(requests) : requests
    prepared.push({ contestant, url, pid, ask, requests: asked })
  }
  return prepared
}

const showProgress =
  (rounds: number) =>
  ({ workload, values, face, database, connections }: Cell, server: string, round: number): void => {
    if (!process.stderr.isTTY) return
    const at = round === 0 ? "warming up" : `round ${round} of ${rounds}`
    process.stderr.write(
      `\r\x1b[2K${workload} ${values} ${face} ${database}, ${connections} connections: ${server}, ${at}`,
    )
  }

/** @param busy cores that others kept busy when it began */
export function howMeasured(options: Options, data: MusicData, busy: number): readonly string[] {
  const { passes, rounds, seconds, turns } = options
  const anew = passes === 1 ? "" : ` in each of ${passes} passes by servers started anew`
  const client = `Load by ${seconds < 1 ? "bench/client.ts" : clientName()}; medians of ${rounds} rounds (N) of ${seconds} s that take turns${anew}, after one to warm up; all answers were compared first.`
  const cores = canPin()
    ? "The server has one core to itself and the client another, or the server has both; PostgreSQL runs on either."
    : "Server and client could not be given cores of their own here."
  const counts = options.workload.map(
    (name) =>
      `${name} ${turnsOf(name, data, { values: "fresh", ...(turns !== undefined && { length: turns }) }).length.toLocaleString("en")}`,
  )
  const asked = `Among ${data.tracks.length.toLocaleString("en")} tracks; different requests before one comes again, where values are fresh: ${counts.join(", ")}.`
  const others = `When it began, other programs kept ${busy.toFixed(1)} cores busy (the load average)${busy > 0.3 ? ": ratios are rough" : ""}.`
  return [[client, cores, asked, others].join(" ")]
}
