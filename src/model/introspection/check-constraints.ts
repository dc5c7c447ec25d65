// Recognizes a choice in a CHECK constraint: `status IN ('open', 'done')` as SQLite keeps it, and
// `((status)::text = ANY (ARRAY['open'::text, …]))` as PostgreSQL shows it. Anything less plain is left alone.

interface Token {
  readonly kind: "name" | "quoted" | "string" | "mark"
  /** Without quotes; words in lower case. */
  readonly text: string
  readonly from: number
  readonly to: number
}

const pattern =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[A-Za-z_][^\]]*\]|[\p{L}_][\p{L}\p{N}_$]*|::|\S/gu

function tokens(sql: string): readonly Token[] {
  return [...sql.matchAll(pattern)].flatMap((found) => {
    const whole = found[0]
    if (whole.startsWith("--") || whole.startsWith("/*")) return []
    return [{ ...readToken(whole), from: found.index, to: found.index + whole.length }]
  })
}

function readToken(whole: string): Pick<Token, "kind" | "text"> {
  const first = whole.charAt(0)
  const inner = whole.slice(1, -1)
  if (whole.length > 1 && first === "'") return { kind: "string", text: inner.replaceAll("''", "'") }
  if (whole.length > 1 && first === "[") return { kind: "quoted", text: inner }
  if (whole.length > 1 && (first === '"' || first === "`"))
    return { kind: "quoted", text: inner.replaceAll(first + first, first) }
  return /^[\p{L}_]/u.test(first) ? { kind: "name", text: whole } : { kind: "mark", text: whole }
}

const isWord = (token: Token | undefined, word: string): boolean =>
  token !== undefined && (token.kind === "name" || token.kind === "mark") && token.text.toLowerCase() === word

/** The conditions of all CHECK constraints in a CREATE TABLE statement. */
export function checkConditions(createTable: string): readonly string[] {
  const all = tokens(createTable)
  return all.flatMap((token, index) => {
    const opening = all[index + 1]
    if (!isWord(token, "check") || !opening || !isWord(opening, "(")) return []
    let depth = 0
    for (const later of all.slice(index + 1)) {
      if (isWord(later, "(")) depth += 1
      if (isWord(later, ")")) depth -= 1
      if (depth === 0) return [createTable.slice(opening.to, later.from)]
    }
    return []
  })
}

/** Whether a constraint in a CREATE TABLE statement settles conflicts in another way than failure of the statement. */
export function settlesConflicts(createTable: string): boolean {
  const all = tokens(createTable)
  return all.some((_, index) => {
    const [on, conflict, way] = all.slice(index, index + 3)
    return isWord(on, "on") && isWord(conflict, "conflict") && !isWord(way, "abort")
  })
}

interface Choice {
  /** As the condition spells it. */
  readonly column: string
  readonly values: readonly [string, ...string[]]
}

/** The choice that the condition is, or undefined when it is anything else. */
export function readChoice(condition: string): Choice | undefined {
  const all = withoutNull(
    withoutCasts(tokens(condition)).filter((token) => !isWord(token, "(") && !isWord(token, ")")),
  )
  const [column, ...rest] = all
  if (!column || (column.kind !== "name" && column.kind !== "quoted")) return undefined
  const listed = isWord(rest[0], "in") ? rest.slice(1) : arrayItems(rest)
  if (listed === undefined || listed.length % 2 === 0) return undefined
  const fits = listed.every((token, index) =>
    index % 2 === 0 ? token.kind === "string" : isWord(token, ","),
  )
  const [first, ...others] = [
    ...new Set(listed.filter(({ kind }) => kind === "string").map(({ text }) => text)),
  ]
  if (!fits || first === undefined) return undefined
  return { column: column.text, values: [first, ...others] }
}

/** The items of `= any array [ … ]`. */
function arrayItems(rest: readonly Token[]): readonly Token[] | undefined {
  const opens = ["=", "any", "array", "["].every((word, index) => isWord(rest[index], word))
  return opens && isWord(rest.at(-1), "]") ? rest.slice(4, -1) : undefined
}

/** `x IS NULL OR …` and `… OR x IS NULL` say no more than that the column is nullable. */
function withoutNull(all: readonly Token[]): readonly Token[] {
  const says = (at: number, ...words: readonly string[]) =>
    words.every((word, index) => isWord(all[at + index], word))
  if (says(1, "is", "null", "or") && all[0]?.text === all[4]?.text) return all.slice(4)
  const end = all.length - 4
  if (says(end, "or") && says(end + 2, "is", "null") && all[0]?.text === all[end + 1]?.text)
    return all.slice(0, end)
  return all
}

/** Without `::type`, `::character varying(20)[]` and the like. */
function withoutCasts(all: readonly Token[]): readonly Token[] {
  const kept: Token[] = []
  let index = 0
  while (index < all.length) {
    const token = all[index]
    index += 1
    if (!token) break
    if (!isWord(token, "::")) {
      kept.push(token)
      continue
    }
    index += 1
    while (isWord(all[index], ".")) index += 2
    if (isWord(all[index], "varying")) index += 1
    if (isWord(all[index], "(") && /^\d/.test(all[index + 1]?.text ?? "")) {
      while (index < all.length && !isWord(all[index], ")")) index += 1
      index += 1
    }
    while (isWord(all[index], "[") && isWord(all[index + 1], "]")) index += 2
  }
  return kept
}
