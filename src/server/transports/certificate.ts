// The certificate of a server by files, which are read again when they are renewed.
import { createPrivateKey, X509Certificate } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import { createSecureContext } from "node:tls"
import { type Problem, Refusal, refusal } from "../../base/problem.ts"
import type { Observe } from "../observation.ts"

/** Paths of PEM files. */
export interface CertificateFiles {
  /** The certificate, and those between it and one that clients know. */
  readonly cert: string
  readonly key: string
}

export interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
  readonly valid: Validity
}

export interface Validity {
  readonly from: Date
  readonly until: Date
}

/** Milliseconds. */
const day = 86_400_000

export type ValidityState =
  | { readonly kind: "valid" }
  /** Before so many days are over: it should have been renewed. */
  | { readonly kind: "expiring"; readonly days: number }
  | { readonly kind: "outdated" }

/** One that is out of date is served: clients say why they refuse it, and not that nothing listens. */
export function validityState({ from, until }: Validity, now = Date.now()): ValidityState {
  const left = until.getTime() - now
  if (left <= 0 || now < from.getTime()) return { kind: "outdated" }
  // Programs renew certificates of 90 days a month before their end, and short ones at a third of their time.
  const soon = Math.min(14 * day, (until.getTime() - from.getTime()) / 6)
  return left <= soon ? { kind: "expiring", days: Math.ceil(left / day) } : { kind: "valid" }
}

/** Rejects with a Refusal where they cannot be used. */
export async function readCertificate({ cert, key }: CertificateFiles): Promise<Certificate> {
  const found = { cert: await read(cert, "certificate"), key: await read(key, "key") }
  const certificate = parsed(cert, "certificate", () => new X509Certificate(found.cert))
  const secret = parsed(key, "key", () => createPrivateKey(found.key))
  if (!certificate.checkPrivateKey(secret))
    throw refusal("invalid_command", `The key ${key} does not belong to the certificate ${cert}.`, {
      hint: "Give both files of one certificate; the server's certificate stands first in its file.",
    })
  parsed(cert, "certificate", () => createSecureContext(found))
  return { ...found, valid: { from: certificate.validFromDate, until: certificate.validToDate } }
}

type What = "certificate" | "key"

async function read(path: string, what: What): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown"
    const why = reasons[code] ?? code
    throw refusal("invalid_command", `The ${what} ${path} cannot be read: ${why}.`, {
      hint: `Give the path of a PEM file with --tls-${what === "key" ? "key" : "cert"}, which the server's user may read.`,
    })
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "it may not be read",
  EISDIR: "it is a folder",
}

function parsed<Result>(path: string, what: What, parse: () => Result): Result {
  try {
    return parse()
  } catch {
    throw refusal("invalid_command", `${path} holds no ${what} in PEM that can be used.`, {
      hint:
        what === "key"
          ? "A key must have no passphrase."
          : "A certificate begins with -----BEGIN CERTIFICATE-----.",
    })
  }
}

export interface Watching {
  end(): void
}

/** Milliseconds between looks at the files. */
const interval = 5_000

/** Tells of renewed files, and of renewed ones that cannot be used: what was there before is kept then. SIGHUP looks at once. */
export function watchCertificate(
  files: CertificateFiles,
  told: { readonly renewed: (certificate: Certificate) => void; readonly failed: (problem: Problem) => void },
): Watching {
  let last: string | undefined
  let looking: Promise<void> | undefined
  const look = async (isAsked: boolean): Promise<void> => {
    const now = await stateOf(files)
    const isNew = last !== undefined && now !== last
    last = now
    if (!isNew && !isAsked) return
    try {
      told.renewed(await readCertificate(files))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      told.failed(error.problems[0])
    }
  }
  const lookOnce = (isAsked: boolean): void => {
    looking = (looking ?? Promise.resolve()).then(() => look(isAsked))
  }
  const asked = (): void => lookOnce(true)
  lookOnce(false)
  const timer = setInterval(() => lookOnce(false), interval).unref()
  process.on("SIGHUP", asked)
  return {
    end() {
      clearInterval(timer)
      process.off("SIGHUP", asked)
    },
  }
}

/** Differs once a file is another one, or has changed. */
async function stateOf({ cert, key }: CertificateFiles): Promise<string> {
  const states = [cert, key].map(async (path) => {
    const found = await stat(path, { bigint: true }).catch(() => undefined)
    return found ? `${found.ino} ${found.size} ${found.mtimeNs}` : "absent"
  })
  return (await Promise.all(states)).join()
}

// Reports that a certificate will expire, each day, and that it has expired, once.
export interface ValidityWatch {
  /** The certificate was read anew. */
  look(): void
  end(): void
}

/** Milliseconds between looks. */
const lookEvery = 60_000

/** @param now milliseconds; the clock when absent */
export function watchValidity(
  valid: () => Validity | undefined,
  observe: Observe,
  { every = lookEvery, now = Date.now }: { readonly every?: number; readonly now?: () => number } = {},
): ValidityWatch {
  let told = ""
  const look = (): void => {
    const current = valid()
    if (!current) return
    const state = validityState(current, now())
    const { kind } = state
    const telling = `${kind} ${kind === "expiring" ? state.days : ""} ${current.until.getTime()}`
    if (telling === told) return
    told = telling
    if (kind === "expiring") observe({ kind, until: current.until, days: state.days })
    else if (kind === "outdated") observe({ kind, valid: current })
  }
  look()
  const timer = setInterval(look, every).unref()
  const lookAnew = (): void => {
    told = ""
    look()
  }
  return { look: lookAnew, end: () => clearInterval(timer) }
}
