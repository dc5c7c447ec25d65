// A copy of a SQLite file while it is served: one moment of it, checked before it has its name.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs"
import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"
import { backup, DatabaseSync } from "node:sqlite"
import { Refusal, refusal } from "../../base/problem.ts"
import { readFault } from "../faults.ts"
import { asking, tableNames } from "./catalog.ts"
import { openForReading } from "./file.ts"

export interface BackupOptions {
  /** The path of the file that is copied. */
  readonly from: string
  /** The path of the copy. */
  readonly to: string
  /** A file of that name may be replaced. */
  readonly replace: boolean
  /** Told of the pages that are copied, and of all. */
  readonly progress?: (copied: number, pages: number) => void
}

export interface Backup {
  readonly bytes: number
  readonly tables: number
  /** References to records that are not there, in the file as in its copy. */
  readonly danglingReferences: number
}

/** Pages between two reports. */
const stride = 2_000
/** Milliseconds to wait for another process. */
const patience = 10_000

/**
 * The copy is one file, without a log beside it, and is on disk when this resolves. Rejects with a Refusal when the
 * copy fails or does not pass SQLite's check. Then there is no copy, and a file of its name stays as it was.
 */
export async function backUpSqlite({ from, to, replace, progress }: BackupOptions): Promise<Backup> {
  if (!existsSync(from))
    throw refusal("storage_unavailable", `There is no database ${from}.`, {
      hint: "Give the path of the SQLite file that is served.",
    })
  refuseFolder(to)
  if (!replace && existsSync(to))
    throw refusal("invalid_command", `${to} is there already.`, {
      hint: "Choose another name, or replace it with --replace.",
    })
  if (existsSync(to) && statSync(from).ino === statSync(to).ino && statSync(from).dev === statSync(to).dev)
    throw refusal("invalid_command", `${to} is the database itself.`, { hint: "Choose another name." })
  removeAbandoned(to)
  const unfinished = unfinishedPath(to)
  try {
    rmSync(unfinished, { force: true })
    // A copy is as secret as the database, from its first byte on.
    closeSync(openSync(unfinished, "wx", statSync(from).mode & 0o666))
    const tables = await copy(from, unfinished, progress)
    const checked = check(unfinished, tables)
    sync(unfinished)
    renameSync(unfinished, to)
    sync(dirname(to))
    return { ...checked, bytes: statSync(to).size }
  } catch (fault) {
    throw asRefusal(fault, { from, to })
  } finally {
    removeUnfinished(to)
  }
}

const ends = ["", "-wal", "-shm", "-journal"] as const

const prefixOf = (to: string): string => `${basename(to)}.unfinished-`

/** Containers that share a volume have equal ids of processes, and hosts of their own. */
const unfinishedPath = (to: string): string =>
  join(dirname(to), `${prefixOf(to)}${process.pid}-${hostname()}`)

/** Removes the copy that this process does not finish. */
export function removeUnfinished(to: string): void {
  for (const end of ends) rmSync(unfinishedPath(to) + end, { force: true })
}

/** Milliseconds after which a file of another host counts as abandoned. */
const abandonedAfter = 24 * 60 * 60 * 1_000

/** Files of processes that were killed: each is as large as the database. */
function removeAbandoned(to: string): void {
  const folder = dirname(to)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefixOf(to))) continue
    const [, pid = "", host = ""] =
      /^(\d+)-(.+?)(?:-wal|-shm|-journal)?$/.exec(name.slice(prefixOf(to).length)) ?? []
    const path = join(folder, name)
    const isOld = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > abandonedAfter
    if (isOld || (host === hostname() && !isRunning(Number(pid)))) rmSync(path, { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (fault) {
    // A process of another user refuses the signal, but exists.
    return fault instanceof Error && "code" in fault && fault.code === "EPERM"
  }
}

/** SQLite would say of both that it cannot open the database. */
function refuseFolder(to: string): void {
  if (existsSync(to) && statSync(to).isDirectory())
    throw refusal("invalid_command", `${to} is a folder.`, {
      hint: `Give the path of a file in it, such as ${join(to, "backup.db")}.`,
    })
  const folder = dirname(to)
  if (!existsSync(folder))
    throw refusal("invalid_command", `There is no folder ${folder} for the copy.`, {
      hint: "Make it, or choose another path.",
    })
}

/** Resolves with the names of tables at the moment that was copied. */
async function copy(
  from: string,
  to: string,
  progress: BackupOptions["progress"],
): Promise<readonly string[]> {
  const { database } = openForReading(from, patience)
  try {
    // An open transaction stays at its moment, so that a writer does not have the copy begin anew (sqlite.org/c3ref/backup_finish.html).
    database.exec("BEGIN")
    const tables = tableNames(asking(database))
    await backup(database, to, {
      rate: stride,
      progress: ({ totalPages, remainingPages }) => progress?.(totalPages - remainingPages, totalPages),
    })
    return tables
  } finally {
    database.close()
  }
}

/** Also takes the copy out of the mode that has a log beside it: opened to serve, it returns to that. */
function check(path: string, expected: readonly string[]): Omit<Backup, "bytes"> {
  const copied = new DatabaseSync(path, { timeout: patience })
  try {
    copied.exec("PRAGMA journal_mode = DELETE")
    const found = copied.prepare("PRAGMA integrity_check(1)").all()
    const wrong = found.map((row) => String(row["integrity_check"])).find((text) => text !== "ok")
    if (wrong !== undefined) throw damaged(wrong)
    const tables = tableNames(asking(copied))
    if (tables.join() !== expected.join()) throw damaged("its tables are not those of the database")
    const danglingReferences = copied.prepare("PRAGMA foreign_key_check").all().length
    return { tables: tables.length, danglingReferences }
  } finally {
    copied.close()
  }
}

const damaged = (found: string): Refusal =>
  refusal("storage_unavailable", `The database is damaged, so there is no copy: ${found}.`, {
    hint: "Go back to an earlier copy; https://sqlite.org/recovery.html tells how to save what can be read.",
  })

function sync(path: string): void {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** SQLITE_NOTADB */
const noDatabase = 26

function asRefusal(fault: unknown, { from, to }: Pick<BackupOptions, "from" | "to">): unknown {
  if (fault instanceof Error && "errcode" in fault && fault.errcode === noDatabase)
    return refusal("storage_unavailable", `${from} is no SQLite database.`, {
      hint: "Give the path of the SQLite file that is served.",
    })
  const known = readFault(fault)
  if (known instanceof Refusal) return known
  const code = fault instanceof Error && "code" in fault ? fault.code : undefined
  if (code === "ENOSPC") return refusal("storage_full", "The disk is full.")
  if (code === "EACCES" || code === "ENOENT" || code === "EROFS" || code === "EISDIR" || code === "EPERM")
    return refusal("storage_unavailable", `${to} cannot be written (${code}).`, {
      hint: "Choose a folder that this user may write to.",
    })
  return fault
}
