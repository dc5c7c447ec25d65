// The changelog of an API: for each version the changes that a caller sees, in words and as requests before and after.
import { actionName, transitionNames } from "../declaration/mutation-names.ts"
import type { ApiChange, ApiVersion, Field, Model, Resource } from "../model.ts"
import { apiName, kebabCase } from "../names.ts"
import { modelAt } from "./model-at.ts"
import { pathNames } from "./undoing.ts"

export interface ChangelogVersion {
  readonly version: string
  readonly description?: string
  /** The date on which it is no longer served. */
  readonly ends?: string
  readonly changes: readonly ChangelogChange[]
}

interface ChangelogChange {
  readonly kind: Exclude<ApiChange["kind"], `${string}Resource` | `${string}Value`>
  /** The names of the members, with the resource: `order.total`. */
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** One sentence. */
  readonly text: string
  readonly description?: string
  /** Requests that name the members, by face; absent on a side that has none. */
  readonly examples: { readonly before?: Example; readonly after?: Example }
}

interface Example {
  readonly rest: string
  readonly graphql: string
}

/** Newest first. @param model of a caller: the changelog omits members that the caller does not see */
export function changelogOf({ newest, ...model }: Model): readonly ChangelogVersion[] {
  const now = newest ?? (model as Model)
  const versions = now.versions ?? []
  return versions.map(({ name, description, ends, changes }, at) => ({
    version: name,
    ...(description !== undefined && { description }),
    ...(ends !== undefined && { ends }),
    changes: changes.flatMap((change) => toldChange(now, change, [versions[at + 1], versions[at]]) ?? []),
  }))
}

/** Undefined where the caller sees none of it. */
function toldChange(
  model: Model,
  change: ApiChange,
  [before, after]: readonly [before: ApiVersion | undefined, after: ApiVersion | undefined],
): ChangelogChange | undefined {
  const of = (version: ApiVersion | undefined, name = change.resource): Resource | undefined =>
    version && [...modelAt(model, version.name).resources.values()].find((one) => apiName(one) === name)
  if (change.kind === "breaking") {
    const sides = [before, after].filter((version) => version !== undefined)
    const isHidden = sides.some(({ name }) => isHiddenAt(model, name, change))
    return isHidden ? undefined : toldBreaking(change, of(before) ?? of(after), after)
  }
  if (change.kind === "renamedValue") return toldValue(change, of(before), of(after))
  if (change.kind === "addedValue") return toldAddedValue(change, of(before), of(after))
  if (change.kind === "renamedResource") return toldResource(change, of(before, change.before), of(after))
  const [old, fresh] = [of(before), of(after)]
  const [was, is] = namesIn(change)
  const seen = {
    before: was.filter((name) => old && hasMember(old, name)),
    after: is.filter((name) => fresh && hasMember(fresh, name)),
  }
  const isResource = change.kind === "addedResource"
  if (isResource ? !fresh : seen.before.length + seen.after.length === 0) return undefined
  const path = (name: string): string => `${change.resource}.${name}`
  const examples = {
    ...(old && seen.before.length > 0 && { before: exampleOf(old, seen.before) }),
    ...(fresh && (isResource || seen.after.length > 0) && { after: exampleOf(fresh, seen.after) }),
  }
  return {
    kind: isResource ? "added" : change.kind,
    before: seen.before.map(path),
    after: isResource ? [change.resource] : seen.after.map(path),
    text:
      differenceOf(after ? modelAt(model, after.name) : model, change, [old, fresh]) ?? textOf(change, seen),
    ...(change.description !== undefined && { description: change.description }),
    examples,
  }
}

function toldResource(
  { before, resource, description }: Extract<ApiChange, { readonly kind: "renamedResource" }>,
  old: Resource | undefined,
  fresh: Resource | undefined,
): ChangelogChange | undefined {
  if (!old || !fresh) return undefined
  return {
    kind: "renamed",
    before: [before],
    after: [resource],
    text: `\`${before}\` is now called \`${resource}\`.`,
    ...(description !== undefined && { description }),
    examples: { before: exampleOf(old, []), after: exampleOf(fresh, []) },
  }
}

/** Whether the version has the resource, or its member, and the caller does not see it there. */
function isHiddenAt(
  model: Model,
  version: string,
  { resource: name, member }: Extract<ApiChange, { readonly kind: "breaking" }>,
): boolean {
  const has = (of: Model | undefined): boolean => {
    const resource = of && [...modelAt(of, version).resources.values()].find((one) => apiName(one) === name)
    return resource !== undefined && (member === undefined || hasMember(resource, member))
  }
  return has(model.audience?.whole) && !has(model)
}

/** The readers of a removed member are unknown: readers of its resource see the change. */
function toldBreaking(
  { resource, member, description }: Extract<ApiChange, { readonly kind: "breaking" }>,
  seen: Resource | undefined,
  since: ApiVersion | undefined,
): ChangelogChange | undefined {
  if (!seen && member !== undefined) return undefined
  const path = member === undefined ? resource : `${resource}.${member}`
  // Beside a change of the field it is about the key alone.
  const isKey = since?.changes.some(
    (one) => one.kind === "changed" && one.resource === resource && one.now.some((name) => name === member),
  )
  return {
    kind: "breaking",
    before: [path],
    after: [],
    text: isKey
      ? `Versions before ${since?.name} do not find \`${resource}\` by \`${member}\` any more.`
      : `\`${path}\` has changed in all versions.`,
    ...(description !== undefined && { description }),
    examples: {},
  }
}

function toldValue(
  { resource, field, before, now, description }: Extract<ApiChange, { readonly kind: "renamedValue" }>,
  old: Resource | undefined,
  fresh: Resource | undefined,
): ChangelogChange | undefined {
  if (takes(old, field, before) && takes(fresh, field, now))
    return {
      kind: "renamed",
      before: [`${resource}.${field}.${before}`],
      after: [`${resource}.${field}.${now}`],
      text: `\`${before}\`, an input of \`${resource}.${field}\`, is now called \`${now}\`.`,
      ...(description !== undefined && { description }),
      examples: {},
    }
  if (!old?.fields.has(field) || !fresh?.fields.has(field)) return undefined
  const path = `${resource}.${field}`
  return {
    kind: "renamed",
    before: [`${path}.${before}`],
    after: [`${path}.${now}`],
    text: `\`${before}\`, a value of \`${path}\`, is now called \`${now}\`.`,
    ...(description !== undefined && { description }),
    examples: { before: exampleOfValue(old, field, before), after: exampleOfValue(fresh, field, now) },
  }
}

/** Whether a transition or an action has the input. */
const takes = (resource: Resource | undefined, name: string, input: string): boolean =>
  resource?.actions?.get(name)?.input.has(input) ??
  [...(resource?.machines.values() ?? [])].some(({ transitions }) => transitions.get(name)?.input.has(input))

function toldAddedValue(
  { resource, field, now, as, description }: Extract<ApiChange, { readonly kind: "addedValue" }>,
  old: Resource | undefined,
  fresh: Resource | undefined,
): ChangelogChange | undefined {
  if (!fresh?.fields.has(field)) return undefined
  const path = `${resource}.${field}`
  const isThen = as !== undefined && old?.fields.has(field) === true
  return {
    kind: "added",
    before: isThen ? [`${path}.${as}`] : [],
    after: [`${path}.${now}`],
    text: isThen
      ? `\`${path}\` may be \`${now}\`, for which older versions have \`${as}\`.`
      : `\`${path}\` may be \`${now}\`.`,
    ...(description !== undefined && { description }),
    examples: {
      ...(isThen && { before: exampleOfValue(old, field, as) }),
      after: exampleOfValue(fresh, field, now),
    },
  }
}

const exampleOfValue = ({ path, collection }: Resource, field: string, value: string): Example => ({
  rest: `GET /${path}?limit=1&filter[${field}]=${value}`,
  graphql: `{ ${collection}(first: 1, where: { ${field}: { eq: ${value} } }) { nodes { ${field} } } }`,
})

type OfMembers = Exclude<
  ApiChange,
  { readonly kind: "renamedResource" | "renamedValue" | "addedValue" | "breaking" }
>

/** Names before and after. */
function namesIn(change: OfMembers): readonly [readonly string[], readonly string[]] {
  switch (change.kind) {
    case "renamed":
    case "widened":
      return [[change.before], [change.now]]
    case "added":
      return [[], [change.now]]
    case "addedResource":
      return [[], []]
    case "removed":
      return [[change.before.field.name], []]
    case "changed":
      return [change.before.map(({ field }) => field.name), change.now]
  }
}

const hasMember = (resource: Resource, name: string): boolean => pathNames(resource).includes(name)

function textOf(
  change: OfMembers,
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
): string {
  const { resource } = change
  const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(" and ")
  switch (change.kind) {
    case "renamed":
      return `\`${change.before}\` of \`${resource}\` is now called \`${change.now}\`.`
    case "widened":
      return before.length === 0
        ? `\`${resource}\` has \`${change.now}\`.`
        : `\`${resource}\` has ${quoted(after)}, a to-many relation, in place of ${quoted(before)}. Older versions have the first record by ${orderText(change.first)}.`
    case "added":
      return `\`${resource}\` has \`${change.now}\`.`
    case "addedResource":
      return `There is \`${resource}\`.`
    case "removed":
      return `\`${resource}\` no longer has ${quoted(before)}.`
    case "changed":
      return before.join() === after.join()
        ? `${quoted(after)} of \`${resource}\` has another type.`
        : before.length === 0
          ? `\`${resource}\` has ${quoted(after)}.`
          : `\`${resource}\` has ${quoted(after) || "nothing"} in place of ${quoted(before)}.`
  }
}

/** For a field that kept its name; undefined where it is another member, or the caller does not see both. */
function differenceOf(
  { enums }: Model,
  change: OfMembers,
  [old, fresh]: readonly [old: Resource | undefined, fresh: Resource | undefined],
): string | undefined {
  const [name = "", ...more] = change.kind === "changed" ? change.now : []
  const [was, is] = [old?.fields.get(name), fresh?.fields.get(name)]
  if (!was || !is || more.length > 0) return undefined
  const typeOf = ({ list, scalar }: Field): string => (list ? `a list of ${scalar}` : scalar)
  const said = `\`${name}\` of \`${change.resource}\``
  if (typeOf(was) !== typeOf(is)) return `${said} is ${typeOf(is)}, ${typeOf(was)} before.`
  if (was.optional !== is.optional)
    return is.optional ? `${said} may be missing.` : `${said} is always there.`
  const digitsOf = ({ constraints: { precision, scale } }: Field): string =>
    precision === undefined && scale === undefined
      ? "any digits"
      : [
          ...(precision === undefined ? [] : [`${precision} digits`]),
          ...(scale === undefined ? [] : [`${scale} after the point`]),
        ].join(", ")
  if (digitsOf(was) !== digitsOf(is)) return `${said} has ${digitsOf(is)}; ${digitsOf(was)} before.`
  const values = enums.get(is.enumeration ?? "")?.values
  return values ? `${said} has other values: ${values.join(", ")}.` : undefined
}

const orderText = (first: Extract<OfMembers, { readonly kind: "widened" }>["first"]): string =>
  first.map(({ member, descending }) => `\`${member}\`${descending ? " (descending)" : ""}`).join(", ")

/** @param names fields, or one other member; none of the resource itself */
function exampleOf(resource: Resource, names: readonly string[]): Example {
  const { path, collection, prefix } = resource
  const id = `${prefix}_…`
  const list = (selected: string): string => `{ ${collection}(first: 1) { nodes { ${selected} } } }`
  const [name] = names
  if (name === undefined)
    return { rest: `GET /${path}?limit=1`, graphql: list(resource.key ? "id" : "__typename") }
  const relation = resource.relations.get(name)
  if (relation)
    return {
      rest: `GET /${path}?limit=1&include=${name}`,
      graphql: list(relation.kind === "many" ? `${name} { nodes { id } }` : `${name} { id }`),
    }
  if (resource.actions?.has(name))
    return {
      rest: `POST /${path}/${id}/actions/${kebabCase(name)}`,
      graphql: `mutation { ${actionName(resource, name)}(id: "${id}") { … } }`,
    }
  if ([...resource.machines.values()].some(({ transitions }) => transitions.has(name)))
    return {
      rest: `POST /${path}/${id}/transitions/${kebabCase(name)}`,
      graphql: `mutation { ${transitionNames(resource, name).fire}(id: "${id}") { ${apiName(resource)} { id } } }`,
    }
  return { rest: `GET /${path}?limit=1&fields=${names.join()}`, graphql: list(names.join(" ")) }
}

/** CommonMark. */
export function changelogMarkdown(title: string, versions: readonly ChangelogVersion[]): string {
  const parts = versions.map(({ version, description, ends, changes }) => [
    `## ${version}`,
    ...(ends === undefined ? [] : [`Served until ${ends}.`]),
    ...(description === undefined ? [] : [description]),
    ...(changes.length === 0 ? ["No changes."] : changes.map(changeMarkdown)),
  ])
  return `# Changes of ${title}\n\nThe header \`API-Version\` chooses a version.\n\n${parts.flat().join("\n\n")}\n`
}

/** Examples by their side of the change; one that is the same on both sides is shown once. */
export function sidesOf({
  before,
  after,
}: ChangelogChange["examples"]): readonly (readonly [string, Example])[] {
  if (before && JSON.stringify(before) === JSON.stringify(after)) return [["before and after", before]]
  return [...(before ? [["before", before] as const] : []), ...(after ? [["after", after] as const] : [])]
}

function changeMarkdown({ text, description, examples }: ChangelogChange): string {
  const lines = sidesOf(examples).flatMap(([called, { rest, graphql }]) => [`# ${called}`, rest, graphql])
  const said = description === undefined ? "" : ` ${description}`
  return `- ${text}${said}\n\n${["```", ...lines, "```"].map((line) => `  ${line}`).join("\n")}`
}
