// Makes the folder of a new service from the template.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const template = fileURLToPath(new URL("template/", import.meta.url))

/** A mistake of the person who calls, with what to do. */
export class Refusal extends Error {
  constructor(message, hint, exitCode = 1) {
    super(message)
    this.hint = hint
    this.exitCode = exitCode
  }
}

/**
 * Gives the name of the service and the paths of its files. The dependency is where npm finds the package of Bifold. Throws a Refusal, with nothing made, for a folder that has
 * something in it, and for one whose name leaves no letter for that of the service.
 */
export function create(folder, dependency) {
  const path = resolve(folder)
  const name = nameFrom(basename(path))
  if (name === "")
    throw new Refusal(
      `No service can be named after ${JSON.stringify(basename(path))}.`,
      "Choose a folder whose name has a letter from a to z, such as my-service.",
    )
  refuseFull(folder, path)
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(template.length))
    .toSorted()
  for (const file of files) {
    const target = join(path, nameOf(file))
    const text = readFileSync(join(template, file), "utf8")
    mkdirSync(dirname(target), { recursive: true })
    // A file that came between is not written over.
    writeFileSync(target, text.replaceAll("{{name}}", name).replaceAll("{{bifold}}", dependency), {
      flag: "wx",
    })
  }
  return { name, files: files.map(nameOf) }
}

/** Lower-case letters, digits and hyphens, led by a letter: good for a package and for a service. */
function nameFrom(folder) {
  return folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .replace(/-+$/, "")
    .slice(0, 100)
}

function refuseFull(folder, path) {
  try {
    if (readdirSync(path).every((entry) => entry === ".git")) return
  } catch (error) {
    if (error.code === "ENOENT") return
    const reason = error.code === "ENOTDIR" ? "is not a folder" : `cannot be read (${error.code})`
    throw new Refusal(`${folder} ${reason}.`, "Choose a folder that is absent or empty.")
  }
  throw new Refusal(`${folder} is not empty.`, "Choose a folder that is absent or empty.")
}

/** npm packs no .gitignore, and takes a package.json for that of a package. */
const nameOf = (file) => file.replace(/^_/, "").replace(/^gitignore$/, ".gitignore")
