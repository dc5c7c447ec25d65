// A setting: one value that an operator gives, with its names in each place where it can be given.
import type * as z from "zod"

/** The reading of a text from the command line or the environment, before the schema sees it. */
type TextForm = "text" | "number" | "switch" | "list"

export interface Setting<Schema extends z.ZodType = z.ZodType> {
  /** As Commander has them: `-p, --port <number>`. */
  readonly flags: string
  readonly description: string
  readonly form: TextForm
  /** From the value in a configuration file to the value in the program. Its messages say which values are expected. */
  readonly schema: Schema
  /** As a configuration file would give it. */
  readonly default?: z.input<Schema>
  readonly unit?: "seconds" | "hours"
  /** The variable that other programs read too; the one of Bifold goes before it. */
  readonly customary?: string
  /** A `whole` secret is never shown; of an `address` the password is not. Both can be given by a file. */
  readonly secret?: "whole" | "address"
  /** For choices: all of them. */
  readonly choices?: readonly string[]
}

export const prefix = "BIFOLD_"

/** `BIFOLD_MAX_REQUESTS` for `maxRequests`. */
export const variableOf = (key: string): string =>
  `${prefix}${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

/** The variable that names the file of a secret. */
export const fileVariableOf = (key: string): string => `${variableOf(key)}_FILE`

/** `--max-requests` for `maxRequests`. */
export const longOptionOf = ({ flags }: Setting): string => /--[a-z0-9-]+/.exec(flags)?.[0] ?? flags

const switches: Readonly<Record<string, boolean>> = {
  true: true,
  "1": true,
  on: true,
  yes: true,
  false: false,
  "0": false,
  off: false,
  no: false,
}

/** The value of a text, as a configuration file gives it; a text without one stays, and the schema refuses it. */
export function readText({ form }: Setting, text: string): unknown {
  if (form === "number") return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (form === "switch") return switches[text.toLowerCase()] ?? text
  if (form === "list") return text.split(",").map((one) => one.trim())
  return text
}

export type Checked =
  | { readonly ok: true; readonly value: unknown }
  /** A sentence: which values are expected. */
  | { readonly ok: false; readonly expected: string }

export function checkValue({ schema }: Setting, given: unknown): Checked {
  const read = schema.safeParse(given)
  if (read.success) return { ok: true, value: read.data }
  return { ok: false, expected: read.error.issues[0]?.message ?? "" }
}

// Values of settings as people may see them: secrets and passwords are masked.
const mask = "***"
/** In names of parameters of addresses that are secrets by themselves. */
const secretParameter = /pass|pwd|secret|token|auth|credential|api_?key|cipher/i

/** As JSON; secrets are masked. */
export function maskedValue(setting: Setting, given: unknown): string {
  return JSON.stringify(masked(setting, given)) ?? "unset"
}

export function masked({ secret }: Setting, given: unknown): unknown {
  if (secret === undefined || given === undefined) return given
  if (secret === "whole" || typeof given !== "string") return mask
  return withoutPassword(given)
}

/** `postgres://me:***@host/shop`. An address whose password cannot be told from the rest is masked whole. */
function withoutPassword(address: string): string {
  // Several servers of a cluster.
  if (/^\w+:\/\/[^,]+,\w+:\/\//.test(address)) return address.split(",").map(withoutPassword).join(",")
  if (!address.includes("://")) return /[@\s=]/.test(address) ? mask : address
  const url = URL.parse(address)
  // A password with / or # in it, which had to be percent-encoded.
  if (url?.hash !== "" || /@/.test(url.pathname + url.search)) return mask
  if (url.password !== "") url.password = mask
  // A user without a password is a token, as NATS has it.
  else if (url.username !== "" && !/^postgres(ql)?:$/.test(url.protocol)) url.username = mask
  for (const name of [...url.searchParams.keys()])
    if (secretParameter.test(name)) url.searchParams.set(name, mask)
  return url.href
}
