// The page for browsers at the GraphQL endpoint: an editor that sends its document to this host, and nothing to others.

import { perObject } from "../../base/caches.ts"
import { lateModule } from "../../base/lazily.ts"
import { graphqlResponse } from "../../graphql/document/media.ts"
import { json, negotiate } from "../../http/accept.ts"
import type { FaceRequest, FaceResponse } from "../../http/face.ts"
import type { Model } from "../../model/model.ts"
import { script, style } from "./graphql-page-parts.ts"
import { escapeHtml, pageHeaders } from "./page.ts"

const html = { name: "text/html", contentType: "text/html; charset=utf-8" }

/** The path below the service of the schema's text. */
export const schemaPath = "/schema.graphql"

/** Where only registered documents are answered, the schema is not shown, and there is nothing to write a document for. */
export const showsSchema = ({ documents }: Pick<Model, "documents">): boolean => documents !== "required"

/** A browser that comes without a request. */
export const asksForPage = ({ method, query, headers, refused }: FaceRequest): boolean =>
  (method === "GET" || method === "HEAD") &&
  query === "" &&
  refused === undefined &&
  /html/i.test(headers["accept"] ?? "") &&
  negotiate(headers["accept"], [json, graphqlResponse, html]) === html

export function graphqlPage(model: Model, base: string): FaceResponse {
  const title = escapeHtml(model.title)
  return {
    status: 200,
    headers,
    body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}: GraphQL</title>
<style>${style}</style>
<header>
<h1>${title}</h1>
<a id="schema" href="${escapeHtml(base + schemaPath)}">Schema</a>
<label>Authorization <input id="authorization" placeholder="Bearer …" autocomplete="off" spellcheck="false"></label>
<label>API-Version <input id="version" placeholder="${escapeHtml(newest(model))}" autocomplete="off" spellcheck="false"></label>
<button id="run" title="Ctrl+Enter">Run</button>
</header>
<main>
<section>
<label for="query">Document</label>
<textarea id="query" spellcheck="false" autofocus>${escapeHtml(sample(model))}</textarea>
<label for="variables">Variables (JSON)</label>
<textarea id="variables" spellcheck="false" rows="6"></textarea>
</section>
<section>
<label for="answer">Answer <output id="status"></output></label>
<pre id="answer" tabindex="0"></pre>
</section>
</main>
<noscript>The editor needs JavaScript. Requests are sent by POST to this address.</noscript>
<script>${script}</script>
</html>
`,
  }
}

const headers = pageHeaders({ style, script })

const newest = ({ versions }: Model): string => versions?.[0]?.name ?? ""

function sample({ resources }: Model): string {
  const [first] = resources.values()
  if (!first) return "{ __typename }\n"
  const member = first.key ? "id" : "__typename"
  return `{\n  ${first.collection}(first: 5) {\n    nodes { ${member} }\n  }\n}\n`
}

export const schemaModule = lateModule(() => import("../../graphql/schema/schema.ts"))
const printed = perObject((model: Model, print: (model: Model) => string) => print(model))

/** The schema that the caller sees, in the schema definition language. */
export async function schemaText(model: Model): Promise<FaceResponse> {
  const { printGraphql } = await schemaModule()
  return {
    status: 200,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" },
    body: printed(model, printGraphql),
  }
}
