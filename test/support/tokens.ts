// TypeScript as a row of tokens: enough to tell code from what stands in texts, comments and regular expressions.

export interface Token {
  readonly kind: "word" | "sign" | "text" | "comment" | "pattern"
  /** Texts without their quotes, as they are spelt; a template's pieces are texts of their own. */
  readonly value: string
}

const forms: readonly (readonly [Token["kind"] | "space", RegExp])[] = [
  ["space", /\s+/y],
  ["comment", /\/\/.*|\/\*[\s\S]*?\*\//y],
  ["text", /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y],
  ["word", /[\p{ID_Start}$_#][\p{ID_Continue}$]*|\d[\w.]*/uy],
]
const pattern = /\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const templatePiece = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y

/** Words after which a slash begins a regular expression, as it does after any sign that ends no value. */
const beforePattern = new Set([
  "return",
  "typeof",
  "case",
  "in",
  "of",
  "new",
  "void",
  "delete",
  "await",
  "yield",
])

export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  /** For each template that is open, how many braces are open inside its present hole. */
  const holes: number[] = []
  let at = 0
  const take = (form: RegExp): string | undefined => {
    form.lastIndex = at
    const found = form.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  const takePiece = (): void => {
    tokens.push({ kind: "text", value: take(templatePiece) ?? "" })
    if (text.startsWith("${", at)) holes.push(0)
    at += text.startsWith("${", at) ? 2 : 1
  }
  const takeSign = (): void => {
    const value = text[at] ?? ""
    at += 1
    const open = holes.at(-1)
    if (value === "`") takePiece()
    else if (value === "}" && open === 0) {
      holes.pop()
      takePiece()
    } else {
      if (open !== undefined && (value === "{" || value === "}"))
        holes[holes.length - 1] = open + (value === "{" ? 1 : -1)
      tokens.push({ kind: "sign", value })
    }
  }
  while (at < text.length) {
    const form = forms.find(([, each]) => {
      each.lastIndex = at
      return each.test(text)
    })
    if (form) {
      const value = take(form[1]) ?? ""
      if (form[0] !== "space")
        tokens.push({ kind: form[0], value: form[0] === "text" ? value.slice(1, -1) : value })
    } else if (text[at] === "/" && mayBeginPattern(tokens)) {
      const value = take(pattern)
      if (value === undefined) takeSign()
      else tokens.push({ kind: "pattern", value })
    } else takeSign()
  }
  return tokens
}

function mayBeginPattern(tokens: readonly Token[]): boolean {
  const last = tokens.findLast(({ kind }) => kind !== "comment")
  if (last === undefined) return true
  if (last.kind === "word") return beforePattern.has(last.value)
  return last.kind === "sign" && ![")", "]", "}"].includes(last.value)
}
