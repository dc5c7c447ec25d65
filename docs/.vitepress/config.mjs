// The site of these pages, made by `npm run docs`: its sections, and links to files that are not part of it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { moved } from "./moved.mjs"

const docs = dirname(import.meta.dirname)

/** The sections of the index: the page's table rows and list items that link to pages. */
function sidebar() {
  const sections = readFileSync(join(docs, "README.md"), "utf8").split(/^## /m).slice(1)
  return sections.map((section) => ({
    text: section.slice(0, section.indexOf("\n")),
    collapsed: false,
    items: [...section.matchAll(/^\| \[(.*?)\]\((.*?)\.md\)/gm)].map(([, text, page]) => ({
      text,
      link: `/${page.replace(/README$/, "")}`,
    })),
  }))
}

/** Links to a folder's README lead to its index. A link to a file that the site lacks becomes plain text. */
function adaptLinks(md) {
  md.core.ruler.push("adapt-links", ({ tokens, env }) => {
    for (const { children } of tokens)
      for (const [index, token] of (children ?? []).entries()) name(children, index, token, env)
  })
  const name = (children, index, token, env) => {
    const href = token.type === "link_open" ? token.attrGet("href") : undefined
    if (!href || /^[a-z]+:|^#/.test(href)) return
    if (/(^|\/)README\.md(#|$)/.test(href)) token.attrSet("href", href.replace("README.md", "index.md"))
    const target = posix.join(posix.dirname(env.relativePath), href)
    if (!target.startsWith("../") && /\.md(#|$)/.test(target)) return
    const close = children.findIndex((other, at) => at > index && other.type === "link_close")
    for (const end of [token, children[close]]) Object.assign(end, { tag: "span", attrs: null })
    token.attrSet("title", target.replace("../", ""))
  }
}

/** The links of a redirect are relative, as the site may stand below a path. */
function writeRedirects(outDir) {
  for (const [from, to] of Object.entries(moved)) {
    const file = join(outDir, `${from}.html`)
    const href = posix.relative(posix.dirname(from), `${to}.html`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      file,
      `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${href}"><a href="${href}">Moved</a>\n`,
    )
  }
}

export default {
  title: "Bifold",
  description: "One declaration, a GraphQL API and a REST API with the same permissions",
  lang: "en-US",
  outDir: "../site",
  cacheDir: "../node_modules/.cache/vitepress",
  rewrites: {
    "README.md": "index.md",
    "decisions/README.md": "decisions/index.md",
    "internals/README.md": "internals/index.md",
  },
  buildEnd: ({ outDir }) => writeRedirects(outDir),
  // Descriptions of settings name `<address>` as they do in a terminal.
  markdown: { html: false, config: adaptLinks },
  themeConfig: {
    nav: [
      { text: "Tutorial", link: "/start/tutorial" },
      { text: "Tour", link: "/start/tour" },
    ],
    sidebar: sidebar(),
    outline: "deep",
    search: { provider: "local" },
  },
}
