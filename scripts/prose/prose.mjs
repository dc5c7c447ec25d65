// `npm run check` holds prose to plain words: findings of each folder stay below its ceiling in ceilings.json, which only shrinks.
// Names of folders or files as arguments print their findings; --lower writes the counts of today as ceilings.
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { findingsIn, leastEase, mostWordsOfItem, readingEase } from "./plain-words.mjs"
import { textsOfPage, textsOfSource } from "./texts.mjs"

const root = join(import.meta.dirname, "../..")
const glossaryPage = "docs/concepts/glossary.md"
const ceilings = join(import.meta.dirname, "ceilings.json")
/** Pages that hold other people's words, or figures written by a program. */
const exclude = ["**/node_modules/**", "bench/RESULTS.md", "bench/earlier.md", "docs/.vitepress/**"]
const easy = /^(?:README\.md|docs\/(?:start|guide|concepts)\/)/

const read = (path) => readFileSync(join(root, path), "utf8")

/** Rows of the glossary: a term, its meaning, and words that it replaces. */
async function glossaryOf(path) {
  const rows = [...read(path).matchAll(/^\| \*\*(.+?)\*\* \|.*?\| (.*?) \|$/gm)]
  if (rows.length > 40) throw new Error(`${path} has ${rows.length} terms; 40 are the most`)
  return rows.flatMap(([, term, instead]) =>
    instead
      .split(", ")
      .filter(Boolean)
      .map((said) => ({ said: new RegExp(`\\b${said}\\b`, "i"), term })),
  )
}

/** @returns {Promise<string[]>} findings, each with its place */
export async function findingsOf(path, text, glossary) {
  const isPage = path.endsWith(".md")
  const texts = isPage ? await textsOfPage(text) : textsOfSource(path, text)
  const found = texts.flatMap(({ line, text, item }) => {
    const words = text.split(/\s+/).length
    const long = item && words > mostWordsOfItem ? [`an item of ${words} words: ${text.slice(0, 60)}…`] : []
    return [...long, ...findingsIn(text, glossary)].map((finding) => `${path}:${line}: ${finding}`)
  })
  const ease = readingEase(texts.map(({ text }) => text))
  if (isPage && easy.test(path) && ease < leastEase)
    found.push(`${path}: reading ease ${ease.toFixed(0)}, at least ${leastEase} is asked`)
  return found
}

const folderOf = (path) => (path.includes("/") ? dirname(path).split("/").slice(0, 2).join("/") : path)

async function main(args) {
  const glossary = await glossaryOf(glossaryPage)
  const named = args.filter((arg) => !arg.startsWith("--"))
  const patterns = [
    "*.md",
    "docs/**/*.md",
    "examples/**/*.{md,ts}",
    "{src,create-bifold,scripts,bench}/**/*.{ts,mjs,md}",
  ]
  const paths = globSync(patterns, { cwd: root, exclude })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => named.length === 0 || named.some((name) => path.startsWith(name)))
  const words = (path) => (path === glossaryPage ? [] : glossary)
  const counts = {}
  for (const path of paths.sort()) {
    const found = await findingsOf(path, read(path), words(path))
    if (named.length > 0) for (const line of found) console.log(line)
    if (found.length > 0) counts[folderOf(path)] = (counts[folderOf(path)] ?? 0) + found.length
  }
  const sum = Object.values(counts).reduce((one, other) => one + other, 0)
  if (named.length > 0) return console.log(`${sum} findings in ${paths.length} files.`)
  if (args.includes("--lower")) writeFileSync(ceilings, `${JSON.stringify(counts, null, 2)}\n`)
  const allowed = JSON.parse(readFileSync(ceilings, "utf8"))
  for (const [folder, count] of Object.entries(counts))
    if (count > (allowed[folder] ?? 0)) {
      console.error(
        `${folder}: ${count} findings, at most ${allowed[folder] ?? 0}. See them by: node scripts/prose/prose.mjs ${folder}`,
      )
      process.exitCode = 1
    }
  const lower = Object.entries(allowed).filter(([folder, most]) => most > (counts[folder] ?? 0))
  if (lower.length > 0)
    console.log(`Lower in ${lower.map(([folder]) => folder).join(", ")}: --lower writes it.`)
  console.log(`${paths.length} files, ${sum} findings.`)
}

if (import.meta.main) await main(process.argv.slice(2))
