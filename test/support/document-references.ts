// What documents refer to (files, headings, folders, commands, decisions), held against what there is; as findings.
import { posix } from "node:path"

export interface Document {
  /** Below the project, with slashes: `docs/reference/rest.md`. */
  readonly path: string
  readonly text: string
}

export interface CommandLine {
  /** Names of the commands of `bifold`, and `bench`, each with its options: `--port`, `-p`. */
  readonly commands: ReadonlyMap<string, ReadonlySet<string>>
  /** The scripts of package.json. */
  readonly scripts: ReadonlySet<string>
}

type Exists = (path: string) => boolean

/** Links to files and headings; addresses on the web are not looked at. */
export function findBrokenLinks(documents: readonly Document[], exists: Exists): readonly string[] {
  const headings = new Map(documents.map(({ path, text }) => [path, headingsOf(text)]))
  return documents.flatMap(({ path, text }) =>
    linksOf(text).flatMap((link) => {
      if (/^[a-z]+:/.test(link)) return []
      const [file = "", heading] = link.split("#")
      const target = file === "" ? path : posix.join(posix.dirname(path), file)
      if (!exists(target)) return [`${path}: ${link} is not there`]
      const known = heading === undefined || headings.get(target)?.has(heading) === true
      return known ? [] : [`${path}: ${link} has no such heading`]
    }),
  )
}

export function linksOf(text: string): readonly string[] {
  const prose = withoutCode(text)
  const written = [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
  const embedded = [...prose.matchAll(/\b(?:src|srcset|href)="([^"\s]+)"/g)]
  return [...written, ...embedded].map(([, link = ""]) => link)
}

/** As GitHub makes anchors of headings. */
function headingsOf(text: string): ReadonlySet<string> {
  const titles = [...withoutFences(text).matchAll(/^#+ (.*)$/gm)]
  return new Set(
    titles.map(([, title = ""]) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  )
}

/** Files and folders of the project that stand in code spans. */
export function findMissingPaths(documents: readonly Document[], exists: Exists): readonly string[] {
  return documents.flatMap(({ path, text }) =>
    pathsOf(text)
      .filter((named) => !exists(named))
      .map((named) => `${path}: ${named} is not there`),
  )
}

export function pathsOf(text: string): readonly string[] {
  const spans = [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span)
  return spans.filter((span) => /^(?:src|test|scripts|docs|examples)\/[\w./-]*$/.test(span))
}

/** Decisions that comments and documents name by number only. */
export function findMissingDecisions(
  files: readonly Document[],
  numbers: ReadonlySet<string>,
): readonly string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/docs\/decisions\/(\d{4})/g)]
      .filter(([, number = ""]) => !numbers.has(number))
      .map(([name]) => `${path}: ${name} is not there`),
  )
}

/** Decisions that the index lacks, or calls otherwise than they call themselves. */
export function findUnlisted(index: string, decisions: readonly Document[]): readonly string[] {
  return decisions.flatMap(({ path, text }) => {
    const title = /^# (.*)$/m.exec(text)?.[1]
    const entry = `[${title}](${posix.basename(path)})`
    return index.includes(entry) ? [] : [`the index lacks ${entry}`]
  })
}

/** Commands and options that `bifold` does not have, and scripts that package.json does not have. */
export function findWrongCommands(
  documents: readonly Document[],
  { commands, scripts }: CommandLine,
): readonly string[] {
  const options = new Set([...commands.values()].flatMap((each) => [...each]))
  return documents.flatMap(({ path, text }) =>
    commandLinesOf(text).flatMap((line) => {
      const bare = line.replace(/'[^']*'|"[^"]*"/g, "''")
      const script = /^npm (?:run )?([a-z]+)/.exec(bare)?.[1]
      if (
        script !== undefined &&
        !["audit", "ci", "create", "install", "pack", "publish", "sbom"].includes(script) &&
        !scripts.has(script)
      )
        return [`${path}: there is no npm script ${script}: ${line}`]
      const called = /^(?:npm run bifold -- |npx bifold |bifold |npm run (?=bench -- ))([a-z]+)?(.*)$/.exec(
        bare,
      )
      const own = called ? commands.get(called[1] ?? "") : options
      if (!own) return called?.[1] ? [`${path}: bifold has no command ${called[1]}: ${line}`] : []
      const given = called ? (called[2] ?? "") : /^--?[a-z]/.test(bare) ? bare : ""
      return [...given.matchAll(/(?<=^|\s)--?[a-zA-Z][\w-]*/g)]
        .filter(([option]) => !own.has(option))
        .map(([option]) => `${path}: there is no option ${option}: ${line}`)
    }),
  )
}

/** Lines of shell blocks, and code spans that begin as commands or options do. */
export function commandLinesOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```(?:sh|console)\n([\s\S]*?)^```$/gm)].flatMap(([, body = ""]) =>
    body.split("\n").map((line) => line.replace(/^\$ /, "").replace(/\s+#.*$/, "")),
  )
  const spans = [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span)
  return [...blocks, ...spans].filter((line) => /^(?:npm |npx bifold |bifold |--[a-z])/.test(line))
}

const withoutFences = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, "")
const withoutCode = (text: string): string => withoutFences(text).replace(/`[^`\n]+`/g, "")
