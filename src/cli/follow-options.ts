// The shared part of commands that follow the events of a service's database: whose rules hold, and how ids are made.
import { randomBytes } from "node:crypto"
import { type Command, InvalidArgumentError, Option } from "commander"
import { actorFromText } from "../access/identity/actor-text.ts"
import { present } from "../base/invariant.ts"
import { refusal } from "../base/problem.ts"
import { createEngine } from "../engine/engine.ts"
import { checkTypes } from "../events/log/feed.ts"
import { createRecords, type Records } from "../events/webhooks/records.ts"
import { showsHistory } from "../model/build/history.ts"
import type { Model } from "../model/model.ts"
import { webhookDelivery, webhookEndpoint, webhookSecret } from "../model/system/webhooks.ts"
import { type Actor, everybodyOf } from "../plan/access/actor.ts"
import { openModel } from "../plan/access/visible-model.ts"
import { createCursors } from "../plan/draft/cursor.ts"
import { systemTableNames } from "../sql/schema/system-tables.ts"
import type { Log } from "../storage/log-types.ts"
import type { Storage } from "../storage/storage.ts"
import { type DatabaseOptions, onDatabase } from "./on-database.ts"
import { atLeastOne, withSettings } from "./settings/options.ts"

export interface FollowOptions extends DatabaseOptions {
  readonly types: readonly string[]
  readonly as?: string
  readonly secret?: string
  readonly count?: number
}

export const following = (command: Command): Command =>
  withSettings(onDatabase(command), {
    secret: "as `serve` has it, so that ids of events are the same",
  })
    .addOption(
      new Option("--types <list>", "types of events, such as order.paid,order.shipped")
        .default([], "all")
        .argParser(commaSeparated),
    )
    .option("--as <actor>", "by the rules of this actor; without, everything is seen")
    .addOption(new Option("--count <number>", "ends after so many events").argParser(atLeastOne))

function commaSeparated(text: string): readonly string[] {
  const all = text.split(",").map((one) => one.trim())
  if (all.every((one) => /^\w+\.[\w*]+$/.test(one))) return all
  throw new InvalidArgumentError("Give types such as order.paid, with commas between them.")
}

export interface Following {
  /** The whole service. */
  readonly model: Model
  readonly actor: Actor
  readonly log: Log
  readonly answer: ReturnType<typeof createEngine>["answer"]
  readonly secret: string
}

export const eventsWanted = {
  says: "what is recorded",
  declared({ resources }: Model, file: string): void {
    if (![...resources.values()].some(showsHistory))
      throw refusal("invalid_command", `${file} has no events.`, {
        hint: "A resource with states or with history: true has some.",
      })
  },
  needs: ({ managed }: Model) => ({ tables: managed ? [systemTableNames.log] : [] }),
}

export function openFollowing(
  model: Model,
  storage: Storage,
  { as, types, secret = randomBytes(32).toString("hex") }: FollowOptions,
): Following {
  const { answer } = createEngine({ storage, cursors: createCursors(secret), singleFlight: false })
  const actor = as === undefined ? everybodyOf(openModel(model)) : actorFromText(model, as)
  checkTypes(actor.model, types, { place: ["--types"] })
  return {
    model,
    actor,
    log: present(storage.log, "a storage that writes has a log"),
    answer,
    secret,
  }
}

export const webhooksWanted = {
  says: "whether there are webhooks",
  declared({ webhooks }: Model, file: string): void {
    if (!webhooks)
      throw refusal("invalid_command", `${file} does not say that there are webhooks.`, {
        hint: "Add webhooks: true to the service.",
      })
  },
  needs: () => ({ resources: [webhookEndpoint, webhookSecret, webhookDelivery] }),
}

export function openRecords(model: Model, storage: Storage): Records {
  const cursors = createCursors(randomBytes(32).toString("hex"))
  const { answer, handleFor } = createEngine({ storage, cursors, singleFlight: false })
  return createRecords({ declared: model, answer, handleFor })
}

/** Milliseconds: a timer that is there so that the process is. */
const long = 3_600_000

/** Works until it is done, or the signal aborts: when the person at the terminal, or the system, wants the command to end. */
export async function untilEnded<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const ended = new AbortController()
  const end = (): void => ended.abort()
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end)
  const held = setInterval(() => {}, long)
  try {
    return await work(ended.signal)
  } finally {
    clearInterval(held)
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end)
  }
}
