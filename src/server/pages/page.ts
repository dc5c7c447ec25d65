// Text and headers of a page.
import { createHash } from "node:crypto"
import type { AnswerHeaders } from "../../http/answer.ts"

// Text in HTML.
const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)

// Headers of pages for browsers. A page runs only its own script and style, which its policy names by their
// digests (Content Security Policy level 3). No other page can hold it in a frame.
interface PageParts {
  readonly style: string
  /** Absent: the page runs nothing, and asks for nothing. */
  readonly script?: string
}

/** For HTML. The content of a page depends on the caller, and may change: caches ask again. */
export const pageHeaders = ({ style, script }: PageParts): AnswerHeaders => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${digestOf(script)}`]),
    `style-src ${digestOf(style)}`,
    ...(script === undefined ? [] : ["connect-src 'self'"]),
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  // For browsers that do not know frame-ancestors.
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache",
  vary: "Accept",
})

/** For the same in another form. */
export const documentHeaders = (type: string): AnswerHeaders => ({
  "content-type": type,
  "cache-control": "no-cache",
  vary: "Accept",
})

const digestOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
