// The schema of actions, operations, hooks, computed fields and handlers.
import * as z from "zod"
import { field } from "./fields.ts"
import { either, members, names, number, record, rule, text } from "./shapes.ts"

/** Functions are passed on as they are. */
const run = z.custom((input) => typeof input === "function", "a function")
const listOfNames = z.array(text, "a list of names")
const lent = members({ roles: listOfNames.optional(), scopes: listOfNames.optional() }, "{ roles, scopes }")
const ownAction = members(
  {
    description: text.optional(),
    input: record(field, "an object of fields").optional(),
    output: record(field, "an object of fields").optional(),
    emits: z.union([text, names], "the type of an event, or a list of types").optional(),
    allow: rule.optional(),
    as: lent.optional(),
    deadline: number.optional(),
    run,
  },
  "what `action` or `operation` gives",
)
const ownComputed = members(
  { type: field, needs: z.array(text, "a list of members' names"), deadline: number.optional(), run },
  "what `computed` gives",
)
const toldHandler = members(
  {
    name: text.optional(),
    description: text.optional(),
    as: lent.optional(),
    retries: number.optional(),
    timeout: number.optional(),
    from: z.literal("start", { error: '"start"' }).optional(),
    run,
  },
  "a function, what `handler` gives, or a list of these",
)
const ownHandler = either((input) => (typeof input === "function" ? run : toldHandler))
const severalHandlers = z.array(ownHandler)
const toldHook = members({ as: lent.optional(), run }, "a function, or what `hook` gives")
const ownHook = either((input) => (typeof input === "function" ? run : toldHook)).optional()
export const code = members(
  {
    computed: record(record(ownComputed, "an object of fields"), "an object of resources").optional(),
    actions: record(record(ownAction, "an object of actions"), "an object of resources").optional(),
    operations: record(ownAction, "an object of operations").optional(),
    before: record(
      members({ create: ownHook, update: ownHook, delete: ownHook }, "{ create, update, delete }"),
      "an object of resources",
    ).optional(),
    versions: record(
      record(
        members({ reads: run.optional(), writes: run.optional() }, "{ reads, writes }"),
        "an object of changes",
      ),
      "an object of versions",
    ).optional(),
    on: record(
      either((input) => (Array.isArray(input) ? severalHandlers : ownHandler)),
      "an object of handlers",
    ).optional(),
  },
  "{ actions, operations, before, computed, versions, on }",
)
