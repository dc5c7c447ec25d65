// The workshop on a real database behind the server's own dispatch, without a network between: thousands of requests a second.

import { randomUUID } from "node:crypto"
import { EventEmitter } from "node:events"
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { join } from "node:path"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { refuseCredentials } from "../../src/access/identity/credential-error.ts"
import { textOf } from "../../src/base/json.ts"
import { createEngine } from "../../src/engine/engine.ts"
import { buildSchema } from "../../src/graphql/schema/schema.ts"
import { wholeBody } from "../../src/http/answer.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"
import type { Actor } from "../../src/plan/access/actor.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { ownFresh } from "../../src/plan/draft/draft.ts"
import { createCoding } from "../../src/server/coding.ts"
import { type Dispatch, dispatch } from "../../src/server/dispatch.ts"
import { HeldBytes } from "../../src/server/held-bytes.ts"
import { type ArrivingBody, readBody } from "../../src/server/incoming.ts"
import { createReadiness } from "../../src/server/lifecycle/readiness.ts"
import { createFindMount, type Mounted, mountsOf } from "../../src/server/mounts.ts"
import type { Observation } from "../../src/server/observation.ts"
import { createFaces } from "../../src/server/service.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { addRecords, arrangedModel, type Ids } from "../../src/tools/testing/arrange.ts"
import { atVersions, older } from "../access/versioned.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import type { Database } from "../support/open-service.ts"
import { type Asking, bytesOf, type FuzzRequest, targetOf } from "./request.ts"
import { workshop } from "./workshop.ts"
import type { World } from "./world.ts"

export interface Answered {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

type Options = Omit<Dispatch, "findMount" | "coding"> & Mounted

export interface Target {
  readonly world: World
  /** What a server would be started with. */
  readonly options: Options
  ask(request: FuzzRequest): Promise<Answered>
  /** What the server was told since the last time: faults, and what could not be answered. */
  observed(): readonly Observation[]
}

const askers: readonly Asking[] = ["anonymous", "creator", "reader", "staff"]

/** @param change of what the server is started with, for controls that break it @param isOlder those who ask are pinned to an older version */
export async function openTarget(
  hooks: Hooks,
  database: Database,
  change: (options: Options) => Options = (options) => options,
  isOlder = false,
): Promise<Target> {
  const declared = load(withSystem(workshop))
  const model = isOlder ? atVersions(declared) : declared
  const dialect = database === "sqlite" ? sqlite : postgres
  const url =
    database === "sqlite"
      ? join(await temporaryFolder(hooks), "workshop.sqlite")
      : await temporaryPostgres(hooks)
  await setUp(
    url,
    createSchema(model, dialect).map((text) => ({ text, parameters: [] })),
  )
  const storage = await openStorage(url, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const secret = "a secret of the tests"
  const cursors = createCursors(secret)
  const { answer } = createEngine({ storage, cursors, fresh: ownFresh })
  const ids = await addRecords({ model: arrangedModel(model), cursors, fresh: ownFresh }, records, answer)
  const served = createFaces({ model, storage, secret, base: "" })
  const newest = actorsOf(model, ids)
  const pinned = isOlder
    ? mapped(newest, (actor) => ({ ...actor, model: modelAt(actor.model, older) }))
    : newest
  // Records are made and linked by the newest version.
  let actors = newest
  const observed: Observation[] = []
  const options = change({
    ...served,
    untaken: new HeldBytes<Socket>({ cut: (socket) => socket.destroy() }),
    arriving: new HeldBytes<ArrivingBody>({ cut: (body) => body.giveUp() }),
    readiness: createReadiness({ ...served, observe: (one) => void observed.push(one) }),
    identify: ({ authorization }) => {
      const actor = authorization === undefined ? actors.anonymous : actors[wordOf(authorization)]
      if (!actor) throw refuseCredentials("there is no such key")
      return actor
    },
    base: "",
    cors: [],
    bodyLimit: 1_000_000,
    loopbackOnly: false,
    observe: (observation) => void observed.push(observation),
  })
  const dispatching = {
    ...options,
    coding: createCoding("auto"),
    findMount: createFindMount(mountsOf(options), options.base),
  }
  const ask = (request: FuzzRequest): Promise<Answered> => askBy(dispatching, request)
  const world = await worldOf(model, newest, { ids, ask })
  actors = pinned
  return {
    options,
    ask,
    observed: () => observed.splice(0),
    world: {
      ...world,
      model: isOlder ? modelAt(model, older) : model,
      models: mapped(pinned, (actor) => actor.model),
      schemas: mapped(pinned, (actor) => buildSchema(actor.model)),
    },
  }
}

const mapped = <Of, Value>(
  of: Readonly<Record<Asking, Of>>,
  make: (one: Of) => Value,
): Readonly<Record<Asking, Value>> =>
  Object.fromEntries(askers.map((as) => [as, make(of[as])])) as Record<Asking, Value>

const wordOf = (authorization: string): Asking => authorization.replace("Bearer ", "") as Asking

function actorsOf(model: Model, ids: Ids): Readonly<Record<Asking, Actor>> {
  return {
    anonymous: actorFromText(model, "anyone"),
    creator: actorFromText(model, "role:creator"),
    reader: actorFromText(model, "role:reader"),
    staff: actorFromText(model, `person:${ids["person"]?.[0]}+role:staff`),
  }
}

const each = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index))

const emails = each(12, (index) => `p${index}@example.org`)
const names = each(40, (index) => `thing ${index}`)

const records = {
  person: emails.map((email, index) => ({ email, name: `Person ${index}` })),
  shelf: each(5, (index) => ({ name: `shelf ${index}` })),
  label: each(8, (index) => ({ code: `code ${index}`, order: index })),
  place: each(8, (index) => ({ hall: `h~${index % 3}`, number: index })),
  tag: each(8, (index) => ({ id: `t${index}`, colour: "red" })),
  thing: names.map((name, index) => ({
    name,
    open: index % 2 === 0,
    floor: index,
    price: `${index}.50`,
    facts: { index },
    words: ["a", name],
  })),
  signup: each(4, (index) => ({ name: `s ${index}` })),
  guest: each(8, (index) => ({ text: `g ${index}` })),
  careful: each(8, (index) => ({ text: `c ${index}` })),
  job: each(24, (index) => ({ title: `j ${index}`, effort: index })),
}

async function worldOf(
  model: Model,
  actors: Readonly<Record<Asking, Actor>>,
  { ids, ask }: { readonly ids: Ids; readonly ask: Target["ask"] },
): Promise<World> {
  const known = new Map(Object.entries(ids).map(([name, some]) => [name, some ?? []]))
  const send = (method: string, path: string, body?: FuzzRequest["body"]): Promise<Answered> =>
    ask({
      as: "staff",
      door: "",
      method,
      path,
      query: [],
      headers: [["content-type", "application/json"]],
      body,
    })
  const at = (name: string, index: number): string =>
    known.get(name)?.[index % (known.get(name)?.length ?? 1)] ?? ""
  for (const [index, id] of (known.get("thing") ?? []).entries())
    await send("PATCH", `/things/${id}`, {
      ownerId: at("person", index),
      shelfId: at("shelf", index),
      labelId: at("label", index),
      placeId: at("place", index),
      parentId: at("thing", index + 1),
      ...(index % 2 === 0 && { tags: { link: [at("tag", index)] } }),
    })
  for (const [index, id] of (known.get("job") ?? []).entries()) {
    await send("PATCH", `/jobs/${id}`, { thingId: at("thing", index) })
    if (index % 3 === 0) await send("POST", `/jobs/${id}/transitions/begin`)
  }
  const parts = (known.get("thing") ?? [])
    .slice(0, 12)
    .map((thingId, position) => ({ thingId, position, text: "p" }))
  const made = await send("POST", "/parts", parts)
  known.set(
    "part",
    JSON.parse(made.body).data.map(({ id }: { readonly id: string }) => id),
  )
  const keys = [1, 2, 3, 4].map((index) =>
    send("POST", "/api-keys", { name: `key ${index}`, roles: [], ownerId: at("person", index) }),
  )
  known.set(
    "apiKey",
    (await Promise.all(keys)).map(({ body }) => JSON.parse(body).id),
  )
  const cursors = new Map<string, string[]>()
  for (const resource of model.resources.values()) {
    const { body } = await send("GET", `/${resource.path}?limit=2`.split("?")[0] ?? "")
    const next = JSON.parse(body).page?.next
    if (next) cursors.set(resource.name, [next])
  }
  return {
    model,
    models: mapped(actors, (actor) => actor.model),
    schemas: mapped(actors, (actor) => buildSchema(actor.model)),
    ids: known,
    uniques: new Map([
      ["person", ["email", emails]],
      ["thing", ["name", names]],
    ]),
    cursors,
  }
}

/** A request as Node's server would hand it on: as much of it as dispatch looks at. */
class Message extends EventEmitter {
  /** Requests without credentials are told apart by it; each is of a client of its own here. */
  readonly socket = { remoteAddress: randomUUID() }
  readonly method: string
  readonly url: string
  readonly httpVersion = "1.1"
  readonly headers: Readonly<Record<string, string>>
  readonly headersDistinct: Readonly<Record<string, readonly string[]>>
  readonly rawHeaders: readonly string[]

  constructor(request: FuzzRequest, body: Buffer) {
    super()
    this.method = request.method
    this.url = targetOf(request)
    const own = request.headers.map(([name, value]) => [name, asHeader(value)] as const)
    const shown = request.as === "anonymous" ? [] : [["authorization", `Bearer ${request.as}`] as const]
    const host = own.some(([name]) => name === "host") ? [] : [["host", "localhost"] as const]
    const length = body.length > 0 ? [["content-length", String(body.length)] as const] : []
    const all = [...host, ...length, ...(own.some(([name]) => name === "authorization") ? [] : shown), ...own]
    this.rawHeaders = all.flat()
    const distinct: Record<string, string[]> = {}
    for (const [name, value] of all) distinct[name] = [...(distinct[name] ?? []), value]
    this.headersDistinct = distinct
    this.headers = Object.fromEntries(
      Object.entries(distinct).map(([name, values]) => [
        name,
        single.has(name) ? (values[0] ?? "") : values.join(", "),
      ]),
    )
  }

  /** Its body comes at once. */
  resume(): void {}
}

/** Of which Node keeps the first. */
const single = new Set(["authorization", "host", "content-type", "if-match", "content-length"])
/** Node gives the bytes of a header as characters, and lets no controls through. */
const asHeader = (value: string): string =>
  Buffer.from([...value].filter((each) => (each >= " " || each === "\t") && each !== "\x7f").join(""), "utf8")
    .toString("latin1")
    .trim()

async function askBy(options: Dispatch, request: FuzzRequest): Promise<Answered> {
  const body = bytesOf(request)
  const message = new Message(request, body)
  const dispatched = dispatch(options, message as unknown as IncomingMessage, readBody)
  if (body.length > 0) message.emit("data", body)
  message.emit("end")
  const response = await dispatched
  if (!response) return { status: 0, body: "", headers: {} }
  const headers: Record<string, string> = {}
  for (let index = 0; index < response.headers.length; index += 2)
    headers[response.headers[index] ?? ""] = response.headers[index + 1] ?? ""
  return { status: response.status, body: textOf(await wholeBody(response.body)), headers }
}
