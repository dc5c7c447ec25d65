// Prints what a write does, step by step, for people: what it finds, changes and checks, in the order in which it runs.
import { match } from "../../base/match.ts"
import type { Model, Resource } from "../../model/model.ts"
import { resourceNamed, subjectName, wholeOf } from "../lookup.ts"
import type { Filter, ReadPlan } from "../read-plan.ts"
import type { Fires, Setting, Write, WritePlan } from "../write-plan.ts"
import { printPlan } from "./print.ts"
import { printFilter } from "./print-terms.ts"

export function printWrite(plan: WritePlan): string {
  const { model } = plan
  const { values } = asRead(plan, model)
  return plan.steps
    .flatMap(({ writes, call, answer }, index) => [
      `step ${index + 1}`,
      ...writes.flatMap((write) => printed(plan, write)).map((line) => `  ${line}`),
      ...(call ? [`  call ${call.name}`] : []),
      ...answerLines({ kind: "read", model, values, roots: [answer] }),
    ])
    .join("\n")
}

const answerLines = (read: ReadPlan): readonly string[] => {
  const text = printPlan(read)
  return text === "" ? [] : ["  answer", ...text.split("\n").map((line) => `    ${line}`)]
}

function printed(plan: WritePlan, write: Write): readonly string[] {
  const { resource: name } = write
  const whole: Model = wholeOf(plan.model)
  const resource = resourceNamed(whole, name)
  const under = (rule: Filter | undefined): string =>
    rule ? ` where ${ruleText(plan, whole, resource, rule)}` : ""
  const several = "several" in write && write.several ? " each of" : ""
  const line = match(write, {
    find: ({ where }) =>
      `find ${name} where ${printFilter(asRead(plan, plan.model), resourceNamed(plan.model, name), where)}`,
    locate: ({ relation }) => `find ${name}${relation === undefined ? "" : ` by ${relation}`}`,
    only: ({ relation }) => `find the only ${relation} of ${name}`,
    sum: ({ field }) => `add to ${name}.${field}`,
    insert: ({ sets }) => `insert ${name}${membersOf(resource, sets)}`,
    upsert: ({ sets, rule }) => `upsert ${name}${membersOf(resource, sets)}${under(rule)}`,
    update: ({ sets, fires, looks, rule }) =>
      `${looks ? "look at" : "update"} ${name}${membersOf(resource, sets)}${firing(fires)}${under(rule)}`,
    delete: ({ rule }) => `delete ${name}${under(rule)}`,
    link: ({ relation }) => `link ${name} by ${relation}`,
    unlink: ({ relation }) => `unlink ${name} by ${relation}`,
    may: ({ action }) => `check that the actor may ${action}${several} ${name}`,
    check: ({ that }) => `check${several} ${name}${under(that)}`,
    judge: ({ asks }) =>
      `ask of ${name}, as it will be,${asks.map(({ that }) => ` whether ${ruleText(plan, whole, resource, that)}`).join(" and")}`,
    refers: ({ relation }) => `check that the actor sees ${relation}`,
    collect: () => "",
  })
  return line === "" ? [] : [`${line}${write.log ? ", logged" : ""}`]
}

const membersOf = (resource: Resource, sets: readonly Setting[]): string =>
  sets.length === 0 ? "" : ` (${sets.map(({ subject }) => subjectName(resource, subject)).join(", ")})`

const firing = (fires: Fires | undefined): string => (fires ? ` by ${fires.transition}` : "")

/** Rules are in the terms of the whole service. */
const ruleText = (plan: WritePlan, whole: Model, resource: Resource, rule: Filter): string =>
  printFilter(asRead(plan, whole), resource, rule)

const asRead = ({ values }: WritePlan, model: Model): ReadPlan => ({
  kind: "read",
  model,
  roots: [],
  // Keys of records that the write makes or finds.
  values: values.map((value) => value ?? "(known when it runs)"),
})
