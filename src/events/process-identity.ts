// Which process holds a lease, so that another on the same host can tell at once that it is gone. Linux only: elsewhere, and
// wherever there is doubt, a lease is waited for.
import { readFileSync, readlinkSync } from "node:fs"

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
