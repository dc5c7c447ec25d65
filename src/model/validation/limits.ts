// Limits that a service can be used under.
import { type CostDeclaration, costLimitNames, mostOf, sizeLimitNames, sizeLimits } from "../limits.ts"
import { type Rule, resourcesOf } from "./context.ts"

/** Records of a page. */
const mostRows = 10_000

export const limits: Rule = ({ limits }, report) => {
  const { page, cost, tiers = {}, ...sizes } = limits ?? {}
  const check = (place: readonly string[], value: number | undefined, most: number) => {
    if (value !== undefined && !(Number.isInteger(value) && value >= 1 && value <= most))
      report(
        ["limits", ...place],
        `"${place.join(".")}" must be a whole number from 1 to ${most}, not ${value}.`,
      )
  }
  check(["page", "default"], page?.default, mostRows)
  check(["page", "max"], page?.max, mostRows)
  for (const name of sizeLimitNames) check([name], sizes[name], sizeLimits[name].most)
  const checkCost = (place: readonly string[], set: CostDeclaration) => {
    for (const name of costLimitNames) check([...place, name], set[name], mostOf(name))
    const { perRequest, perMinute } = { ...cost, ...set }
    if (perRequest !== undefined && perMinute !== undefined && perRequest > perMinute)
      report(
        ["limits", ...place, set.perRequest === undefined ? "perMinute" : "perRequest"],
        `"${place.join(".")}" allows requests of ${perRequest} points, and ${perMinute} points a minute: the dearest could never be sent.`,
      )
  }
  if (cost) checkCost(["cost"], cost)
  for (const [name, tier] of Object.entries(tiers)) {
    if (!/^[a-z][A-Za-z0-9]*$/.test(name))
      report(["limits", "tiers", name], `"${name}" is not a name of a tier: use camelCase, such as "pro".`)
    checkCost(["tiers", name], tier)
  }
  const { tokens, characters } = sizes
  if (tokens !== undefined && characters !== undefined && tokens > characters)
    report(
      ["limits", "tokens"],
      `"tokens", ${tokens}, is greater than "characters", ${characters}: no document has that many.`,
    )
  if (page?.default !== undefined && page.max !== undefined && page.default > page.max)
    report(
      ["limits", "page", "default"],
      `"page.default", ${page.default}, is greater than "page.max", ${page.max}.`,
    )
}

// Ages for caches are whole seconds, at most as long as caches keep anything (RFC 9111 section 1.2.2 asks for 2^31 at most).

/** A year. */
const longest = 31_536_000

export const cacheAges: Rule = (service, report) => {
  for (const { resource, place } of resourcesOf(service)) {
    const seconds = resource.cache?.public
    if (seconds === undefined || (Number.isInteger(seconds) && seconds >= 1 && seconds <= longest)) continue
    report(
      [...place, "cache", "public"],
      `"public" must be a whole number of seconds from 1 to ${longest}, not ${seconds}.`,
      "Leave out `cache` to keep no answers.",
    )
  }
}

// Checks that `about` can stand in the `info` of an OpenAPI document.
export const about: Rule = ({ about: said }, report) => {
  const { version, licence, contact } = said ?? {}
  const text = (place: readonly string[], value: string | undefined): void => {
    if (value?.trim() === "")
      report(["about", ...place], `"${place.at(-1)}" is empty.`, "Leave it out instead.")
  }
  const url = (place: readonly string[], value: string | undefined): void => {
    if (value !== undefined && !(URL.canParse(value) && /^https?:/i.test(value)))
      report(["about", ...place], `"${place.at(-1)}" must be the address of a page, not "${value}".`)
  }
  text(["version"], version)
  text(["licence", "name"], licence?.name)
  url(["licence", "url"], licence?.url)
  if (licence?.url !== undefined && licence.identifier !== undefined)
    report(["about", "licence"], "`licence` has a url or an identifier, not both.")
  if (licence?.identifier !== undefined && !/^[A-Za-z0-9.+:() -]+$/.test(licence.identifier))
    report(
      ["about", "licence", "identifier"],
      `"${licence.identifier}" cannot be an SPDX identifier.`,
      'Such as "MIT" or "Apache-2.0"; give the url of any other license.',
    )
  text(["contact", "name"], contact?.name)
  url(["contact", "url"], contact?.url)
  if (contact?.email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(contact.email))
    report(["about", "contact", "email"], `"email" must be an address of mail, not "${contact.email}".`)
}
