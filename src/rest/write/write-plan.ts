// A write by REST becomes a step of a WritePlan: its effect, and the members of its answer.
import { invariant, present } from "../../base/invariant.ts"
import type { Model, Resource } from "../../model/model.ts"
import { type Draft, type PlanContext, startDraft } from "../../plan/draft/draft.ts"
import type { Shapes } from "../../plan/draft/plan-cache.ts"
import { listed } from "../../plan/hints.ts"
import { targetOf } from "../../plan/lookup.ts"
import { isObject, PendingKey } from "../../plan/pending-key.ts"
import type { Filter, Member, RecordRoot, Root } from "../../plan/read-plan.ts"
import { nameMembers } from "../../plan/write/addressed-input.ts"
import { backOf, inputMembers } from "../../plan/write/inputs.ts"
import { needsOf, readOperation } from "../../plan/write/operations.ts"
import {
  type Effect,
  effectKey,
  type Named,
  readCreate,
  readUpdate,
  readUpsert,
  type Several,
  writtenList,
} from "../../plan/write/write.ts"
import type { Listed } from "../../plan/write/write-transition.ts"
import type { Places, Step, WritePlan } from "../../plan/write-plan.ts"
import {
  createsByPut,
  formOf as formOfKind,
  isChosen,
  isCreation,
  writeMethods,
} from "../http/allowed-methods.ts"
import { mayNot } from "../http/hidden-routes.ts"
import { missingRecord } from "../http/not-found.ts"
import type { WriteRoute } from "../http/route.ts"
import { readAddress } from "../question/address.ts"
import type { Inquiry, Selecting, WriteContext } from "../question/request-context.ts"
import { addressKey, refuseUnusedParameters } from "../read/plan.ts"
import { parametersOf } from "../read/query-cache.ts"
import { readFilters, selectMembers, selectRecord } from "../read/select.ts"

export type WriteShapes = Shapes<WriteContext, readonly Step[]>

/** Throws a Refusal with every mistake in the request. */
export function planWrite(context: PlanContext, shapes: WriteShapes, asked: WriteContext): WritePlan {
  const draft = startDraft(context)
  const known = asked.mistakes.length === 0 ? shapes.find(draft, asked) : undefined
  if (known) return draft.finishWrite(known)
  const fresh = startDraft(context)
  const steps = shapes.plan(fresh, asked, (ask) => {
    const { step } = planStep({ model: context.model, problems: fresh.problems, ask }, asked)
    return [{ ...step, nulls: true }]
  })
  return fresh.finishWrite(steps)
}

export interface PlannedStep {
  readonly step: Step
  /** The record that it leaves behind; absent for several, and for one that is gone. */
  readonly record?: PendingKey
}

/** Throws a Refusal when there is a mistake. */
export function planStep(selecting: Selecting<WriteContext>, asked: WriteContext): PlannedStep {
  const { ask, problems } = selecting
  const { route, question, mistakes } = asked
  for (const { code, place = [], message, hint } of mistakes) problems.add(code, place, message, hint)
  ask({ read: (_, request) => request, keyOf: writeKey })
  ask({ read: (_, request) => request.structure, keyOf: String })
  const effect = ask({ read: readEffect, keyOf: effectKey })
  const inquiry: Inquiry = { question, of: (request) => request.question }
  const form = formOf(asked)
  const resource = form === "record" ? writtenResource(selecting.model, route) : route.resource
  const members =
    form === "nothing"
      ? refuseUnusedParameters(problems, question, "the answer has no body")
      : form === "record"
        ? selectRecord(selecting, resource, inquiry, 0)
        : selectSeveral(selecting, route, inquiry)
  problems.settle()
  invariant(effect, "a write that cannot be read has a problem")
  const { writes, key, secret } = effect
  if (form === "record") {
    const root: RecordRoot = {
      kind: "record",
      key: "record",
      resource: resource.name,
      by: [{ subject: { kind: "id" }, slot: key.slot }],
      members: [
        ...(asked.preferences.minimal ? [{ kind: "id", key: "id" } as const] : members),
        ...(secret ? [{ kind: "secret", key: "secret", ...secret } as const] : []),
      ],
      versioned: true,
    }
    return { step: { writes, answer: root, reads: "after" }, record: new PendingKey(resource, key) }
  }
  const { reads = "after" } = form === "nothing" ? {} : needsOf(writeMethods[route.kind].operation)
  if (form === "nothing" || asked.preferences.minimal)
    return { step: { writes, answer: { kind: "constant", key: "none", json: "null" }, reads } }
  const rows = ask({ read: (draft) => writtenList(draft, effect), keyOf: () => "", constant: true })
  const answer: Root = {
    kind: "list",
    key: "list",
    resource: resource.name,
    list: {
      ...rows,
      members: [
        { kind: "rows", key: "data", members },
        {
          kind: "object",
          key: "page",
          members: [
            { kind: "constant", key: "next", json: "null" },
            { kind: "constant", key: "prev", json: "null" },
            { kind: "total", key: "total" },
          ],
        },
      ],
    },
  }
  return { step: { writes, answer, reads } }
}

/** The form of a write's answer. */
export const formOf = ({ route, input }: WriteContext): "record" | "list" | "nothing" =>
  route.kind === "create" && Array.isArray(input) ? "list" : formOfKind(route.kind)

/** The resource of the record that a write leaves behind. */
export function writtenResource(model: Model, route: WriteRoute): Resource {
  return route.kind === "createRelated"
    ? targetOf(model, route.resource, route.relation.name)
    : route.resource
}

/** Everything that decides the plan, except the question's structure, the effect and its values. */
function writeKey(asked: WriteContext): string {
  const { route, preferences, conditions } = asked
  const address = "address" in route ? addressKey(route.address) : ""
  const relation = "relation" in route ? route.relation.name : ""
  const { absent, exists } = conditions
  const flags = `${preferences.minimal ? "m" : ""}${absent ? "a" : ""}${exists ? "e" : ""}`
  return `${route.kind} ${route.resource.name} ${address} ${relation} ${formOf(asked)} ${flags}`
}

/** Members of a list's records; what would choose or arrange them is refused. */
function selectSeveral(
  selecting: Selecting<WriteContext>,
  { kind, resource }: WriteContext["route"],
  inquiry: Inquiry,
): readonly Member[] {
  const takes = parametersOf(kind)
  for (const name of inquiry.question.given)
    if (!takes.includes(name))
      selecting.problems.add(
        "unknown_parameter",
        [name],
        `${name} is asked of lists that are read.`,
        `Here a list takes ${listed(takes, "and")}.`,
      )
  return selectMembers(selecting, resource, inquiry, 0)
}

function readEffect(draft: Draft, asked: WriteContext): Effect | undefined {
  const { route, input, place, conditions } = asked
  const { resource } = route
  refuseConditions(draft, asked)
  const named = () => ({
    by: readAddress(draft, asked),
    place,
    places: versionPlaces(place),
    ...(conditions.match === undefined ? {} : { match: conditions.match }),
  })
  switch (route.kind) {
    case "replace":
      return readReplace(draft, asked, named())
    case "createRelated":
      return readCreateRelated(draft, asked, readAddress(draft, asked))
    case "link":
    case "unlink": {
      const links = { [route.relation.name]: { [route.kind]: [linkedId(asked, route.other)] } }
      return readUpdate(draft, resource, { ...named(), input: links, absent: "keep" })
    }
    default: {
      const many = route.kind === "create" && Array.isArray(input)
      return readOperation(draft, many ? { kind: "createMany", resource } : route, {
        input: () => ({ input, place }),
        named,
        which: () => readWhich(draft, asked),
      })
    }
  }
}

/** In a batch, `$c.id` may stand for an id. */
const linkedId = ({ earlier }: WriteContext, text: string): unknown => earlier?.get(text) ?? text

/** Which records are meant. */
function readCondition(
  draft: Draft,
  { route, question, mistakes }: WriteContext,
): Filter | "refused" | undefined {
  const before = draft.problems.found.length
  const condition = readFilters(draft, route.resource, question)
  const isRefused =
    draft.problems.found.length > before || mistakes.some(({ place }) => place?.[0] === "filter")
  return isRefused ? "refused" : condition
}

function refuseConditions({ problems }: Draft, { route, conditions }: WriteContext): void {
  const about = route.kind !== "createRelated" && "address" in route
  if (conditions.exists && !about)
    problems.add(
      "invalid_value",
      ["If-Match"],
      "If-Match is about one record that is there, and this address is about none.",
      "Leave it out.",
    )
  const making = isCreation(route.kind)
  const chosen = route.kind === "replace" && isChosen(route.resource, route.address.kind)
  if (conditions.absent && !making && !chosen)
    problems.add(
      "stale_version",
      ["If-None-Match"],
      "If-None-Match: * asks for no record to be there, and this can only be done to one that is.",
      "Create records by POST.",
    )
}

/** The records that meet the filter; of a transition, `ids` may name them instead. */
function readWhich(draft: Draft, asked: WriteContext): Several | Listed {
  const { route, question, place: body, preferences } = asked
  const { ids, filters } = question
  const condition = readCondition(draft, asked)
  const limit = { most: preferences.maxAffected, place: outsideBody(body, "Prefer") }
  const byIds = route.kind === "fireMany" && (ids !== undefined || (filters.length === 0 && !condition))
  if (!byIds) return { condition, wherePlace: outsideBody(body, "filter"), ...limit }
  const idsPlace = outsideBody(body, "ids")
  if (filters.length > 0)
    draft.problems.add("invalid_value", idsPlace, "Say which records by `ids` or by `filter`, not by both.")
  return { ids, idsPlace, ...limit }
}

/** PUT: the record takes the body's members. Where clients choose the key, an absent record is made. */
function readReplace(
  draft: Draft,
  { route, input, place, conditions, earlier }: WriteContext,
  named: Named,
): Effect | undefined {
  const { resource } = route
  invariant(route.kind === "replace", "only a replacement is read as one")
  const replace = { ...named, place, absent: "clear" } as const
  // A key that the service makes has no "=": a unique key was meant.
  if (route.address.kind === "id" && !isChosen(resource, "id") && route.address.text.includes("="))
    throw missingRecord(resource, route.address)
  if (!isChosen(resource, route.address.kind)) return readUpdate(draft, resource, { ...replace, input })
  // A record of an earlier request of the batch has no key yet that could be taken apart.
  const isMade = route.address.kind === "id" && earlier?.has(route.address.text)
  const by = isMade ? named.by : nameMembers(draft, resource, named.by)
  const address = by && createsByPut(draft.model, resource, route.address.kind) && { by, also: named.by }
  if (conditions.absent && address) return readCreate(draft, resource, { input, place }, address)
  if (conditions.exists || !address) {
    if (!inputMembers(draft.model, resource, "update")) throw mayNot(draft.model, resource)
    return readUpdate(draft, resource, { ...replace, input })
  }
  return readUpsert(draft, resource, { ...named, ...address, input, place, absent: "clear" })
}

/** The record that the address names becomes the parent of a new one. */
function readCreateRelated(draft: Draft, asked: WriteContext, by: RecordRoot["by"]): Effect | undefined {
  const { route, input, place } = asked
  invariant(route.kind === "createRelated", "only a related record is created as one")
  const { resource, relation } = route
  const target = targetOf(draft.model, resource, relation.name)
  const back = present(backOf(draft.model, resource, relation), "a related record leads back")
  const reference = present(back.reference, "a way back has a reference")
  if (isObject(input))
    for (const name of [reference, back.name])
      if (Object.hasOwn(input, name))
        draft.problems.add(
          "readonly_field",
          [...place, name],
          `\`${name}\` follows from the address, and cannot be given again.`,
        )
  const into = draft.pending()
  const child = readCreate(draft, target, {
    input: isObject(input) ? { ...input, [reference]: new PendingKey(resource, into) } : input,
    place,
  })
  if (!child) return undefined
  const locate = {
    kind: "locate",
    resource: resource.name,
    place: outsideBody(place, "path"),
    target: { by },
    into,
  } as const
  return { ...child, writes: [locate, ...child.writes] }
}

/** The places of the version, for a request whose body stands at `place`. */
export function versionPlaces(place: WriteContext["place"]): Places {
  const header = outsideBody(place, "If-Match")
  return { version: header, noVersion: header }
}

/** The place of a parameter or a header; in a batch, of what holds them in the request whose body stands at `place`. */
function outsideBody(
  place: WriteContext["place"],
  parameter: "path" | "filter" | "ids" | "Prefer" | "If-Match",
): WriteContext["place"] {
  if (place.length === 1) return [parameter]
  return [...place.slice(0, -1), parameter === "Prefer" || parameter === "If-Match" ? "headers" : "path"]
}
