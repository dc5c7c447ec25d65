// Commands on what has been counted of the use of versions: the database that has it, and what they need of a service.

import { readUsage, type UsageRecords } from "../../access/usage/read-use.ts"
import { refusal } from "../../base/problem.ts"
import { createEngine } from "../../engine/engine.ts"
import type { Model } from "../../model/model.ts"
import { versionUse } from "../../model/system/version-use.ts"
import { type CommandArguments, withDatabase } from "../on-database.ts"

const wanted = {
  says: "which versions there are",
  declared({ versions, resources }: Model, file: string): void {
    if (!versions)
      throw refusal("invalid_command", `${file} has no versions.`, {
        hint: 'Begin with one: versions: { "2026-11-01": [] }.',
      })
    if (!resources.has(versionUse))
      throw refusal("invalid_command", `${file} does not count the use of its versions.`, {
        hint: "Say usage: true in the service.",
      })
  },
  needs: () => ({ resources: [versionUse] }),
}

export const withUsage = <Result>(
  given: CommandArguments,
  work: (usage: UsageRecords, model: Model) => Promise<Result>,
): Promise<Result> =>
  withDatabase(given, wanted, (model, storage) => {
    const cursors = { seal: () => "", open: () => undefined }
    const { handleFor } = createEngine({ storage, cursors, singleFlight: false })
    return work(readUsage(model, handleFor), model)
  })

const dayLength = 86_400_000

/** The first of so many days up to today, in UTC. */
export const firstDay = (days: number): string =>
  new Date(Date.now() - (days - 1) * dayLength).toISOString().slice(0, 10)
