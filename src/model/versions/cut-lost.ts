// Losses of clients that no change undoes: the author says that the new version breaks them.
import { buildVersions } from "../build/build-versions.ts"
import type { VersionChange } from "../declaration/declaration.ts"
import type { Revisions } from "./cut-values.ts"
import { differencesBetween } from "./diff.ts"
import { modelAt } from "./model-at.ts"

/** A sentence for each member of the version before. */
export function lostBy({ before, after }: Revisions, changes: readonly VersionChange[]): readonly string[] {
  const [newest] = after.model.versions ?? []
  const version = newest?.name ?? ""
  const versions = buildVersions({ [afterAll]: changes, [version]: [] }, undefined)
  const then = modelAt({ ...after.model, versions }, version)
  const found = differencesBetween(before.model, then).filter(({ severity }) => severity === "breaking")
  const known = Map.groupBy(found, ({ path }) => path.split(".", 2).join("."))
  return [...known].map(([path, all]) => [...all.map(({ text }) => text), lost(path)].join(" "))
}

/** Behind each date that a version may have. */
const afterAll = "9999-12-31"

export const lost = (path: string): string => `No change undoes that: { breaking: "${path}" } says so.`
