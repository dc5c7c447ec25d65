// The spelling of names: the casings of the API and of the database, plurals and singulars. Every conversion of a name uses
// this module, so that a PascalCase and a snake_case database give the same API.
import * as casing from "change-case"
import { pluralize, singularize } from "inflection"
import type { Resource } from "./model.ts"
import { reservedPaths, reservedRoots } from "./reserved.ts"

const merged = { mergeAmbiguousCharacters: true } as const

/** The name in ASCII: letters lose their accents, other characters become word breaks. */
function ascii(name: string): string {
  return name
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9]+/g, " ")
}

/** `order line`, `OrderLine` and `order_line` become `orderLine`. Empty when the name has no letter or digit in ASCII. */
export const camelCase = (name: string): string => casing.camelCase(ascii(name), merged)

/** The name that a resource has for clients of its version. */
export const apiName = ({ name, alias = name }: Pick<Resource, "name" | "alias">): string => alias

/** `orderLine` becomes `OrderLine`. */
export const pascalCase = (name: string): string => casing.pascalCase(ascii(name), merged)

/** `orderLine` becomes `order_line`. */
export const snakeCase = (name: string): string => casing.snakeCase(ascii(name))

/** `orderLine` becomes `order-line`. */
export const kebabCase = (name: string): string => casing.kebabCase(ascii(name))

/** `orderLine` becomes `Order line`. */
export const sentenceCase = (name: string): string => casing.sentenceCase(ascii(name))

/** The last word in the plural; the casing of the rest stays as it is. */
export const pluralise = (name: string): string =>
  onLastWord(name, (word) => irregularPlurals.get(word) ?? pluralize(word)) ?? `${name}s`

/** The last word in the singular; the casing of the rest stays as it is. */
export const singularise = (name: string): string =>
  onLastWord(name, (word) => irregularSingulars.get(word) ?? singularize(word)) ??
  name.replace(/(\d)s$/, "$1")

/** The list of a resource: its plural, or `newsList` where English has one word for both or the plural is reserved. */
export function collectionOf(name: string): string {
  const plural = pluralise(name)
  const taken = plural === name || reservedRoots.has(plural) || reservedPaths.has(kebabCase(plural))
  return taken ? `${name}List` : plural
}

/** GraphQL specification section 2.1.9, without the names that section 4.1 reserves. */
export const isGraphqlName = (name: string): boolean => /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/.test(name)

/** Undefined when the name does not end in a word of two letters or more. */
function onLastWord(name: string, inflect: (word: string) => string): string | undefined {
  const found = /^(.*?)([A-Za-z][a-z]+|[A-Z]{2,})$/s.exec(name)
  if (!found) return undefined
  const [, head = "", word = ""] = found
  const inflected = inflect(word.toLowerCase())
  if (inflected === word.toLowerCase()) return name
  return head + (/^[A-Z]/.test(word) ? inflected.charAt(0).toUpperCase() + inflected.slice(1) : inflected)
}

// Words whose plural or singular the rules of inflection get wrong, as far as names of tables use them often.
const pairs = `
  ache aches, analysis analyses, appendix appendices, atlas atlases, avalanche avalanches, axis axes, base bases,
  bias biases, cache caches, cactus cacti, cafe cafes, calorie calories, canoe canoes, canvas canvases, census censuses,
  cookie cookies, corpus corpora, curriculum curricula, delta deltas, dns dnses, echo echoes, epoch epochs,
  focus focuses, gas gases, gps gpses, gulf gulfs, hero heroes, iris irises, leaf leaves, lens lenses, loaf loaves,
  locus loci, memorandum memoranda, minus minuses, niche niches, os oses, phenomenon phenomena, plus pluses,
  podium podiums, premium premiums, quota quotas, radius radii, safe safes, selfie selfies, shoe shoes, sleeve sleeves,
  sms smses, stadium stadiums, stimulus stimuli, stomach stomachs, surplus surpluses, taxi taxis, thief thieves,
  tie ties, toe toes, veto vetoes, zombie zombies, alumnus alumni
`
  .split(",")
  .map((pair) => pair.trim().split(" "))

/** The same for one and for many. */
const unchanging = `
  analytics clothes crossroads data details diabetes feedback fish goods headquarters luggage means meta metadata
  settings staff statistics summons
`
  .trim()
  .split(/\s+/)

const both = unchanging.map((word) => [word, word] as const)

/** Singular to plural, in lower case. */
const irregularPlurals: ReadonlyMap<string, string> = new Map([
  ...both,
  ...pairs.map(([one = "", many = ""]) => [one, many] as const),
])

/** Plural to singular; a singular stays. */
const irregularSingulars: ReadonlyMap<string, string> = new Map([
  ...both,
  ...pairs.flatMap(([one = "", many = ""]) => [[many, one] as const, [one, one] as const]),
])
