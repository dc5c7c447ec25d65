// An actor in words, as `--as` takes it: `customer:cus_01h…`, `role:staff`, `scope:catalogue`, joined by `+`. `signedIn`
// is an authenticated caller without roles and scopes, `anyone` an anonymous one.
import { withArticle } from "../../base/article.ts"
import { present } from "../../base/invariant.ts"
import { type Problem, Refusal, refusal } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import type { Model, Resource } from "../../model/model.ts"
import { type Actor, actorOf, type Credentials, strangerTo } from "../../plan/access/actor.ts"
import { readId } from "../../plan/values/ids.ts"

/** The credential that the words describe; undefined for `anyone`. Throws a Refusal `invalid_command` with every mistake. */
export function readActorText(model: Model, text: string): Credentials | undefined {
  if (text === "anyone") return undefined
  return credentialsOf(
    text.split("+").map((part) => readPart(model, part)),
    text,
  )
}

function credentialsOf(parts: readonly Part[], text: string): Credentials {
  const problems = parts.flatMap((part) => (part.kind === "wrong" ? [part.problem] : []))
  const viewers = parts.flatMap((part) => (part.kind === "viewer" ? [part.id] : []))
  if (viewers.length > 1)
    problems.push(wrong(`${JSON.stringify(text)} is two records at once.`, "Name one of them."))
  const [first, ...rest] = problems
  if (first) throw new Refusal([first, ...rest])
  const namesOf = (kind: "role" | "scope"): readonly string[] => [
    ...new Set(parts.flatMap((part) => (part.kind === kind ? [part.name] : []))),
  ]
  const [viewer] = viewers
  const [roles, scopes] = [namesOf("role"), namesOf("scope")]
  const name = `as:${JSON.stringify([viewer ?? null, roles.toSorted(), scopes.toSorted()])}`
  return { name, label: text, ...(viewer !== undefined && { viewer }), roles, scopes }
}

/** The actor that the words name. Throws a Refusal `invalid_command` with every mistake. */
export function actorFromText(whole: Model, text: string): Actor {
  const credentials = readActorText(whole, text)
  const actor = credentials && actorOf(whole, credentials)
  if (credentials && !actor) throw refusal("invalid_command", `${JSON.stringify(text)} names no actor.`)
  return actor ?? strangerTo(whole)
}

/** A caller as an object; absent members are none. */
export interface Person {
  /** The id of the viewer's record, with its prefix or without. */
  readonly viewer?: string
  readonly roles?: readonly string[]
  readonly scopes?: readonly string[]
}

/** The actor that has these. Throws a Refusal `invalid_command` with every mistake. */
export function actorFromPerson(whole: Model, { viewer: id, roles = [], scopes = [] }: Person): Actor {
  const viewer = whole.viewer === undefined ? undefined : whole.resources.get(whole.viewer)
  const noViewer = wrong("The service declares no viewer.", "Leave it out: give roles and scopes.")
  const parts: readonly Part[] = [
    ...(id === undefined
      ? []
      : [viewer ? readViewer(viewer, id) : ({ kind: "wrong", problem: noViewer } as const)]),
    ...roles.map((role) => readName(whole, "role", role)),
    ...scopes.map((scope) => readName(whole, "scope", scope)),
  ]
  const words = [
    ...(id === undefined ? [] : [`${whole.viewer}:${id}`]),
    ...roles.map((role) => `role:${role}`),
    ...scopes.map((scope) => `scope:${scope}`),
  ]
  const text = words.length === 0 ? "signedIn" : words.join("+")
  return present(actorOf(whole, credentialsOf(parts, text)), "an id of a viewer is one of its form")
}

type Part =
  | { readonly kind: "role" | "scope"; readonly name: string }
  | { readonly kind: "viewer"; readonly id: string }
  | { readonly kind: "signedIn" }
  | { readonly kind: "wrong"; readonly problem: Problem }

const wrong = (message: string, hint?: string): Problem => ({
  code: "invalid_command",
  message,
  ...(hint !== undefined && { hint }),
})

function readPart(model: Model, part: string): Part {
  if (part === "signedIn") return { kind: "signedIn" }
  const colon = part.indexOf(":")
  const [kind, rest] = colon < 0 ? [part, ""] : [part.slice(0, colon), part.slice(colon + 1)]
  if (part === "anyone")
    return { kind: "wrong", problem: wrong("`anyone` is an anonymous actor, without roles or scopes.") }
  if (kind === "role" || kind === "scope") return readName(model, kind, rest)
  const viewer = model.viewer === undefined ? undefined : model.resources.get(model.viewer)
  // A plus of an id is written `%2B`, as it stands for "and" here.
  return viewer && kind === viewer.name
    ? readViewer(viewer, rest.replaceAll("%2B", "+"))
    : { kind: "wrong", problem: unknown(model, part) }
}

function readName(model: Model, kind: "role" | "scope", name: string): Part {
  const declared = kind === "role" ? model.roles : model.scopes
  if (declared.includes(name)) return { kind, name }
  const hint = declared.length === 0 ? `The service declares no ${kind}s.` : suggest(name, declared)
  return { kind: "wrong", problem: wrong(`There is no ${kind} ${JSON.stringify(name)}.`, hint) }
}

function readViewer(viewer: Resource, id: string): Part {
  if (id !== "" && readId(viewer, id)) return { kind: "viewer", id }
  return {
    kind: "wrong",
    problem: wrong(
      `${JSON.stringify(id)} is no id of ${withArticle(viewer.name)}.`,
      `Give one such as ${viewer.name}:${viewer.prefix}_….`,
    ),
  }
}

function unknown({ viewer, roles, scopes }: Model, part: string): Problem {
  const forms = [
    ...(viewer === undefined ? [] : [`${viewer}:<id>`]),
    ...(roles.length > 0 ? ["role:<name>"] : []),
    ...(scopes.length > 0 ? ["scope:<name>"] : []),
    "signedIn",
  ]
  return wrong(
    `${JSON.stringify(part)} says nothing about who it is.`,
    `Give ${forms.join(", ")}, several joined by +, or anyone alone.`,
  )
}
