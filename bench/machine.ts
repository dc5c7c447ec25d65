// The machine: its cores and processes, as far as the system tells (Linux tells all of it).
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { availableParallelism, cpus, totalmem } from "node:os"

/** How many cores a server has to itself, or shares with the client where there are no more. */
export type Cores = 1 | 2

/** The command that keeps a server on its cores; nothing where that is not possible. */
export const pinnedServer = (cores: Cores): readonly string[] => pinnedTo(cores === 1 ? "0" : "0,1")

/** The command that keeps the client on a core that no server of one core has. */
export const pinnedClient = (): readonly string[] => pinnedTo(availableParallelism() > 2 ? "2" : "1")

const pinnedTo = (list: string): readonly string[] => (canPin() ? ["taskset", "-c", list] : [])

export const canPin = (): boolean => availableParallelism() > 1 && isInstalled("taskset")

export function isInstalled(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" }).status === 0
}

/** Seconds of processor time, of the user and the system, that a process has taken with its threads; undefined where /proc does not say. */
export function processorSeconds(pid: number): number | undefined {
  const fields = statOf(pid)
  return fields && (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** The same of a process and its children, with those that have ended. */
export function familySeconds(pid: number): number | undefined {
  const own = statOf(pid)
  if (!own) return undefined
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(own[index]), 0)
  const theirs = childrenOf(pid).reduce((sum, child) => {
    const fields = statOf(child)
    return fields ? sum + Number(fields[11]) + Number(fields[12]) : sum
  }, 0)
  return (ticks + theirs) / ticksPerSecond
}

/** Resident memory of a process and its children, in bytes; pages that they share are counted for each. */
export function familyBytes(pid: number): number | undefined {
  const own = residentBytes(pid)
  return own && childrenOf(pid).reduce((sum, child) => sum + (residentBytes(child) ?? 0), own)
}

const childrenOf = (pid: number): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => Number(statOf(id)?.[1]) === pid)

/** The parent of a process of this name; undefined of any other, and where /proc does not say. */
export function parentOf(pid: number, name: string): number | undefined {
  if (!readProc(pid, "stat")?.includes(`(${name})`)) return undefined
  return Number(statOf(pid)?.[1])
}

/** From the process's state on. The field before is its name in parentheses, which may hold spaces. */
function statOf(pid: number): readonly string[] | undefined {
  const stat = readProc(pid, "stat")
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")
}

/** Linux gives processor time in these units on every platform that Node runs on (sysconf(_SC_CLK_TCK)). */
const ticksPerSecond = 100

/** As `processorSeconds`, finer than hundredths of a second where the system counts so, without threads that have ended. */
export function processorTime(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const spent = threads.map((thread) =>
      Number((readProc(pid, `task/${thread}/schedstat`) ?? "").split(" ")[0]),
    )
    const sum = spent.reduce((total, nanoseconds) => total + nanoseconds, 0) / 1e9
    if (sum > 0) return sum
  } catch {
    // No such system.
  }
  return processorSeconds(pid) ?? Number.NaN
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, "status") ?? "")?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024
}

function readProc(pid: number, file: string): string | undefined {
  const path = `/proc/${pid}/${file}`
  try {
    return existsSync(path) ? readFileSync(path, "utf8") : undefined
  } catch {
    return undefined // The process ended in between.
  }
}

/** Lines of "what: which" for the report. */
export function describeMachine(postgres: string | undefined): readonly (readonly [string, string])[] {
  const [first] = cpus()
  return [
    ["Processor", `${first?.model.trim() ?? "unknown"}, ${availableParallelism()} cores`],
    ["Memory", `${Math.round(totalmem() / 2 ** 30)} GiB`],
    ["System", `${process.platform} ${process.arch}`],
    ["Node", process.versions.node],
    ["SQLite", process.versions.sqlite ?? "unknown"],
    ...(postgres === undefined ? [] : [["PostgreSQL", postgres] as const]),
    ["Revision", revision()],
  ]
}

function revision(): string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8" }).trim()
  try {
    const changed =
      git("status", "--porcelain", "--", "../src") === "" ? "" : ", with changes that are not committed"
    return `${git("rev-parse", "--short", "HEAD")}${changed}`
  } catch {
    return "not a git checkout"
  }
}
