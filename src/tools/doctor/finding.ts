// Findings of `bifold doctor`: what was looked at, how it is, and what to do.

type Verdict =
  | "good"
  /** Works today; slower, or less safe, than it could be. */
  | "warning"
  /** The service cannot be served so, or data may be lost. */
  | "bad"
  /** Could not be looked at, for the reason that is given. */
  | "unknown"

export interface Finding {
  readonly area: "machine" | "database" | "service"
  /** Stable, for machines: `open_files`. */
  readonly check: string
  readonly verdict: Verdict
  /** A sentence for a person. */
  readonly found: string
  /** A sentence; absent where there is nothing to do. */
  readonly advice?: string
}

export interface Judged {
  readonly verdict: Verdict
  readonly found: string
  readonly advice?: string
}

export const good = (found: string): Judged => ({ verdict: "good", found })
export const warning = (found: string, advice: string): Judged => ({ verdict: "warning", found, advice })
export const bad = (found: string, advice: string): Judged => ({ verdict: "bad", found, advice })
export const unknown = (found: string): Judged => ({ verdict: "unknown", found })

/** Findings of an area by the names of their checks; undefined ones are left out. */
export const findingsOf = (
  area: Finding["area"],
  judged: Readonly<Record<string, Judged | undefined>>,
): readonly Finding[] =>
  Object.entries(judged).flatMap(([check, one]) => (one ? [{ area, check, ...one }] : []))

/** A few names of many. */
export const listed = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`
