// Stands for the sessions of the host: each cookie belongs to a person.
import type { EmbeddedActor } from "bifold"

export type Session = EmbeddedActor<"staff", never>

export const sessions = new Map<string, Session>([["staff", { roles: ["staff"] }]])

/** @param cookie the header */
export const sessionOf = (cookie: string | null | undefined): Session | null =>
  sessions.get(/(?:^|;\s*)session=([^;]+)/.exec(cookie ?? "")?.[1] ?? "") ?? null
