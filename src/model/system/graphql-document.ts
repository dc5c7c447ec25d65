// Registered GraphQL documents: a resource of Bifold's own. `bifold documents` writes it, and the API never shows it.
import type { ResourceDeclaration } from "../declaration/declaration.ts"
import { f, resource } from "../declaration/service.ts"

export const graphqlDocument = "graphqlDocument"

export const graphqlDocumentResource = (): ResourceDeclaration => ({
  ...resource({
    id: "doc",
    description: "A GraphQL document that clients send by its id.",
    fields: {
      documentId: f.text({ unique: true, max: 200, description: "`sha256:` and the digest, or a name." }),
      text: f.text({ description: "The document." }),
      createdAt: f.timestamp({ readonly: true, default: "now" }),
    },
  }),
  internal: true,
})
