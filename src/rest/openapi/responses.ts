// Headers and problems that responses of the OpenAPI document share.

import { problemType } from "../question/problem.ts"
import type { Json } from "./components.ts"
import { problemSchema } from "./schemas.ts"
import type { Describing } from "./values.ts"

/** A member of a response's `headers`. */
export function headerOf({ components }: Describing, name: string, description: string): Json {
  return { [name]: components.refer("headers", name, () => ({ description, schema: { type: "string" } })) }
}

export function problemOf(describing: Describing, name: string, description: string, headers?: Json): Json {
  return describing.components.refer("responses", name, () => ({
    description,
    ...(headers && { headers }),
    content: { [problemType]: { schema: problemSchema(describing) } },
  }))
}
