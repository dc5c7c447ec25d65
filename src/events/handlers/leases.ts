// The leases of partitions: processes that take part divide them evenly, whatever comes and goes.

import { readFileSync, readlinkSync } from "node:fs"
import { performance } from "node:perf_hooks"
import type { LeaseRow } from "../../sql/log/handler-state.ts"
import { allPartitions } from "../../sql/schema/system-tables.ts"
import type { Checkpoints, CheckpointsByHolder } from "./checkpoints.ts"

interface LeasesOptions {
  readonly kept: Pick<Checkpoints, "leases">
  readonly own: CheckpointsByHolder
  /** The name that the process made for itself: a random text, and who it is where the system says. */
  readonly holder: string
  /** Milliseconds. */
  readonly length: number
  /** Milliseconds between looks at the others. */
  readonly look: number
}

interface Division {
  readonly held: ReadonlySet<number>
  /** Partitions that it should have. */
  readonly share: number
}

export class Leases {
  readonly #options: LeasesOptions
  /** The end of the held leases, as of `performance.now()`. */
  #until = 0
  #lookedAt = -Infinity

  constructor(options: LeasesOptions) {
    this.#options = options
  }

  /** Milliseconds for which the leases surely hold: afterward another process may begin with the partitions. */
  get left(): number {
    return Math.max(0, this.#until - performance.now())
  }

  /** Renews the leases where due. False where they had run out. */
  async keep(): Promise<boolean> {
    const { length } = this.#options
    return this.left > (length * 2) / 3 || (await this.renew())
  }

  /** False where the leases had run out. */
  async renew(): Promise<boolean> {
    const { own, length } = this.#options
    const began = performance.now()
    await own.renew(length)
    const isLate = this.#until > 0 && this.left === 0
    this.#until = began + length
    return !isLate
  }

  /**
   * Keeps its partitions, and takes free ones of its share. `early` where it is too soon to look again. `late` where the leases
   * had run out or are gone. Other processes may have had the partitions meanwhile, so that all knowledge of them is outdated.
   * @param had partitions that it began with
   */
  async divide(had: readonly number[]): Promise<Division | "early" | "late"> {
    const { own, kept, length, look, holder } = this.#options
    const began = performance.now()
    const isDue = began - this.#lookedAt >= look || this.left <= (length * 2) / 3
    if (!(await this.keep())) return "late"
    if (!isDue) return "early"
    this.#lookedAt = began
    const leases = await kept.leases()
    const { share, free, held } = divisionOf(leases, holder)
    if (had.some((one) => !held.has(one))) return "late"
    const taken = free.slice(0, Math.max(0, share - held.size))
    if (taken.length === 0) return { held, share }
    await own.take(taken, length, goneHolders(leases))
    return { held: divisionOf(await kept.leases(), holder).held, share }
  }

  /** Whether every partition is one of these, or held by another process that lives, as far as can be told. */
  async isAllHeld(own: readonly number[]): Promise<boolean> {
    const { kept, holder } = this.#options
    const others = (await kept.leases()).filter((lease) => lease.holder !== holder)
    return freeOf(others).every((one) => own.includes(one))
  }

  /** The process has stopped work on its partitions, so that it may lose them meanwhile. */
  forget(): void {
    this.#until = 0
    this.#lookedAt = -Infinity
  }
}

const isOver = ({ isOver: over, holder }: LeaseRow): boolean => over || isGoneHolder(holder)

function isGoneHolder(holder: string): boolean {
  const [, identity] = holder.split(" ")
  return identity !== undefined && isGone(identity)
}

const goneHolders = (leases: readonly LeaseRow[]): readonly string[] => [
  ...new Set(leases.map(({ holder }) => holder).filter(isGoneHolder)),
]

function freeOf(leases: readonly LeaseRow[]): readonly number[] {
  const held = new Set(
    leases.flatMap((lease) => (lease.kind === "partition" && !isOver(lease) ? [lease.partition] : [])),
  )
  return allPartitions.filter((one) => !held.has(one))
}

/** All processes find the same division, since they see the same leases: each has the same number, the first ones one more. */
function divisionOf(
  leases: readonly LeaseRow[],
  holder: string,
): Division & { readonly free: readonly number[] } {
  const members = leases
    .flatMap((lease) => (lease.kind === "member" && !isOver(lease) ? [lease.holder] : []))
    .toSorted()
  const place = members.indexOf(holder)
  const count = Math.max(members.length, 1)
  const [each, more] = [Math.floor(allPartitions.length / count), allPartitions.length % count]
  const held = new Set(
    leases.flatMap((lease) =>
      lease.kind === "partition" && lease.holder === holder ? [lease.partition] : [],
    ),
  )
  return { held, share: each + (place >= 0 && place < more ? 1 : 0), free: freeOf(leases) }
}

// Which process holds a lease, so that another on the same host can tell at once that it is gone. Linux only: elsewhere, and
// wherever there is doubt, a lease is waited for.

/**
 * Boot, PID namespace, PID and start time of this process, in one text: together they never come again. Containers share a
 * boot and not a namespace. Undefined where the system does not say.
 */
export function processIdentity(): string | undefined {
  const place = placeOfProcesses()
  const started = place && startOf("self")
  return started ? `${place}/${process.pid}/${started}` : undefined
}

/** Whether the process of this identity has surely ended. False for any other text. */
export function isGone(identity: string): boolean {
  const [boot, namespace, text, started, ...more] = identity.split("/")
  const pid = Number(text)
  if (started === undefined || more.length > 0 || !Number.isSafeInteger(pid) || pid <= 0) return false
  if (`${boot}/${namespace}` !== placeOfProcesses()) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: there is such a process, of another user.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return true
  }
  // Another process may have its number by now. The files of another user's process may be hidden, which says nothing.
  const now = startOf(pid)
  return now !== undefined && now !== started
}

function placeOfProcesses(): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    return `${boot}/${readlinkSync("/proc/self/ns/pid")}`
  } catch {
    return undefined
  }
}

/** In clock ticks since the boot (proc_pid_stat(5), field 22); `ended` for a zombie. */
function startOf(pid: number | "self"): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name in parentheses may hold anything; field 3 follows it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return fields[0] === "Z" || fields[0] === "X" ? "ended" : fields[19]
  } catch {
    return undefined
  }
}
