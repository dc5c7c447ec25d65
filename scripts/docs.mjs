// `npm run docs`: builds the static site of docs/ into site/, and checks every link of it. Needs no network.
import { join } from "node:path"
import { build } from "vitepress"
import { findDeadLinks } from "./site-links.mjs"

const root = join(import.meta.dirname, "..")
const outDir = process.argv[2] ?? join(root, "site")
await build(join(root, "docs"), { outDir })
const { pages, links, dead } = findDeadLinks(outDir)
for (const line of dead) console.error(line)
if (pages < 25 || links < 200) throw new Error(`only ${links} links on ${pages} pages were seen`)
console.log(`${pages} pages, ${links} links, ${dead.length} of them dead: ${outDir}`)
process.exitCode = dead.length === 0 ? 0 : 1
