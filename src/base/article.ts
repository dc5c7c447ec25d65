// The article before a name: "an order", "a user".

/** Begin with a vowel's letter and another sound. */
const unlike = /^(?:eu|one(?![a-z])|uni(?!n)|us[aeu]|ut[ei]|ur[il])/

/** @param article as it stands in the sentence */
export const withArticle = (name: string, article: "a" | "A" = "a"): string =>
  `${/^[aeiou]/i.test(name) && !unlike.test(name) ? `${article}n` : article} ${name}`
