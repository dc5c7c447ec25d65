// Changes the `versions` of a service file in its source, and nothing else of it.
import { readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import type { AnyNode, ObjectExpression, Property } from "acorn"

interface Found {
  readonly source: string
  readonly versions: ObjectExpression
}

/** Puts an entry before all others. False where the source does not spell the versions out. */
export function addVersion(file: string, names: readonly string[], entry: string): Promise<boolean> {
  return edit(file, names, ({ source, versions }) => {
    const [first] = versions.properties
    if (first && entry.includes("\n") && !source.slice(versions.start, first.start).includes("\n"))
      return spreadOut(source, versions, entry)
    const at = first?.start ?? versions.start + 1
    const indent = first ? indentAt(source, first.start) : ""
    const separator = indent === undefined ? ", " : `,\n${indent}`
    const text = indent === undefined ? entry : entry.replaceAll("\n", `\n${indent}`)
    return `${source.slice(0, at)}${text}${separator}${source.slice(at)}`
  })
}

/** Versions that begin on one line, with a line for each and a new one before them. */
function spreadOut(source: string, { start, end }: ObjectExpression, entry: string): string {
  const line = source.slice(source.lastIndexOf("\n", start) + 1, start)
  const [indent = ""] = /^[ \t]*/.exec(line) ?? []
  const inner = `${indent}${indent.includes("\t") ? "\t" : "  "}`
  const others = source
    .slice(start + 1, end - 1)
    .trim()
    .replace(/,$/, "")
  const lines = [entry.replaceAll("\n", `\n${inner}`), others].map((text) => `\n${inner}${text},`)
  return `${source.slice(0, start)}{${lines.join("")}\n${indent}}${source.slice(end)}`
}

/** Gives a version an end. False where the source does not spell the versions out. @param day `2027-06-01` */
export function endVersion(
  file: string,
  names: readonly string[],
  { name, day }: { readonly name: string; readonly day: string },
): Promise<boolean> {
  return edit(file, names, ({ source, versions }) => {
    const { value } = propertyNamed(versions, name) ?? {}
    if (!value) return undefined
    const { start, end } = value
    const ends = `ends: ${JSON.stringify(day)}`
    if (value.type !== "ObjectExpression")
      return `${source.slice(0, start)}{ changes: ${source.slice(start, end)}, ${ends} }${source.slice(end)}`
    const own = propertyNamed(value, "ends")
    if (own) return `${source.slice(0, own.start)}${ends}${source.slice(own.end)}`
    return `${source.slice(0, start + 1)} ${ends},${source.slice(start + 1)}`
  })
}

async function edit(
  file: string,
  names: readonly string[],
  change: (found: Found) => string | undefined,
): Promise<boolean> {
  const source = readFileSync(file, "utf8")
  const versions = await findVersions(source, names)
  const changed = versions && change({ source, versions })
  if (changed === undefined) return false
  writeFileSync(file, changed)
  return true
}

/** The object whose members are the versions. */
async function findVersions(source: string, names: readonly string[]): Promise<ObjectExpression | undefined> {
  const { parse } = await import("acorn")
  // Types become spaces, so that the remaining code keeps its place.
  const script = stripTypeScriptTypes(source, { mode: "strip" })
  const tree = parse(script, { ecmaVersion: "latest", sourceType: "module" })
  const isIt = (node: ObjectExpression): boolean => {
    const own = node.properties.map((property) =>
      property.type === "Property" ? nameOf(property) : undefined,
    )
    return own.length === names.length && own.every((name, index) => name === names[index])
  }
  const found: ObjectExpression[] = []
  const visit = (node: AnyNode): void => {
    if (node.type === "ObjectExpression" && isIt(node)) found.push(node)
    for (const value of Object.values(node)) for (const one of [value].flat()) if (isNode(one)) visit(one)
  }
  visit(tree)
  return found.length === 1 ? found[0] : undefined
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const nameOf = ({ key }: Property): string | undefined =>
  key.type === "Literal" ? String(key.value) : key.type === "Identifier" ? key.name : undefined

const propertyNamed = ({ properties }: ObjectExpression, name: string): Property | undefined =>
  properties.find((one): one is Property => one.type === "Property" && nameOf(one) === name)

/** The white space before a place in its line; undefined where there is something else, too. */
function indentAt(source: string, at: number): string | undefined {
  const line = source.slice(source.lastIndexOf("\n", at - 1) + 1, at)
  return /^\s*$/.test(line) ? line : undefined
}
