// Every way in which somebody can try to write: each action on each member of each resource, by each door, on records
// that they may or may not see.

import type { Random } from "../../examples/storefront/random.ts"
import { present } from "../../src/base/invariant.ts"
import type { Field, Model, Resource } from "../../src/model/model.ts"
import { scalars } from "../../src/model/scalars.ts"
import type { Entry, Store } from "../support/naive-access.ts"
import { createDoors, type Door, deleteDoors, linkDoors, type Under, updateDoors } from "./write-doors.ts"

export interface Attempt {
  readonly action: "create" | "update" | "delete" | "link" | `fire ${string}`
  readonly resource: string
  /** A field or a reference that is given, or a relation that is linked. */
  readonly member: string
  /** Its doors for some record: equal attempts have equally many. */
  doors(place: Place): readonly Door[]
}

export interface Place {
  readonly store: Store
  readonly random: Random
  /** Of this attempt; new records are numbered with it. */
  readonly number: number
}

/** The key, without its prefix, of the new record of an attempt. */
export const newKey = (number: number): string => String(number).padStart(26, "0")

/** By every door, a new record with what is needed, and `extra`. */
export function createAt(whole: Model, resource: Resource, place: Place, extra: Entry): readonly Door[] {
  const given = { ...neededOf(whole, resource, place), ...extra }
  const id = `${resource.prefix}_${keyOf(resource, given, place)}`
  const under = parentsOf(whole, resource).flatMap((one) => underOf(one, given))
  return createDoors(resource, { id, given, under })
}

/** By every door, a change of some record. */
export function updateAt(whole: Model, resource: Resource, place: Place, given: Entry): readonly Door[] {
  const row = drawRow(place, resource.name)
  return updateDoors(resource, {
    id: String(row["id"]),
    given,
    under: parentsOf(whole, resource).flatMap((one) => underOf(one, row, place)),
  })
}

export function attemptsAt(whole: Model): readonly Attempt[] {
  return [...whole.resources.values()].flatMap((resource): readonly Attempt[] => {
    const { name } = resource
    const members = [...resource.fields.keys(), ...referencesOf(resource).map(({ reference }) => reference)]
    const value = (member: string, place: Place): Entry => ({
      [member]: memberValue(whole, resource, member, place),
    })
    return [
      ...members.flatMap((member): readonly Attempt[] => [
        {
          action: "create",
          resource: name,
          member,
          doors: (place) => createAt(whole, resource, place, value(member, place)),
        },
        {
          action: "update",
          resource: name,
          member,
          doors: (place) => updateAt(whole, resource, place, value(member, place)),
        },
      ]),
      {
        action: "delete",
        resource: name,
        member: "id",
        doors(place) {
          const row = drawRow(place, name)
          const under = parentsOf(whole, resource).flatMap((one) => underOf(one, row, place))
          return deleteDoors(resource, { id: String(row["id"]), under })
        },
      },
      ...[...resource.relations.values()]
        .filter((one) => one.kind === "many" && one.through !== undefined)
        .map(
          (relation): Attempt => ({
            action: "link",
            resource: name,
            member: relation.name,
            doors: (place) =>
              linkDoors(resource, {
                id: String(drawRow(place, name)["id"]),
                relation: relation.name,
                other: String(drawRow(place, relation.target)["id"]),
              }),
          }),
        ),
    ]
  })
}

export function drawRow({ store, random }: Place, name: string): Entry {
  const rows = store.records[name] ?? []
  return present(rows[random.between(0, rows.length - 1)], `there is a ${name}`)
}

interface Reference {
  readonly relation: string
  readonly reference: string
  readonly target: string
  readonly optional: boolean
  readonly columns: readonly string[]
}

export const referencesOf = (resource: Resource): readonly Reference[] =>
  [...resource.relations.values()].flatMap((one) =>
    one.kind === "one" && one.reference
      ? [
          {
            relation: one.name,
            reference: one.reference,
            target: one.target,
            optional: one.optional,
            columns: one.join.map(({ from }) => from),
          },
        ]
      : [],
  )

interface Parent {
  readonly parent: Resource
  readonly relation: string
  readonly back: string
}

/** Resources with a to-many relation by a reference of this one. */
function parentsOf(whole: Model, resource: Resource): readonly Parent[] {
  return [...whole.resources.values()].flatMap((parent) =>
    [...parent.relations.values()].flatMap((relation): readonly Parent[] => {
      if (relation.kind !== "many" || relation.through || relation.target !== resource.name) return []
      const columns = relation.join.map(({ to }) => to).join()
      const back = referencesOf(resource).find((one) => one.columns.join() === columns)
      return back ? [{ parent, relation: relation.name, back: back.reference }] : []
    }),
  )
}

/** The parent of the record; now and then, when there is a place to draw from, another one. */
function underOf({ parent, relation, back }: Parent, row: Entry, place?: Place): readonly Under[] {
  const own = row[back] ?? null
  const other = place && (own === null || place.random.oneIn(6)) ? drawRow(place, parent.name)["id"] : own
  // Equal attempts have equally many doors: under nothing, an id that nobody has.
  return [{ parent, relation, back, parentId: String(other ?? `${parent.prefix}_${newKey(1)}`) }]
}

/** What a new record cannot be without. */
export function neededOf(whole: Model, resource: Resource, place: Place): Entry {
  const fields = [...resource.fields.values()].filter(
    ({ optional, default: filled, readonly }) => !optional && filled === undefined && !readonly,
  )
  const references = referencesOf(resource).filter(({ optional }) => !optional)
  const names = [...fields.map(({ name }) => name), ...references.map(({ reference }) => reference)]
  return Object.fromEntries(names.map((name) => [name, memberValue(whole, resource, name, place)]))
}

export function keyOf(resource: Resource, given: Entry, { number }: Place): string {
  if (resource.key?.origin !== "natural") return newKey(number)
  return resource.key.parts
    .map(({ column }) => {
      const field = [...resource.fields.values()].find((one) => one.column === column)
      const reference =
        referencesOf(resource).find(({ columns }) => columns.includes(column))?.reference ?? ""
      const value = String(given[field?.name ?? reference])
      return field ? value : value.slice(value.indexOf("_") + 1)
    })
    .join("~")
}

export function memberValue(whole: Model, resource: Resource, member: string, place: Place): unknown {
  const reference = referencesOf(resource).find((one) => one.reference === member)
  const field = resource.fields.get(member)
  if (!reference) return fieldValue(whole, present(field, `a member ${member}`), place)
  return reference.optional && place.random.oneIn(4) ? null : drawRow(place, reference.target)["id"]
}

function fieldValue(whole: Model, field: Field, { random, number }: Place): unknown {
  const isUnique = field.unique || field.immutable
  const one = (): unknown => {
    switch (field.scalar) {
      case "text":
        return field.constraints.pattern
          ? "DE"
          : isUnique
            ? `n${number}`
            : random.pick(["soon", "later", "a, b"])
      case "slug":
        return isUnique ? `s${number}` : "slug"
      case "email":
        return `n${number}@example.org`
      case "integer":
        return isUnique ? 1_000 + number : random.between(1, 5)
      case "int64":
        return String(random.between(1, 9))
      case "decimal":
        return random.pick(["5.00", "10.00", "12.50"])
      case "boolean":
        return random.oneIn(2)
      case "uuid":
        return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`
      case "json":
        return { some: ["thing", number] }
      case "oneOf":
        return random.pick(
          (whole.enums.get(field.enumeration ?? "")?.values ?? [""]) as [string, ...string[]],
        )
      default:
        return scalars[field.scalar].example
    }
  }
  if (field.optional && random.oneIn(4)) return null
  return field.list ? [one()] : one()
}
