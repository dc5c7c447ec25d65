// Keys of writes (read/plan-cache-keys.ts has those of reads): equal keys mean writes that differ in bound values only.
import type { Place } from "../../base/problem.ts"
import { recordKey, subjectKey } from "../read/plan-cache-keys.ts"
import type { Places, Setting, Write } from "../write-plan.ts"

/** Common writes have a short form; all others, or those with more to them, are JSON, which begins otherwise. */
export function writeKey(write: Write): string {
  if (write.kind === "insert" && isSpelt(write, inInsert)) {
    const { resource, place, sets, key, keyFrom, begins } = write
    const version = begins ? `@${begins.slot}` : ""
    return `+${resource}${placeKey(place)}${version} ${keyFrom}${key.slot}=${settingsKey(sets)}`
  }
  if (write.kind === "update" && isSpelt(write, inUpdate) && isSpelt(write.target, inTarget)) {
    const { resource, place, places, target, sets, match } = write
    const version = `${match ? `@${match.slot}` : ""}${places ? placesKey(places) : ""}`
    return `~${resource}${placeKey(place)}${version} ${recordKey(target.by)}=${settingsKey(sets)}`
  }
  return JSON.stringify(write)
}

const inInsert: ReadonlySet<string> = new Set([
  "kind",
  "resource",
  "place",
  "sets",
  "key",
  "keyFrom",
  "begins",
])
const inUpdate: ReadonlySet<string> = new Set([
  "kind",
  "resource",
  "place",
  "places",
  "target",
  "sets",
  "match",
])
const inTarget: ReadonlySet<string> = new Set(["by"])

function isSpelt(of: object, names: ReadonlySet<string>): boolean {
  for (const name in of) if (!names.has(name)) return false
  return true
}

/** Response keys are a client's words: with its length before it, none can pass for something else. */
function placeKey(place: Place): string {
  let text = ""
  for (const step of place) text += typeof step === "number" ? `.${step}` : `/${step.length}:${step}`
  return text
}

const placesKey = ({ record = [], version = [], noVersion = [] }: Places): string =>
  `(${placeKey(record)}|${placeKey(version)}|${placeKey(noVersion)})`

function settingsKey(sets: readonly Setting[]): string {
  let text = ""
  for (const { subject, slot, byDefault, made, stays } of sets)
    text += `${subjectKey(subject)}${slot}${stays ? `=${stays.slot}` : ""}${byDefault ? "*" : made ? "!" : ";"}`
  return text
}
