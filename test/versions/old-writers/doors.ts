// The forms in which a version writes, each with what the naive interpreter says of it.
import {
  type Answer,
  type Asking,
  addressed,
  changed,
  type Door,
  drawInput,
  drawLinks,
  keyed,
  type Left,
  leftOf,
  namesOf,
  patchTo,
  pickOne,
  plural,
  type Stored,
  selection,
  typeOf,
} from "./asking.ts"
import { action, batchRemove, increment, remove, transition } from "./commands.ts"
import { shown, written } from "./naive.ts"

function create(ask: (asking: Asking, inputs: readonly object[]) => Promise<Answer>, count: number): Door {
  return async (asking) => {
    const drawn = Array.from({ length: count }, () => ({
      ...drawInput(asking, ["create"]),
      code: asking.fresh(),
      sku: asking.fresh(),
      links: drawLinks(asking, "create", []),
    }))
    const inputs = drawn.map(({ input, code, sku, links }) => ({
      ...keyed(asking, input, code, sku),
      ...links.given,
    }))
    const answer = await ask(asking, inputs)
    const left = drawn.map(
      ({ written: now, code, sku, links }) => now && linked(leftOf("item", code, sku, now), links.labels),
    )
    return {
      answer,
      input: inputs,
      inputs: drawn.map(({ input }) => input),
      left: left.includes(undefined) ? undefined : left.flatMap((one) => one ?? []),
    }
  }
}

/** Undefined where the links are refused. */
const linked = (left: Left, labels: Stored["labels"] | undefined): Left | undefined =>
  labels && { ...left, labels }

const list = (left: Left | undefined): readonly Left[] | undefined => left && [left]

function update(ask: (asking: Asking, record: Stored, input: object) => Promise<Answer>): Door {
  return async (asking) => {
    const record = pickOne(asking, "item")
    if (!record) return undefined
    const { input, written: now } = drawInput(asking, ["update"])
    const { given, labels } = drawLinks(asking, "update", record.labels)
    const body = { ...input, ...given }
    return {
      answer: await ask(asking, record, body),
      input: body,
      inputs: [input],
      left: now && list(linked(changed(asking, record, { input, mode: "update", now }), labels)),
    }
  }
}

/** Operations for members that become something else; the others are given by no operation. */
const jsonPatch: Door = async (asking) => {
  const record = pickOne(asking, "item")
  if (!record) return undefined
  const { input } = drawInput(asking, ["update"])
  const { evolved, at } = asking
  const before = shown(evolved.versions, at, record.item)
  const isOlder = at < evolved.widened
  const { given, labels } = isOlder
    ? drawLinks(asking, "update", record.labels)
    : { given: {}, labels: record.labels }
  const operations = Object.entries({ ...input, ...given }).map(([name, value]) => ({
    op: "replace",
    path: `/${name}`,
    value,
  }))
  const differing = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => before[name] !== value),
  )
  const now = written(evolved.versions, at, differing, "update")
  return {
    answer: await patchTo(asking, record, operations, "application/json-patch+json"),
    input: operations,
    inputs: [differing],
    left: now && list(linked(changed(asking, record, { input: differing, mode: "update", now }), labels)),
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
    const own = by === "sku" ? addressed(asking, sku) : { key: names.keyOf(sku), isRefused: false }
    const { given, labels } = drawLinks(asking, "replace", found?.labels ?? [])
    const body = {
      ...rest,
      ...given,
      ...(by !== "code" && { [names.code]: code }),
      ...(by !== "sku" && { sku: own.key }),
    }
    const key = by === "id" ? found?.id : by === "sku" ? `sku=${own.key}` : `${names.code}=${code}`
    return {
      answer: await asking.rest("PUT", `/${plural(names)}/${key}`, body),
      input: body,
      inputs: [input],
      left:
        now && !own.isRefused
          ? list(
              linked(
                {
                  ...(found
                    ? changed(asking, found, { input, mode: "replace", now })
                    : leftOf("item", code, sku, now)),
                  box: null,
                },
                labels,
              ),
            )
          : undefined,
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
    const own = by === "sku" ? addressed(asking, sku) : { key: names.keyOf(sku), isRefused: false }
    const { given, labels } = drawLinks(asking, "upsert", found?.labels ?? [])
    const body = { ...input, ...given, ...(by === "sku" ? { [names.code]: code } : { sku: own.key }) }
    const mutation = `upsert${type}By${typeOf(member)}`
    const answer = await asking.graphql(
      `mutation ($key: String!, $input: ${type}UpsertBy${typeOf(member)}Input!) { ${mutation}(${member}: $key, input: $input) { ${names.item} { ${selection(asking)} } } }`,
      { key: by === "sku" ? own.key : code, input: body },
    )
    return {
      answer,
      input: body,
      inputs: [input],
      left:
        now && !own.isRefused
          ? list(
              linked(
                found
                  ? changed(asking, found, { input, mode: "update", now })
                  : leftOf("item", code, sku, now),
                labels,
              ),
            )
          : undefined,
    }
  }
}

function nestedCreate(face: "rest" | "graphql"): Door {
  return async (asking) => {
    const { input, written: now } = drawInput(asking, ["create"])
    const [code, sku] = [asking.fresh(), asking.fresh()]
    const { given, labels } = drawLinks(asking, "create", [])
    const body = { name: code, items: { create: [{ ...keyed(asking, input, code, sku), ...given }] } }
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
    const left = now && list(linked({ ...leftOf("item", code, sku, now), box }, labels))
    return { answer, input: body, inputs: [input], left }
  }
}

function nestedUpdate(face: "rest" | "graphql"): Door {
  return async (asking) => {
    const record = asking.records.findLast(({ resource, box }) => resource === "item" && box !== null)
    if (!record) return undefined
    const { input, written: now } = drawInput(asking, ["update"])
    const { given, labels } = drawLinks(asking, "update", record.labels)
    const body = { items: { update: [{ id: record.id, input: { ...input, ...given } }] } }
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
      left: now && list(linked(changed(asking, record, { input, mode: "update", now }), labels)),
    }
  }
}

/** A new record, and a change of it. */
const batch: Door = async (asking) => {
  const [first, then] = [drawInput(asking, ["create"]), drawInput(asking, ["update"])]
  const [code, sku] = [asking.fresh(), asking.fresh()]
  const path = `/${plural(namesOf(asking))}`
  const links = drawLinks(asking, "create", [])
  const others = drawLinks(asking, "update", links.labels ?? [])
  const requests = [
    { id: "a", method: "POST", path, body: { ...keyed(asking, first.input, code, sku), ...links.given } },
    { method: "PATCH", path: `${path}/$a.id`, body: { ...then.input, ...others.given } },
  ]
  const answer = await asking.rest("POST", "/batch", { requests })
  const made = first.written && linked(leftOf("item", code, sku, first.written), links.labels)
  const after =
    made &&
    then.written &&
    linked(
      changed(
        asking,
        { resource: "item", code, sku, item: made.now },
        { input: then.input, mode: "update", now: then.written },
      ),
      others.labels,
    )
  return {
    answer: { ...answer, body: undefined },
    input: requests,
    inputs: [first.input, then.input],
    left: after && [made, after],
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
      left: now && of.map((record) => changed(asking, record, { input, mode: "update", now })),
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
    const mode = form === "put" ? "replace" : "update"
    const { input, written: now } = drawInput(asking, [found ? mode : "create"])
    const answer = await {
      create: () => asking.rest("POST", "/slots", { code: namesOf(asking).keyOf(code), ...input }),
      put: () => asking.rest("PUT", `/slots/${code}`, input),
      patch: () => asking.rest("PATCH", `/slots/${code}`, input),
    }[form]()
    return {
      answer,
      input,
      inputs: [input],
      left: now && [found ? changed(asking, found, { input, mode, now }) : leftOf("slot", code, "", now)],
    }
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
  increment: increment("rest"),
  incrementByGraphql: increment("graphql"),
  remove: remove("item", (asking, { id }) =>
    asking.rest("DELETE", `/${plural(namesOf(asking))}/${id}`, undefined),
  ),
  removeByKey: remove("item", (asking, { code }) => {
    const names = namesOf(asking)
    return asking.rest("DELETE", `/${plural(names)}/${names.code}=${code}`, undefined)
  }),
  removeByGraphql: remove("item", (asking, { id }) => {
    const { item } = namesOf(asking)
    const type = typeOf(item)
    return asking.graphql(
      `mutation ($id: ID!) { delete${type}(id: $id) { ${item} { ${selection(asking)} } } }`,
      { id },
    )
  }),
  removeSeveral: remove("item", (asking, { sku }) => {
    const filter = encodeURIComponent(JSON.stringify({ sku: { eq: namesOf(asking).keyOf(sku) } }))
    return asking.rest("DELETE", `/${plural(namesOf(asking))}?filter=${filter}`, undefined, {
      prefer: "max-affected=1",
    })
  }),
  removeSlot: remove("slot", (asking, { code }) => asking.rest("DELETE", `/slots/${code}`, undefined)),
  batchRemove,
}
