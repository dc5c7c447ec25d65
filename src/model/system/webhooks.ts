// Webhooks: resources of Bifold's own, in Bifold's own language. An endpoint has the events to send, their target, and the
// caller whose rules apply; a delivery has the outcome of one event. Commands to an endpoint are its transitions, so that it
// finds them in the log.

import type { FieldDeclaration, MachineDeclaration, ResourceDeclaration } from "../declaration/declaration.ts"
import { f, many, one, resource, viewer } from "../declaration/service.ts"
import type { GrantMap, RuleDeclaration, RuleObject } from "../policy-declaration.ts"
import { endingWithin } from "./ends.ts"
import { grantsOf } from "./granted.ts"

export const webhookEndpoint = "webhookEndpoint"
export const webhookSecret = "webhookSecret"
export const webhookDelivery = "webhookDelivery"
export const webhookOwner = "owner"

/** Transitions of an endpoint that Bifold carries out. */
export const webhookCommands = { test: "test", replay: "replay", redeliver: "redeliver" } as const

export const payloadKinds = ["full", "thin"] as const
export const payloadFormats = ["standard", "cloudevents"] as const
const deliveryStates = ["pending", "delivered", "failed"] as const

export interface WebhookOptions {
  /** The resource whose records own endpoints: the records that sign in, if their key is a single column. */
  readonly owners: string | undefined
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
  /** All types of events. */
  readonly types: readonly string[]
  /** Private networks that endpoints may be in, over http too. */
  readonly networks: readonly string[]
  /** Versions of the API, newest first; empty without versions. */
  readonly versions?: readonly string[]
  /** Callers who may do everything with all endpoints. */
  readonly manage?: RuleDeclaration
  readonly grant?: GrantMap
  /** The longest lifetime of an endpoint, such as `90 days`, and the lifetime of one made without an end. */
  readonly expires?: string | undefined
}

/** Any of none. */
const nobody: readonly RuleObject[] = []

const eventId = "evt_[A-Za-z0-9_-]{22}"

export function webhookResources(options: WebhookOptions): Readonly<Record<string, ResourceDeclaration>> {
  const { owners, roles, scopes, manage = nobody } = options
  const managers = [manage].flat() as readonly RuleObject[]
  const isOwn: RuleObject | undefined =
    owners === undefined ? undefined : { [webhookOwner]: { id: { eq: viewer.id } } }
  const own = isOwn ? [isOwn] : nobody
  const ofEndpoint = isOwn ? [{ endpoint: isOwn } as RuleObject] : nobody
  const who = [...managers, ...own]
  const whose = [...managers, ...ofEndpoint]
  /** An owner without a role or scope does not see which records the endpoint was sent by it. */
  const lent: readonly RuleObject[] = [
    ...roles.map((name) => ({ or: [{ not: { roles: { has: name } } }, { role: name }] })),
    ...scopes.map((name) => ({ or: [{ not: { scopes: { has: name } } }, { scope: name }] })),
  ]
  const shown = lent.length > 0 ? { read: [...managers, { and: lent }] } : {}
  return {
    [webhookEndpoint]: endpoint({ ...options, managers, who }),
    [webhookSecret]: {
      ...resource({
        id: "whs",
        description:
          "A further secret of an endpoint, shown once. The new secret signs from then on; an earlier one signs until 24 hours after its successor was made.",
        fields: signing,
        relations: { endpoint: one(webhookEndpoint) },
        allow: { read: whose, create: whose, delete: whose },
      }),
      secret: signed,
    },
    [webhookDelivery]: resource({
      id: "whd",
      description: "An event on its way to an endpoint. Bodies and answers are not kept.",
      fields: {
        event: f.text({ readonly: true, max: 40, description: "The id of the event." }),
        type: f.text({ readonly: true, max: 300, ...shown }),
        record: f.text({ readonly: true, max: 1_000, description: "The id of the record.", ...shown }),
        ...(roles.length > 0 && { roles: lentNames("Roles by whose rules it was sent.") }),
        ...(scopes.length > 0 && { scopes: lentNames("Scopes by whose rules it was sent.") }),
        status: f.oneOf(deliveryStates, {
          readonly: true,
          default: "pending",
          description: "Bifold does not repeat a `failed` delivery.",
        }),
        attempts: f.integer({ readonly: true, default: 0 }),
        log: f.json({
          optional: true,
          readonly: true,
          description: 'The last 20 attempts: `[{"at": …, "status": 503, "milliseconds": …, "error": …}]`.',
        }),
        nextAt: f.timestamp({ optional: true, readonly: true, description: "The next attempt." }),
        deliveredAt: f.timestamp({ optional: true, readonly: true }),
        createdAt: f.timestamp({ readonly: true, default: "now" }),
      },
      relations: { endpoint: one(webhookEndpoint) },
      unique: [["endpoint", "event"]],
      allow: { read: whose, delete: whose },
    }),
  }
}

const lentNames = (description: string): FieldDeclaration => ({
  ...f.list(f.text({ max: 100 }), { default: [], readonly: true, read: nobody, description }),
})

const signed = { digest: "seed", hint: "publicKey", form: "signing" } as const
const signing = {
  publicKey: f.text({ readonly: true, description: "Verifies signatures `v1a` (Ed25519)." }),
  seed: f.text({ unique: true, readonly: true, read: nobody, description: "Keys are made of it." }),
  createdAt: f.timestamp({ readonly: true, default: "now" }),
}

interface Endpoints extends WebhookOptions {
  readonly managers: readonly RuleObject[]
  readonly who: readonly RuleObject[]
}

function endpoint(options: Endpoints): ResourceDeclaration {
  const { owners, roles, scopes, networks, grant, expires, who } = options
  const ending = endingWithin(expires, "The end of sending")
  return {
    id: "whe",
    description: "A URL that events are sent to.",
    fields: { ...chosen(options), problem, ...ending.fields, ...followed, ...signing },
    relations: {
      ...(owners !== undefined && { [webhookOwner]: one(owners, { optional: true }) }),
      deliveries: many(webhookDelivery, { by: "endpoint", owned: true }),
      secrets: many(webhookSecret, { by: "endpoint", owned: true }),
    },
    states: { initial: "active", transitions: transitionsFor(who) },
    allow: { read: who, create: who, update: who, delete: who },
    grants: grantsOf({ roles, scopes }, grant),
    ends: ending.ends,
    secret: signed,
    conditions: "filter",
    address: { member: "url", networks },
  }
}

type Fields = NonNullable<ResourceDeclaration["fields"]>

/** The owner's view of an endpoint. */
function chosen({ roles, scopes, types, networks, versions = [], managers }: Endpoints): Fields {
  const [newest] = versions
  const names = (declared: readonly string[], description: string): FieldDeclaration => ({
    ...f.list(f.text({ max: 100 }), { default: [], write: managers, description }),
    items: { max: 100, declared },
  })
  return {
    url: {
      ...f.text({
        max: 2_000,
        pattern: networks.length > 0 ? "https?://[^\\s@]+" : "https://[^\\s@]+",
        description: "Where events are sent by POST.",
      }),
      form: `must be an ${networks.length > 0 ? "http or https" : "https"} address without blanks and @`,
    },
    description: f.text({ optional: true, max: 500 }),
    types: {
      ...f.list(f.text({ max: 300 }), { default: [], description: "Types of events; all when empty." }),
      items: { max: 300, declared: types, eventTypes: true },
    },
    filter: f.json({
      optional: true,
      description: 'Conditions on records, by resource: `{"order": {"total": {"gt": "100"}}}`.',
    }),
    payload: f.oneOf(payloadKinds, {
      default: "full",
      description: "`full` has the record and its changes; `thin` its id alone.",
    }),
    format: f.oneOf(payloadFormats, {
      default: "standard",
      description: "`cloudevents`: CloudEvents 1.0, structured.",
    }),
    ...(newest !== undefined && {
      version: {
        ...f.text({
          optional: true,
          max: 40,
          default: newest,
          description:
            "The version of the API that it is sent. Those made before there were versions get the oldest.",
        }),
        declared: versions,
      },
    }),
    ...(roles.length > 0 && { roles: names(roles, "Roles by whose rules it sees records.") }),
    ...(scopes.length > 0 && { scopes: names(scopes, "Scopes by whose rules it sees records.") }),
  }
}

const problem = f.text({
  optional: true,
  readonly: true,
  max: 500,
  description: "Why it was disabled, or a command was not carried out.",
})

/** Members that the sender of deliveries keeps. */
const followed: Fields = {
  failingSince: f.timestamp({ optional: true, readonly: true }),
  replays: f.json({
    optional: true,
    readonly: true,
    description: 'Replays under way: `[{"after": "evt_…", "until": "evt_…"}]`.',
  }),
}

const transitionsFor = (who: readonly RuleObject[]): MachineDeclaration["transitions"] => ({
  pause: {
    from: "active",
    to: "paused",
    allow: who,
    description: "Events of the pause are sent later.",
  },
  resume: {
    from: ["paused", "disabled"],
    to: "active",
    allow: who,
    set: { problem: null, failingSince: null },
    description: "Goes on where it stopped.",
  },
  disable: {
    from: ["active", "paused"],
    to: "disabled",
    allow: who,
    description: "As after days of failures.",
  },
  [webhookCommands.test]: {
    from: "active",
    to: "active",
    allow: who,
    description: "Sends an event `webhook.test`.",
  },
  [webhookCommands.replay]: {
    from: "active",
    to: "active",
    allow: who,
    description: "Sends events of the log again: those after an event, up to another one or now.",
    input: {
      after: f.text({ optional: true, pattern: eventId, description: "From the start when absent." }),
      until: f.text({ optional: true, pattern: eventId, description: "Now when absent." }),
    },
    set: { problem: null },
  },
  [webhookCommands.redeliver]: {
    from: "active",
    to: "active",
    allow: who,
    description: "Sends one event once more.",
    input: { event: f.text({ pattern: eventId }) },
    set: { problem: null },
  },
})
