// Versions of the API: their dates, and the form of each change. Undoing the changes looks up their names.
import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import type {
  ChangedMember,
  ChangeFunctions,
  ServiceDeclaration,
  VersionChange,
} from "../declaration/declaration.ts"
import { own } from "../declaration/keys.ts"
import { checkChange, firstPath, pathsOf } from "../language/changes.ts"
import { versionParts } from "../language/versions.ts"
import type { Report, Rule } from "./context.ts"

export const apiVersions: Rule = ({ versions, code }, report) => {
  checkCode(versions, code?.versions, report)
  if (!versions) return
  const names = Object.keys(versions)
  if (names.length === 0)
    report(["versions"], "There is no version.", "Leave out `versions`, or begin with one.")
  for (const [index, name] of names.entries()) {
    const place: Place = ["versions", name]
    if (!isDate(name))
      report(place, `"${name}" is no date.`, "Versions are named by their dates: 2026-11-01.")
    const newer = names[index - 1]
    if (newer !== undefined && newer <= name)
      report(place, `Version ${name} comes after ${newer}.`, "The newest version stands first.")
  }
  for (const [name, version] of Object.entries(versions)) {
    const { changes, ends } = versionParts(version)
    const place: Place = ["versions", name]
    if (ends !== undefined && (!isDate(ends) || ends <= name))
      report([...place, "ends"], `"${ends}" is no date after ${name}.`, "Such as 2027-11-01.")
    if (ends !== undefined && name === names[0])
      report([...place, "ends"], "The newest version does not end.", "Leave it out.")
    if (name === names.at(-1) && changes.length > 0)
      report(place, "The oldest version has no version before it.", "Give its changes to the one after it.")
    if (changes.some((change) => "breaking" in change))
      for (const older of names.slice(names.indexOf(name) + 1))
        if (versionParts(versions[older] ?? []).ends === undefined)
          report(
            ["versions", older],
            `Version ${older} has no end, and a change of ${name} breaks it.`,
            "Say when it ends: { changes, ends }.",
          )
    const at: Place = "changes" in version ? [...place, "changes"] : place
    refuseRepeated(changes, at, report)
    for (const [index, change] of changes.entries()) checkChange(change, report, [...at, index])
  }
}

/** RFC 3339, full-date. */
const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

/** A change may lose something besides, and `breaking` of the same path says so. */
function refuseRepeated(changes: readonly VersionChange[], place: Place, report: Report): void {
  const changed = new Set(changes.flatMap((change) => ("breaking" in change ? [] : pathsOf(change))))
  const seen = new Set<string>()
  for (const [index, change] of changes.entries())
    for (const path of pathsOf(change)) {
      if ("breaking" in change && changed.has(path)) continue
      if (seen.has(path))
        report([...place, index], `"${path}" is changed twice in this version.`, "Say it in one change.")
      seen.add(path)
    }
}

type Versions = ServiceDeclaration["versions"]

/** Changes by code have their functions, and functions their changes. */
function checkCode(
  versions: Versions,
  code: NonNullable<ServiceDeclaration["code"]>["versions"],
  report: Report,
): void {
  for (const [version, functions] of Object.entries(code ?? {})) {
    const declared = own(versions, version)
    const place: Place = ["code", "versions", version]
    if (!declared)
      report(place, `There is no version "${version}".`, suggest(version, Object.keys(versions ?? {})))
    const changes = declared ? versionParts(declared).changes.filter(isByCode) : []
    for (const path of declared ? Object.keys(functions) : [])
      if (!changes.some((change) => firstPath(change) === path))
        report(
          [...place, path],
          `No change of "${path}" in ${version} is by code.`,
          suggest(path, changes.map(firstPath)) ?? `Say { changed: "${path}", was, code: true } there.`,
        )
  }
  for (const [version, declared] of Object.entries(versions ?? {})) {
    const { changes } = versionParts(declared)
    const at: Place = ["versions", version, ...("changes" in declared ? ["changes"] : [])]
    for (const [index, change] of changes.entries())
      if (isByCode(change))
        checkFunctions(change, own(own(code, version), firstPath(change)), {
          version,
          place: [...at, index],
          report,
        })
  }
}

const isByCode = (change: VersionChange): change is ChangedMember & VersionChange =>
  "changed" in change && change.code === true

function checkFunctions(
  change: ChangedMember,
  functions: ChangeFunctions | undefined,
  { version, place, report }: { readonly version: string; readonly place: Place; readonly report: Report },
): void {
  const path = firstPath(change)
  const example = `withCode(service, { versions: { "${version}": { "${path}": { reads, writes } } } })`
  if (!functions) {
    report(place, `The change of "${path}" needs code, and no code is attached.`, `${example} attaches it.`)
    return
  }
  if (!change.reads && !functions.reads)
    report(place, `The code of "${path}" has no \`reads\`, and the change gives none.`, example)
  for (const part of ["reads", "writes"] as const)
    if (change[part] && functions[part])
      report(
        [...place, part],
        `\`${part}\` of "${path}" is an expression, and a function as well.`,
        "Leave one of them out.",
      )
}
