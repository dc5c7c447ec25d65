// Operations of the OpenAPI document that change something, for the addresses that route.ts serves them at.

import { json } from "../../http/accept.ts"
import {
  callInputSchema,
  childSchema,
  createSchema,
  needsNothing,
  replaceSchema,
  updateSchema,
} from "../../http/schemas/inputs.ts"
import { listSchema, recordSchema, targetOf, transitionsSchema } from "../../http/schemas/records.ts"
import { described, objectSchema, valueSchema } from "../../http/schemas/values.ts"
import { startsOf } from "../../http/transitions.ts"
import { transitionInputName, transitionNames } from "../../model/declaration/mutation-names.ts"
import type { Action, Relation, Resource, Transition, Unique } from "../../model/model.ts"
import { apiName, kebabCase, pascalCase } from "../../model/names.ts"
import { subjectName } from "../../plan/lookup.ts"
import { hasTransitions, memberNames, transitions } from "../../plan/member.ts"
import { keyParts } from "../../plan/write/inputs.ts"
import {
  type Abilities,
  abilitiesOf,
  createsByPut,
  type WriteKind,
  writeMethods,
} from "../http/allowed-methods.ts"
import { bodyTypes, jsonPatch } from "../http/media.ts"
import { relationSegments, transitionSegments, type WriteRoute } from "../http/route.ts"
import { batchAnswerSchema, batchSchema, jsonPatchSchema } from "./bodies.ts"
import type { Json } from "./components.ts"
import {
  addressesOf,
  batchAddress,
  generalTag,
  headerOf,
  type Operation,
  type ProblemStatus,
  preferenceApplied,
  problemOf,
  problemsOf,
  type RecordAddress,
} from "./operations.ts"
import {
  filterParameter,
  idempotencyKey,
  ifMatch,
  ifNoneMatchAny,
  listOf,
  pathParameter,
  prefer,
  recordParameters,
} from "./parameters.ts"
import { ruledService } from "./security.ts"
import type { Describing } from "./values.ts"

/** Input and answer of a write; its parameters and refusals follow from them. */
interface Writing extends Pick<Operation, "path" | "id" | "tag" | "summary" | "description"> {
  readonly kind: WriteKind
  /** Parameters of the path. */
  readonly address?: readonly Json[]
  /** Parameters that select the records. */
  readonly which?: readonly Json[]
  /** The resource whose members the caller chooses for the answer. */
  readonly answered?: Resource
  /** The resource of the one record that is changed, whose version If-Match names. */
  readonly changed?: Resource
  readonly prefers?: "one" | "many" | "several"
  /** PUT that may create. */
  readonly creates?: boolean
  /** Absent also where a body may come and there is nothing to be said in it. */
  readonly body?: Json | undefined
  readonly answers: Json
  /** Besides those that follow. */
  readonly refusals?: readonly ProblemStatus[]
  /** Whether what is stored may contradict it; true when absent. */
  readonly conflicts?: boolean
}

const methods = { DELETE: "delete", PATCH: "patch", POST: "post", PUT: "put" } as const

function writeOf(describing: Describing, writing: Writing): Operation {
  const { address = [], which = [], answered, changed, prefers, creates, body, answers } = writing
  const { refusals = [], conflicts = true, kind, path, id, tag, summary, description } = writing
  const statuses: readonly ProblemStatus[] = [
    ...(ruledService(describing.model) ? ([403] as const) : []),
    ...(address.length > 0 ? ([404, 412] as const) : []),
    ...(conflicts ? ([409] as const) : []),
    ...(writeMethods[kind].body === "none" ? [] : ([413, 415, 422] as const)),
    ...(changed?.needsVersion ? ([428] as const) : []),
    ...refusals,
  ]
  return {
    ...{ path, id, tag, summary, description, body },
    method: methods[writeMethods[kind].method],
    parameters: [
      ...address,
      ...which,
      ...(answered ? recordParameters(answered) : []),
      ...(changed ? [ifMatch(describing, changed)] : []),
      ...(prefers ? [prefer(describing, prefers)] : []),
      idempotencyKey(describing),
      ...(creates ? [ifNoneMatchAny(describing)] : []),
    ],
    responses: {
      ...(prefers && "200" in answers && nothing(describing)),
      ...problemsOf(describing, statuses),
      ...answers,
    },
  }
}

export function resourceWrites(describing: Describing, resource: Resource): readonly Operation[] {
  if (!resource.key) return []
  const may = abilitiesOf(describing.model, resource)
  const addresses = addressesOf(resource)
  const [{ path, parameters }] = addresses
  const writings = [
    ...listWrites(describing, resource, may),
    ...addresses.flatMap((address) => recordWrites(describing, resource, may, address)),
    ...[...relationSegments(resource)].flatMap(([segment, relation]) => {
      const below = { path: `${path}/${segment}`, parameters }
      return relatedWrites(describing, resource, may, { ...below, relation })
    }),
  ]
  return [
    ...writings.map((writing) => writeOf(describing, { tag: resource.type, ...writing })),
    ...(hasTransitions(resource) ? transitionOperations(describing, resource, addresses) : []),
  ]
}

type OfResource = Omit<Writing, "tag">

function listWrites(describing: Describing, resource: Resource, may: Abilities): readonly OfResource[] {
  const { type, collection, secret } = resource
  const name = apiName(resource)
  const path = `/${resource.path}`
  const plural = pascalCase(collection)
  const record = recordSchema(describing, resource)
  const several = {
    path,
    answered: resource,
    prefers: "many",
    which: [filterParameter(describing, resource)],
  } as const
  const writings: OfResource[] = []
  if (may.list.includes("create")) {
    const one = createSchema(describing, resource)
    writings.push({
      ...{ kind: "create", path, id: `create${type}`, summary: `Create one ${name}, or several at once` },
      ...{ answered: resource, prefers: "one", refusals: [412] },
      body: bodyOf(
        describing,
        "create",
        secret ? one : { oneOf: [one, { type: "array", minItems: 1, items: one }] },
      ),
      answers: created(
        describing,
        secret ? { allOf: [record, secretSchema] } : { oneOf: [record, listSchema(describing, resource)] },
      ),
    })
  }
  if (may.list.includes("updateMany"))
    writings.push({
      ...several,
      ...{ kind: "updateMany", id: `update${plural}` },
      summary: `Update the ${collection} that meet a condition`,
      body: bodyOf(describing, "updateMany", updateSchema(describing, resource)),
      answers: { ...records(describing, resource, "Updated: all of them."), ...patched(describing) },
    })
  if (may.list.includes("deleteMany"))
    writings.push({
      ...several,
      ...{ kind: "deleteMany", id: `delete${plural}` },
      summary: `Delete the ${collection} that meet a condition`,
      answers: records(describing, resource, "Deleted: all of them, as they were."),
    })
  return writings
}

const secretSchema = objectSchema(
  [["secret", { type: ["string", "null"], description: "Shown once; null in a replayed answer." }]],
  { required: ["secret"] },
)

function recordWrites(
  describing: Describing,
  resource: Resource,
  may: Abilities,
  { path, parameters, suffix, unique }: RecordAddress,
): readonly OfResource[] {
  const { type } = resource
  const name = apiName(resource)
  const by = unique ? "unique" : "id"
  const creates = createsByPut(describing.model, resource, by)
  const allowed = may.record[by]
  const one = { path, address: parameters, changed: resource }
  const changes = { ...one, answered: resource, prefers: "one" } as const
  const updated = record(describing, resource, "Updated.")
  const writings: OfResource[] = []
  if (allowed.includes("update"))
    writings.push({
      ...changes,
      ...{ kind: "update", id: `update${type}${suffix}`, summary: `Update one ${name}` },
      body: bodyOf(describing, "update", updateSchema(describing, resource)),
      answers: { ...updated, ...patched(describing) },
    })
  if (allowed.includes("replace")) {
    const schema = replaceSchema(describing, resource, { named: namedBy(resource, unique), creates })
    writings.push({
      ...changes,
      ...{ kind: "replace", id: `replace${type}${suffix}`, creates },
      summary: `Replace one ${name}${creates ? ", or create it" : ""}`,
      body: bodyOf(describing, "replace", schema),
      answers: {
        ...updated,
        ...(creates && created(describing, recordSchema(describing, resource))),
      },
    })
  }
  if (allowed.includes("delete"))
    writings.push({
      ...one,
      ...{ kind: "delete", id: `delete${type}${suffix}`, summary: `Delete one ${name}` },
      answers: done(describing, "Deleted."),
    })
  return writings
}

/** Members that the address gives. */
function namedBy(resource: Resource, unique: Unique | undefined): readonly string[] {
  if (unique) return unique.members.map((member) => subjectName(resource, member))
  if (resource.key?.origin === "given") return ["id"]
  if (resource.key?.origin !== "natural") return []
  const columns = new Set(keyParts(resource).map(({ column }) => column))
  const fields = [...resource.fields.values()].flatMap(({ name, column }) =>
    columns.has(column) ? [name] : [],
  )
  const references = [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" &&
    relation.reference !== undefined &&
    relation.join.some(({ from }) => columns.has(from))
      ? [relation.reference, relation.name]
      : [],
  )
  const named = new Set([...fields, ...references])
  return memberNames(resource).filter((name) => named.has(name))
}

interface Related {
  readonly path: string
  readonly parameters: readonly Json[]
  readonly relation: Relation
}

function relatedWrites(
  describing: Describing,
  resource: Resource,
  may: Abilities,
  { path, parameters, relation }: Related,
): readonly OfResource[] {
  const target = targetOf(describing, relation)
  const name = apiName(resource)
  const of = `${pascalCase(relation.name)}Of${resource.type}`
  const writings: OfResource[] = []
  if (may.createRelated.has(relation.name))
    writings.push({
      ...{
        kind: "createRelated",
        path,
        id: `create${of}`,
        address: parameters,
        answered: target,
        prefers: "one",
      },
      summary: `Create one of the ${relation.name} of one ${name}`,
      body: bodyOf(describing, "createRelated", childSchema(describing, resource, relation)),
      answers: created(describing, recordSchema(describing, target)),
    })
  if (!may.link.has(relation.name)) return writings
  const other = pathParameter("otherId", `The id of the ${apiName(target)}, with or without its prefix.`)
  const link = {
    path: `${path}/{otherId}`,
    address: [...parameters, other],
    changed: resource,
    conflicts: false,
  }
  return [
    ...writings,
    {
      ...{ ...link, kind: "link", id: `link${of}`, summary: `Link one ${name} and one ${apiName(target)}` },
      answers: done(describing, "Linked."),
    },
    {
      ...{ ...link, kind: "unlink", id: `unlink${of}` },
      summary: `Take the link between one ${name} and one ${apiName(target)} away`,
      answers: done(describing, "Not linked."),
    },
  ]
}

function transitionOperations(
  describing: Describing,
  resource: Resource,
  addresses: readonly RecordAddress[],
): readonly Operation[] {
  const { type, collection, path } = resource
  const name = apiName(resource)
  const several = resource.needsVersion ? [] : [...transitionSegments(resource)]
  const about = (transition: Transition, records: string) => ({
    ...{ tag: type, answered: resource, description: transition.description },
    summary: `Do \`${transition.name}\` to ${records}: ${startsOf(transition)} becomes \`${transition.to}\``,
    body: inputBody(describing, transition, transitionInputName(resource, transition.name)),
  })
  return [
    ...addresses.flatMap(({ path, parameters, suffix }) => [
      transitionList(describing, resource, { path: `${path}/${transitions}`, parameters, suffix }),
      ...[...transitionSegments(resource)].map(([segment, transition]) =>
        writeOf(describing, {
          kind: "fire",
          ...about(transition, `one ${name}`),
          path: `${path}/${transitions}/${segment}`,
          id: `${transitionNames(resource, transition.name).fire}${suffix}`,
          ...{ address: parameters, changed: resource, prefers: "one", refusals: [403] },
          answers: record(describing, resource, "Done."),
        }),
      ),
    ]),
    ...several.map(([segment, transition]) =>
      writeOf(describing, {
        kind: "fireMany",
        ...about(transition, `the ${collection} that \`ids\` or \`filter\` names`),
        path: `/${path}/${transitions}/${segment}`,
        id: transitionNames(resource, transition.name).fireMany,
        which: [idsParameter(describing), filterParameter(describing, resource)],
        ...{ prefers: "several", refusals: [403, 404] },
        answers: records(describing, resource, "Done: to all of them."),
      }),
    ),
  ]
}

const idsParameter = ({ model }: Describing): Json =>
  listOf("ids", { type: "string" }, "The records to write, unless `filter` selects them; all or nothing.", {
    minItems: 1,
    maxItems: model.limits.writes,
  })

/** Depends on the moment, so that no answer has an entity tag. */
function transitionList(
  describing: Describing,
  resource: Resource,
  { path, parameters, suffix }: RecordAddress,
): Operation {
  const { type } = resource
  const name = apiName(resource)
  const schema = describing.named(`${describing.free(`${type}Transition`)}List`, () =>
    objectSchema([["data", transitionsSchema(describing, resource)]], { required: ["data"] }),
  )
  return {
    ...{ method: "get", path, tag: type, id: `list${type}Transitions${suffix}`, parameters },
    summary: `List the transitions of one ${name}, with reasons for refusal`,
    responses: {
      200: { description: "Found.", content: { [json.name]: { schema } } },
      ...problemsOf(describing, [404, 406]),
    },
  }
}

/** Actions on records, and those of the service. */
export function callOperations(describing: Describing): readonly Operation[] {
  const { resources, operations } = describing.model
  return [
    ...[...resources.values()].flatMap((resource) =>
      [...(resource.actions?.values() ?? [])].map((action) => {
        const [{ path, parameters }] = addressesOf(resource)
        return callOf(describing, action, {
          path: `${path}/actions/${kebabCase(action.name)}`,
          ...{ id: `${action.name}${resource.type}`, tag: resource.type },
          summary: `Do ${action.name} with one ${apiName(resource)}`,
          ...{ address: parameters, changed: resource },
        })
      }),
    ),
    ...[...(operations?.values() ?? [])].map((action) =>
      callOf(describing, action, {
        ...{ path: `/actions/${kebabCase(action.name)}`, id: action.name, tag: generalTag },
        summary: `Do ${action.name}`,
      }),
    ),
  ]
}

function callOf(
  describing: Describing,
  action: Action,
  writing: Omit<Writing, "kind" | "body" | "answers">,
): Operation {
  const of = `${writing.changed?.type ?? ""}${pascalCase(action.name)}`
  const fields = [...action.output.values()]
  const output = (): Json =>
    describing.derived(`${of}Output`, () =>
      objectSchema(
        fields.map((field) => [field.name, described(valueSchema(describing, field), field.description)]),
        { required: fields.map(({ name }) => name) },
      ),
    )
  return writeOf(describing, {
    ...{ ...writing, kind: "call", summary: action.description ?? writing.summary },
    body: inputBody(describing, action, `${of}Input`),
    answers:
      fields.length === 0
        ? done(describing, "Done.")
        : {
            200: {
              description: "Done.",
              headers: replayed(describing),
              content: { [json.name]: { schema: output() } },
            },
          },
  })
}

/** The body of what takes values by name; undefined for what takes none. */
function inputBody(describing: Describing, action: Pick<Action, "input">, name: string): Json | undefined {
  if (action.input.size === 0) return undefined
  const schema = describing.derived(name, () => callInputSchema(describing, action) ?? {})
  return { required: !needsNothing(action), content: { [json.name]: { schema } } }
}

export function batchOperation(describing: Describing): Operation {
  const versioned = [...describing.model.resources.values()].some(({ needsVersion }) => needsVersion)
  return writeOf(describing, {
    ...{ kind: "batch", path: batchAddress, id: "doBatch", tag: generalTag },
    summary: "Do several requests together, or none of them",
    body: bodyOf(describing, "create", batchSchema(describing)),
    answers: {
      200: {
        description: "All are done.",
        headers: replayed(describing),
        content: { [json.name]: { schema: batchAnswerSchema(describing) } },
      },
    },
    refusals: [404, 405, 412, ...(versioned ? ([428] as const) : [])],
  })
}

/** For every media type that the route takes. */
const bodyOf = (describing: Describing, kind: WriteRoute["kind"], schema: Json): Json => ({
  required: true,
  content: Object.fromEntries(
    bodyTypes(kind).map((type) => [
      type,
      { schema: type === jsonPatch ? jsonPatchSchema(describing) : schema },
    ]),
  ),
})

/** For any write that is done. */
const replayed = (describing: Describing): Json =>
  headerOf(
    describing,
    "Idempotency-Replayed",
    "`true`: it was done before, by the same request with the same Idempotency-Key.",
  )

const applied = (describing: Describing): Json => ({
  ...preferenceApplied(describing),
  ...replayed(describing),
})

const recordHeaders = (describing: Describing): Json => ({
  ...headerOf(describing, "ETag", "The record's version, then what identifies this answer."),
  ...applied(describing),
})

const record = (describing: Describing, resource: Resource, description: string): Json => ({
  200: {
    ...{ description, headers: recordHeaders(describing) },
    content: { [json.name]: { schema: recordSchema(describing, resource) } },
  },
})

const records = (describing: Describing, resource: Resource, description: string): Json => ({
  200: {
    ...{ description, headers: applied(describing) },
    content: { [json.name]: { schema: listSchema(describing, resource) } },
  },
})

const created = (describing: Describing, schema: Json): Json => ({
  201: {
    description: "Created. Without a body when `return=minimal` asked for none.",
    headers: {
      ...recordHeaders(describing),
      ...headerOf(describing, "Location", "Where the new record is."),
    },
    content: { [json.name]: { schema } },
  },
})

const done = (describing: Describing, description: string): Json => ({
  204: { description, headers: replayed(describing) },
})

const nothing = (describing: Describing): Json => ({
  204: { description: "Done; `return=minimal` asked for no body.", headers: recordHeaders(describing) },
})

/** 415 of a patch, which says what one may be. */
const patched = (describing: Describing): Json => ({
  415: problemOf(
    describing,
    "UnsupportedPatch",
    "The body is of no kind that a patch may be.",
    headerOf(describing, "Accept-Patch", "Media types of bodies that are taken (RFC 5789)."),
  ),
})
