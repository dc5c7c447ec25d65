// Finds sentences that are hard to read: long ones, riddles in place of nouns, British spelling, and words that the glossary replaces.
import { split } from "sentence-splitter"
import { syllable } from "syllable"

const mostWords = 25
/** Words of a list item; longer ones hide a rule among its exceptions. */
export const mostWordsOfItem = 60
export const leastEase = 50

const riddles = [
  "whoever",
  "(?:is|are|was|were) told",
  "nobody",
  "somebody",
  "one's own",
  "of which",
  "that of",
  "those of",
  "what is",
  "is none",
  "by itself",
].map((words) => new RegExp(`\\b${words}\\b`, "i"))
const openings = /^(?:What|Of|It|That)\b(?!.*\?$)/
const ends = "(?:e[sd]?|ing|er|ers|able|ation|ations)"
const british = [
  new RegExp(
    `\\b(?:author|organ|recogn|normal|serial|optim|minim|maxim|summar|custom|initial|synchron|standard|canonical|general|special|material|priorit|real|util|token|anonym|categor|central|emphas|formal|local|stabil|visual|character|capital|penal|final)is${ends}\\b`,
    "i",
  ),
  /\b(?:behaviour|colour|favour|honour|neighbour|labour)\w*\b/i,
  /\b(?:cancelled|cancelling|travelled|labelled|labelling|modelled|modelling|signalled|licence|defence|centre|metre|catalogue|dialogue|grey|fulfil|whilst|towards|judgement|artefact|analyse|analysed)\b/i,
]

/** Code spans, addresses and numbers count as one word each. */
const wordsOf = (sentence) => sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’_.-]*/gu) ?? []

/** @param {string} text prose without code and marks @returns its sentences, trimmed */
const sentencesOf = (text) =>
  // The splitter takes "ms." for a form of address.
  split(text.replace(/\bms\.(?=\s)/g, "milliseconds."))
    .filter(({ type }) => type === "Sentence")
    .map(({ raw }) => raw.replace(/\s+/g, " ").trim())
    .filter((sentence) => wordsOf(sentence).length > 0)

/**
 * @param {string} text prose without code and marks
 * @param {readonly { said: RegExp, term: string }[]} glossary words with the term in their place
 * @returns {string[]} the findings, each with its sentence
 */
export function findingsIn(text, glossary = []) {
  return sentencesOf(text).flatMap((sentence) => {
    const words = wordsOf(sentence).length
    const found = []
    if (words > mostWords) found.push(`${words} words`)
    if (openings.test(sentence)) found.push(`opens with "${wordsOf(sentence)[0]}"`)
    for (const riddle of riddles)
      found.push(...(riddle.exec(sentence) ?? []).slice(0, 1).map((it) => `"${it}"`))
    for (const spelling of british)
      found.push(...(spelling.exec(sentence) ?? []).slice(0, 1).map((it) => `"${it}" is British`))
    for (const { said, term } of glossary)
      if (said.test(sentence)) found.push(`"${said.exec(sentence)[0]}" in place of "${term}"`)
    return found.map((what) => `${what}: ${sentence}`)
  })
}

/** The Flesch reading ease (Flesch 1948) of all texts: 100 is very easy, 0 very hard. A cell of a table ends its sentence. */
export function readingEase(texts) {
  const sentences = texts.flatMap(sentencesOf)
  const words = sentences.flatMap(wordsOf)
  if (words.length === 0) return 100
  const syllables = words.reduce((sum, word) => sum + Math.max(1, syllable(word)), 0)
  return 206.835 - (1.015 * words.length) / sentences.length - (84.6 * syllables) / words.length
}
