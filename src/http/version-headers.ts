// Headers that tell of the version that was served, and of the end of an older one.
import type { Model } from "../model/model.ts"
import { versionHeader, versionOf } from "../model/versions/served.ts"

export interface VersionHeaders {
  /** Names and values in turn. */
  readonly own: readonly string[]
  /** Relations to put beside those of the answer's own `Link` (RFC 8288). */
  readonly link?: string
}

const known = new WeakMap<Model, VersionHeaders>()
const none: VersionHeaders = { own: [] }

/** @param base the path before both faces */
export function versionHeaders(model: Model, base: string): VersionHeaders {
  if (!model.versions) return none
  const found = known.get(model) ?? makeHeaders(model, base)
  known.set(model, found)
  return found
}

function makeHeaders(model: Model, base: string): VersionHeaders {
  const { versions = [] } = model
  const name = versionOf(model)
  const at = versions.findIndex((version) => version.name === name)
  const served = [versionHeader, name ?? ""]
  const [newer, own] = [versions[at - 1], versions[at]]
  if (!newer) return { own: served }
  const sunset = own?.ends === undefined ? [] : ["sunset", new Date(`${own.ends}T00:00:00Z`).toUTCString()]
  return {
    // RFC 9745 section 2, RFC 8594 section 3.
    own: [...served, "deprecation", `@${Date.parse(`${newer.name}T00:00:00Z`) / 1_000}`, ...sunset],
    // RFC 9745 section 3, RFC 5829 section 3.3.
    link: `<${base}/changelog>; rel="deprecation", <${base}/changelog#${newer.name}>; rel="successor-version"`,
  }
}
