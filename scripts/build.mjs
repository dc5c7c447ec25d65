// The package: `dist`, or the named folder. rolldown joins its modules to few files, since each file costs every start. Their
// types stay separate files; `--types-are-checked` skips their check.
import { execFileSync } from "node:child_process"
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { isAbsolute, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "..")
const sources = join(root, "src")
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "types-are-checked": { type: "boolean" } },
})
const folder = resolve(root, positionals[0] ?? "dist")

const fileOf = (name) => join(sources, `${name}.ts`)

/** Entry points, named by package.json, by a service file's imports or by a thread. They keep their names. */
const entries = [
  "index",
  "cli/main",
  "cli/code-thread",
  "cli/resolve-self",
  "storage/sqlite/reader",
  "storage/sqlite/writer-thread",
  "tools/testing/start-service",
]

/** Roots of modules that are loaded together. Modules with the same roots become one file, named after those roots. */
const occasions = {
  program: ["cli/main", "cli/program"],
  model: ["index", "cli/service-file", "model/load"],
  serve: ["cli/commands/serve", "index"],
  graphql: ["graphql/face"],
  reader: ["storage/sqlite/reader"],
  writer: ["storage/sqlite/writer-thread"],
}

/**
 * Dependencies that are bundled. All commands need them, and their only input is the owner's: declarations, settings, arguments.
 * Dependencies that meet clients, networks or databases stay external: their fixes need no release of Bifold.
 */
const inlined = ["commander", "fastest-levenshtein", "inflection", "picocolors", "zod"]

const isInlined = (id) => inlined.some((name) => id === name || id.startsWith(`${name}/`))

const options = (plugins) => ({
  input: Object.fromEntries(entries.map((name) => [name, fileOf(name)])),
  external: (id) => !id.startsWith(".") && !isAbsolute(id) && !isInlined(id),
  platform: "node",
  // Rolldown asks for this where `includeDependenciesRecursively` is off.
  preserveEntrySignatures: "allow-extension",
  plugins,
  onLog(level, log, report) {
    if (log.code !== "INEFFECTIVE_DYNAMIC_IMPORT") report(level === "warn" ? "error" : level, log)
  },
})

/** Each module, with those that it imports at once. */
async function readImports() {
  const imports = new Map()
  const note = ({ id, importedIds }) => void imports.set(id, importedIds)
  const bundle = await rolldown(options([{ name: "imports", moduleParsed: note }]))
  await bundle.generate()
  await bundle.close()
  return imports
}

function loadedBy(names, imports) {
  const loaded = new Set()
  const waiting = names.map(fileOf)
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (loaded.has(id)) continue
    loaded.add(id)
    waiting.push(...(imports.get(id) ?? []))
  }
  return loaded
}

async function joinModules() {
  const imports = await readImports()
  const sets = Object.entries(occasions).map(([name, names]) => [name, loadedBy(names, imports)])
  const begins = new Set(entries.map(fileOf))
  const needing = (id) => sets.filter(([, loaded]) => loaded.has(id)).map(([name]) => name)
  const bundle = await rolldown(options())
  await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    // The hash keeps a running process from loading a file of a newer version.
    chunkFileNames: "joined/[name]-[hash].js",
    codeSplitting: {
      includeDependenciesRecursively: false,
      // Entries have side effects, so no other module may load them.
      groups: [
        { debugName: "occasions", name: (id) => (begins.has(id) ? null : needing(id).join("-") || null) },
      ],
    },
  })
  await bundle.close()
}

/** As their licences ask for. */
function writeLicences() {
  const texts = inlined.map((name) => {
    const [file] = globSync(`node_modules/${name}/{LICENSE,LICENCE,license}*`, { cwd: root })
    if (!file) throw new Error(`${name} has no licence`)
    return `${name}\n\n${readFileSync(join(root, file), "utf8").trim()}\n`
  })
  writeFileSync(join(folder, "licences.txt"), texts.join(`\n${"-".repeat(80)}\n\n`))
}

rmSync(folder, { recursive: true, force: true })
const tsc = join(root, "node_modules/typescript/bin/tsc")
const unchecked = values["types-are-checked"] ? ["--noCheck"] : []
execFileSync(
  process.execPath,
  [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", folder, ...unchecked],
  { stdio: "inherit" },
)
await joinModules()
writeLicences()
