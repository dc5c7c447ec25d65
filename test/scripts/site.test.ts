// The site of the documents: its menu has every page, and its links are checked by something that finds dead ones.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { existsSync, globSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { promisify } from "node:util"
import { cleanUp, temporaryFolder } from "../support/database.ts"

const root = join(import.meta.dirname, "../..")
const hooks = cleanUp(after)

/** What the script's module gives, as JSON. */
async function evaluate(source: string): Promise<unknown> {
  const args = [
    "--input-type=module",
    "--eval",
    `console.log(JSON.stringify(await (async () => { ${source} })()))`,
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  return JSON.parse(stdout)
}

const deadLinksOf = (folder: string): Promise<unknown> =>
  evaluate(
    `const { findDeadLinks } = await import("./scripts/site-links.mjs"); return findDeadLinks(${JSON.stringify(folder)})`,
  )

describe("the site", () => {
  test("has every page for users in its menu, and former addresses lead to pages that are there", async () => {
    const menu = await evaluate(
      `const { default: config } = await import("./docs/.vitepress/config.mjs"); return config.themeConfig.sidebar.flatMap(({ items }) => items.map(({ link }) => link))`,
    )
    assert.ok(Array.isArray(menu))
    const pages = globSync("docs/{start,guide,reference,operate,concepts}/*.md", { cwd: root })
    assert.ok(pages.length >= 20)
    const missing = pages
      .map((page) => page.replaceAll("\\", "/").replace(/^docs(.*)\.md$/, "$1"))
      .filter((page) => !menu.includes(page))
    assert.deepEqual(missing, [])
    const moved = await evaluate('return (await import("./docs/.vitepress/moved.mjs")).moved')
    const targets = Object.values(moved as Record<string, string>)
    assert.ok(targets.length >= 8)
    assert.deepEqual(
      targets.filter((page) => !existsSync(join(root, "docs", `${page}.md`))),
      [],
    )
    assert.deepEqual(
      Object.keys(moved as object).filter((page) => existsSync(join(root, "docs", `${page}.md`))),
      [],
    )
  })

  test("that has dead links is refused by the check", async () => {
    const folder = await temporaryFolder(hooks)
    mkdirSync(join(folder, "guide"))
    writeFileSync(
      join(folder, "index.html"),
      '<h1 id="top">A</h1><a href="/guide/page">1</a><a href="guide/page.html#there">2</a><a href="#top">3</a><a href="https://example.org/x">4</a>',
    )
    const page = join(folder, "guide/page.html")
    writeFileSync(page, '<h2 id="there">B</h2><a href="../">1</a><img src="/index.html">')
    assert.deepEqual(await deadLinksOf(folder), { pages: 2, links: 5, dead: [] })
    writeFileSync(page, '<a href="../none">1</a><a href="/#nowhere">2</a><img src="x.svg">')
    assert.deepEqual(await deadLinksOf(folder), {
      pages: 2,
      links: 6,
      dead: [
        "index.html: guide/page.html#there has no such heading",
        "guide/page.html: ../none is not there",
        "guide/page.html: /#nowhere has no such heading",
        "guide/page.html: x.svg is not there",
      ],
    })
  })
})
