// Words whose plural or singular the rules of inflection get wrong; what tables are called often enough to matter.

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
export const irregularPlurals: ReadonlyMap<string, string> = new Map([
  ...both,
  ...pairs.map(([one = "", many = ""]) => [one, many] as const),
])

/** Plural to singular; what is singular already stays. */
export const irregularSingulars: ReadonlyMap<string, string> = new Map([
  ...both,
  ...pairs.flatMap(([one = "", many = ""]) => [[many, one] as const, [one, one] as const]),
])
