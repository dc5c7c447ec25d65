// Own code that refers to the records that its caller names: hooks that set a reference, and operations that look at a record,
// make one or change one, as their caller and with a lent role.
import type { HookDeclaration, ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import type { Resource } from "../../src/model/model.ts"
import { type Entry, interpret, type Store, type Who } from "../support/naive-access.ts"
import { lent } from "../support/naive-actions.ts"
import type { Change, Hooked } from "./changes.ts"
import { type Guarded, guarded, resourceOf } from "./guarded.ts"
import { keyed, type RandomWrite, throughDoor, type Writes } from "./random-writes.ts"
import { draw } from "./small-service.ts"
import type { StepDrawing } from "./step-nodes.ts"
import { createAt, drawRow, keyOf, memberValue, neededOf, referencesOf, updateAt } from "./writes.ts"

export interface Referring extends Guarded {
  readonly hooked: Hooked
  /** What hooks and some operations are lent. */
  readonly loan: { readonly roles: readonly string[] }
}

/** The members that a value of the field `aim` names: `teamId=team_red`. */
const aimed = (aim: unknown): Entry => {
  const [, member, id] = /^(\w+Id)=(.*)$/.exec(String(aim)) ?? []
  return member === undefined ? {} : { [member]: id }
}

interface Call {
  readonly db: Readonly<Record<string, Handle>>
  readonly input: Readonly<Record<string, unknown>>
}

interface Handle {
  get(id: string): Promise<unknown>
  create(input: object): Promise<unknown>
  update(id: string, input: object): Promise<unknown>
}

/** @param lends hooks have a role of their own */
export function withReferringCode(service: Guarded, lends: boolean): Referring {
  const { declaration, people, stored } = service
  const loan = { roles: leastSeeing(service) }
  const names = [...service.whole.resources.values()]
    .filter((one) => aims(one).length > 0)
    .map(({ name }) => name)
  const set = ({ input }: { readonly input: Entry }) => aimed(input["aim"])
  const hook = (lends ? { as: loan, run: set } : set) as HookDeclaration
  const input = { of: { scalar: "text" }, record: { scalar: "text", optional: true } } as const
  const look = {
    allow: { anyone: true },
    input,
    output: { found: { scalar: "boolean" } },
    run: async ({ db, input: { of, record } }: Call) => ({
      found: ((await db[String(of)]?.get(String(record))) ?? null) !== null,
    }),
  } as const
  const write = {
    allow: { anyone: true },
    input: { ...input, given: { scalar: "json" } },
    async run({ db, input: { of, record, given } }: Call) {
      const records = db[String(of)]
      if (typeof record === "string") await records?.update(record, given as object)
      else await records?.create(given as object)
    },
  } as const
  const operations = { look, write, lentLook: { ...look, as: loan }, lentWrite: { ...write, as: loan } }
  const resources = Object.entries(declaration.resources).map(([name, { fields, ...resource }]) => {
    const aim = { scalar: "text", optional: true } as const
    return [name, { ...resource, fields: names.includes(name) ? { ...fields, aim } : fields }]
  })
  const own = guarded(`${service.name} with ${lends ? "lent " : ""}hooks that refer`, {
    declaration: {
      ...declaration,
      resources: Object.fromEntries(resources),
      code: {
        before: Object.fromEntries(names.map((name) => [name, { create: hook, update: hook }])),
        operations,
      },
    } as ServiceDeclaration,
    people,
    records: {
      ...stored,
      records: new Map(
        [...stored.records].map(([name, rows]) => [
          name,
          names.includes(name) ? rows.map((row) => ({ ...row, aim: null })) : rows,
        ]),
      ),
    },
  })
  const hooked: Hooked = ({ hook: on, input: given = {} }) =>
    on === "delete"
      ? undefined
      : { asks: [], declines: false, sets: aimed(given["aim"]), ...(lends && { as: loan }) }
  return { ...own, hooked, loan }
}

/** The role of those who see the fewest records: what it sees differs in no pair of worlds. */
function leastSeeing({ declaration: { roles = [] }, declared, store }: Guarded): readonly string[] {
  const seenBy = (role: string): number => {
    const rules = interpret(declared, store, { signedIn: true, roles: [role], scopes: [] })
    return Object.entries(store.records)
      .map(([name, rows]) => rows.filter((row) => rules.sees(name, row)).length)
      .reduce((sum, count) => sum + count, 0)
  }
  return [...roles].sort((one, other) => seenBy(one) - seenBy(other)).slice(0, 1)
}

/** References that may be changed. */
const aims = (resource: Resource) =>
  referencesOf(resource).filter(
    ({ columns }) => !resource.key?.parts.some(({ column }) => columns.includes(column)),
  )

const forms = ["by key", "created", "updated", "look", "make", "change"] as const

type Form = (typeof forms)[number]

/** Writes whose hooks set a reference to some record, and calls that name one. */
export const referringWrites = (service: Referring, who: Who): Writes<Form> => ({
  forms: [...forms, "updated", "change"],
  draw(drawing, form) {
    const write = drawReferring({ ...drawing, service }, { form, who })
    return { ...write, refers: (store) => write.changes(store).map(asGiven) }
  },
})

/** As if the references that a hook sets were given. */
const asGiven = (change: Change): Change =>
  "given" in change ? { ...change, given: { ...change.given, ...aimed(change.given["aim"]) } } : change

function drawReferring(
  drawing: StepDrawing & { readonly service: Referring },
  { form, who }: { readonly form: Form; readonly who: Who },
): RandomWrite {
  const { service, random, own } = drawing
  const { whole, loan } = service
  const some = [...whole.resources.values()].filter((one) => aims(one).length > 0)
  const theirs = some.filter(({ name }) => own.resources.get(name)?.access?.update)
  const { name } = draw(random, theirs.length > 0 && !random.oneIn(6) ? theirs : some)
  const resource = resourceOf(whole, name)
  const aim = (of: Resource): Entry => {
    const to = aims(of)
    if (to.length === 0) return {}
    const { reference, target } = draw(random, to)
    return { aim: `${reference}=${drawRow(drawing, target)["id"]}` }
  }
  if (form === "by key") return { ...keyed(drawing, aim), form: "a hook by a unique key" }
  if (form === "created" || form === "updated") {
    const given = aim(resource)
    const doors =
      form === "created"
        ? createAt(whole, resource, drawing, given)
        : updateAt(whole, resource, { ...drawing, store: changeable(drawing, name, who) }, given)
    const door = draw(random, doors)
    const what = `${name} ${door.name} ${JSON.stringify(door.changes)}`
    return throughDoor(door, { what, form: `a hook of ${form === "created" ? "create" : "update"}` })
  }
  const { reference, target } = draw(random, aims(resource))
  const id = String(drawRow(drawing, target)["id"])
  const isLent = random.oneIn(3)
  const as: { readonly who?: Who } = isLent ? { who: lent(who, { name: "", as: loan }) } : {}
  if (form === "look") {
    const input = { of: target, record: id }
    return { ...called(isLent ? "lentLook" : "look", input, random.oneIn(2)), ...as, changes: () => [] }
  }
  const isNew = form === "make"
  const row = drawRow({ ...drawing, store: changeable(drawing, name, as.who ?? who) }, name)
  const given = { ...(isNew && neededOf(whole, resource, drawing)), [reference]: id }
  if (!isNew && random.oneIn(3))
    Object.assign(given, { [reference]: memberValue(whole, resource, reference, drawing) })
  const of = isNew ? `${resource.prefix}_${keyOf(resource, given, drawing)}` : String(row["id"])
  const change: Change = { kind: isNew ? "create" : "update", resource: name, id: of, given }
  const input = { of: name, ...(!isNew && { record: of }), given }
  return { ...called(isLent ? "lentWrite" : "write", input, random.oneIn(2)), ...as, changes: () => [change] }
}

/** Without the records of a resource that they may not change, if they may change any. */
function changeable({ service, store }: StepDrawing, name: string, who: Who): Store {
  const rules = interpret(service.declared, store, who)
  const theirs = store.records[name]?.filter((row) => rules.may("update", name, row)) ?? []
  return theirs.length > 0 ? { ...store, records: { ...store.records, [name]: theirs } } : store
}

function called(name: string, input: Entry, byRest: boolean): Pick<RandomWrite, "what" | "form" | "ask"> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`
  const shown = name.endsWith("ook") ? "found" : "done"
  const path = `/actions/${name === "lentLook" ? "lent-look" : name === "lentWrite" ? "lent-write" : name}`
  return {
    what: `${byRest ? path : name} ${JSON.stringify(input)}`,
    form: `the operation ${name}`,
    ask: (doors) =>
      byRest
        ? doors.rest({ method: "POST", path, body: input })
        : doors.graphql(`mutation ($input: ${type}) { ${name}(input: $input) { ${shown} } }`, { input }),
  }
}
