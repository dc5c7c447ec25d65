// The house rules of docs/architecture.md over a tree of files, as findings: arrows, cycles, sizes, depth, habits.

import { type Token, tokensOf } from "./tokens.ts"

export interface SourceFile {
  /** Below the project, with slashes: `src/plan/read-plan.ts`. */
  readonly path: string
  readonly text: string
}

const engineRoom = ["base", "model", "plan", "sql", "storage", "engine"]

/** What each room may see besides itself; only the public index sees everything. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  base: [],
  settings: ["base", "events"],
  model: ["base"],
  plan: ["base", "model"],
  sql: ["base", "model", "plan"],
  storage: ["base", "model", "plan", "sql"],
  engine: ["base", "model", "plan", "sql", "storage"],
  http: ["base", "model", "plan"],
  graphql: ["base", "model", "plan", "http"],
  rest: ["base", "model", "plan", "http"],
  events: [...engineRoom, "http"],
  access: [...engineRoom, "http"],
  observe: ["base", "model", "storage", "engine", "events", "server"],
  server: [...engineRoom, "http", "graphql", "rest", "access", "events"],
  service: [...engineRoom, "settings", "http", "rest", "access", "events", "observe", "server"],
  tools: [...engineRoom, "http", "graphql", "rest", "access", "events", "server"],
  cli: [
    ...engineRoom,
    ...["settings", "http", "graphql", "rest", "access", "events"],
    ...["observe", "server", "service", "tools", "index"],
  ],
}
const unbounded = ["index"]
/** They start processes, and read their environment. */
const starters = ["index", "service", "server", "cli", "tools"]
const mostLines = 600
const mostFiles = 26
/** One rule a file, read by its name. */
const unlimitedFolders = ["src/model/validation"]

export function findBreaches(files: readonly SourceFile[]): readonly string[] {
  const known = new Map(files.map((file) => [file.path, file]))
  return [
    ...files.flatMap((file) => [...breachesOfFile(file), ...arrowsOf(file, known)]),
    ...new Set(
      [({ path }: SourceFile) => path, subRoomOf].flatMap((of) => cyclesAmong(edgesBetween(files, of))),
    ),
    ...crowdedFolders(files),
  ]
}

function breachesOfFile({ path, text }: SourceFile): readonly string[] {
  const lines = text.split("\n").length - 1
  const tokens = tokensOf(text)
  const found = habits.filter(({ isAt }) => isAt(tokens, roomOf(path))).map(({ what }) => what)
  if (lines > mostLines) found.push(`${lines} lines, more than ${mostLines}`)
  if (path.split("/").length > 4) found.push("a folder deeper than two under src")
  if (/\/index\.ts$/.test(path) && path !== "src/index.ts") found.push("an index besides the public one")
  if (!(roomOf(path) in allowed) && !unbounded.includes(roomOf(path)))
    found.push("a room that the house lacks")
  return found.map((each) => `${path}: ${each}`)
}

interface Habit {
  readonly what: string
  isAt(tokens: readonly Token[], room: string): boolean
}

/** Code as words and signs with a space between them, so that a habit is a short expression; texts are one sign. */
const spelt = (tokens: readonly Token[]): string =>
  ` ${tokens
    .filter(({ kind }) => kind !== "comment")
    .map(({ kind, value }) => (kind === "text" ? '"' : kind === "pattern" ? "/" : value))
    .join(" ")} `

const code =
  (form: RegExp): Habit["isAt"] =>
  (tokens) =>
    form.test(spelt(tokens))

/** `any` and parameter properties are found by Biome and the compiler. */
const habits: readonly Habit[] = [
  { what: "enum", isAt: code(/ enum [\w$]+ \{/) },
  { what: "namespace", isAt: code(/ (?:namespace|module) (?:[\w$]+|") (?:\. [\w$]+ )*\{/) },
  { what: "default export", isAt: code(/ export default | as default [,}]/) },
  { what: "TODO", isAt: (tokens) => tokens.some(isUnfinished) },
  {
    what: "reads the environment",
    isAt: (tokens, room) =>
      !starters.includes(room) &&
      (/ process (?![.:])| process (?:\? )?\. env /.test(spelt(tokens)) ||
        tokens.some(
          ({ kind, value }, at) =>
            // A member's value imports nothing.
            kind === "text" && /^(?:node:)?process$/.test(value) && tokens[at - 1]?.value !== ":",
        )),
  },
]

const isUnfinished = ({ kind, value }: Token): boolean =>
  kind === "comment" && /\b(?:TODO|FIXME)\b/.test(value)

function arrowsOf(file: SourceFile, known: ReadonlyMap<string, SourceFile>): readonly string[] {
  const from = roomOf(file.path)
  if (unbounded.includes(from)) return []
  return importsOf(file).flatMap(({ specifier, target }) => {
    if (specifier === "bifold") return [`${file.path}: imports bifold by its name, past the arrows`]
    if (target === undefined) return []
    if (!known.has(target)) return [`${file.path}: ${specifier} is no file of src`]
    const to = roomOf(target)
    if (to === from) return []
    return allowed[from]?.includes(to) ? [] : [`${file.path}: ${from} must not see ${to} (${specifier})`]
  })
}

const roomOf = (path: string): string => path.split("/")[1]?.replace(/\.ts$/, "") ?? ""

interface Import {
  readonly specifier: string
  /** Undefined for packages. */
  readonly target?: string
}

/** Static imports and re-exports, types included, and dynamic imports of a text. */
export function importsOf({ path, text }: SourceFile): readonly Import[] {
  return specifiersOf(tokensOf(text).filter(({ kind }) => kind !== "comment")).map((specifier) => {
    if (!specifier.startsWith(".")) return { specifier }
    const parts = path.split("/").slice(0, -1)
    for (const step of specifier.split("/")) {
      if (step === "..") parts.pop()
      else if (step !== ".") parts.push(step)
    }
    return { specifier, target: parts.join("/") }
  })
}

function specifiersOf(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap(({ kind, value }, at) => {
    if (kind !== "word" || !["import", "export"].includes(value) || tokens[at - 1]?.value === ".") return []
    const rest = tokens.slice(at + 1, at + 1 + longestStatement)
    const clause = rest.findIndex((token) => !mayStandInClause(token))
    const [before, found] = [rest[clause - 1], rest[clause]]
    if (found?.kind === "text" && before?.value === "from") return [found.value]
    if (value === "export") return []
    const bare = rest[0]?.value === "(" ? rest[1] : rest[0]
    return bare?.kind === "text" ? [bare.value] : []
  })
}

const longestStatement = 400
const mayStandInClause = ({ kind, value }: Token): boolean =>
  kind === "word" || (kind === "sign" && ["{", "}", ",", "*"].includes(value))

/** A folder within a room is one node; each file at the root of a room is one of its own, as ground or as entry. */
const subRoomOf = ({ path }: SourceFile): string => path.split("/").slice(0, 3).join("/")

function crowdedFolders(files: readonly SourceFile[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { path } of files) {
    const folder = path.slice(0, path.lastIndexOf("/"))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => count > mostFiles && !unlimitedFolders.includes(folder))
    .map(([folder, count]) => `${folder}: ${count} files, more than ${mostFiles}`)
}

type Edges = ReadonlyMap<string, ReadonlySet<string>>

/** Arrows between the nodes that `nodeOf` makes of files; within a node there are none, unless the node is a file. */
function edgesBetween(files: readonly SourceFile[], nodeOf: (file: SourceFile) => string): Edges {
  const edges = new Map<string, Set<string>>()
  for (const file of files) {
    const from = nodeOf(file)
    const targets = edges.get(from) ?? new Set<string>()
    edges.set(from, targets)
    for (const { target } of importsOf(file)) {
      if (target === undefined) continue
      const to = nodeOf({ path: target, text: "" })
      if (to !== from || from === file.path) targets.add(to)
    }
  }
  return edges
}

/** Every strongly connected group of nodes (Tarjan 1972), types included. */
function cyclesAmong(edges: Edges): readonly string[] {
  const [index, low] = [new Map<string, number>(), new Map<string, number>()]
  const stack: string[] = []
  const cycles: string[] = []
  const visit = (path: string): void => {
    index.set(path, index.size)
    low.set(path, index.get(path) ?? 0)
    stack.push(path)
    for (const next of edges.get(path) ?? []) {
      if (!edges.has(next)) continue
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(path, Math.min(low.get(path) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(path) !== index.get(path)) return
    const group = stack.splice(stack.indexOf(path))
    if (group.length > 1 || edges.get(path)?.has(path)) cycles.push(`cycle: ${group.toSorted().join(", ")}`)
  }
  for (const path of edges.keys()) if (!index.has(path)) visit(path)
  return cycles
}
