// Texts as they may stand in a log: of bounded length, without control characters, and without secrets where a message of others
// has one.

/** Characters of a member, unless its place says otherwise. */
const longest = 256

/** C0 and C1 controls, line and paragraph separators, marks that turn the direction of a line; a space stands for a run of them. */
const controls = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu

/** Almost every text has nothing to replace. */
const unusual = /[^\x20-\x7e]/

/** One line. */
export const lineText = (text: string, most = longest): string =>
  text.length <= most && !unusual.test(text)
    ? text
    : cut(text.slice(0, most * 2).replaceAll(controls, " "), most)

/** One line, whose middle is left out where it is too long: the tables of a statement stand at its end. */
export function endsText(text: string, most: number): string {
  if (text.length <= most) return lineText(text, most)
  const half = Math.floor(most / 2) - 2
  return `${lineText(text.slice(0, half).toWellFormed(), half)} … ${lineText(text.slice(-half).toWellFormed(), half)}`
}

/** Several lines, as a stack has them. */
export const blockText = (text: string, most: number): string =>
  cut(
    text
      .slice(0, most * 2)
      .split("\n")
      .map((line) => line.replaceAll(controls, " "))
      .join("\n"),
    most,
  )

/** For a terminal: our color sequences stay, and a line break within a message cannot imitate a line of ours. */
export const terminalText = (text: string): string =>
  text
    .replaceAll(colouredOrControl, (found) => (isColour(found) || found === "\n" ? found : " "))
    .replaceAll(/\n(?=\S)/g, "\n    ")

const colouredOrControl =
  /\p{Cc}\[(?:[12]|22|3[0-79])m|[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
const escapeSign = String.fromCharCode(27)
const isColour = (found: string): boolean => found.startsWith(escapeSign) && found.length > 1

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text.toWellFormed()

/** Credentials in the address of a server, after a scheme of HTTP, as a JSON Web Token, and as a member of settings. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, "$1…@"],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, "$1 …"],
  [/\beyJ[\w-]*\.[\w-]+(\.[\w-]*)?/g, "…"],
  // All cookies of a header.
  [/\b((?:set-)?cookie["']?\s*[=:]\s*)[^\r\n]+/gi, "$1…"],
  [
    /([\w-]*(?:password|passwd|secret|token|api[_-]?key)[\w-]*)(["']?\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s,;&}]+)/gi,
    "$1$2…",
  ],
]

/** A message that others have written, a driver or user code. */
export const withoutSecrets = (text: string): string =>
  secrets.reduce((safe, [form, instead]) => safe.replaceAll(form, instead), text)
