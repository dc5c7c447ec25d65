// Options that several commands take, read once from their text.
import { availableParallelism } from "node:os"
import { InvalidArgumentError } from "commander"

/** `/api` for `/api/` and `api`; empty for `/`. */
export function basePath(text: string): string {
  const path = text.replace(/^\/*/, "/").replace(/\/+$/, "")
  if (path === "") return ""
  if (/^(\/[A-Za-z0-9._~-]+)+$/.test(path) && !/\/\.{1,2}(\/|$)/.test(path)) return path
  throw new InvalidArgumentError("Give a path such as /api.")
}

export function portNumber(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError("Give a number from 0 to 65535; 0 takes any port that is free.")
}

/** Collects `--cors` given several times. */
export function origin(text: string, before: readonly string[] | undefined): readonly string[] {
  const known = text === "*" || (URL.canParse(text) && new URL(text).origin === text)
  if (!known)
    throw new InvalidArgumentError("Give an origin such as https://shop.example, or * for every one.")
  return [...(before ?? []), text]
}

export function secretText(text: string): string {
  if (text.length >= 16) return text
  throw new InvalidArgumentError("Give at least 16 characters, as `openssl rand -hex 32` makes them.")
}

/** A number of processes: `auto` is as many as the machine runs at once. */
export function workerCount(text: string): number {
  if (text === "auto") return availableParallelism()
  const count = Number(text)
  if (/^\d{1,3}$/.test(text) && count >= 1 && count <= 256) return count
  throw new InvalidArgumentError("Give a number from 1 to 256, or auto for one per processor.")
}

export function proxyCount(text: string): number {
  if (/^\d$/.test(text)) return Number(text)
  throw new InvalidArgumentError("Give the number of proxies that every request passes, from 0 to 9.")
}

export function wholeNumber(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text)
  throw new InvalidArgumentError("Give a whole number.")
}

export function atLeastOne(text: string): number {
  const number = wholeNumber(text)
  if (number > 0) return number
  throw new InvalidArgumentError("Give a whole number above 0.")
}

/** Collects an option given several times. */
export const several = (text: string, before: readonly string[]): readonly string[] => [...before, text]

const hour = 3_600_000
const units: Readonly<Record<string, number>> = {
  h: hour,
  d: 24 * hour,
  w: 7 * 24 * hour,
  y: 365 * 24 * hour,
}

/** Milliseconds from `90d`. */
export function lifetime(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,3})([hdwy])$/.exec(text) ?? []
  const time = Number(count) * (units[unit ?? ""] ?? Number.NaN)
  if (time <= 100 * 365 * 24 * hour) return time
  throw new InvalidArgumentError("Give a time such as 12h, 90d, 8w or 1y; a century at the most.")
}

/** RFC 3339, full-date. */
export function day(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))) return text
  throw new InvalidArgumentError("Give a date such as 2027-06-01.")
}

/** Milliseconds from seconds. */
export function deadline(text: string): number {
  const seconds = Number(text)
  if (/^\d{1,4}(\.\d{1,3})?$/.test(text) && seconds >= 0.1 && seconds <= 3_600) return seconds * 1_000
  throw new InvalidArgumentError("Give seconds from 0.1 to 3600.")
}

/** Milliseconds from seconds; 0 for none. */
export function delay(text: string): number {
  const seconds = Number(text)
  if (/^\d{1,4}(\.\d{1,3})?$/.test(text) && seconds <= 3_600) return seconds * 1_000
  throw new InvalidArgumentError("Give seconds from 0 to 3600.")
}

/** Milliseconds from hours. */
export function hours(text: string): number {
  const given = Number(text)
  if (/^\d{1,4}(\.\d{1,3})?$/.test(text) && given >= 0.001 && given <= 8_760) return given * 3_600_000
  throw new InvalidArgumentError("Give hours from 0.001 to 8760.")
}
