// A request as it is given to `bifold explain`: a GraphQL document, or GET and a path.
import { refusal } from "../base/problem.ts"
import type { GraphqlRequest } from "../graphql/document/prepare.ts"
import type { PlannedRequest } from "../rest/read/plan.ts"

export type ParsedRequest =
  | { readonly kind: "graphql"; readonly body: GraphqlRequest }
  | ({ readonly kind: "rest" } & PlannedRequest)

interface RequestOptions {
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operation?: string
  readonly base: string
}

export function parseRequest(request: string, options: RequestOptions): ParsedRequest {
  const rest = /^(?:([A-Za-z]+)\s+)?(\/\S*)$/.exec(request)
  if (!rest) {
    const { variables, operation: operationName } = options
    return { kind: "graphql", body: { query: request, variables, operationName } }
  }
  const method = (rest[1] ?? "GET").toUpperCase()
  if (options.variables !== undefined || options.operation !== undefined)
    throw refusal("invalid_command", "--variables and --operation belong to a GraphQL document.", {
      hint: "Leave them out.",
    })
  if (method !== "GET" && method !== "HEAD")
    throw refusal("invalid_command", `${method} cannot be explained, only what reads with GET.`, {
      hint: "Send the question of POST …/query by GET, with parameters.",
    })
  const [path = "/", ...query] = (rest[2] ?? "/").split("?")
  if (!path.startsWith(`${options.base}/`))
    throw refusal("invalid_command", `${path} is not below ${options.base}.`, {
      hint: "Correct the path, or --base.",
    })
  return {
    kind: "rest",
    method,
    path: path.slice(options.base.length),
    query: query.join("?"),
    body: new Uint8Array(),
  }
}
