// Counts who uses which version of the API, and which members that newer versions changed. Each process writes its own
// counts down now and then; together they are the use of the service.
import { perObject } from "../../base/caches.ts"
import { present } from "../../base/invariant.ts"
import type { CodeClient } from "../../engine/code/client.ts"
import { systemModel } from "../../engine/own-records.ts"
import type { Model } from "../../model/model.ts"
import { versionUse } from "../../model/system/version-use.ts"
import { versionOf } from "../../model/versions/served.ts"
import { type Actor, everybodyOf } from "../../plan/access/actor.ts"
import { deprecatedMembers } from "../../plan/deprecated-members.ts"
import type { Plan } from "../../plan/plan.ts"

export type HandleFor = (actor: Actor) => CodeClient

export interface UsageOptions {
  /** As it was declared, with its resource of counts. */
  readonly declared: Model
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Milliseconds between two writes of the counts. */
  readonly pause?: number
}

export interface Usage {
  /** Counts a request. */
  note(plan: Plan, actor: Actor): void
  /** Writes down from then on. */
  begin(handleFor: HandleFor): void
  /** Writes the rest. */
  close(): Promise<void>
}

const usualPause = 30_000
/** Counts that are written at once; the rest waits for the next time. */
const mostWritten = 500
/** Clients that are counted separately on a day. */
const mostClients = 10_000
/** Sets of members that are counted separately. */
const mostSets = 500
const keptDays = 400
const dayLength = 86_400_000

/** A client's use of a version on a day. */
interface Use {
  readonly version: string
  readonly client: string
  /** Days since 1970. */
  readonly day: number
  requests: number
  /** Requests by the members that they use and newer versions changed. */
  readonly sets: Map<readonly string[], number>
  /** Some of it is not written down yet. */
  changed: boolean
  /** The id of its record, once there is one. */
  id?: string
}

export function createUsage({ declared, now = Date.now, pause = usualPause }: UsageOptions): Usage {
  const uses = new Map<string, Use>()
  const byCaller = new WeakMap<Actor, Use>()
  // Shapes that use the same members are counted together.
  const sets = new Map<string, readonly string[]>()
  const open = (plan: Plan, actor: Actor, day: number): Use => {
    const version = versionOf(plan.model) ?? ""
    const named = clientOf(actor)
    const keyOf = (client: string): string => `${day} ${version} ${client}`
    const client = uses.has(keyOf(named)) || uses.size < mostClients ? named : "others"
    const use = uses.get(keyOf(client)) ?? {
      version,
      client,
      day,
      requests: 0,
      sets: new Map(),
      changed: false,
    }
    uses.set(keyOf(client), use)
    byCaller.set(actor, use)
    return use
  }
  const setOf = (members: readonly string[]): readonly string[] | undefined => {
    const key = members.join(" ")
    const known = sets.get(key) ?? (sets.size < mostSets || members.length === 1 ? members : undefined)
    if (known) sets.set(key, known)
    return known
  }
  /** The plan's members as one set, or, beyond the counted sets, a set for each member. */
  const setsOf = perObject((_shape: object, plan: Plan): readonly (readonly string[])[] => {
    const members = deprecatedMembers(plan)
    const set = setOf(members)
    return set ? [set] : members.map((member) => setOf([member]) ?? [])
  })
  const writing = createWriting(declared, { uses, now })
  let timer: NodeJS.Timeout | undefined
  return {
    note(plan, actor) {
      const day = Math.floor(now() / dayLength)
      const known = byCaller.get(actor)
      const use = known?.day === day ? known : open(plan, actor, day)
      use.requests += 1
      use.changed = true
      if (!plan.model.newest) return
      for (const set of setsOf(plan.kind === "read" ? plan.roots : plan.steps, plan))
        use.sets.set(set, (use.sets.get(set) ?? 0) + 1)
    },
    begin(handleFor) {
      writing.begin(handleFor)
      timer = setInterval(() => void writing.write(mostWritten), pause).unref()
    },
    async close() {
      clearInterval(timer)
      await writing.write(Number.POSITIVE_INFINITY)
    },
  }
}

/** Callers with tokens are one client, except callers whose tokens name a client. */
function clientOf({ name, application }: Actor): string {
  if (application !== undefined) return `client:${application.replace(/\p{C}/gu, "")}`.slice(0, 300)
  if (name.startsWith("key:")) return name
  // With `serve --as` requests without credentials have an actor, too.
  return name.startsWith("jwt:") ? "tokens" : "anonymous"
}

interface Own {
  list(asked: object): Promise<{ readonly data: readonly { readonly id: string }[] }>
  create(input: object): Promise<{ readonly id: string }>
  update(id: string, input: object): Promise<unknown>
  delete(id: string): Promise<void>
}

interface Written {
  readonly uses: Map<string, Use>
  readonly now: () => number
}

function createWriting(declared: Model, { uses, now }: Written) {
  let own: Own | undefined
  let underWay = Promise.resolve()
  /** The day on which old counts were removed last. */
  let cleared = 0
  const writeOne = async (records: Own, use: Use): Promise<void> => {
    use.changed = false
    const counts = { requests: use.requests, members: membersIn(use) }
    try {
      if (use.id !== undefined) await records.update(use.id, counts)
      else {
        const { version, client, day } = use
        use.id = (await records.create({ version, client, day: dateOf(day), ...counts })).id
      }
    } catch (error) {
      // A record that another program removed is made again.
      delete use.id
      use.changed = true
      throw error
    }
  }
  const removeOld = async (records: Own, today: number): Promise<void> => {
    if (cleared === today) return
    const where = { day: { lt: dateOf(today - keptDays) } }
    const { data } = await records.list({ where, first: mostWritten })
    for (const { id } of data) await records.delete(id)
    if (data.length < mostWritten) cleared = today
  }
  const write = async (records: Own, most: number): Promise<void> => {
    const today = Math.floor(now() / dayLength)
    let left = most
    for (const [key, use] of uses) {
      if (use.changed && left-- > 0) await writeOne(records, use)
      if (!use.changed && use.day < today) uses.delete(key)
    }
    await removeOld(records, today)
  }
  return {
    begin(handleFor: HandleFor): void {
      const model = systemModel(declared, [versionUse], mostWritten)
      const { db } = handleFor({ ...everybodyOf(model), name: "bifold usage" })
      own = present((db as Readonly<Record<string, Own>>)[versionUse], "a service that counts has its counts")
    },
    /** Never rejects: counts that a database does not take are written the next time. */
    write(most: number): Promise<void> {
      const records = own
      if (records) underWay = underWay.then(() => write(records, most)).catch(() => {})
      return underWay
    },
  }
}

function membersIn({ sets }: Use): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const [members, count] of sets)
    for (const member of members) sums[member] = (sums[member] ?? 0) + count
  return sums
}

const dateOf = (day: number): string => new Date(day * dayLength).toISOString().slice(0, 10)
