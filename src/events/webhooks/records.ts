// Endpoints and deliveries in the database: read and written by plans of Bifold's own.
import { present } from "../../base/invariant.ts"
import type { JsonValue } from "../../base/json.ts"
import { Refusal } from "../../base/problem.ts"
import type { CodeClient } from "../../engine/code/client.ts"
import { createOwnLists, systemModel } from "../../engine/own-records.ts"
import type { AnswerPlan } from "../../http/face.ts"
import type { Model, Resource } from "../../model/model.ts"
import { webhookDelivery, webhookEndpoint, webhookOwner, webhookSecret } from "../../model/system/webhooks.ts"
import { type Actor, everybodyOf } from "../../plan/access/actor.ts"
import type { Draft } from "../../plan/draft/draft.ts"
import { readList } from "../../plan/read/list.ts"
import type { Member } from "../../plan/read-plan.ts"
import type { Endpoint } from "./endpoint.ts"
import { mostSigning } from "./payload.ts"

export interface RecordsOptions {
  /** The whole service, as it was declared. */
  readonly declared: Model
  readonly answer: AnswerPlan
  readonly handleFor: (actor: Actor) => CodeClient
}

/** A delivery as it is stored. */
export interface Delivery {
  readonly id: string
  readonly status: "pending" | "delivered" | "failed"
  readonly attempts: number
  readonly log: readonly JsonValue[] | null
}

interface DeliveryInput {
  readonly endpointId: string
  readonly event: string
  readonly type: string
  readonly record: string
  /** By whose rules it is sent. */
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
}

type Change = Readonly<Record<string, JsonValue>>

export interface Records {
  /** Those that are active. */
  endpoints(): Promise<readonly Endpoint[]>
  /** In any state; undefined for an unknown id. */
  endpoint(id: string): Promise<Endpoint | undefined>
  /** Deliveries of a type to an endpoint, those from a moment on, a canonical timestamp. */
  deliveriesOf(endpoint: string, type: string, since: string): Promise<readonly Delivery[]>
  /** Carries out a transition of an endpoint. Rejects with a Refusal where it cannot be. */
  fire(id: string, transition: string, input?: object): Promise<void>
  /** Endpoints by id, active or not. */
  known(ids: readonly string[]): Promise<ReadonlyMap<string, Endpoint>>
  /** Undefined for an unknown delivery. */
  delivery(endpoint: string, event: string): Promise<Delivery | undefined>
  /** Undefined where there is one already, or the endpoint is gone. */
  addDelivery(input: DeliveryInput, change: Change): Promise<Delivery | undefined>
  changeDelivery(id: string, change: Change): Promise<void>
  changeEndpoint(id: string, change: Change): Promise<void>
  /** Nothing where it is not active any more. */
  disable(id: string, problem: string): Promise<void>
  /** The delivery of an event has failed, if it is pending. */
  giveUpEvent(endpoint: string, event: string): Promise<void>
  /** Deliveries of active endpoints whose next attempt was due before the moment, a canonical timestamp, have failed. */
  giveUp(before: string): Promise<void>
  /** Removes some that are done and older than the moment, a canonical timestamp; whether there may be more. */
  removeOld(before: string): Promise<boolean>
}

const most = 500

interface Own {
  create(input: object): Promise<unknown>
  update(id: string, input: object): Promise<unknown>
  fire(id: string, transition: string, input?: object): Promise<unknown>
  delete(id: string): Promise<void>
}

export function createRecords(options: RecordsOptions): Records {
  const tools = toolsOf(options)
  return { ...endpointRecords(tools), ...deliveryRecords(tools) }
}

interface Tools {
  readonly endpoints: Own
  readonly deliveries: Own
  /** Whether deliveries keep by whose rules they are sent. */
  lends(names: "roles" | "scopes"): boolean
  read<Row>(...asked: Parameters<ReturnType<typeof createOwnLists>>): Promise<readonly Row[]>
}

function toolsOf({ declared, answer, handleFor }: RecordsOptions): Tools {
  const model = systemModel(declared, [webhookEndpoint, webhookSecret, webhookDelivery], most)
  const actor: Actor = { ...everybodyOf(model), name: "bifold webhooks" }
  const { db } = handleFor(actor)
  const own = (name: string): Own =>
    present((db as Readonly<Record<string, Own>>)[name], `there is a resource ${name}`)
  const list = createOwnLists({ model, most, membersOf })
  return {
    endpoints: own(webhookEndpoint),
    deliveries: own(webhookDelivery),
    lends: (names) => model.resources.get(webhookDelivery)?.fields.has(names) === true,
    async read<Row>(...asked: Parameters<typeof list>) {
      const [json] = (await answer(list(...asked), actor)).roots
      return json ? (JSON.parse(String(json)) as { rows: readonly Row[] }).rows : []
    },
  }
}

type OfEndpoints = "endpoints" | "endpoint" | "fire" | "known" | "changeEndpoint" | "disable"

const endpointRecords = ({ endpoints, read }: Tools): Pick<Records, OfEndpoints> => ({
  async endpoints() {
    const all: Endpoint[] = []
    for (let last: string | undefined; ; ) {
      const where = { state: { eq: "active" }, ...(last !== undefined && { id: { gt: last } }) }
      const rows = await read<StoredEndpoint>(webhookEndpoint, { where, order: "id" })
      all.push(...rows.map(endpointOf))
      last = rows.at(-1)?.id
      if (rows.length < most) return all
    }
  },
  async endpoint(id) {
    const [found] = await read<StoredEndpoint>(webhookEndpoint, { where: { id: { eq: id } }, order: "id" })
    return found && endpointOf(found)
  },
  async fire(id, transition, input) {
    await endpoints.fire(id, transition, input)
  },
  async known(wanted) {
    const found = new Map<string, Endpoint>()
    for (let at = 0; at < wanted.length; at += most) {
      const where = { id: { in: wanted.slice(at, at + most) } }
      for (const one of await read<StoredEndpoint>(webhookEndpoint, { where, order: "id" }))
        found.set(one.id, endpointOf(one))
    }
    return found
  },
  changeEndpoint: (id, change) => whereItIs(endpoints.update(id, change)),
  async disable(id, problem) {
    await whereItIs(endpoints.update(id, { problem }))
    await whereItIs(endpoints.fire(id, "disable"))
  },
})

const failed = { status: "failed", nextAt: null } as const

const deliveryRecords = ({ deliveries, lends, read }: Tools): Omit<Records, OfEndpoints> => ({
  deliveriesOf: (endpoint, type, since) =>
    read<Delivery>(webhookDelivery, {
      where: { endpointId: { eq: endpoint }, type: { eq: type }, createdAt: { gte: since } },
      order: "createdAt",
    }),
  async delivery(endpoint, event) {
    const [found] = await read<Delivery>(webhookDelivery, {
      where: { endpointId: { eq: endpoint }, event: { eq: event } },
      order: "id",
    })
    return found
  },
  async addDelivery({ roles, scopes, ...input }, change) {
    const lent = { ...(lends("roles") && { roles }), ...(lends("scopes") && { scopes }) }
    try {
      return (await deliveries.create({ ...input, ...lent, ...change })) as Delivery
    } catch (error) {
      if (isRefused(error, ["already_exists", "missing_reference"])) return undefined
      throw error
    }
  },
  changeDelivery: (id, change) => whereItIs(deliveries.update(id, change)),
  async giveUp(before) {
    const where = {
      status: { eq: "pending" },
      nextAt: { lt: before },
      endpoint: { state: { eq: "active" } },
    }
    for (const { id } of await read<Delivery>(webhookDelivery, { where, order: "nextAt" }))
      await whereItIs(deliveries.update(id, failed))
  },
  async giveUpEvent(endpoint, event) {
    const where = { endpointId: { eq: endpoint }, event: { eq: event }, status: { eq: "pending" } }
    for (const { id } of await read<Delivery>(webhookDelivery, { where, order: "id" }))
      await whereItIs(deliveries.update(id, failed))
  },
  async removeOld(before) {
    const where = { createdAt: { lt: before }, status: { ne: "pending" } }
    const old = await read<Delivery>(webhookDelivery, { where, order: "createdAt" })
    for (const { id } of old) await whereItIs(deliveries.delete(id))
    return old.length === most
  },
})

const isRefused = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Refusal && error.problems.every(({ code }) => codes.includes(code))

/** A record that is gone, or in another state, needs nothing any more. */
async function whereItIs(change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!isRefused(error, ["not_found", "illegal_transition"])) throw error
  }
}

function membersOf(draft: Draft, resource: Resource): readonly Member[] {
  const { fields, relations } = resource
  const own: readonly Member[] = [
    { kind: "id", key: "id" },
    ...[...fields.keys()].map((field): Member => ({ kind: "field", key: field, field })),
  ]
  if (resource.name !== webhookEndpoint) return own
  const secrets = present(draft.model.resources.get(webhookSecret), "endpoints have secrets")
  const order = [{ path: [], name: "createdAt", descending: true }]
  const newest = readList(draft, secrets, { encoding: "json", first: mostSigning, order }, [])
  const members = [{ kind: "rows", key: "rows", members: membersOf(draft, secrets) } as const]
  return [
    ...own,
    relations.has(webhookOwner)
      ? { kind: "reference", key: "ownerId", relation: webhookOwner }
      : { kind: "constant", key: "ownerId", json: "null" },
    { kind: "many", key: "secrets", relation: "secrets", list: { ...newest, members } },
  ]
}

interface StoredSecret {
  readonly seed: string
  readonly createdAt: string
}

type StoredEndpoint = Omit<Endpoint, "seeds" | "roles" | "scopes"> &
  StoredSecret & {
    readonly roles?: readonly string[]
    readonly scopes?: readonly string[]
    readonly secrets: { readonly rows: readonly StoredSecret[] }
  }

const endpointOf = ({ roles = [], scopes = [], secrets, ...stored }: StoredEndpoint): Endpoint => ({
  ...stored,
  roles,
  scopes,
  seeds: [stored, ...secrets.rows].map(({ seed, createdAt }) => ({ seed, since: Date.parse(createdAt) })),
})
