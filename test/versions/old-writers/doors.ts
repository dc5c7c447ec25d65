// The forms in which a version writes, each with what the naive interpreter says of it.
import type { Random } from "../../../examples/storefront/random.ts"
import { valueFor } from "./changes.ts"
import { type Item, type Json, type Mode, shown, takes, type Written, written } from "./naive.ts"
import type { Evolved, Names } from "./services.ts"

/** A record as the newest version stores it. */
export interface Stored {
  readonly resource: "item" | "slot"
  readonly code: string
  readonly sku: string
  readonly id: string
  readonly item: Item
  readonly box: string | null
  readonly state: string
}

export interface Answer {
  readonly done: boolean
  readonly text: string
  /** The written record, or records. */
  readonly body: unknown
}

export interface Asking {
  readonly evolved: Evolved
  readonly at: number
  readonly random: Random
  readonly records: readonly Stored[]
  readonly fresh: () => string
  rest(
    method: string,
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  graphql(query: string, variables: Readonly<Record<string, unknown>>): Promise<Answer>
}

/** A record that a write leaves, with what it was just before. */
export interface Left {
  readonly resource: "item" | "slot"
  readonly code: string
  readonly sku: string
  readonly old?: Item
  readonly now: Item
  readonly box?: string | null
  readonly state?: string
}

export interface Tried {
  readonly answer: Answer
  /** Undefined: it is refused. */
  readonly left: readonly Left[] | undefined
  readonly input: unknown
  /** Members of each input: how each was given. */
  readonly inputs: readonly Item[]
}

export type Door = (asking: Asking) => Promise<Tried | undefined>

export const plural = (of: Names): string => `${of.item}s`
const typeOf = (name: string): string => name[0]?.toUpperCase() + name.slice(1)

const namesOf = ({ evolved, at }: Asking): Names => evolved.names[at] as Names

interface Drawn {
  readonly input: Item
  readonly written: Written
}

/** One in ten is left as it is where it is refused. */
function drawInput(asking: Asking, modes: readonly Mode[]): Drawn {
  const isTried = asking.random.oneIn(10)
  for (let turn = 0; ; turn += 1) {
    const input = drawMembers(asking, { isUpdate: modes.join() === "update", isTried })
    const all = modes.map((mode) => written(asking.evolved.versions, asking.at, input, mode))
    const refused = all.includes(undefined)
    if (!refused || isTried || turn === 30) return { input, written: refused ? undefined : all[0] }
  }
}

interface Drawing {
  readonly isUpdate: boolean
  /** With mistakes. */
  readonly isTried: boolean
}

function drawMembers({ evolved, at, random }: Asking, { isUpdate, isTried }: Drawing): Item {
  const input: Record<string, Json> = {}
  const share = random.between(1, 4)
  for (const member of evolved.versions[at]?.members ?? []) {
    const how = takes(evolved.versions, at, member.name)
    const isWrong = isTried && random.oneIn(4)
    if (how === "nothing" && !isWrong) continue
    const isNeeded = !isUpdate && !member.optional && member.preset === undefined && how === "values"
    if (isNeeded ? isWrong : !random.oneIn(share)) continue
    const isNull = member.optional ? random.oneIn(4) : isWrong
    input[member.name] = isNull ? null : valueFor(random, member)
  }
  return input
}

const keyed = (asking: Asking, input: Item, code: string, sku: string): Record<string, Json> => ({
  [namesOf(asking).code]: code,
  sku: namesOf(asking).keyOf(sku),
  ...input,
})

const leftOf = (resource: "item" | "slot", code: string, sku: string, now: Item, old?: Item): Left => ({
  resource,
  code,
  sku,
  now: old ? { ...old, ...now } : now,
  ...(old && { old }),
})

function pickOne({ random, records }: Asking, resource: "item" | "slot"): Stored | undefined {
  const of = records.filter((one) => one.resource === resource)
  return of[random.between(0, Math.max(0, of.length - 1))]
}

/** Members of the version, as a selection. */
const selection = ({ evolved, at }: Asking): string =>
  (evolved.versions[at]?.members ?? []).map(({ name }) => name).join(" ")

function create(ask: (asking: Asking, inputs: readonly object[]) => Promise<Answer>, count: number): Door {
  return async (asking) => {
    const drawn = Array.from({ length: count }, () => ({
      ...drawInput(asking, ["create"]),
      code: asking.fresh(),
      sku: asking.fresh(),
    }))
    const inputs = drawn.map(({ input, code, sku }) => keyed(asking, input, code, sku))
    const answer = await ask(asking, inputs)
    const left = drawn.map(({ written: now, code, sku }) => now && leftOf("item", code, sku, now))
    return {
      answer,
      input: inputs,
      inputs: drawn.map(({ input }) => input),
      left: left.includes(undefined) ? undefined : left.flatMap((one) => one ?? []),
    }
  }
}

function update(ask: (asking: Asking, record: Stored, input: Item) => Promise<Answer>): Door {
  return async (asking) => {
    const record = pickOne(asking, "item")
    if (!record) return undefined
    const { input, written: now } = drawInput(asking, ["update"])
    return {
      answer: await ask(asking, record, input),
      input,
      inputs: [input],
      left: now && [leftOf("item", record.code, record.sku, now, record.item)],
    }
  }
}

const patchTo = (asking: Asking, { id }: Stored, body: unknown, type: string): Promise<Answer> =>
  asking.rest("PATCH", `/${plural(namesOf(asking))}/${id}`, body, { "content-type": type })

/** Operations for members that become something else; the others are given by no operation. */
const jsonPatch: Door = async (asking) => {
  const record = pickOne(asking, "item")
  if (!record) return undefined
  const { input } = drawInput(asking, ["update"])
  const { evolved, at } = asking
  const before = shown(evolved.versions, at, record.item)
  const operations = Object.entries(input).map(([name, value]) => ({
    op: "replace",
    path: `/${name}`,
    value,
  }))
  const changed = Object.fromEntries(Object.entries(input).filter(([name, value]) => before[name] !== value))
  const now = written(evolved.versions, at, changed, "update")
  return {
    answer: await patchTo(asking, record, operations, "application/json-patch+json"),
    input: operations,
    inputs: [changed],
    left: now && [leftOf("item", record.code, record.sku, now, record.item)],
  }
}

/** @param by the keys that name the record */
function put(by: "id" | "code" | "sku"): Door {
  return async (asking) => {
    const found = by === "id" || asking.random.oneIn(2) ? pickOne(asking, "item") : undefined
    if (by === "id" && !found) return undefined
    const [code, sku] = [found?.code ?? asking.fresh(), found?.sku ?? asking.fresh()]
    const { input, written: now } = drawInput(asking, [found ? "replace" : "create"])
    const names = namesOf(asking)
    const { [names.code]: _, sku: __, ...rest } = keyed(asking, input, code, sku)
    const then = names.keyOf(sku)
    const body = { ...rest, ...(by !== "code" && { [names.code]: code }), ...(by !== "sku" && { sku: then }) }
    const key = by === "id" ? found?.id : by === "sku" ? `sku=${then}` : `${names.code}=${code}`
    return {
      answer: await asking.rest("PUT", `/${plural(names)}/${key}`, body),
      input: body,
      inputs: [input],
      left: now && [{ ...leftOf("item", code, sku, now, found?.item), box: null }],
    }
  }
}

/** GraphQL's upsert: of a record that is there an update, which names what a new record needs. */
function upsert(by: "code" | "sku"): Door {
  return async (asking) => {
    const found = asking.random.oneIn(2) ? pickOne(asking, "item") : undefined
    const [code, sku] = [found?.code ?? asking.fresh(), found?.sku ?? asking.fresh()]
    const { input, written: now } = drawInput(asking, found ? ["update", "create"] : ["create", "update"])
    const names = namesOf(asking)
    const type = typeOf(names.item)
    const member = by === "sku" ? "sku" : names.code
    const then = names.keyOf(sku)
    const body = { ...input, ...(by === "sku" ? { [names.code]: code } : { sku: then }) }
    const mutation = `upsert${type}By${typeOf(member)}`
    const answer = await asking.graphql(
      `mutation ($key: String!, $input: ${type}UpsertBy${typeOf(member)}Input!) { ${mutation}(${member}: $key, input: $input) { ${names.item} { ${selection(asking)} } } }`,
      { key: by === "sku" ? then : code, input: body },
    )
    return {
      answer,
      input: body,
      inputs: [input],
      left: now && [leftOf("item", code, sku, now, found?.item)],
    }
  }
}

function nestedCreate(face: "rest" | "graphql"): Door {
  return async (asking) => {
    const { input, written: now } = drawInput(asking, ["create"])
    const [code, sku] = [asking.fresh(), asking.fresh()]
    const body = { name: code, items: { create: [keyed(asking, input, code, sku)] } }
    const answer =
      face === "rest"
        ? await asking.rest("POST", "/boxes", body)
        : await asking.graphql(
            `mutation ($input: BoxCreateInput!) { createBox(input: $input) { box { id } } }`,
            {
              input: body,
            },
          )
    const box = answer.done ? (answer.body as { id: string }).id : null
    return { answer, input: body, inputs: [input], left: now && [{ ...leftOf("item", code, sku, now), box }] }
  }
}

function nestedUpdate(face: "rest" | "graphql"): Door {
  return async (asking) => {
    const record = asking.records.findLast(({ resource, box }) => resource === "item" && box !== null)
    if (!record) return undefined
    const { input, written: now } = drawInput(asking, ["update"])
    const body = { items: { update: [{ id: record.id, input }] } }
    const answer =
      face === "rest"
        ? await asking.rest("PATCH", `/boxes/${record.box}`, body)
        : await asking.graphql(
            `mutation ($id: ID!, $input: BoxUpdateInput!) { updateBox(id: $id, input: $input) { box { id } } }`,
            { id: record.box, input: body },
          )
    return {
      answer,
      input: body,
      inputs: [input],
      left: now && [leftOf("item", record.code, record.sku, now, record.item)],
    }
  }
}

/** A new record, and a change of it. */
const batch: Door = async (asking) => {
  const [first, then] = [drawInput(asking, ["create"]), drawInput(asking, ["update"])]
  const [code, sku] = [asking.fresh(), asking.fresh()]
  const path = `/${plural(namesOf(asking))}`
  const requests = [
    { id: "a", method: "POST", path, body: keyed(asking, first.input, code, sku) },
    { method: "PATCH", path: `${path}/$a.id`, body: then.input },
  ]
  const answer = await asking.rest("POST", "/batch", { requests })
  const left = first.written && then.written && leftOf("item", code, sku, then.written, first.written)
  return {
    answer: { ...answer, body: undefined },
    input: requests,
    inputs: [first.input, then.input],
    left: left && [left],
  }
}

function several(face: "rest" | "graphql"): Door {
  return async (asking) => {
    const of = asking.random.shuffle(asking.records.filter(({ resource }) => resource === "item")).slice(0, 2)
    if (of.length === 0) return undefined
    const { input, written: now } = drawInput(asking, ["update"])
    const names = namesOf(asking)
    const filter = { [names.code]: { in: of.map(({ code }) => code) } }
    const type = typeOf(names.item)
    const answer =
      face === "rest"
        ? await asking.rest(
            "PATCH",
            `/${plural(names)}?filter=${encodeURIComponent(JSON.stringify(filter))}`,
            input,
            {
              prefer: "max-affected=10",
            },
          )
        : await asking.graphql(
            `mutation ($where: ${type}Where!, $input: ${type}UpdateInput!) { update${type}s(where: $where, input: $input, maxAffected: 10) { affected } }`,
            { where: filter, input },
          )
    return {
      answer: { ...answer, body: undefined },
      input,
      inputs: [input],
      left: now && of.map(({ code, sku, item }) => leftOf("item", code, sku, now, item)),
    }
  }
}

function transition(face: "rest" | "graphql"): Door {
  return async (asking) => {
    const record = pickOne(asking, "item")
    if (!record) return undefined
    const { evolved, random } = asking
    const [names, newest] = [namesOf(asking), evolved.names.at(-1) as Names]
    const isSent = record.state === "sent"
    const name = isSent ? "back" : names.ship
    const stamp = random.pick(["Ada", "Jo Li", ""])
    const isSet = !isSent && evolved.stamped !== undefined
    const input = isSet ? { stamp } : undefined
    const type = typeOf(names.item)
    const field = `${name}${type}`
    const answer =
      face === "rest"
        ? await asking.rest("POST", `/${plural(names)}/${record.id}/transitions/${name}`, input)
        : await asking.graphql(
            `mutation ($id: ID!${isSet ? `, $input: ${typeOf(name)}${type}Input!` : ""}) { ${field}(id: $id${isSet ? ", input: $input" : ""}) { ${names.item} { ${selection(asking)} } } }`,
            { id: record.id, ...(input && { input }) },
          )
    const set: Item = isSet ? { [evolved.stamped ?? ""]: stamp } : {}
    return {
      answer,
      input,
      inputs: [],
      left: [
        {
          ...leftOf("item", record.code, record.sku, set, record.item),
          state: isSent ? newest.open : "sent",
        },
      ],
    }
  }
}

function action(face: "rest" | "graphql"): Door {
  return async (asking) => {
    const record = pickOne(asking, "item")
    if (!record) return undefined
    const { touch, item } = namesOf(asking)
    const seed = asking.random.between(1, 9_999)
    const answer =
      face === "rest"
        ? await asking.rest("POST", `/${item}s/${record.id}/actions/${touch}`, { seed })
        : await asking.graphql(
            `mutation ($id: ID!) { ${touch}${typeOf(item)}(id: $id, input: { seed: ${seed} }) { ${item} { ${selection(asking)} } } }`,
            { id: record.id },
          )
    const now = asking.evolved.touched(seed)
    return {
      answer: face === "rest" ? { ...answer, body: undefined } : answer,
      input: { seed },
      inputs: [],
      left: [leftOf("item", record.code, record.sku, now, record.item)],
    }
  }
}

/** A record whose key its client gives. */
function slot(form: "create" | "put" | "patch"): Door {
  return async (asking) => {
    const isOld = form === "patch" || (form !== "create" && asking.random.oneIn(2))
    const found = isOld ? pickOne(asking, "slot") : undefined
    if (form === "patch" && !found) return undefined
    const code = found?.code ?? asking.fresh()
    const change = form === "put" ? "replace" : "update"
    const { input, written: now } = drawInput(asking, [found ? change : "create"])
    const answer = await {
      create: () => asking.rest("POST", "/slots", { code: namesOf(asking).keyOf(code), ...input }),
      put: () => asking.rest("PUT", `/slots/${code}`, input),
      patch: () => asking.rest("PATCH", `/slots/${code}`, input),
    }[form]()
    return { answer, input, inputs: [input], left: now && [leftOf("slot", code, "", now, found?.item)] }
  }
}

export const doors: Readonly<Record<string, Door>> = {
  create: create((asking, [input]) => asking.rest("POST", `/${plural(namesOf(asking))}`, input), 1),
  createByGraphql: create((asking, [input]) => {
    const { item } = namesOf(asking)
    const type = typeOf(item)
    return asking.graphql(
      `mutation ($input: ${type}CreateInput!) { create${type}(input: $input) { ${item} { ${selection(asking)} } } }`,
      { input },
    )
  }, 1),
  bulk: create((asking, inputs) => asking.rest("POST", `/${plural(namesOf(asking))}/bulk`, inputs), 2),
  bulkByGraphql: create((asking, input) => {
    const { item } = namesOf(asking)
    const type = typeOf(item)
    return asking.graphql(
      `mutation ($input: [${type}CreateInput!]!) { create${type}s(input: $input) { affected } }`,
      { input },
    )
  }, 2),
  patch: update((asking, record, input) => patchTo(asking, record, input, "application/json")),
  mergePatch: update((asking, record, input) =>
    patchTo(asking, record, input, "application/merge-patch+json"),
  ),
  jsonPatch,
  update: update((asking, { id }, input) => {
    const { item } = namesOf(asking)
    const type = typeOf(item)
    return asking.graphql(
      `mutation ($id: ID!, $input: ${type}UpdateInput!) { update${type}(id: $id, input: $input) { ${item} { ${selection(asking)} } } }`,
      { id, input },
    )
  }),
  putById: put("id"),
  putByCode: put("code"),
  putBySku: put("sku"),
  upsertByCode: upsert("code"),
  upsertBySku: upsert("sku"),
  nestedCreate: nestedCreate("rest"),
  nestedCreateByGraphql: nestedCreate("graphql"),
  nestedUpdate: nestedUpdate("rest"),
  nestedUpdateByGraphql: nestedUpdate("graphql"),
  batch,
  several: several("rest"),
  severalByGraphql: several("graphql"),
  transition: transition("rest"),
  transitionByGraphql: transition("graphql"),
  action: action("rest"),
  actionByGraphql: action("graphql"),
  slotCreate: slot("create"),
  slotPut: slot("put"),
  slotPatch: slot("patch"),
}
