// Parameters of `GET /openapi.json`: how far the description goes, and whom it serves.

import { collectProblems, refusal } from "../../base/problem.ts"
import { type Detail, defaultDetail, depths, purposes } from "../../http/schemas/values.ts"
import type { Model } from "../../model/model.ts"
import { hintFor, listed } from "../../plan/hints.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { placeOf } from "./parameter-place.ts"
import { nameOf, readSpellings, readText } from "./spellings.ts"

/** The most resources of a description of all levels: tools that replace references by schemas cannot hold more. */
const mostResources = 200

const known: readonly string[] = ["depth", "purpose"] satisfies readonly (keyof Detail)[]

/** Throws a Refusal with every mistake in the query. */
export function readDetail({ resources }: Model, query: string): Detail {
  const problems = collectProblems()
  const given = new Map<string, string>()
  for (const spelled of readSpellings(query, problems)) {
    const name = nameOf(spelled)
    if (known.includes(placeOf(spelled).join())) {
      const text = readText(spelled, problems)
      if (text !== undefined) given.set(spelled.member, text)
    } else
      problems.add(
        "unknown_parameter",
        placeOf(spelled),
        `${quoteInput(name)} is not a parameter here.`,
        hintFor(name, known),
      )
  }
  const chosen = <Value extends string>(
    name: keyof Detail,
    values: readonly Value[],
    usual: Value,
  ): Value => {
    const value = given.get(name)
    const found = values.find((one) => one === value)
    if (value !== undefined && found === undefined)
      problems.add(
        "invalid_value",
        [name],
        `${quoteInput(value)} is no value of \`${name}\`.`,
        `There are ${listed(values, "and")}.`,
      )
    return found ?? usual
  }
  const detail = {
    depth: chosen("depth", depths, defaultDetail.depth),
    purpose: chosen("purpose", purposes, defaultDetail.purpose),
  }
  problems.settle()
  if (detail.depth === "full" && resources.size > mostResources)
    throw refusal(
      "too_expensive",
      `\`depth=full\` is for at most ${mostResources} resources, and these are ${resources.size}.`,
      {
        hint: "Leave it out, or print the document with `bifold schema --openapi --depth full`.",
        place: ["depth"],
      },
    )
  return detail
}
