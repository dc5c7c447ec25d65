// The machine: its cores and processes, as far as the system tells (Linux tells all of it).
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { availableParallelism, cpus, totalmem } from "node:os"

export type Role = "server" | "client"

/** The command that keeps a program on the role's own core; nothing where that is not possible. */
export function pinned(role: Role): readonly string[] {
  return canPin() ? ["taskset", "-c", role === "server" ? "0" : "1"] : []
}

export const canPin = (): boolean => availableParallelism() > 1 && isInstalled("taskset")

export function isInstalled(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" }).status === 0
}

/** Seconds of processor time that a process has taken, with its threads; undefined where /proc does not say. */
export function processorSeconds(pid: number): number | undefined {
  const stat = readProc(pid, "stat")
  if (stat === undefined) return undefined
  // The second field is the program's name in parentheses, which may hold spaces; user and system time are 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
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
    return undefined // It ended in between.
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
