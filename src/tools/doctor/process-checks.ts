// The process and the machine: Node, the secret, and limits of the system.
import { readFileSync } from "node:fs"
import { openFilesIn } from "../../base/open-files.ts"
import { bad, type Finding, findingsOf, good, type Judged, unknown, warning } from "./finding.ts"

/** Last days of security fixes, by major version (https://github.com/nodejs/Release). */
const nodeEnds: Readonly<Record<number, string>> = {
  20: "2026-04-30",
  22: "2027-04-30",
  24: "2028-04-30",
  25: "2026-06-01",
  26: "2029-04-30",
}
const oldestNode = 24

export interface ProcessFacts {
  /** `v24.21.0` */
  readonly node: string
  /** `2026-11-26` */
  readonly today: string
  readonly secret: string | undefined
  /** Whether others keep ids that the secret makes: receivers of webhooks, readers of events. */
  readonly secretIsKept: boolean
  /** The text of `/proc/self/limits`; undefined without such a file. */
  readonly limits: string | undefined
  /** The text of `/proc/sys/net/core/somaxconn`; undefined without such a file. */
  readonly backlog: string | undefined
  /** Bytes that the container may use; 0 or undefined where there is no such limit. */
  readonly memory: number | undefined
}

export function processFacts(given: Pick<ProcessFacts, "secret" | "secretIsKept">): ProcessFacts {
  return {
    ...given,
    node: process.version,
    today: new Date().toISOString().slice(0, 10),
    limits: readSystem("/proc/self/limits"),
    backlog: readSystem("/proc/sys/net/core/somaxconn"),
    memory: process.constrainedMemory(),
  }
}

export const processFindings = (facts: ProcessFacts): readonly Finding[] =>
  findingsOf("machine", {
    node: judgeNode(facts),
    secret: judgeSecret(facts),
    open_files: judgeOpenFiles(facts.limits),
    backlog: judgeBacklog(facts.backlog),
    memory: judgeMemory(facts.memory),
  })

function judgeNode({ node, today }: ProcessFacts): Judged {
  const major = Number(/^v(\d+)/.exec(node)?.[1])
  const latest = Math.max(...Object.keys(nodeEnds).map(Number))
  if (major < oldestNode)
    return bad(`Node ${node} is older than Bifold needs.`, `Install Node ${oldestNode} or newer.`)
  const end = nodeEnds[major]
  if (end === undefined) return unknown(`Node ${node} is not known to this version of Bifold.`)
  if (end < today)
    return bad(
      `Node ${node} has had no security fixes since ${end}.`,
      `Install Node ${latest} with its latest fixes.`,
    )
  const months = monthsBetween(today, end)
  return months <= 3
    ? warning(`Node ${node} gets security fixes until ${end}.`, `Plan the change to Node ${latest}.`)
    : good(`Node ${node} gets security fixes until ${end}.`)
}

function monthsBetween(from: string, to: string): number {
  const [fromYear = 0, fromMonth = 0] = from.split("-").map(Number)
  const [toYear = 0, toMonth = 0] = to.split("-").map(Number)
  return (toYear - fromYear) * 12 + toMonth - fromMonth
}

function judgeSecret({ secret, secretIsKept }: ProcessFacts): Judged {
  const make =
    "Make one with `openssl rand -hex 32`, and give the same to every process as `--secret` or BIFOLD_SECRET."
  if (secret === undefined)
    return secretIsKept
      ? bad("No secret is set (`--secret` or BIFOLD_SECRET), and ids of events change with each start.", make)
      : warning(
          "No secret is set (`--secret` or BIFOLD_SECRET): cursors and entity tags end with the process.",
          make,
        )
  const kinds = new Set(secret).size
  return secret.length < 32 || kinds < 8
    ? warning("The secret is short, or has few different characters.", make)
    : good("The secret is set.")
}

/** Each connection is a file, and so is each connection to the database. */
const fewFiles = 4_096

function judgeOpenFiles(limits: string | undefined): Judged {
  const most = openFilesIn(limits)
  if (most === undefined) return unknown("The limit of open files cannot be read on this system.")
  if (most === Number.POSITIVE_INFINITY) return good("Any number of files may be open.")
  if (most >= fewFiles) return good(`${most} files may be open.`)
  return warning(
    `Only ${most} files may be open, and each connection is one.`,
    `Set LimitNOFILE=65536 in the systemd unit, or ulimit -n 65536 before the start.`,
  )
}

/** As many connections as the server asks the system to keep until they are taken. */
const wantedBacklog = 4_096

function judgeBacklog(text: string | undefined): Judged | undefined {
  const most = Number(text?.trim())
  if (text === undefined || Number.isNaN(most)) return undefined
  return most >= wantedBacklog
    ? good(`${most} connections may wait to be taken.`)
    : warning(
        `Only ${most} connections may wait to be taken: in a rush, others are refused.`,
        `Set sysctl net.core.somaxconn=${wantedBacklog}.`,
      )
}

const megabyte = 1024 * 1024
const littleMemory = 256 * megabyte

function judgeMemory(bytes: number | undefined): Judged | undefined {
  // Without a limit the system gives zero, or more than there is.
  if (bytes === undefined || bytes === 0 || bytes > 2 ** 50) return undefined
  const shown = `${Math.round(bytes / megabyte)} MB`
  return bytes < littleMemory
    ? warning(
        `The process may use ${shown}, which a busy service goes beyond.`,
        "Allow 512 MB for each worker.",
      )
    : good(`The process may use ${shown}.`)
}

function readSystem(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}
