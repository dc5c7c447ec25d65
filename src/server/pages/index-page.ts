// The page at `/`: a list of the addresses here, for a person with a browser and for a program.

import { feedPath, hasEvents } from "../../http/changes.ts"
import type { FaceResponse } from "../../http/face.ts"
import type { Model } from "../../model/model.ts"
import { schemaPath, showsSchema } from "./graphql-page.ts"
import { documentHeaders, escapeHtml, pageHeaders } from "./page.ts"

interface Entry {
  readonly name: string
  readonly href: string
  readonly note: string
}

/** HTML when the client would rather have it, else JSON. */
export function indexPage(model: Model, base: string, accept: string | undefined): FaceResponse {
  const entries = entriesOf(model, base)
  return accept?.includes("text/html") === true
    ? { status: 200, headers: htmlHeaders, body: html(model, entries) }
    : {
        status: 200,
        headers: documentHeaders("application/json; charset=utf-8"),
        body: json(model, entries),
      }
}

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 46rem; margin: 3rem auto; padding: 0 1rem }
  td { padding: .2rem 1.5rem .2rem 0; vertical-align: top }
`

const htmlHeaders = pageHeaders({ style })

function entriesOf(model: Model, base: string): readonly Entry[] {
  const lists = [...model.resources.values()].map(
    ({ path, description }): Entry => ({ name: path, href: `${base}/${path}`, note: description ?? "" }),
  )
  return [
    { name: "graphql", href: `${base}/graphql`, note: "The GraphQL endpoint." },
    ...(showsSchema(model)
      ? [{ name: "schema", href: `${base}${schemaPath}`, note: "The GraphQL schema, as text." }]
      : []),
    { name: "openapi", href: `${base}/openapi.json`, note: "The REST endpoints, described as OpenAPI 3.1." },
    ...(hasEvents(model)
      ? [
          { name: "asyncapi", href: `${base}/asyncapi.json`, note: "Events, described as AsyncAPI 3." },
          { name: "events", href: `${base}${feedPath(model)}`, note: "Events of all records, page by page." },
        ]
      : []),
    ...(model.versions
      ? [{ name: "changelog", href: `${base}/changelog`, note: "Changes, version by version." }]
      : []),
    ...lists,
  ]
}

function json(model: Model, entries: readonly Entry[]): string {
  const links = Object.fromEntries(entries.map(({ name, href }) => [name, href]))
  return `${JSON.stringify({ service: model.name, title: model.title, links }, null, 2)}\n`
}

function html(model: Model, entries: readonly Entry[]): string {
  const rows = entries.map(
    ({ name, href, note }) =>
      `<tr><td><a href="${escapeHtml(href)}">${escapeHtml(name)}</a></td><td>${escapeHtml(note)}</td></tr>`,
  )
  const description = model.description === undefined ? "" : `<p>${escapeHtml(model.description)}</p>\n`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(model.title)}</title>
<style>${style}</style>
<h1>${escapeHtml(model.title)}</h1>
${description}<table>
${rows.join("\n")}
</table>
</html>
`
}
