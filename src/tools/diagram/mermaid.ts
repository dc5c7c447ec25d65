// Machines and models as Mermaid text, which many pages and editors draw by themselves: https://mermaid.js.org
import type { Field, Machine, Model, Resource } from "../../model/model.ts"
import { type Count, type End, type Tie, tiesOf, typeOf } from "./entities.ts"
import { type Label, labelOf } from "./text.ts"

/** A `stateDiagram-v2`; several machines are boxes with their names. Throws a Refusal when the rules have mistakes. */
export function statesMermaid(model: Model, resource: Resource, machines: readonly Machine[]): string {
  const names = idsOf(machines.flatMap(({ states }) => [...states.keys()]))
  const drawn = machines.map((machine) => machineLines(machine, names, (it) => labelOf(model, resource, it)))
  const [only] = drawn
  const lines =
    only && drawn.length === 1
      ? only
      : machines.flatMap(({ name }, index) => [
          `state ${quoted(name)} as machine${index + 1} {`,
          ...(drawn[index] ?? []).map(indented),
          "}",
        ])
  const title = `The states of ${machines.map(({ name }) => `${resource.name}.${name}`).join(" and ")}`
  return text("stateDiagram-v2", [`accTitle: ${title}`, ...lines])
}

function machineLines(
  { initial, final, states, transitions }: Machine,
  names: ReadonlyMap<string, string>,
  describe: (transition: Parameters<typeof labelOf>[2]) => Label,
): readonly string[] {
  const nameOf = (state: string): string => names.get(state) ?? state
  return [
    ...[...states.keys()].flatMap((state) =>
      nameOf(state) === state ? [] : [`state ${quoted(state)} as ${nameOf(state)}`],
    ),
    `[*] --> ${nameOf(initial)}`,
    ...[...transitions.values()].flatMap((transition) => {
      const { name, who, when } = describe(transition)
      const label = [name, ...who, ...(when === undefined ? [] : [when])].map(plain).join("<br/>")
      return transition.from.map((from) => `${nameOf(from)} --> ${nameOf(transition.to)} : ${label}`)
    }),
    ...final.map((state) => `${nameOf(state)} --> [*]`),
  ]
}

/** A state is called by its name where Mermaid can read it. */
function idsOf(states: readonly string[]): ReadonlyMap<string, string> {
  const isWord = (state: string): boolean =>
    /^[a-z][a-z0-9_]*$/i.test(state) && !/^(state|machine)\d+$/.test(state)
  return new Map(
    states.map((state, index) => [
      state,
      isWord(state) && !keywords.has(state.toLowerCase()) ? state : `state${index + 1}`,
    ]),
  )
}

/** Words that begin something else in a `stateDiagram-v2`, in any of its versions. */
const keywords = new Set(
  "acctitle accdescr as choice class classdef click default direction end fork hide href join left link note of right scale state statediagram style title".split(
    " ",
  ),
)

/** An `erDiagram`. */
export function modelMermaid(model: Model): string {
  const entities = [...model.resources.values()].flatMap((resource) => [
    `${quoted(resource.name)} {`,
    ...attributesOf(resource).map(indented),
    "}",
  ])
  const ties = tiesOf(model).map(tieLine)
  return text("erDiagram", [`accTitle: The model of ${plain(model.title)}`, ...entities, ...ties])
}

function attributesOf({ key, fields, relations }: Resource): readonly string[] {
  return [
    ...(key ? ["id id PK"] : []),
    ...[...fields.values()].map(attribute),
    ...[...relations.values()].flatMap((relation) =>
      relation.kind === "one" && relation.reference !== undefined
        ? [`id ${relation.reference} FK${relation.optional ? ' "optional"' : ""}`]
        : [],
    ),
  ]
}

const attribute = (field: Field): string =>
  `${word(typeOf(field))} ${field.name}${field.unique ? " UK" : ""}${field.optional ? ' "optional"' : ""}`

/** A type without its size and its sign for what may be missing. */
const word = (type: string): string => type.replace(/\?$/, "").replace(/\(.*\)/, "")

const leftEnds: Readonly<Record<Count, string>> = { one: "||", optional: "|o", many: "}o" }
const rightEnds: Readonly<Record<Count, string>> = { one: "||", optional: "o|", many: "o{" }

function tieLine([a, b]: Tie): string {
  const names = [a, b].flatMap(({ relation }: End) => (relation === undefined ? [] : [relation]))
  return `${quoted(a.resource)} ${leftEnds[a.count]}--${rightEnds[b.count]} ${quoted(b.resource)} : ${quoted(names.join(" / "))}`
}

const quoted = (name: string): string => `"${plain(name).replaceAll('"', wide)}"`

/**
 * Text on one line, without what Mermaid or the HTML in its labels would read as something else. Its entity codes are
 * drawn as they are written in states, so such signs become their wide forms.
 */
const plain = (of: string): string =>
  of.replaceAll(/\s+/g, " ").replaceAll(/[;*]|%(?=%)|<(?=[a-z/!?])/gi, wide)

/** Unicode, block Halfwidth and Fullwidth Forms. */
const wide = (sign: string): string => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)

const indented = (line: string): string => `  ${line}`

const text = (kind: string, lines: readonly string[]): string => [kind, ...lines.map(indented), ""].join("\n")
