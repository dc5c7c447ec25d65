// JSON Schema of bodies that only REST has: JSON Patch, and batches with their answers.

import { objectSchema } from "../../http/schemas/values.ts"
import { headerNames } from "../write/batch-body.ts"
import type { Json } from "./components.ts"
import type { Describing } from "./values.ts"

/** RFC 6902 section 4. */
export function jsonPatchSchema(describing: Describing): Json {
  const pointer: Json = { type: "string", format: "json-pointer" }
  return describing.derived("JsonPatch", () => ({
    type: "array",
    maxItems: 100,
    items: objectSchema(
      [
        ["op", { type: "string", enum: ["add", "remove", "replace", "move", "copy", "test"] }],
        ["path", pointer],
        ["from", pointer],
        ["value", {}],
      ],
      { required: ["op", "path"] },
    ),
  }))
}

/** The body of POST /batch. */
export function batchSchema(describing: Describing): Json {
  const request = objectSchema(
    [
      [
        "id",
        {
          type: "string",
          description:
            'The name of its record in later requests: `$c.id` in a path, `{"$ref": "c.id"}` in a body.',
        },
      ],
      ["method", { type: "string", enum: ["GET", "POST", "PATCH", "PUT", "DELETE"] }],
      ["path", { type: "string", description: "Below the server's address, with its parameters." }],
      [
        "headers",
        objectSchema(
          headerNames.map((name) => [name, { type: "string" }] as const),
          { additionalProperties: false },
        ),
      ],
      ["body", { description: "The request body, in the form of application/json." }],
    ],
    { required: ["method", "path"], additionalProperties: false },
  )
  return describing.derived("Batch", () =>
    objectSchema(
      [["requests", { type: "array", minItems: 1, maxItems: describing.model.limits.batch, items: request }]],
      {
        required: ["requests"],
        additionalProperties: false,
      },
    ),
  )
}

/** The answer of POST /batch. */
export function batchAnswerSchema(describing: Describing): Json {
  const text: Json = { type: "string" }
  const response = objectSchema(
    [
      ["id", text],
      ["status", { type: "integer" }],
      ["headers", { type: "object", additionalProperties: text }],
      ["body", {}],
    ],
    { required: ["status", "headers"] },
  )
  return describing.derived("BatchAnswer", () =>
    objectSchema([["responses", { type: "array", items: response }]], { required: ["responses"] }),
  )
}
