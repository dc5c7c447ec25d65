// Random requests that write: by each door, steps with all that is nested in them, in batches and in documents, and PUT to what
// is there, seen or not. Equal chance gives equal requests.
import type { Resource } from "../../src/model/model.ts"
import { pascalCase } from "../../src/model/names.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"
import type { Entry, Store, Who } from "../support/naive-access.ts"
import type { TextResponse } from "../support/text-face.ts"
import type { Change } from "./changes.ts"
import type { Doors } from "./doors.ts"
import { draw } from "./small-service.ts"
import { at, drawStep, keyFields, keysOfStep } from "./step-doors.ts"
import { drawResource, type StepDrawing, type Taken } from "./step-nodes.ts"
import { changesSince, older, storeAt } from "./versioned.ts"
import type { Door } from "./write-doors.ts"
import { attemptsAt, drawRow, keyOf, memberValue, neededOf, referencesOf } from "./writes.ts"

export interface RandomWrite {
  readonly what: string
  /** The kind of request that it is. */
  readonly form: string
  /** Its changes are judged for them, where code is lent what its caller is not. */
  readonly who?: Who
  /** It is asked of an older version. */
  readonly older?: true
  /** A unique value of one of the worlds that it gives to a new record. */
  readonly takes?: readonly Taken[]
  /** What it comes to in a world of these records. */
  changes(store: Store): readonly Change[]
  /** The same with the references that hooks set, as if its caller gave them. */
  refers?(store: Store): readonly Change[]
  /** @param everybody where versions are looked up: their own doors, since a version tells of values that they may not see */
  ask(doors: Doors, everybody: Doors): Promise<TextResponse>
}

/** The keys of the records that one request makes: those after the number of its place. */
export const keysOfOne = keysOfStep

const forms = ["one door", "replaced", "keyed", "step", "taken", "an older version"] as const

type Form = (typeof forms)[number]

/** Draws writes of its forms; the more often a form is in the list, the more often it is drawn. */
export interface Writes<Of extends string = string, In extends StepDrawing = StepDrawing> {
  readonly forms: readonly Of[]
  draw(drawing: In, form: Of): RandomWrite
}

const often: Readonly<Record<Form, number>> = {
  "one door": 3,
  replaced: 2,
  keyed: 2,
  step: 9,
  taken: 2,
  "an older version": 4,
}

export const plainWrites: Writes<Form> = {
  forms: forms.flatMap((form) => Array<Form>(often[form]).fill(form)),
  draw: drawForm,
}

function drawForm(drawing: StepDrawing, form: Form): RandomWrite {
  switch (form) {
    case "one door":
      return byDoor(drawing)
    case "replaced":
      return replaced(drawing)
    case "keyed":
      return keyed(drawing)
    case "step": {
      const door = drawStep(drawing)
      return throughDoor(door, { what: door.name, form })
    }
    case "taken": {
      const given: Taken[] = []
      const { values = () => [] } = drawing.taken ?? {}
      const shapes = ["made", "made", "made", "severalMade", "changed", "changed"] as const
      const door = drawStep({ ...drawing, taken: { values, given }, shapes })
      return { ...throughDoor(door, { what: door.name, form }), takes: given }
    }
    case "an older version":
      return byOlder(drawing)
  }
}

/** Any of the others, with the names of an older version. */
function byOlder(drawing: StepDrawing): RandomWrite {
  const { service, own, store, random } = drawing
  const whole = modelAt(service.whole, older)
  const then: StepDrawing = {
    ...drawing,
    service: { ...service, whole },
    own: modelAt(own, older),
    store: storeAt(whole, store),
  }
  const write = drawForm(then, random.pick(["one door", "replaced", "keyed", "step"]))
  return {
    ...write,
    form: `an older version: ${write.form}`,
    older: true,
    changes: (records) => changesSince(whole, write.changes(storeAt(whole, records))),
  }
}

function byDoor(drawing: StepDrawing): RandomWrite {
  const attempt = draw(drawing.random, attemptsAt(drawing.service.whole))
  const door = draw(drawing.random, attempt.doors(drawing))
  const what = `${attempt.action} ${attempt.resource}.${attempt.member} by ${door.name}`
  return throughDoor(door, { what, form: "one door" })
}

export function throughDoor(door: Door, named: Pick<RandomWrite, "what" | "form">): RandomWrite {
  return {
    ...named,
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

/** PUT to a record's address, with references that it may have. */
function replaced(drawing: StepDrawing): RandomWrite {
  const resource = drawResource(drawing, drawing.random.oneIn(2) ? "update" : "create")
  const row = drawRow(drawing, resource.name)
  const keys = keyFields(resource).map(({ name }) => [name, row[name]])
  const given = {
    ...neededOf(drawing.service.whole, resource, drawing),
    ...referring(drawing, resource, row),
    ...Object.fromEntries(keys),
  }
  return {
    ...put(at(resource, String(row["id"])), given),
    form: "PUT by id",
    changes: () => [{ kind: "put", resource: resource.name, id: String(row["id"]), given }],
  }
}

/**
 * PUT or an upsert by a unique key, of a record that is there or not.
 * @param extra what is given besides
 */
export function keyed(drawing: StepDrawing, extra: (resource: Resource) => Entry = () => ({})): RandomWrite {
  const { random, service, own } = drawing
  const known = [...service.whole.resources.values()].filter((one) => uniqueOf(one) !== undefined)
  const theirs = known.filter(({ name }) => own.resources.get(name)?.access?.update)
  const resource = draw(random, theirs.length > 0 && !random.oneIn(8) ? theirs : known)
  const unique = uniqueOf(resource) ?? ""
  const row = drawRow(drawing, resource.name)
  const given: Entry = {
    ...neededOf(service.whole, resource, drawing),
    ...referring(drawing, resource, row),
    ...extra(resource),
    ...(!random.oneIn(3) && { [unique]: row[unique] }),
  }
  const { [unique]: value, ...input } = given
  const path = `/${resource.path}/${unique}=${encodeURIComponent(String(value))}`
  const isPut = random.oneIn(2)
  const id = `${resource.prefix}_${keyOf(resource, given, drawing)}`
  return {
    ...(isPut
      ? { ...put(path, input), form: "PUT by unique key" }
      : upserted(resource, { unique, value, input })),
    changes: () => [
      { kind: "upsert", resource: resource.name, id, unique, given, ...(isPut && { clears: true }) },
    ],
  }
}

const uniqueOf = ({ uniques }: Resource): string | undefined =>
  uniques.flatMap(({ members: [one, ...more] }) =>
    one?.kind === "field" && more.length === 0 ? [one.field] : [],
  )[0]

const put = (path: string, body: Entry): Pick<RandomWrite, "what" | "ask"> => ({
  what: `PUT ${path} ${JSON.stringify(body)}`,
  ask: (doors) => doors.rest({ method: "PUT", path, body }),
})

function upserted(
  resource: Resource,
  { unique, value, input }: { readonly unique: string; readonly value: unknown; readonly input: Entry },
): Omit<RandomWrite, "changes"> {
  const name = `upsert${resource.type}By${pascalCase(unique)}`
  const given = `${unique}: ${JSON.stringify(value)}, input: $input`
  const head = `$input: ${resource.type}UpsertBy${pascalCase(unique)}Input!`
  const text = `mutation (${head}) { ${name}(${given}) { ${resource.name} { id } } }`
  return {
    what: `${text} ${JSON.stringify(input)}`,
    form: "upsert mutation",
    ask: (doors) => doors.graphql(text, { input }),
  }
}

/** Some references, mostly as the record has them. Records do not have the one to the first of several. */
function referring(drawing: StepDrawing, resource: Resource, row: Entry): Entry {
  const { random, service } = drawing
  const some = referencesOf(resource).filter(({ optional }) => !optional || random.oneIn(2))
  const given = some.map(
    ({ reference }) =>
      [
        reference,
        random.oneIn(3) ? memberValue(service.whole, resource, reference, drawing) : row[reference],
      ] as const,
  )
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}
