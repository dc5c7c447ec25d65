// Which test files share a process when all are run: to load the engine costs a process more than many a file's tests do.
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

const root = join(import.meta.dirname, "..")
/** Not below node_modules, where Node looks for no tests. */
const place = join(root, ".runtime", "tests")

/** Files that measure a process, keep one busy, begin many, or load what others do not. */
const apart = [
  /^test\/[^/]+$/,
  /^test\/(clients|deploy|durability|embed|hot-path|properties|scripts|sinks|testing|traces)\//,
  /^test\/code\/crashes/,
]
/** Those that wait for long, so that others work meanwhile. Node sorts files by their names. */
const isEarly = (path) => /^test\/(durability|webhooks)(\/|$)/.test(path)
/** Files of one process; few enough that the longest group ends before the others. */
const most = 12
/** Files of a process that waits: they wait beside each other. */
const mostEarly = 4
/** Folders with fewer files share processes with others. */
const fewest = 4

/**
 * The files to run for all test files: those that wait, groups, which take longest, and then the others that stay apart.
 * @param home where files of groups are written; what was there is removed
 */
export function groupedTests(home = place) {
  const files = globSync("test/**/*.test.ts", { cwd: root, exclude: ["**/node_modules"] })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()
  const isApart = (file) => apart.some((pattern) => pattern.test(file))
  const together = files.filter((file) => !isApart(file))
  const counts = new Map(
    [...Map.groupBy(together, dirname)].map(([folder, members]) => [folder, members.length]),
  )
  const folders = Map.groupBy(together, (file) =>
    counts.get(dirname(file)) < fewest ? "small folders" : dirname(file),
  )
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  const groups = [...folders].flatMap(([folder, members]) =>
    chunksOf(members, isEarly(folder) ? mostEarly : most).map((chunk, index) =>
      writeGroup(
        join(
          home,
          `${isEarly(folder) ? "early-" : ""}${folder.replaceAll(/[/ ]/g, "-")}-${index + 1}.test.mjs`,
        ),
        chunk,
      ),
    ),
  )
  const alone = files.filter(isApart)
  const first = alone
    .filter(isEarly)
    .map((file) => writeGroup(join(home, `early-${file.replaceAll("/", "-").replace(/ts$/, "mjs")}`), [file]))
  return [...first, ...groups, ...alone.filter((file) => !isEarly(file))]
}

/** Chunks of nearly equal size. Neighbors, which are often alike, are in different chunks. */
function chunksOf(files, most) {
  const count = Math.ceil(files.length / most)
  return Array.from({ length: count }, (_, index) => files.filter((_, at) => at % count === index))
}

function writeGroup(path, files) {
  const addresses = Object.fromEntries(files.map((file) => [file, pathToFileURL(join(root, file)).href]))
  const entry = pathToFileURL(join(root, "test/support/together.mjs")).href
  const calls = `await together(${JSON.stringify(addresses, null, 2)})`
  writeFileSync(path, `import { together } from ${JSON.stringify(entry)}\n\n${calls}\n`)
  return path
}
