// The services that are open in this process, by their place. A module that a host loads again creates its service again: the
// newer one replaces the older one.
import type { OpenedService } from "./open-embedded.ts"

/** An open service. */
export interface OpenPlace {
  /** The open service, or the one that has replaced it. */
  open(): Promise<OpenedService>
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>
  /** Closes in the background; requests go to the newer service from now on. */
  replace(): void
}

interface Known {
  readonly open: Map<string, OpenPlace>
  /** Places with a warning. */
  readonly warned: Set<string>
}

/** Shared by the whole process: bundlers and module runners load Bifold several times, too. */
const key = Symbol.for("bifold.services.1")

function known(): Known {
  const holder = globalThis as { [key]?: Known }
  holder[key] ??= { open: new Map(), warned: new Set() }
  return holder[key]
}

export const openedAt = (place: string): OpenPlace | undefined => known().open.get(place)

/** @param warn is called once for each place, when a service is replaced there */
export function takePlace(place: string, service: OpenPlace, warn: () => void): void {
  const { open, warned } = known()
  const former = open.get(place)
  open.set(place, service)
  if (!former || former === service) return
  former.replace()
  if (warned.has(place)) return
  warned.add(place)
  warn()
}

export function leavePlace(place: string, service: OpenPlace): void {
  const { open } = known()
  if (open.get(place) === service) open.delete(place)
}
