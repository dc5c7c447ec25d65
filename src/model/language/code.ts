// The tables of actions, operations, hooks, computed fields and handlers. Functions have no source: none of it is printed.
import * as z from "zod"
import type {
  ActionDeclaration,
  ChangeFunctions,
  CodeDeclaration,
  ComputedDeclaration,
  HandlerDeclaration,
  HookDeclaration,
  HooksDeclaration,
  RunAsDeclaration,
} from "../declaration/declaration.ts"
import { field, fields } from "./fields.ts"
import {
  either,
  type Form,
  list,
  maybe,
  members,
  names,
  number,
  only,
  record,
  rule,
  text,
  textOr,
  unwritten,
} from "./forms.ts"

/** Functions are passed on as they are. */
const run = unwritten({ schema: z.custom((input) => typeof input === "function", "a function") })
const listOfNames = list(text, "a list of names")
const runAs = members<RunAsDeclaration>("{ roles, scopes }", {
  roles: maybe(listOfNames),
  scopes: maybe(listOfNames),
})
const action = members<ActionDeclaration>("what `action` or `operation` gives", {
  description: maybe(text),
  input: maybe(fields),
  output: maybe(fields),
  emits: maybe(textOr(names, "the type of an event, or a list of types")),
  allow: maybe(rule),
  as: maybe(runAs),
  deadline: maybe(number),
  run,
})
const computed = members<ComputedDeclaration>("what `computed` gives", {
  type: field,
  needs: list(text, "a list of members' names"),
  deadline: maybe(number),
  run,
})
const handler = members<HandlerDeclaration>("a function, what `handler` gives, or a list of these", {
  name: maybe(text),
  description: maybe(text),
  as: maybe(runAs),
  retries: maybe(number),
  timeout: maybe(number),
  from: maybe(only("start")),
  run,
})
const runOrHandler = either<unknown>((input) => (typeof input === "function" ? run : handler))
const handlers = unwritten({ schema: z.array(runOrHandler.schema) })
const hook = members<HookDeclaration>("a function, or what `hook` gives", { as: maybe(runAs), run })
const runOrHook = maybe(either<unknown>((input) => (typeof input === "function" ? run : hook)))

const ofResources = "an object of resources"
export const code: Form<CodeDeclaration> = members<CodeDeclaration>(
  "{ actions, operations, before, computed, versions, on }",
  {
    computed: maybe(record(record(computed, "an object of fields"), ofResources)),
    actions: maybe(record(record(action, "an object of actions"), ofResources)),
    operations: maybe(record(action, "an object of operations")),
    before: maybe(
      record(
        members<HooksDeclaration>("{ create, update, delete }", {
          create: runOrHook,
          update: runOrHook,
          delete: runOrHook,
        }),
        ofResources,
      ),
    ),
    versions: maybe(
      record(
        record(
          members<ChangeFunctions>("{ reads, writes }", { reads: maybe(run), writes: maybe(run) }),
          "an object of changes",
        ),
        "an object of versions",
      ),
    ),
    on: maybe(
      record(
        either<unknown>((input) => (Array.isArray(input) ? handlers : runOrHandler)),
        "an object of handlers",
      ),
    ),
  },
)
