// Transitions, actions, deletions and increments of every version.
import {
  type Answer,
  type Asking,
  type Door,
  drawInput,
  keyed,
  type Left,
  leftOf,
  type Move,
  namesOf,
  patchTo,
  pickOne,
  plural,
  type Stored,
  selection,
  typeOf,
} from "./asking.ts"
import { type Item, isPlain, type Member, shown, takes, written } from "./naive.ts"
import type { Evolved, Names } from "./services.ts"

/** States of before each transition, and the one after it, in the newest version. */
function movesOf({ held, names }: Evolved): Readonly<Record<Move["name"], readonly [string[], string]>> {
  const { open } = names.at(-1) as Names
  return {
    ship: [held?.ship ? [open, "held"] : [open], "sent"],
    back: [["sent"], open],
    hold: [held?.hold ? [open, "sent"] : [open], "held"],
    drop: [["held"], open],
  }
}

export function transition(face: "rest" | "graphql"): Door {
  return async (asking) => {
    const record = pickOne(asking, "item")
    if (!record) return undefined
    const { evolved, at, random } = asking
    const names = namesOf(asking)
    const moves = movesOf(evolved)
    const isHeld = evolved.held !== undefined && at >= evolved.held.since
    const known = isHeld ? (["ship", "back", "hold", "drop"] as const) : (["ship", "back"] as const)
    const fits = known.filter((one) => moves[one][0].includes(record.state))
    const key = random.pick(fits.length > 0 && !random.oneIn(8) ? (fits as [Move["name"]]) : known)
    const name = key === "ship" ? names.ship : key
    const stamp = random.pick(["Ada", "Jo Li", ""])
    const isSet = key === "ship" && evolved.stamped !== undefined
    const input = isSet ? { [names.stamp]: stamp } : undefined
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
    const state = moves[key][1]
    const move: Move = { name: key, from: record.state, to: state, ...(isSet && { stamp }) }
    const left: Left = { ...leftOf("item", record.code, record.sku, set, record.item), state, move }
    return {
      answer,
      input: { [name]: input },
      inputs: [],
      left: moves[key][0].includes(record.state) ? [left] : undefined,
    }
  }
}

const goneOf = ({ resource, code, sku, item }: Stored): Left => ({
  ...leftOf(resource, code, sku, {}, item),
  isGone: true,
})

export function remove(
  resource: "item" | "slot",
  ask: (asking: Asking, record: Stored) => Promise<Answer>,
): Door {
  return async (asking) => {
    const record = pickOne(asking, resource)
    if (!record) return undefined
    const answer = await ask(asking, record)
    return {
      answer: { ...answer, body: undefined },
      input: record.code,
      inputs: [],
      left: [goneOf(record)],
    }
  }
}

/** A record that is made, and deleted at once. */
export const batchRemove: Door = async (asking) => {
  const { input, written: now } = drawInput(asking, ["create"])
  const [code, sku] = [asking.fresh(), asking.fresh()]
  const path = `/${plural(namesOf(asking))}`
  const requests = [
    { id: "a", method: "POST", path, body: keyed(asking, input, code, sku) },
    { method: "DELETE", path: `${path}/$a.id` },
  ]
  const answer = await asking.rest("POST", "/batch", { requests })
  return { answer: { ...answer, body: undefined }, input: requests, inputs: [input], left: now && [] }
}

/** Numbers that have been renamed only are added to. */
export function increment(face: "rest" | "graphql"): Door {
  return async (asking) => {
    const record = pickOne(asking, "item")
    const { evolved, at, random } = asking
    const { versions } = evolved
    const numbers = (versions[at]?.members ?? []).filter(
      ({ kind, name }) =>
        (kind === "integer" || kind === "decimal") &&
        (random.oneIn(20) || (takes(versions, at, name) === "values" && isPlain(versions, at, name))),
    )
    if (!record || numbers.length === 0) return undefined
    const before = shown(versions, at, record.item)
    const { name, kind } = random.pick(numbers as [Member])
    const by = kind === "integer" ? random.between(-99, 99) : (random.between(-99, 99) / 100).toFixed(2)
    const old = before[name] ?? null
    const sum =
      kind === "integer"
        ? Number(old) + Number(by)
        : (Math.round((Number(old) + Number(by)) * 100) / 100).toFixed(2)
    const isTaken = takes(versions, at, name) === "values" && isPlain(versions, at, name) && old !== null
    const input = { increment: { [name]: by } }
    const { item } = namesOf(asking)
    const type = typeOf(item)
    const answer =
      face === "rest"
        ? await patchTo(asking, record, input, "application/json")
        : await asking.graphql(
            `mutation ($id: ID!, $input: ${type}UpdateInput!) { update${type}(id: $id, input: $input) { ${item} { ${selection(asking)} } } }`,
            { id: record.id, input },
          )
    const now = isTaken
      ? written(versions, at, { [name]: sum === "-0.00" ? "0.00" : sum }, "update")
      : undefined
    return {
      answer,
      input,
      inputs: [{ [name]: sum }],
      left: now && [leftOf("item", record.code, record.sku, now, record.item)],
    }
  }
}

export function action(face: "rest" | "graphql"): Door {
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
