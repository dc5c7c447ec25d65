// Two worlds that differ only in what one person may not see: the same changes that she sees, at the same times, among others
// that she does not see. Which ones, how many and with which values is drawn for each world.
import { type Random, seeded } from "../../examples/storefront/random.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { canonicalDateTime } from "../../src/model/values/datetime.ts"
import type { Fresh } from "../../src/plan/draft/draft.ts"
import { createIds } from "../../src/plan/values/typeid.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import type { Hooks } from "../support/database.ts"
import type { Database } from "../support/open-service.ts"
import { notes } from "./notes.ts"
import { type FeedServer, openDatabase, openServer } from "./open.ts"

const staff = "role:staff"

export const plainModel = load(withSystem(notes))
const sending = load(
  withSystem({ ...notes, webhooks: { manage: { role: "staff" }, networks: ["127.0.0.0/8"] } }),
)

export interface World {
  readonly url: string
  readonly server: FeedServer
  /** Another process, which sends the webhooks. */
  readonly sender: FeedServer
  /** As the faces know her. */
  readonly ann: string
  readonly annId: string
  /**
   * Writes a number of changes that she sees, of different records, and unseen ones between them.
   * @returns the id of the note that the last one makes, whose text begins with `a`
   */
  round(changes: number): Promise<string>
  /** Unseen changes so far. */
  readonly unseen: () => number
}

interface WorldOptions {
  readonly database: Database
  /** Of what is seen: the same in both worlds. */
  readonly seed: number
  /** Of what is not seen. */
  readonly own: number
  /** Unseen changes after each one that is seen; drawn when absent. */
  readonly between?: number
}

export async function openWorld(
  hooks: Hooks,
  { database, seed, own, between }: WorldOptions,
): Promise<World> {
  const url = await openDatabase(hooks, database, sending)
  const fresh = createFresh(seed, own)
  const server = await openServer(hooks, url, plainModel, { fresh })
  const sender = await openServer(hooks, url, sending)
  const call = async (method: string, path: string, body?: object): Promise<string> => {
    const { status, body: answer } = await server.send(method, path, staff, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer?.id ?? ""
  }
  const annId = await call("POST", "/people", { name: "Ann" })
  fresh.turn("seen")
  const benId = await call("POST", "/people", { name: "Ben" })
  const seen = createSeen(call, seeded(seed), {
    annId,
    benId,
    hidden: hiddenValues(own),
  })
  const unseen = createUnseen(call, seeded(own), benId)
  const drawn = seeded(own + 1)
  // Epochs have random names: what is compared is the rest of an id. They have begun when events were read.
  await server.send("GET", "/events", staff)
  await setUp(url, [{ text: "UPDATE bifold_epoch SET name = '0000000001'", parameters: [] }])
  let count = 0
  return {
    url,
    server,
    sender,
    ann: `person:${annId}`,
    annId,
    unseen: () => count,
    async round(changes) {
      seen.begin()
      for (let change = 0; change < changes; change += 1) {
        fresh.turn("seen")
        if (change === changes - 1) return await seen.last()
        const left = await seen.change()
        if (left) unseen.take(left)
        for (let more = between ?? drawn.between(0, 2); more > 0; more -= 1) {
          fresh.turn("unseen")
          await unseen.change()
          count += 1
        }
      }
      throw new Error("A round has a change.")
    },
  }
}

type Turn = "seen" | "unseen"

/** Ids, times and first versions of what is seen do not depend on what is not. */
function createFresh(seed: number, own: number): Fresh & { turn(to: Turn): void } {
  let time = Date.UTC(2026, 0, 1)
  let current: Turn = "seen"
  const makers = { seen: createMaker(seed, () => time), unseen: createMaker(own, () => time) }
  /** Of one change: a write that is tried again, as others write as well, gets them again. */
  let made: { id?: string; uuid?: string; version?: number } = {}
  return {
    turn(to) {
      current = to
      made = {}
      if (to === "seen") time += 1_000
    },
    id: () => (made.id ??= makers[current].id()),
    uuid: () => (made.uuid ??= makers[current].uuid()),
    now: () => canonicalDateTime(time),
    version: () => (made.version ??= makers[current].version()),
  }
}

function createMaker(seed: number, clock: () => number): Required<Omit<Fresh, "now">> {
  const random = seeded(seed)
  let version = 0
  const bytes = (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => random.between(0, 255))
  return {
    id: createIds(bytes, clock),
    uuid: () => `00000000-0000-4000-8000-${Buffer.from(bytes(6)).toString("hex")}`,
    version: () => {
      version += 1 + random.between(0, 9)
      return version
    },
  }
}

const hiddenValues = (own: number): (() => string) => {
  const random = seeded(own + 2)
  let count = 0
  // Never what it was before: a value that stays is no change.
  return () => `${count++} ${random.between(0, 1e9)}`
}

type Call = (method: string, path: string, body?: object) => Promise<string>

interface Seen {
  /** From then on each record is changed once, until the next time. */
  begin(): void
  /** Gives the path of a record that she will never see again. */
  change(): Promise<string | undefined>
  last(): Promise<string>
}

interface SeenOptions {
  readonly annId: string
  readonly benId: string
  /** Values of what she does not see of a record that she sees. */
  readonly hidden: () => string
}

function createSeen(call: Call, random: Random, { annId, benId, hidden }: SeenOptions): Seen {
  /** Of the records that she sees, and of those that went out of her sight and may come back. */
  const [inSight, outOfSight]: [string[], string[]] = [[], []]
  let free: string[] = []
  let pages = 0
  const takeFrom = (paths: string[]): string | undefined => {
    const able = paths.filter((path) => free.includes(path))
    if (able.length === 0) return undefined
    const path = able[random.between(0, able.length - 1)]
    free = free.filter((one) => one !== path)
    return path
  }
  const text = (): string => `${random.pick(["a", "b"])}${random.between(0, 1e9)}`
  const create = async (): Promise<undefined> => {
    if (random.oneIn(4)) {
      const slug = `p${++pages}`
      await call("POST", "/pages", { slug, text: text(), open: true })
      inSight.push(`/pages/${slug}`)
      return
    }
    const id = await call("POST", "/notes", { text: text(), ownerId: annId, secret: hidden() })
    inSight.push(`/notes/${id}`)
  }
  const isNote = (path: string): boolean => path.startsWith("/notes/")
  const leave = (from: string[], path: string): void => void from.splice(from.indexOf(path), 1)
  const kinds = [
    async () => {
      const path = takeFrom(inSight)
      if (!path) return await create()
      await call("PATCH", path, { text: text(), ...(isNote(path) && { secret: hidden() }) })
      return undefined
    },
    async () => {
      const path = takeFrom(inSight.filter(isNote))
      if (!path) return await create()
      // A change of which she sees only that there was one.
      await call("PATCH", path, { secret: hidden() })
      return undefined
    },
    async () => {
      const path = takeFrom(inSight)
      if (!path) return await create()
      leave(inSight, path)
      const isForGood = random.oneIn(2)
      await call(
        "PATCH",
        path,
        isNote(path) ? { ownerId: benId, secret: hidden() } : { open: false, text: text() },
      )
      if (isForGood) return path
      outOfSight.push(path)
      return undefined
    },
    async () => {
      const path = takeFrom(outOfSight)
      if (!path) return await create()
      leave(outOfSight, path)
      await call("PATCH", path, isNote(path) ? { ownerId: annId, secret: hidden() } : { open: true })
      inSight.push(path)
      return undefined
    },
    async () => {
      const path = takeFrom(inSight)
      if (!path) return await create()
      leave(inSight, path)
      await call("DELETE", path)
      return undefined
    },
  ] as const
  return {
    begin() {
      free = [...inSight, ...outOfSight]
    },
    last: () => call("POST", "/notes", { text: "a last", ownerId: annId, secret: hidden() }),
    change: async () => (inSight.length < 6 || random.oneIn(3) ? await create() : await random.pick(kinds)()),
  }
}

interface Unseen {
  /** A record that she will never see again. */
  take(path: string): void
  change(): Promise<void>
}

/** Each change is one row of the log. */
function createUnseen(call: Call, random: Random, benId: string): Unseen {
  const paths: string[] = []
  const text = (): string => `hidden ${random.between(0, 1e9)}`
  let count = 0
  const create = async (): Promise<void> => {
    const kind = random.pick(["page", "folder", "note"])
    if (kind === "folder") {
      await call("POST", "/folders", { title: text(), ownerId: benId })
      return
    }
    const slug = `h${++count}-${random.between(0, 1e6)}`
    if (kind === "page") await call("POST", "/pages", { slug, text: text() })
    const path =
      kind === "page"
        ? `/pages/${slug}`
        : `/notes/${await call("POST", "/notes", { text: text(), ownerId: benId })}`
    paths.push(path)
  }
  return {
    take: (path) => void paths.push(path),
    async change() {
      const path = paths[random.between(0, paths.length)]
      if (path === undefined) return await create()
      if (random.oneIn(3)) {
        paths.splice(paths.indexOf(path), 1)
        await call("DELETE", path)
      } else await call("PATCH", path, { text: text() })
    },
  }
}
