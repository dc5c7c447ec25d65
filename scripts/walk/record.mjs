// Loaded before a server: sends its parent, in order, the functions of src that are entered between two messages.
import { readFileSync } from "node:fs"
import { registerHooks, stripTypeScriptTypes } from "node:module"
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { parse } from "acorn"

const root = fileURLToPath(new URL("../..", import.meta.url))
const functions = []
let entered

globalThis.__bifoldEnters = (id) => {
  entered?.push(id)
}

process.on("message", (message) => {
  const seen = entered ?? []
  entered = message === "begin" ? [] : undefined
  process.send(seen.map((id) => ({ id, ...functions[id] })))
})
// The channel alone keeps no server alive.
process.channel?.unref()

registerHooks({
  load(url, context, next) {
    if (!url.startsWith("file:") || !url.endsWith(".ts")) return next(url, context)
    const path = relative(root, fileURLToPath(url)).replaceAll("\\", "/")
    if (!path.startsWith("src/")) return next(url, context)
    return { format: "module", shortCircuit: true, source: watched(path, readFileSync(new URL(url), "utf8")) }
  },
})

/** The source, whose functions say that they are entered. */
function watched(path, source) {
  const text = stripTypeScriptTypes(source)
  const insertions = []
  const tree = parse(text, {
    ecmaVersion: "latest",
    sourceType: "module",
    allowHashBang: true,
    locations: true,
  })
  visit(tree, "the file", (node, name) => {
    const call = `__bifoldEnters(${functions.push({ path, name, line: node.loc.start.line }) - 1})`
    if (node.body.type === "BlockStatement") insertions.push([node.body.start + 1, `${call};`])
    else insertions.push([text.lastIndexOf("=>", node.body.start) + 2, `(${call},`], [node.end, ")"])
  })
  // Where two functions end at one place, the inner one comes first.
  const parts = insertions.toSorted(([a], [b]) => a - b)
  let at = 0
  let made = ""
  for (const [place, added] of parts) {
    made += text.slice(at, place) + added
    at = place
  }
  return made + text.slice(at)
}

function visit(node, name, found) {
  if (Array.isArray(node)) for (const one of node) visit(one, name, found)
  if (typeof node?.type !== "string") return
  const own = node.id?.name ?? node.key?.name ?? name
  if (/Function/.test(node.type)) found(node, node.id?.name ?? name)
  for (const [key, value] of Object.entries(node)) if (key !== "loc") visit(value, own, found)
}
