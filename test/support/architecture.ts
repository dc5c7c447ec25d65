// The house rules of docs/architecture.md over a tree of files, as findings: arrows, cycles, sizes, depth, habits.

export interface SourceFile {
  /** Below the project, with slashes: `src/plan/types.ts`. */
  readonly path: string
  readonly text: string
}

/** What each room may see besides itself. Only server, cli and the public index see everything. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  base: [],
  model: ["base"],
  plan: ["base", "model"],
  sql: ["base", "model", "plan"],
  storage: ["base", "model", "plan", "sql"],
  engine: ["base", "model", "plan", "sql", "storage"],
  faces: ["base", "model", "plan"],
  identity: ["base", "model", "plan", "sql", "storage", "engine"],
  events: ["base", "model", "plan", "sql", "storage", "engine"],
  limits: ["base", "model", "plan", "sql", "storage", "engine"],
  system: ["base", "model"],
}
const unbounded = ["server", "cli"]
const mostLines = 600

export function findBreaches(files: readonly SourceFile[]): readonly string[] {
  const known = new Map(files.map((file) => [file.path, file]))
  return [
    ...files.flatMap((file) => [...breachesOfFile(file), ...arrowsOf(file, known)]),
    ...cyclesAmong(files),
  ]
}

function breachesOfFile({ path, text }: SourceFile): readonly string[] {
  const code = withoutTexts(text)
  const lines = text.split("\n").length - 1
  const habits: readonly (readonly [RegExp, string])[] = [
    [/^\s*(?:export\s+)?(?:const\s+)?enum\s/m, "enum"],
    [/^\s*(?:export\s+)?(?:declare\s+)?namespace\s/m, "namespace"],
    [/^\s*export\s+default\b/m, "default export"],
    [/\/\/.*\b(?:TODO|FIXME)\b/, "TODO"],
  ]
  const found = habits.filter(([pattern]) => pattern.test(code)).map(([, name]) => `${path}: ${name}`)
  if (lines > mostLines) found.push(`${path}: ${lines} lines, more than ${mostLines}`)
  if (path.split("/").length > 4) found.push(`${path}: a folder deeper than two under src`)
  if (/\/index\.ts$/.test(path) && path !== "src/index.ts")
    found.push(`${path}: an index besides the public one`)
  if (/\bprocess\s*\.\s*env\b/.test(code) && !unbounded.includes(roomOf(path)))
    found.push(`${path}: reads the environment`)
  return found
}

function arrowsOf(file: SourceFile, known: ReadonlyMap<string, SourceFile>): readonly string[] {
  const from = roomOf(file.path)
  if (from === "index" || unbounded.includes(from)) return []
  return importsOf(file).flatMap(({ specifier, target }) => {
    if (target === undefined) return []
    if (!known.has(target)) return [`${file.path}: ${specifier} is no file of src`]
    const to = roomOf(target)
    if (to === from) return facesBetween(file.path, target)
    return allowed[from]?.includes(to) ? [] : [`${file.path}: ${from} must not see ${to} (${specifier})`]
  })
}

/** The faces do not know each other; both may know what stands beside them. */
function facesBetween(from: string, to: string): readonly string[] {
  const [here, there] = [from, to].map((path) =>
    roomOf(path) === "faces" ? path.split("/").slice(2, -1).join("/") : "",
  )
  return there === "" || here === there ? [] : [`${from}: ${here || "faces"} must not see ${there}`]
}

const roomOf = (path: string): string => path.split("/")[1]?.replace(/\.ts$/, "") ?? ""

interface Import {
  readonly specifier: string
  /** Undefined for packages. */
  readonly target?: string
}

/** Static imports and re-exports, types included, and dynamic imports of a literal. */
export function importsOf({ path, text }: SourceFile): readonly Import[] {
  const code = withoutComments(text)
  const statements = code.matchAll(/\b(?:import|export)\b[^"'`;]*?\bfrom\s*["']([^"']+)["']/g)
  const bare = code.matchAll(/\bimport\s*\(?\s*["']([^"']+)["']/g)
  return [...statements, ...bare].map(([, specifier = ""]) => {
    if (!specifier.startsWith(".")) return { specifier }
    const parts = path.split("/").slice(0, -1)
    for (const step of specifier.split("/")) {
      if (step === "..") parts.pop()
      else if (step !== ".") parts.push(step)
    }
    return { specifier, target: parts.join("/") }
  })
}

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "")

/** Comments stay, so that what is to be done later is found; the inside of texts is left out. */
const withoutTexts = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, '""')

/** Every strongly connected group of files (Tarjan 1972), types included. */
function cyclesAmong(files: readonly SourceFile[]): readonly string[] {
  const edges = new Map(
    files.map((file) => [file.path, importsOf(file).flatMap(({ target }) => (target ? [target] : []))]),
  )
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
    if (group.length > 1 || edges.get(path)?.includes(path))
      cycles.push(`cycle: ${group.toSorted().join(", ")}`)
  }
  for (const path of edges.keys()) if (!index.has(path)) visit(path)
  return cycles
}
