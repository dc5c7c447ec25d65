// Documents: parsed and validated once per text, within limits. Refusals are cached as well.
import {
  type ASTVisitor,
  type DocumentNode,
  FieldsOnCorrectTypeRule,
  GraphQLError,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  KnownArgumentNamesRule,
  KnownOperationTypesRule,
  KnownTypeNamesRule,
  NoSchemaIntrospectionCustomRule,
  parse,
  TypeInfo,
  type ValidationContext,
  type ValidationRule,
} from "graphql"
import type { RequestCache } from "../../base/caches.ts"
import { type SizeLimits, withDefaultSizes } from "../../model/limits.ts"
import { hintFor } from "../../plan/hints.ts"
import { attempt, fromGraphqlError, type RequestError } from "./errors.ts"
import { mergeableFieldsRule, TooManyFields } from "./mergeable-fields.ts"
import { type Elsewhere, unknownField, withArgument, withOperator, withVersion } from "./other-names.ts"
import { type Scan, scanDocument, syntaxError, tooLarge } from "./scan.ts"
import { documentRules } from "./text-variables.ts"
import { WalkedContext, walk } from "./walk.ts"

export interface CheckedDocument {
  /** Absent when the text does not parse. */
  readonly document?: DocumentNode
  /** Empty when the document can be planned. */
  readonly errors: readonly RequestError[]
}

export interface DocumentOptions extends Elsewhere {
  /** Whether the schema may be asked about; suggestions name parts of it, so they depend on this too. */
  readonly introspection: boolean
  /** Unknown names are answered with a hint to sign in, since a signed-in caller may see more. */
  readonly stranger?: boolean
  /** The defaults when absent. */
  readonly limits?: SizeLimits
  /** Keeps documents and their plans; one of its own when absent. */
  readonly cache?: RequestCache
}

export function checkDocument(
  schema: GraphQLSchema,
  text: string,
  options: DocumentOptions,
  scan?: Scan,
): CheckedDocument {
  const parsed = parseDocument(text, options.limits, scan)
  const { document } = parsed
  return document ? { document, errors: validateDocument(schema, document, options) } : parsed
}

export function parseDocument(
  text: string,
  limits: SizeLimits = withDefaultSizes(),
  scan: Scan = scanDocument(text, limits),
): CheckedDocument {
  if (scan.errors.length > 0) return { errors: scan.errors }
  const errors: RequestError[] = []
  const document = attempt(
    () => parse(text),
    (error) => errors.push(syntaxError(error)),
  )
  if (!document) return { errors }
  const tooMany = boundParts(document, limits)
  return tooMany ? { errors: [tooMany] } : { document, errors }
}

/** Times that a document asks for `__schema`, and its fields where it does: each may be asked of the whole schema. */
const [mostSchemas, mostOfSchema] = [2, 250]

const schemaTooOften: RequestError = {
  code: "too_large",
  message: `A document asks for \`__schema\` at most ${mostSchemas} times, and has at most ${mostOfSchema} fields where it does.`,
  hint: "Ask for it once, as the introspection query of graphql-js does.",
}

/** Counts the parts whose validation costs more than their number of tokens tells. */
function boundParts(document: DocumentNode, limits: SizeLimits): RequestError | undefined {
  const counted = { aliases: 0, directives: 0, fragments: 0 }
  const asked = { fields: 0, schemas: 0 }
  const count: ASTVisitor = {
    Field({ alias, name }) {
      if (alias) counted.aliases += 1
      asked.fields += 1
      if (name.value === "__schema") asked.schemas += 1
    },
    Directive() {
      counted.directives += 1
    },
    FragmentDefinition() {
      counted.fragments += 1
    },
  }
  walk(document, [count])
  for (const name of ["aliases", "directives", "fragments"] as const)
    if (counted[name] > limits[name])
      return tooLarge(`The document has ${counted[name]} ${name}`, name, limits[name])
  return asked.schemas > 0 && (asked.schemas > mostSchemas || asked.fields > mostOfSchema)
    ? schemaTooOften
    : undefined
}

export function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  options: DocumentOptions,
): readonly RequestError[] {
  const invalid = applyRules(schema, document, options)
  if (!invalid) {
    const read = fieldsOfDocument * (options.limits ?? withDefaultSizes()).fields
    return [
      tooLarge(`The document has more than ${read} fields, with those of its fragments`, "fields", read),
    ]
  }
  const { errors, unknown } = invalid
  const told = errors.map((error) => withDetour(schema, fromValidation(error), options))
  return options.stranger ? told.map((error) => signInFirst(error, unknown)) : told
}

/** `_service` of a subgraph has the schema, too. */
const closedRules: readonly ValidationRule[] = [
  ...documentRules,
  NoSchemaIntrospectionCustomRule,
  (context) => ({
    Field(node) {
      if (node.name.value !== "_service" || context.getParentType() !== context.getSchema().getQueryType())
        return
      const message = "The schema is not shown, but the requested query contained the field `_service`."
      context.reportError(new GraphQLError(message, { nodes: [node] }))
    },
  }),
]

/** Rules about names that the schema has or lacks. */
const namingRules: ReadonlySet<ValidationRule> = new Set([
  FieldsOnCorrectTypeRule,
  KnownArgumentNamesRule,
  KnownOperationTypesRule,
  KnownTypeNamesRule,
])

/**
 * The schema of anonymous callers lacks names that others see. An unknown name and a hidden one have the same answer.
 * @param unknown places of unknown names
 */
function signInFirst(error: RequestError, unknown: ReadonlySet<string>): RequestError {
  if (error.code !== "invalid_document" || !unknown.has(placeOf(error.locations))) return error
  return {
    ...error,
    code: "unauthenticated",
    message: `${error.message} Sign in if it should be there.`,
    hint: "Send credentials: Authorization: Bearer … with a key or a token.",
  }
}

const placeOf = (locations: RequestError["locations"]): string => JSON.stringify(locations)

/** Errors of one document, and characters of their messages: some repeat the value that they are about. */
const mostErrors = { count: 50, characters: 20_000 } as const

class TooManyErrors extends Error {}

/** Times the limit of an operation: a document has several. */
const fieldsOfDocument = 2

interface Invalid {
  readonly errors: readonly GraphQLError[]
  /** Places of names that the schema does not have. */
  readonly unknown: ReadonlySet<string>
}

/** As `validate` of graphql-js, which counts errors alone. Undefined where the document has too many fields. */
function applyRules(
  schema: GraphQLSchema,
  document: DocumentNode,
  { introspection, limits = withDefaultSizes() }: DocumentOptions,
): Invalid | undefined {
  const errors: GraphQLError[] = []
  const unknown = new Set<string>()
  let characters = 0
  const report = (error: GraphQLError): void => {
    if (errors.length >= mostErrors.count || characters > mostErrors.characters) throw new TooManyErrors()
    characters += error.message.length
    errors.push(error)
  }
  const types = new TypeInfo(schema)
  const context = new WalkedContext(schema, document, types, report, { hideSuggestions: !introspection })
  const naming: ValidationContext = Object.create(context, {
    reportError: {
      value: (error: GraphQLError) => {
        unknown.add(placeOf(error.locations))
        report(error)
      },
    },
  })
  const visitorOf = (rule: ValidationRule): ASTVisitor => rule(namingRules.has(rule) ? naming : context)
  try {
    // Where fields conflict, nothing else is looked at: it is the cheapest rule for which a document can be long.
    walk(document, [mergeableFieldsRule(fieldsOfDocument * limits.fields)(context)])
    const rules = introspection ? documentRules : closedRules
    if (errors.length === 0) walk(document, rules.map(visitorOf), types)
    return { errors, unknown }
  } catch (error) {
    if (error instanceof TooManyErrors) {
      const more = new GraphQLError("There are too many errors to name them all.")
      return { errors: [...errors, more], unknown }
    }
    if (error instanceof TooManyFields) return undefined
    if (error instanceof GraphQLError && isAborted(error)) return { errors: [error], unknown }
    throw error
  }
}

/** graphql-js gives up on fragments that are spread too often. */
const isAborted = (error: Error): boolean => error.message === "Validation aborted."

function fromValidation(error: GraphQLError): RequestError {
  if (!isAborted(error)) {
    const invalid = fromGraphqlError("invalid_document", error)
    return incremental.test(error.message) ? { ...invalid, hint: whole } : invalid
  }
  const message = "The document repeats too many fields to be validated."
  return { code: "too_large", message, hint: "Ask for each field once, or send several requests." }
}

/** Names the field that leads to an unknown one, as `nodes` does to the fields of a record, or an argument of another name. */
function withDetour(schema: GraphQLSchema, error: RequestError, options: DocumentOptions): RequestError {
  if (!options.introspection) return error
  const since = withVersion(error, options)
  if (since !== error) return since
  const [, name, typeName] = unknownField.exec(error.message) ?? []
  if (name === undefined || typeName === undefined) return withOperator(withArgument(schema, error))
  const type = schema.getType(typeName)
  const fields = isObjectType(type) ? Object.values(type.getFields()) : []
  const detour = fields.find(({ args, type: of }) => {
    const inner = getNamedType(of)
    return args.length === 0 && isObjectType(inner) && inner.getFields()[name]
  })
  if (detour) return { ...error, hint: `Select it there: ${detour.name} { ${name} }.` }
  // graphql-js compares letters, and not words.
  const hint = hintFor(
    name,
    fields.map((field) => field.name),
  )
  return hint?.startsWith("Did") ? { ...error, hint } : error
}

/** Directives of incremental delivery, which some clients send on the chance that it is served. */
const incremental = /^Unknown directive "@(?:defer|stream)"/
const whole =
  "Answers come whole, by one statement. Leave it out, or ask for the slower part in another request."
