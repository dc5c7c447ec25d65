// Notifies other processes at a PostgreSQL database of writes, and listens to theirs, by NOTIFY on one connection. Each
// notification follows its commit: inside of writes it would make them wait for one another. Polling finds missed ones,
// so nothing depends on them.
import { hash } from "node:crypto"
import { Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import type { WriteSignal } from "../storage.ts"

/** Milliseconds between two notifications: one stands for all writes in between. */
const pace = 20
/** Milliseconds for an answer, between two questions whether the server is there, and for the end of a connection. */
const times = { patience: 5_000, probe: 15_000, farewell: 500 } as const
/** Milliseconds until the next connection: twice as long each time. */
const pauses = { first: 100, longest: 30_000 } as const

/** Its name in `pg_stat_activity`. */
const notifier = "bifold notifications"
/** A notification need not be on disk. */
const settings = "SET synchronous_commit = off"
const placeQuery =
  "SELECT pg_backend_pid() AS backend, coalesce(current_schema(), '') AS schema, pg_is_in_recovery() AS standby"

/** Classes of SQLSTATE of a server that has no such thing: feature_not_supported, syntax_error_or_access_rule_violation. */
const lacking = /^(0A|42)/

interface Place {
  readonly backend: number
  readonly schema: string
  readonly standby: boolean
}

interface Line {
  readonly client: pg.Client
  readonly channel: string
}

class WriteNotifications implements WriteSignal {
  readonly #config: pg.ClientConfig
  readonly #listeners = new Set<() => void>()
  readonly #ending = new AbortController()
  #running: Promise<void> | undefined
  /** Undefined while there is no connection by which something could be told. */
  #line: Line | undefined
  /** Something was written that has not been told. */
  #pending = false
  #sending: Promise<void> | undefined

  constructor(config: pg.ClientConfig) {
    this.#config = config
  }

  tell(): void {
    this.#pending = true
    this.#run()
    this.#send()
  }

  hear(listener: () => void): void {
    this.#listeners.add(listener)
    this.#run()
  }

  /** Tells of the last write, if that can be done at once. */
  async close(): Promise<void> {
    if (this.#line && this.#pending) await this.#notify(this.#line).catch(() => {})
    this.#ending.abort()
    await this.#running
  }

  #run(): void {
    if (!this.#ending.signal.aborted) this.#running ??= this.#keepConnected()
  }

  async #keepConnected(): Promise<void> {
    const { signal } = this.#ending
    for (let pause: number = pauses.first; !signal.aborted; pause = Math.min(pause * 2, pauses.longest)) {
      const socket = new Socket()
      const client = new pg.Client({ ...this.#config, stream: () => socket })
      try {
        if ((await this.#session(client)) === "lacking") return
        pause = pauses.first
      } catch {
        // The next one may be better; until then others look by themselves.
      } finally {
        // A server out of reach does not answer the farewell.
        await Promise.race([client.end().catch(() => {}), sleep(times.farewell, undefined, { ref: false })])
        socket.destroy()
      }
      this.#line = undefined
      await sleep(pause * (0.8 + 0.4 * Math.random()), undefined, { signal, ref: false }).catch(() => {})
    }
  }

  /** Resolves when the connection was there and is lost, or at the end. */
  async #session(client: pg.Client): Promise<"lost" | "lacking"> {
    const lost = Promise.withResolvers<void>()
    const end = (): void => lost.resolve()
    client.on("error", end)
    client.on("end", end)
    const { signal } = this.#ending
    await client.connect()
    await client.query(settings)
    const [place] = (await client.query<Place>(placeQuery)).rows
    // Another process answers behind a pooler, where a connection for a transaction hears nothing.
    const isOwn = place?.backend === backendOf(client)
    if (!place || place.standby || !isOwn) return "lacking"
    const channel = `bifold_${hash("sha256", place.schema, "hex").slice(0, 16)}`
    client.on("notification", ({ channel: on, processId }) => {
      if (on === channel && processId !== place.backend) this.#tellListeners()
    })
    try {
      await client.query(`LISTEN ${channel}`)
    } catch (fault) {
      if (fault instanceof pg.DatabaseError && lacking.test(fault.code ?? "")) return "lacking"
      throw fault
    }
    this.#line = { client, channel }
    // Notifications may have been missed while the connection was down.
    this.#tellListeners()
    this.#send()
    const probe = setInterval(() => void client.query("SELECT 1").catch(end), times.probe).unref()
    signal.addEventListener("abort", end, { once: true })
    if (signal.aborted) end()
    await lost.promise
    signal.removeEventListener("abort", end)
    clearInterval(probe)
    return "lost"
  }

  #tellListeners(): void {
    for (const listener of this.#listeners) listener()
  }

  #send(): void {
    const line = this.#line
    if (!line || this.#sending || !this.#pending) return
    this.#sending = this.#notify(line)
      // A connection that fails is found by its session.
      .catch(() => {})
      .then(() => sleep(pace, undefined, { ref: false }))
      .then(() => {
        this.#sending = undefined
        this.#send()
      })
  }

  async #notify({ client, channel }: Line): Promise<void> {
    this.#pending = false
    await client.query("SELECT pg_notify($1, '')", [channel])
  }
}

/** The driver has it from the server, and its types do not. */
const backendOf = (client: pg.Client & { readonly processID?: number | null }): number | null | undefined =>
  client.processID

/** @param config of all connections to the database */
export const createNotifications = (config: pg.ClientConfig): WriteNotifications =>
  new WriteNotifications({
    ...config,
    application_name: notifier,
    query_timeout: times.patience,
    connectionTimeoutMillis: times.patience,
  })
