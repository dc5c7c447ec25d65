// Random requests that write: by each door, steps with all that is nested in them, in batches and in documents, and PUT to what
// is there, seen or not. Equal chance gives equal requests.
import type { Resource } from "../../src/model/model.ts"
import type { Entry, Store } from "../support/naive-access.ts"
import type { TextResponse } from "../support/text-face.ts"
import type { Doors } from "./doors.ts"
import type { Change } from "./naive-writes.ts"
import { draw } from "./small-service.ts"
import { at, drawResource, drawStep, keysOfStep, type StepDrawing } from "./step-doors.ts"
import type { Door } from "./write-doors.ts"
import { attemptsAt, drawRow, keyOf, memberValue, neededOf, referencesOf } from "./writes.ts"

export interface RandomWrite {
  readonly what: string
  /** What it comes to in a world of these records. */
  changes(store: Store): readonly Change[]
  /** @param everybody where versions are looked up: their own doors, since a version tells of values that they may not see */
  ask(doors: Doors, everybody: Doors): Promise<TextResponse>
}

/** The keys of the records that one request makes: those after the number of its place. */
export const keysOfOne = keysOfStep

export function drawWrite(drawing: StepDrawing): RandomWrite {
  const kind = drawing.random.between(0, 15)
  if (kind <= 2) return byDoor(drawing)
  if (kind <= 5) return replaced(drawing)
  const door = drawStep(drawing)
  return throughDoor(door, door.name)
}

function byDoor(drawing: StepDrawing): RandomWrite {
  const attempt = draw(drawing.random, attemptsAt(drawing.service.whole))
  const door = draw(drawing.random, attempt.doors(drawing))
  return throughDoor(door, `${attempt.action} ${attempt.resource}.${attempt.member} by ${door.name}`)
}

function throughDoor(door: Door, what: string): RandomWrite {
  return {
    what,
    changes: () => door.changes,
    async ask(doors, everybody) {
      let last: TextResponse | undefined
      const heard = async (answer: Promise<TextResponse>): Promise<TextResponse> => {
        last = await answer
        return last
      }
      await door.ask(
        {
          ...doors,
          graphql: (...asked) => heard(doors.graphql(...asked)),
          rest: (asked) => heard(doors.rest(asked)),
        },
        everybody,
      )
      if (!last) throw new Error("a door asks")
      return last
    },
  }
}

/** PUT to an id or to a unique key, of what is there or not, with references that the record there may have. */
function replaced(drawing: StepDrawing): RandomWrite {
  const { random, service } = drawing
  const resource = drawResource(drawing, random.oneIn(2) ? "update" : "create")
  const row = drawRow(drawing, resource.name)
  const [unique] = resource.uniques.flatMap(({ members: [one, ...more] }) =>
    one?.kind === "field" && more.length === 0 ? [one.field] : [],
  )
  const byKey = unique !== undefined && random.oneIn(2)
  const kept = byKey && !random.oneIn(3) ? { [unique]: row[unique] } : {}
  const given = {
    ...neededOf(service.whole, resource, drawing),
    ...referring(drawing, resource, row),
    ...kept,
  }
  const { [unique ?? ""]: value, ...others } = given as Entry
  const path = byKey
    ? `/${resource.path}/${unique}=${encodeURIComponent(String(value))}`
    : at(resource, String(row["id"]))
  const body = byKey ? others : given
  return {
    what: `PUT ${path} ${JSON.stringify(body)}`,
    changes(store) {
      const there = store.records[resource.name]?.find((one) =>
        byKey ? one[unique] === value : one["id"] === row["id"],
      )
      const id = String(there?.["id"] ?? `${resource.prefix}_${keyOf(resource, given, drawing)}`)
      return [{ kind: there ? "update" : "create", resource: resource.name, id, given }]
    },
    ask: (doors) => doors.rest({ method: "PUT", path, body }),
  }
}

/** Some references, mostly as the record has them. */
function referring(drawing: StepDrawing, resource: Resource, row: Entry): Entry {
  const { random, service } = drawing
  const some = referencesOf(resource).filter(({ optional }) => !optional || random.oneIn(2))
  return Object.fromEntries(
    some.map(({ reference }) => [
      reference,
      random.oneIn(3) ? memberValue(service.whole, resource, reference, drawing) : row[reference],
    ]),
  )
}
