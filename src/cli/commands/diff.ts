// `bifold diff`: what clients of one service meet in another, or in another revision of it.
import { Command, Option } from "commander"
import type { ApiVersion, Model } from "../../model/model.ts"
import { type Difference, differencesBetween, type Severity } from "../../model/versions/diff.ts"
import { modelAt } from "../../model/versions/model-at.ts"
import { exitCodes } from "../../observe/terminal/failure.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { withoutInternal } from "../../plan/access/visible-model.ts"
import { columns } from "../output/columns.ts"
import { openRevision } from "../versions/revision.ts"

interface Options {
  readonly failOn: Severity | "none"
  readonly json?: true
}

export function diffCommand(terminal: Terminal): Command {
  return new Command("diff")
    .summary("list the changes between two services, and which of them break clients")
    .description(
      "Compares the API of two services: service files, databases, or a service file of a git revision (HEAD~1:service.ts). Versions that both have are compared, too: clients that are pinned to one must not notice.",
    )
    .argument("<old>", "the service before")
    .argument("<new>", "the service since")
    .addOption(
      new Option("--fail-on <severity>", "exit with 1 at a change of this severity, or a worse one")
        .choices(["breaking", "risky", "safe", "none"])
        .default("breaking"),
    )
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ bifold diff HEAD:service.ts service.ts
  $ bifold diff v1.2:service.ts service.ts --fail-on risky
  $ bifold diff old.db new.db --json`,
    )
    .action((old: string, fresh: string, options: Options) => diff(terminal, old, fresh, options))
}

/** Differences of a version that both have; of the newest of each when absent. */
interface Compared extends Difference {
  readonly version?: string
}

async function diff(
  terminal: Terminal,
  old: string,
  fresh: string,
  { failOn, json }: Options,
): Promise<void> {
  const [before, after] = [await modelOf(old), await modelOf(fresh)]
  const differences = compareAll(before, after)
  if (json) terminal.print(JSON.stringify({ differences }, null, 2))
  else terminal.print(tableOf(terminal, differences))
  const worst = severities.indexOf(failOn as Severity)
  if (worst >= 0 && differences.some(({ severity }) => severities.indexOf(severity) >= worst))
    terminal.exitWith(exitCodes.failed)
}

const severities: readonly Severity[] = ["safe", "risky", "breaking"]

function compareAll(before: Model, after: Model): readonly Compared[] {
  const [newest, ...older] = after.versions ?? []
  // A service that had no versions was what the oldest one is: the first cut keeps it for clients that name it.
  const served = before.versions ?? older.slice(-1)
  const versionOf = (of: Model, name: string): Model => (of.versions ? modelAt(of, name) : of)
  const shared = (after.versions ?? []).filter(({ name }) => served.some((one) => one.name === name))
  const added = (after.versions ?? []).filter((version) => !shared.includes(version))
  // A newer version may break what an older one still serves.
  const isNew = newest !== undefined && served.length > 0 && !shared.includes(newest)
  const own = isNew || shared.length === 0 ? differencesBetween(before, after) : []
  const declared = isNew && shared.length > 0
  return [
    ...differencesOfVersions(before, after),
    ...own.map((one) => ({
      ...one,
      ...(declared && one.severity === "breaking" && { severity: "risky" as const }),
    })),
    ...shared.flatMap(({ name }) =>
      differencesBetween(versionOf(before, name), modelAt(after, name)).map((one) => ({
        ...one,
        ...(one.severity === "breaking" && isDeclared(added, one.path) && { severity: "risky" as const }),
        version: name,
      })),
    ),
  ]
}

/** Versions that are gone, and those that end now or end sooner. */
function differencesOfVersions(before: Model, after: Model): readonly Compared[] {
  const today = new Date().toISOString().slice(0, 10)
  return (before.versions ?? []).flatMap(({ name, ends }): readonly Compared[] => {
    const place = { path: "versions", faces: ["graphql", "rest"] as const, version: name }
    const kept = after.versions?.find((one) => one.name === name)
    if (!kept)
      return ends !== undefined && ends <= today
        ? [{ ...place, severity: "safe", text: "The version has ended and is gone." }]
        : [
            {
              ...place,
              severity: "breaking",
              text: "The version is gone: requests that name it are refused.",
            },
          ]
    if (kept.ends === undefined || (ends !== undefined && ends <= kept.ends)) return []
    return [{ ...place, severity: "risky", text: `The version is served until ${kept.ends}.` }]
  })
}

/** Whether a new version says that it breaks older ones by this. */
const isDeclared = (versions: readonly ApiVersion[], path: string): boolean =>
  versions.some(({ changes }) =>
    changes.some((change) => {
      if (change.kind !== "breaking") return false
      const { resource, member } = change
      const own = member === undefined ? resource : `${resource}.${member}`
      return path === own || path.startsWith(`${own}.`)
    }),
  )

const faceNames = { graphql: "GraphQL", rest: "REST" } as const

function tableOf({ out }: Terminal, differences: readonly Compared[]): string {
  if (differences.length === 0) return "Nothing that clients meet has changed."
  const paint = { safe: out.green, risky: out.yellow, breaking: out.red }
  const rows = differences
    .toSorted((one, other) => severities.indexOf(other.severity) - severities.indexOf(one.severity))
    .map(({ severity, version, faces, text }) => [
      paint[severity](severity),
      version ?? "",
      faces.length > 1 ? "" : faceNames[faces[0] ?? "rest"],
      text,
    ])
  return columns(rows)
}

const modelOf = async (given: string): Promise<Model> => withoutInternal((await openRevision(given)).model)
