// One pass over a document's tokens before it is parsed. The pass counts them against the limits, and separates the literals
// in arguments of fields from the text around them.
import {
  type ConstValueNode,
  type GraphQLError,
  getLocation,
  Kind,
  Lexer,
  Source,
  type Token,
  TokenKind,
} from "graphql"
import { overLimit, type SizeLimitName, type SizeLimits } from "../../model/limits.ts"
import { attempt, fromGraphqlError, type RequestError } from "./errors.ts"

export interface Scan {
  /** Errors; the other members are meaningless if there are any. */
  readonly errors: readonly RequestError[]
  /** Numbers and texts in arguments of fields, in the order of the document. */
  readonly literals: readonly ConstValueNode[]
  /** The text before each literal, and behind the last. */
  readonly pieces: readonly string[]
  /** Equal for documents that differ in literals only. */
  readonly key: string
}

type Limits = Pick<SizeLimits, "characters" | "tokens" | "nesting">

export function scanDocument(text: string, limits: Limits): Scan {
  const { characters } = limits
  if (text.length > characters)
    return failed(tooLarge(`The document has ${text.length} characters`, "characters", characters))
  const errors: RequestError[] = []
  const scanned = attempt(
    () => scanTokens(text, limits),
    (error) => errors.push(syntaxError(error)),
  )
  return scanned ?? failed(...errors)
}

const failed = (...errors: readonly RequestError[]): Scan => ({ errors, literals: [], pieces: [], key: "" })

/** The parser recurses; so that it cannot be made to exhaust the stack, the brackets are counted before. */
function scanTokens(text: string, { tokens, nesting }: Limits): Scan {
  const lexer = new Lexer(new Source(text))
  const literals: ConstValueNode[] = []
  const pieces: string[] = []
  let depth = 0
  let count = 0
  let end = 0
  let isArgument = false
  // Kinds of the two tokens before, comments apart.
  let last: string = TokenKind.SOF
  let before: string = TokenKind.SOF
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    const { kind } = token
    count += 1
    if (opening.has(kind)) depth += 1
    else if (closing.has(kind)) depth -= 1
    if (depth > nesting || count > tokens) {
      const locations = [getLocation(lexer.source, token.start)]
      return failed({ ...(depth > nesting ? tooDeep(nesting) : tooManyTokens(tokens)), locations })
    }
    // Variables are defined outside of all brackets; arguments of directives may be needed to plan.
    if (kind === TokenKind.PAREN_L)
      isArgument = depth > 1 && last === TokenKind.NAME && before !== TokenKind.AT
    else if (kind === TokenKind.PAREN_R) isArgument = false
    if (isArgument && literal.has(kind)) {
      pieces.push(text.slice(end, token.start))
      literals.push(literalOf(token))
      end = token.end
    }
    before = last
    last = kind
  }
  pieces.push(text.slice(end))
  return { errors: [], literals, pieces, key: pieces.join(mark) }
}

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.PAREN_L, TokenKind.BRACKET_L])
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.PAREN_R, TokenKind.BRACKET_R])

const literal: ReadonlySet<string> = new Set([
  TokenKind.INT,
  TokenKind.FLOAT,
  TokenKind.STRING,
  TokenKind.BLOCK_STRING,
])

/** No token begins with it, so that it is never taken for a part of the text. */
const mark = "\u0000"

/** The value as the parser reads it, without its location. */
function literalOf({ kind, value }: Token): ConstValueNode {
  if (kind === TokenKind.INT) return { kind: Kind.INT, value }
  if (kind === TokenKind.FLOAT) return { kind: Kind.FLOAT, value }
  return { kind: Kind.STRING, value, block: kind === TokenKind.BLOCK_STRING }
}

const tooManyTokens = (tokens: number): RequestError =>
  tooLarge(`The document has more than ${tokens} tokens`, "tokens", tokens)

const tooDeep = (nesting: number): RequestError => ({
  code: "too_deep",
  message: `The document is nested more than ${nesting} deep (limit \`nesting\`).`,
})

export const tooLarge = (what: string, name: SizeLimitName, most: number): RequestError => ({
  code: "too_large",
  message: overLimit(what, name, most),
  hint: "Send it as several requests.",
})

/** Its message has its position in the text, for clients that show nothing else. */
export function syntaxError(error: GraphQLError): RequestError {
  const told = fromGraphqlError("syntax_error", error)
  const [location] = told.locations ?? []
  if (!location) return told
  return { ...told, message: `${told.message} (line ${location.line}, column ${location.column})` }
}
