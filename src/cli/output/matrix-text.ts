// The matrix of who may do what, as a table for the terminal and as the file that a team keeps under version control.
import Table from "cli-table3"
import { actions } from "../../model/policy-declaration.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import type {
  Cell,
  CodeUse,
  PermissionMatrix,
  ResourceMatrix,
  Use,
} from "../../plan/analysis/permission-matrix.ts"
import { borderless } from "./columns.ts"

const none = "–"

/** Where the second column of the file begins: the same for all services, so that a new name changes no other line. */
const secondColumn = 28

/** One line for each resource, action and kind of actor, in the order of the declaration: the same for the same rules. */
export function matrixFile(matrix: PermissionMatrix): string {
  const sections = [
    ...matrix.resources.map((resource) => section(resource.name, usesOf(resource))),
    ...(matrix.operations.length > 0 ? [section(operations, matrix.operations.map(titled))] : []),
  ]
  return [
    `# Permissions in ${matrix.service}: what each kind of actor may do, through GraphQL and REST alike.`,
    "# Written by `bifold rules --write`, compared by `bifold rules --check`.",
    `# all: every record; ${none}: none; lines below name fields with other conditions. An actor may change or delete only records`,
    "# that it may read. Several credentials together may do what each may alone; combinations that differ are listed.",
    ...(matrix.resources.some(({ grants }) => grants.length > 0) ? aboutGrants : []),
    ...(hasCode(matrix) ? aboutCode : []),
    ...(matrix.resources.some(({ hooks }) => hooks.length > 0) ? aboutHooks : []),
    "",
    sections.join("\n\n"),
    "",
  ].join("\n")
}

/**
 * The lines of such a file, each with its resource, action and actor, as its indent says. User code goes by its name,
 * whatever `as` gives it. An empty line belongs to the lines above it. Comments are no part of the rules.
 */
export function placedLines(file: string): readonly PlacedLine[] {
  let place: Omit<PlacedLine, "text"> = { resource: null, action: null, actor: null }
  const lines = file.split("\n").filter((text) => !text.startsWith("#"))
  return lines.map((text) => {
    const [name = ""] = text.trim().split(/ {2}|,/)
    const indent = text.search(/\S/)
    if (indent === 0) place = { resource: name, action: null, actor: null }
    else if (indent === 2) place = { ...place, action: name, actor: null }
    else if (indent === 4) place = { ...place, actor: name }
    return { text, ...place }
  })
}

/** The heading of the operations of the service. */
const operations = "operations"

const hasCode = ({ resources, operations: own }: PermissionMatrix): boolean =>
  own.length > 0 || resources.some(({ ownActions }) => ownActions.length > 0)

const aboutGrants: readonly string[] = [
  "# Keys and endpoints give roles, scopes and tiers to their users. A caller creates or updates only those that give no more",
  "# than the lines of `grant` allow.",
]

const aboutHooks: readonly string[] = [
  "# A hook with `as` is user code that runs before each such write of the resource, for every caller.",
]

const aboutCode: readonly string[] = [
  "# Actions and operations are user code with the rights of the caller, or of the actor behind `as`. The caller has to be able",
  "# to read the record of an action. An operation has no record: all says that the actor may call it.",
]

const section = (title: string, uses: readonly Use[]): string =>
  [title, ...uses.flatMap(({ name, cells }) => [`  ${name}`, ...cellLines(cells)])].join("\n")

/** User code by its name, and the actor that it runs as. */
const titled = ({ name, as, cells }: CodeUse): Use => ({
  name: as === null ? name : `${name}, as ${as}`,
  cells,
})

const actionsOf = (resource: ResourceMatrix): readonly Use[] =>
  actions.map((name) => ({ name, cells: resource.actions[name] }))

const usesOf = (resource: ResourceMatrix): readonly Use[] => [
  ...actionsOf(resource),
  ...grantsOf(resource),
  ...resource.transitions.map(({ name, cells }) => ({ name: `transition ${name}`, cells })),
  ...ownActionsOf(resource),
  ...hooksOf(resource),
]

const grantsOf = ({ grants }: ResourceMatrix): readonly Use[] =>
  grants.map(({ name, cells }) => ({ name: `grant ${name}`, cells }))

const ownActionsOf = ({ ownActions }: ResourceMatrix): readonly Use[] =>
  ownActions.map(titled).map(({ name, cells }) => ({ name: `action ${name}`, cells }))

const hooksOf = ({ hooks }: ResourceMatrix): readonly Use[] =>
  hooks.map(titled).map(({ name, cells }) => ({ name: `hook ${name}`, cells }))

function cellLines(cells: readonly Cell[]): readonly string[] {
  const line = (name: string, indent: number, text: string): string =>
    `${" ".repeat(indent)}${name.padEnd(secondColumn - indent - 2)}  ${text}`
  return cells.flatMap(({ actor, records, fields }) => [
    line(actor, 4, records ?? none),
    ...fields.flatMap(({ names, records: own }) => names.map((name) => line(name, 6, own ?? none))),
  ])
}

/** Characters of a line. */
const width = 100

/** How many transitions, actions or operations stand side by side. */
const abreast = 4

/** A table for each resource, and more for its transitions and actions; kinds of actors that may do the same share a row. */
export function matrixTables(matrix: PermissionMatrix, { out }: Pick<Terminal, "out">): string {
  const tables = (title: string, groups: readonly (readonly Use[])[]): readonly string[] =>
    groups
      .map((uses) => usesTable(uses, out))
      .map((table, index) => (index === 0 ? `${out.bold(title)}\n${table}` : table))
  return [
    ...matrix.resources.flatMap((resource) =>
      tables(resource.name, [
        actionsOf(resource),
        ...chunked(grantsOf(resource)),
        ...chunked(resource.transitions),
        ...chunked(ownActionsOf(resource)),
        ...chunked(hooksOf(resource)),
      ]),
    ),
    ...tables(operations, chunked(matrix.operations.map(titled))),
  ].join("\n\n")
}

const chunked = (uses: readonly Use[]): readonly (readonly Use[])[] =>
  uses.length === 0 ? [] : [uses.slice(0, abreast), ...chunked(uses.slice(abreast))]

function usesTable(uses: readonly Use[], out: Terminal["out"]): string {
  const rows = rowsOf(uses).map(({ actors, cells }) => [
    actors.join("\n"),
    ...cells.map((cell) => cellText(cell, out)),
  ])
  const whole = [["", ...uses.map(({ name }) => name)].map((name) => out.dim(name)), ...rows]
  const table = new Table({
    chars: borderless,
    style: { head: [], border: [], "padding-left": 2, "padding-right": 0 },
    colWidths: widthsFor(whole),
    wordWrap: true,
  })
  table.push(...whole)
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
}

interface Row {
  readonly actors: readonly string[]
  readonly cells: readonly Cell[]
}

function rowsOf(uses: readonly Use[]): readonly Row[] {
  const rows = new Map<string, { actors: string[]; cells: readonly Cell[] }>()
  for (const [index, { actor }] of (uses[0]?.cells ?? []).entries()) {
    const cells = uses.flatMap((use) => use.cells[index] ?? [])
    const key = JSON.stringify(cells.map(({ records, fields }) => [records, fields]))
    const row = rows.get(key) ?? { actors: [], cells }
    row.actors.push(actor)
    rows.set(key, row)
  }
  return [...rows.values()]
}

function cellText({ records, fields }: Cell, out: Terminal["out"]): string {
  if (records === null) return out.dim(none)
  const rest = fields.map(({ names, records: own }) =>
    own === null ? out.red(`not ${names.join(", ")}`) : out.yellow(`${names.join(", ")}: ${own}`),
  )
  return [records === "all" ? out.green(records) : out.yellow(records), ...rest].join("\n")
}

/** As wide as the contents, or an equal part of the remaining width; a word is never cut. */
function widthsFor(rows: readonly (readonly string[])[]): number[] {
  const longest = (pieces: (text: string) => readonly string[], column: number): number =>
    Math.max(
      ...rows.map((row) => Math.max(...pieces(plain(row[column] ?? "")).map(({ length }) => length))),
    ) + 2
  const columns = rows[0]?.map((_, column) => ({
    column,
    wanted: longest((text) => text.split("\n"), column),
    least: longest((text) => text.split(/\s/), column),
  }))
  const given: number[] = []
  let left = width
  // The narrowest are given all that they want first.
  for (const [done, { column, wanted, least }] of (columns ?? [])
    .toSorted((a, b) => a.wanted - b.wanted)
    .entries()) {
    const share = Math.floor(left / ((columns?.length ?? 0) - done))
    given[column] = Math.max(least, Math.min(wanted, share))
    left -= given[column]
  }
  return given
}

/** Without colors. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ANSI sequences begin with one
const plain = (text: string): string => text.replace(/\u001b\[\d+m/g, "")

// Differences between two files of rules, line by line, each with the resource and the action that it is about.
interface PlacedLine {
  readonly text: string
  /** Null of what stands above all resources. */
  readonly resource: string | null
  /** Null of what stands above all actions. */
  readonly action: string | null
  /** Null of what stands above all actors. */
  readonly actor: string | null
}

export interface DiffLine extends PlacedLine {
  readonly kind: "same" | "gone" | "new"
}

/** Lines that stay the same before and behind each difference. */
const around = 3

/**
 * The changed lines of each resource and action: all lines of an actor with a difference, and some around. Removed
 * lines stand before added ones. The same text elsewhere is another line.
 */
export function diffLines(
  before: readonly PlacedLine[],
  after: readonly PlacedLine[],
): readonly (readonly DiffLine[])[] {
  return [
    ...Map.groupBy(compared(before, after), ({ resource, action }) => `${resource}\n${action}`).values(),
  ]
    .map(near)
    .filter((lines) => lines.length > 0)
}

function near(lines: readonly DiffLine[]): readonly DiffLine[] {
  const differs = ({ kind }: DiffLine): boolean => kind !== "same"
  const actors = new Set(lines.filter(differs).map(({ actor }) => actor))
  return lines.filter(
    ({ actor }, index) =>
      (actor !== null && actors.has(actor)) ||
      lines.slice(Math.max(0, index - around), index + around + 1).some(differs),
  )
}

const isSame = (a: PlacedLine | undefined, b: PlacedLine | undefined): boolean =>
  a?.text === b?.text && a?.resource === b?.resource && a?.action === b?.action && a?.actor === b?.actor

/** By the longest common subsequence of what lies between equal beginnings and ends. */
function compared(before: readonly PlacedLine[], after: readonly PlacedLine[]): readonly DiffLine[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && isSame(before[head], after[head])) head += 1
  let tail = 0
  while (tail < shorter - head && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail += 1
  const same = (line: PlacedLine): DiffLine => ({ kind: "same", ...line })
  return [
    ...before.slice(0, head).map(same),
    ...changed(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ]
}

function changed(before: readonly PlacedLine[], after: readonly PlacedLine[]): readonly DiffLine[] {
  // lengths[i][j]: of the longest common subsequence of before from i and after from j.
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = lengths[i]
      if (row)
        row[j] = isSame(before[i], after[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [old, next] = [before[i], after[j]]
    if (old !== undefined && isSame(old, next)) {
      lines.push({ kind: "same", ...old })
      i += 1
      j += 1
    } else if (old !== undefined && (next === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "gone", ...old })
      i += 1
    } else if (next !== undefined) {
      lines.push({ kind: "new", ...next })
      j += 1
    }
  }
  return lines
}
