// A SQLite database as an operator sees it: its disk, its log, its statistics and its free pages.
import { existsSync, statfsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { asking, greatestRow, isAnalysed, tableNames } from "../../storage/sqlite/catalog.ts"
import { isWritable, openForReading } from "../../storage/sqlite/file.ts"
import { bad, type Finding, findingsOf, good, type Judged, listed, warning } from "./finding.ts"

/** Milliseconds to wait for another process. */
const patience = 2_000
const megabyte = 1_000_000

export interface SqliteDoctorOptions {
  /** The whole file is read: minutes for a large one. */
  readonly deep: boolean
}

/** Throws what the driver throws. */
export function sqliteFindings(path: string, { deep }: SqliteDoctorOptions): readonly Finding[] {
  const { database } = openForReading(path, patience)
  try {
    return findingsOf("database", {
      version: good(`SQLite ${textOf(database, "SELECT sqlite_version()")}.`),
      file: judgeFile(path),
      disk: judgeDisk(path),
      log: judgeLog(path, database),
      statistics: judgeStatistics(database),
      free_pages: judgeFreePages(database),
      ...(deep && { integrity: judgeIntegrity(database), references: judgeReferences(database) }),
    })
  } finally {
    database.close()
  }
}

/** `f_type` of statfs(2): locks of these are not to be relied on (https://sqlite.org/howtocorrupt.html section 2.1). */
const networkFileSystems: Readonly<Record<number, string>> = {
  26985: "NFS",
  20859: "SMB",
  4266872130: "SMB",
  4283649346: "CIFS",
  1397113167: "AFS",
}

function judgeFile(path: string): Judged {
  const { type } = statfsSync(path)
  const network = networkFileSystems[type]
  if (network !== undefined)
    return bad(
      `The file is on ${network}, where locks do not protect it.`,
      "Keep the file on a disk of this machine, or use PostgreSQL.",
    )
  return isWritable(path)
    ? good("The file, its log and their folder may be written.")
    : warning(
        "The file or its folder may only be read by this user.",
        "Give the user of the service both, unless nothing is to be written.",
      )
}

function judgeDisk(path: string): Judged {
  const { bavail, bsize } = statfsSync(dirname(path))
  const free = bavail * bsize
  const { size } = statSync(path)
  return judgeFree(free, size)
}

/** Bytes with which writes may be refused as the disk is full. */
const nothingFree = 10 * megabyte

/** @param free bytes of the disk @param size bytes of the file */
export function judgeFree(free: number, size: number): Judged {
  if (free < nothingFree)
    return bad(
      `The disk is full: ${sizeText(free)} are free; the file has ${sizeText(size)}.`,
      "Make room: writes are refused with 507 until there is some.",
    )
  const needed = Math.max(1_000 * megabyte, size)
  return free >= needed
    ? good(`${sizeText(free)} are free on its disk; the file has ${sizeText(size)}.`)
    : warning(
        `Only ${sizeText(free)} are free on its disk; the file has ${sizeText(size)}.`,
        "Make room: a backup beside it, VACUUM and a long log each need as much again.",
      )
}

/** Bytes beyond which the writer itself cuts the log. */
const longLog = 64 * 1024 * 1024

function judgeLog(path: string, database: DatabaseSync): Judged {
  const mode = textOf(database, "PRAGMA journal_mode")
  if (mode !== "wal")
    return warning(
      `The file is in ${mode} mode: readers and the writer wait for one another.`,
      "The first start of bifold serve that may write changes it to WAL.",
    )
  const size = existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0
  return size <= longLog
    ? good("The file has a write-ahead log.")
    : warning(
        `The write-ahead log has ${sizeText(size)}: some reader keeps it from being cut.`,
        "Look for a program that holds a transaction open, and end it.",
      )
}

const manyRows = 10_000

function judgeStatistics(database: DatabaseSync): Judged {
  const ask = asking(database)
  if (isAnalysed(ask)) return good("The planner has statistics.")
  const large = tableNames(ask).filter(
    (name) => !/^sqlite_/i.test(name) && greatestRow(database, name) > manyRows,
  )
  return large.length === 0
    ? good("No table is large enough to need statistics.")
    : warning(
        `The planner has no statistics, and ${listed(large)} ${large.length === 1 ? "is" : "are"} large.`,
        "Run ANALYZE once, and PRAGMA optimize each day.",
      )
}

function judgeFreePages(database: DatabaseSync): Judged {
  const pages = numberOf(database, "PRAGMA page_count")
  const free = numberOf(database, "PRAGMA freelist_count")
  const bytes = free * numberOf(database, "PRAGMA page_size")
  return free > pages / 4 && bytes > 10 * megabyte
    ? warning(
        `${sizeText(bytes)} of the file are free pages.`,
        "Run VACUUM while little is written, if the disk needs the room.",
      )
    : good("Few of its pages are free.")
}

function judgeIntegrity(database: DatabaseSync): Judged {
  const found = textOf(database, "PRAGMA integrity_check(1)")
  return found === "ok"
    ? good("SQLite's check finds no damage.")
    : bad(`SQLite's check finds damage: ${found}.`, "Go back to a backup; https://sqlite.org/recovery.html.")
}

function judgeReferences(database: DatabaseSync): Judged {
  const count = database.prepare("PRAGMA foreign_key_check").all().length
  return count === 0
    ? good("Each reference leads to a record.")
    : bad(`${count} references lead to no record.`, "PRAGMA foreign_key_check lists them.")
}

const first = (database: DatabaseSync, text: string): unknown =>
  Object.values(database.prepare(text).get() ?? {})[0]
const textOf = (database: DatabaseSync, text: string): string => String(first(database, text))
const numberOf = (database: DatabaseSync, text: string): number => Number(first(database, text))

const sizeText = (bytes: number): string =>
  bytes >= 1_000 * megabyte
    ? `${(bytes / 1_000 / megabyte).toFixed(1)} GB`
    : `${(bytes / megabyte).toFixed(1)} MB`
