// A former name links a declared thing to its old name in the database. No thing has the name now, and no other claims it.
import type { Place } from "../../base/problem.ts"
import { formerNames as namesOf } from "../declaration/build-field.ts"
import type { FormerNames, ServiceDeclaration } from "../declaration/declaration.ts"
import { own } from "../declaration/keys.ts"
import { statesIn } from "../declaration/states.ts"
import { claims, machinesOf, type PlacedResource, type Report, type Rule, resourcesOf } from "./context.ts"

export const formerNames: Rule = (service, report) => {
  const resources = resourcesOf(service)
  checkAll(
    report,
    resources.map(({ name, resource, place }) => ({
      name,
      was: resource.was,
      place,
      foreign: !isOurs(service),
    })),
    "resource",
  )
  for (const placed of resources) checkAll(report, membersOf(service, placed), "member")
  const machines = machinesOf(service)
  for (const { member, place, of } of machines) {
    // The log has an event under the name of its state.
    const others = machines.flatMap((one) =>
      one.of.name === of.name && one.member !== member ? statesIn(one.member) : [],
    )
    checkAll(
      report,
      statesIn(member).map((name) => ({
        name,
        was: own(member.states, name)?.was,
        place: [...place, "states", name],
        foreign: !isOurs(service),
      })),
      "state",
      new Map([
        ...Object.keys(of.resource.events ?? {}).map((event) => [event, "event of its own"] as const),
        ...others.map((state) => [state, "state of another field"] as const),
      ]),
    )
  }
}

interface Former {
  readonly name: string
  readonly was: FormerNames | undefined
  readonly place: Place
  /** Whether Bifold did not make the table. */
  readonly foreign: boolean
  /** A relation that has no column of its own name. */
  readonly columnless?: boolean
}

const isOurs = ({ managed }: ServiceDeclaration): boolean => managed !== false

function membersOf(service: ServiceDeclaration, { resource, place }: PlacedResource): readonly Former[] {
  const foreign = !isOurs(service)
  const fields = Object.entries(resource.fields).map(
    ([name, { was }]): Former => ({ name, was, place: [...place, "fields", name], foreign }),
  )
  const relations = Object.entries(resource.relations ?? {}).map(([name, it]): Former => {
    const one = it.kind === "one" ? it : undefined
    const columnless = one?.by !== undefined || one?.columns !== undefined
    return { name, was: one?.was, place: [...place, "relations", name], foreign, columnless }
  })
  return [...fields, ...relations]
}

function checkAll(
  report: Report,
  all: readonly Former[],
  kind: "resource" | "member" | "state",
  others: ReadonlyMap<string, string> = new Map(),
): void {
  const names = new Map([...others, ...all.map(({ name }) => [name, kind] as const)])
  const former = claims<string>()
  for (const { name, was, place, foreign, columnless } of all) {
    if (was === undefined) continue
    const at = [...place, "was"]
    if (foreign) {
      report(at, "Bifold does not manage these tables, so it renames nothing in them.", "Leave out `was`.")
      continue
    }
    if (columnless === true) {
      report(at, `The relation "${name}" has no column that follows its name.`, "Leave out `was`.")
      continue
    }
    for (const each of namesOf(was) ?? []) {
      const first = former.claim(each, name)
      const taken = names.get(each)
      if (taken !== undefined) {
        const article = taken.startsWith("e") ? "an" : "a"
        report(
          at,
          `"${name}" cannot have been "${each}", which is ${article} ${taken} now.`,
          each === name
            ? "Leave it out: `was` has its other names, also where it was renamed back."
            : "Rename in two steps.",
        )
      } else if (first !== undefined)
        report(at, `"${name}" and "${first}" cannot both have been "${each}".`, "Leave out one of the two.")
    }
  }
}

// A client that changes a versioned record names its version, so its records must have ids and be writable.
export const versions: Rule = (service, report) => {
  for (const { name, resource, place } of resourcesOf(service)) {
    if (resource.versioned === undefined) continue
    const why =
      resource.readonly === true ? "is read-only" : resource.key === false ? "has no key" : undefined
    if (why !== undefined)
      report([...place, "versioned"], `"${name}" ${why}, so its records never change and have no version.`)
  }
}
