// The changes of the API, for the people who write its clients: what each of them sees of it.

import type { FaceResponse } from "../../http/face.ts"
import type { Model } from "../../model/model.ts"
import {
  type ChangelogVersion,
  changelogMarkdown,
  changelogOf,
  sidesOf,
} from "../../model/versions/changelog.ts"
import { documentHeaders, escapeHtml, pageHeaders } from "./page.ts"

/** HTML or Markdown where the client would rather have it, else JSON. */
export function changelogPage(model: Model, accept = ""): FaceResponse {
  const versions = changelogOf(model)
  if (accept.includes("text/html"))
    return { status: 200, headers: htmlHeaders, body: html(model.title, versions) }
  if (accept.includes("text/markdown"))
    return respond("text/markdown; charset=utf-8", changelogMarkdown(model.title, versions))
  return respond("application/json; charset=utf-8", `${JSON.stringify({ versions }, null, 2)}\n`)
}

const respond = (type: string, body: string): FaceResponse => ({
  status: 200,
  headers: documentHeaders(type),
  body,
})

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 46rem; margin: 3rem auto; padding: 0 1rem }
  li { margin-bottom: 1rem }
  dl { display: grid; grid-template-columns: 4rem 1fr; gap: .2rem .5rem; font-size: .9rem }
  dd { margin: 0; min-width: 0 } dd code { display: block; overflow-x: auto }
`

const htmlHeaders = pageHeaders({ style })

function html(title: string, versions: readonly ChangelogVersion[]): string {
  const parts = versions.map(({ version, description, ends, changes }) => {
    const items = changes.map(({ text, description: said, examples }) => {
      const sides = sidesOf(examples).map(
        ([side, { rest, graphql }]) =>
          `<dt>${side}</dt><dd><code>${escapeHtml(rest)}</code><code>${escapeHtml(graphql)}</code></dd>`,
      )
      return `<li>${marked(text)}${said === undefined ? "" : ` ${escapeHtml(said)}`}<dl>${sides.join("")}</dl></li>`
    })
    const notes = [ends === undefined ? undefined : `Served until ${ends}.`, description].filter(
      (note) => note !== undefined,
    )
    return `<h2 id="${version}">${version}</h2>
${notes.map((note) => `<p>${escapeHtml(note)}</p>`).join("\n")}
${items.length === 0 ? "<p>No changes.</p>" : `<ul>\n${items.join("\n")}\n</ul>`}`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Changes of ${escapeHtml(title)}</title>
<style>${style}</style>
<h1>Changes of ${escapeHtml(title)}</h1>
<p>The header <code>API-Version</code> chooses a version.</p>
${parts.join("\n")}
</html>
`
}

/** Names between backticks as code. */
const marked = (text: string): string => escapeHtml(text).replace(/`([^`]*)`/g, "<code>$1</code>")
