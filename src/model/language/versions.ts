// The versions of an API, newest first, with their changes.
import { omitUndefined } from "../../base/compact.ts"
import type {
  CodeDeclaration,
  VersionChange,
  VersionDeclaration,
  VersionsDeclaration,
} from "../declaration/declaration.ts"
import { own } from "../declaration/keys.ts"
import type { ApiVersion } from "../model.ts"
import { buildChange, change } from "./changes.ts"
import { type Form, list, maybe, members, orObject, record, text } from "./forms.ts"
import { array, type Source } from "./source-text.ts"

export const printChanges = (all: readonly VersionChange[]): Source =>
  array(all.flatMap((one) => change.print(one, "") ?? []))
const listOfChanges: Form<readonly VersionChange[]> = {
  ...list(change, "a list of changes"),
  print: printChanges,
}
export const versions = record<VersionDeclaration>(
  orObject(
    listOfChanges,
    members<Exclude<VersionDeclaration, readonly VersionChange[]>>("{ changes, description, ends }", {
      changes: listOfChanges,
      description: maybe(text),
      ends: maybe(text),
    }),
  ),
  "versions by their dates",
  "open",
)

export const buildVersions = (
  declared: VersionsDeclaration,
  code: CodeDeclaration["versions"],
): readonly ApiVersion[] =>
  Object.entries(declared)
    .map(([name, version]) => {
      const { changes, ...said } = versionParts(version)
      return omitUndefined<ApiVersion>({
        name,
        ...said,
        changes: changes.map((change) => buildChange(change, { version: name, code: own(code, name) })),
      })
    })
    .toSorted((one, other) => (one.name < other.name ? 1 : -1))

export const versionParts = (version: VersionDeclaration): Exclude<VersionDeclaration, readonly unknown[]> =>
  "changes" in version ? version : { changes: version }
