// The words that the field's own terms have replaced. A file name or an exported name holds a term as whole words in
// camelCase or kebab-case; a public text holds only terms that ordinary English does not need.

export interface Replaced {
  readonly was: string
  readonly better: string
  /** Whole words of names, in lower case. */
  readonly names: readonly string[]
  /** Whole words of public texts; none where each of them is ordinary English. */
  readonly texts: readonly string[]
  /** The only folder in which a name means this. */
  readonly under?: string
}

const replaced = (
  was: string,
  better: string,
  terms: Partial<Pick<Replaced, "names" | "texts" | "under">> = {},
): Replaced => ({
  was,
  better,
  names: terms.names ?? [was],
  texts: terms.texts ?? [],
  ...(terms.under !== undefined && { under: terms.under }),
})

export const replacedWords: readonly Replaced[] = [
  replaced("hurt", "schema drift, unavailable", { texts: ["hurt"] }),
  replaced("missing (tables)", "schema mismatch", { names: ["missing"] }),
  replaced("audience", "visible model"),
  replaced("settled names", "default names", { names: ["settled"] }),
  replaced("given", "omit undefined"),
  replaced("single", "float32"),
  replaced("measure", "bounds"),
  replaced("shape (of a declaration)", "declaration schema", { names: ["shape"], under: "src/model/" }),
  replaced("lent", "run as", { texts: ["lent"] }),
  replaced("marks", "placeholders"),
  replaced("once", "idempotency"),
  replaced("earlier key", "pending key", { texts: ["earlier key"] }),
  replaced("seal (a cursor)", "sign", {
    names: ["seal", "seals", "sealed"],
    texts: ["seal", "seals", "sealed"],
  }),
  replaced("oddities", "table traits", { names: ["oddity", "oddities"], texts: ["oddity", "oddities"] }),
  replaced("read-apart", "returning", { names: ["read apart"] }),
  replaced("own tables", "system tables", { texts: ["own tables"] }),
  replaced("fill text", "backfill", { texts: ["fill text"] }),
  replaced("page cut-out", "materialized", { names: ["cut out"] }),
  replaced("page at-once", "aggregated", { names: ["at once"] }),
  replaced("page in-order", "index scan", { names: ["in order"] }),
  replaced("page by-key", "key bounds", { names: ["by key"] }),
  replaced("lines", "pipeline"),
  replaced("loans", "pool", { names: ["loan", "loans"], texts: ["loan", "loans"] }),
  replaced("told", "observation", { texts: ["told"] }),
  replaced("brief", "credential cache"),
  replaced("turns", "pipelining"),
  replaced("unanswered", "outage log", { texts: ["unanswered"] }),
  replaced("fit", "database check"),
  replaced("kept step", "skipped step", { texts: ["kept step"] }),
  replaced("whoever asks", "caller, viewer, principal", {
    names: ["whoever", "who asks"],
    texts: ["whoever", "who asks"],
  }),
  replaced("standings, Standing", "actor classes, Claims", {
    names: ["standing", "standings"],
    texts: ["standing", "standings"],
  }),
  replaced("plan/rules, rule-reader", "policies, parse policy", { names: ["rule reader"] }),
  replaced("single rules", "isolated policies", { names: ["single rules"], texts: ["single rules"] }),
  replaced("never", "unsatisfiable"),
  replaced("branches", "dnf"),
  replaced("narrow", "selectivity"),
  replaced("usual", "generic plan"),
  replaced("Outlook, pace", "cost estimate, lane", { names: ["outlook", "pace"], texts: ["outlook"] }),
  replaced("shown", "quoted input"),
  replaced("moments", "date-time", { names: ["moment", "moments"], texts: ["moment", "moments"] }),
  replaced("forbidden", "permission denied"),
  replaced("violation problem", "constraint problem", { texts: ["violation problem"] }),
  replaced("sqlite-loose", "type affinity", { names: ["sqlite loose"] }),
  replaced("later", "deferred parameter"),
  replaced("made names", "constraint names", { texts: ["made names"] }),
  replaced("page facts", "page info", { texts: ["page facts"] }),
  replaced("leaf", "column JSON"),
  replaced("unmet anyway", "hidden conflict", { texts: ["unmet anyway"] }),
  replaced("own code", "user code", { texts: ["own code"] }),
  replaced("nulls", "null propagation"),
]

/** `skippedStep` and `skipped-step` as `skipped step`. */
const wordsOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replaceAll(/[-_./]/g, " ")
    .toLowerCase()

const holds = (text: string, term: string): boolean => new RegExp(`\\b${term}\\b`, "i").test(text)

export interface OldName {
  readonly path: string
  /** An exported name, or the file's own without its ending. */
  readonly name: string
  /** The word that was replaced, and the better one. */
  readonly word: string
}

/** What the file's name and its exported names keep of the words that were replaced. */
export function oldNamesIn({
  path,
  text,
}: {
  readonly path: string
  readonly text: string
}): readonly OldName[] {
  const file = path.split("/").at(-1)?.replace(/\.ts$/, "") ?? ""
  return [file, ...exportedNames(text)].flatMap((name) =>
    replacedWords
      .filter(
        ({ names, under = "src/" }) =>
          path.startsWith(under) && names.some((term) => holds(wordsOf(name), term)),
      )
      .map(({ was, better }) => ({ path, name, word: `${was} → ${better}` })),
  )
}

/** What a public text keeps of the words that were replaced. */
export const oldWordsIn = (text: string): readonly string[] =>
  replacedWords
    .filter(({ texts }) => texts.some((term) => holds(text, term)))
    .map(({ was, better }) => `${was} → ${better}`)

const declared =
  /^export (?:default )?(?:declare )?(?:async )?(?:abstract )?(?:const|let|var|function\*?|class|interface|type) (\w+)/gm

export function exportedNames(text: string): readonly string[] {
  const names = [...text.matchAll(declared)].map(([, name = ""]) => name)
  for (const [, listed = ""] of text.matchAll(/^export (?:type )?\{([^}]*)\}/gm))
    for (const one of listed.split(","))
      names.push(
        one
          .trim()
          .replace(/^type /, "")
          .split(" as ")
          .at(-1) ?? "",
      )
  return [...new Set(names)].filter((name) => name !== "")
}
