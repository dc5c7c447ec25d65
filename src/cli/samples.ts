// Questions to try a service with: what `bifold serve` prints as links to open.
import type { Model } from "../model/model.ts"

export interface Samples {
  /** A GraphQL document. */
  readonly graphql: string
  /** A path with its parameters, below the base. */
  readonly rest: string
}

/** A short list of the first resource that has something to show. */
export function samplesOf(model: Model): Samples {
  const resources = [...model.resources.values()]
  const shown = resources.find(({ key, fields }) => key !== undefined && fields.size > 0) ?? resources[0]
  if (shown === undefined) return { graphql: "{ __typename }", rest: "/openapi.json" }
  const fields = [...(shown.key ? ["id"] : []), ...[...shown.fields.keys()].slice(0, 3)]
  return {
    graphql: `{ ${shown.collection}(first: 3) { nodes { ${fields.join(" ")} } } }`,
    rest: `/${shown.path}?limit=3`,
  }
}
