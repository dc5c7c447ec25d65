// Operations of the OpenAPI document that change records, for the addresses that route.ts serves them at.

import {
  childSchema,
  createSchema,
  keyNames,
  replaceSchema,
  updateOfMany,
  updateSchema,
} from "../../http/schemas/inputs.ts"
import { targetOf } from "../../http/schemas/records.ts"
import type { Relation, Resource } from "../../model/model.ts"
import { apiName, pascalCase } from "../../model/names.ts"
import { subjectName } from "../../plan/lookup.ts"
import { hasTransitions, memberNames } from "../../plan/member.ts"
import { keyParts } from "../../plan/write/inputs.ts"
import { type Abilities, abilitiesOf, createsByPut } from "../http/allowed-methods.ts"
import { bulkSegment, relationSegments } from "../http/route.ts"
import { transitionOperations } from "./calls.ts"
import type { Json } from "./components.ts"
import { addressesOf, type Operation, type RecordAddress } from "./operations.ts"
import { filterParameter, idParameter } from "./parameters.ts"
import type { Describing } from "./values.ts"
import {
  bodyOf,
  createdInList,
  createdMany,
  createdOne,
  done,
  patched,
  type Writing,
  writeOf,
  writtenMany,
  writtenOne,
} from "./writing.ts"

export function resourceWrites(describing: Describing, resource: Resource): readonly Operation[] {
  if (!resource.key) return []
  const may = abilitiesOf(describing.model, resource)
  const addresses = addressesOf(describing, resource)
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
  const { type, collection } = resource
  const name = apiName(resource)
  const path = `/${resource.path}`
  const plural = pascalCase(collection)
  const several = {
    path,
    answered: resource,
    prefers: "many",
    which: [filterParameter(describing, resource)],
  } as const
  const writings: OfResource[] = []
  if (may.list.includes("create")) {
    const one = createSchema(describing, resource)
    const several: Json = { type: "array", minItems: 1, maxItems: describing.model.limits.writes, items: one }
    // A list here is read as at the address for several; clients' types describe one record.
    const takesBoth = may.createMany && describing.purpose === "validation"
    writings.push({
      ...{ kind: "create", path, id: `create${type}`, summary: `Create one ${name}` },
      description: "Related records may come along.",
      ...{ answered: resource, prefers: "one", refusals: [412] },
      body: bodyOf(describing, "create", takesBoth ? { oneOf: [one, several] } : one),
      answers: createdInList(describing, resource, takesBoth),
    })
    if (may.createMany)
      writings.push({
        ...{ kind: "createMany", path: `${path}/${bulkSegment}`, id: `create${plural}` },
        summary: `Create several ${collection}`,
        description: "All or none.",
        ...{ answered: resource, prefers: "one", refusals: [412] },
        body: bodyOf(describing, "createMany", several),
        answers: createdMany(describing, resource),
      })
  }
  if (may.list.includes("updateMany"))
    writings.push({
      ...several,
      ...{ kind: "updateMany", id: `update${plural}` },
      summary: `Update ${collection} by a condition`,
      description: "All or none.",
      body: bodyOf(describing, "updateMany", updateOfMany(describing, resource)),
      answers: { ...writtenMany(describing, resource), ...patched(describing) },
    })
  if (may.list.includes("deleteMany"))
    writings.push({
      ...several,
      ...{ kind: "deleteMany", id: `delete${plural}` },
      summary: `Delete ${collection} by a condition`,
      description: "All or none.",
      answers: writtenMany(describing, resource),
    })
  return writings
}

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
  // The id of a record leads to all that a unique key does, but for what PUT creates.
  const allowed = may.record[by].filter(
    (kind) => by === "id" || describing.purpose === "validation" || (kind === "replace" && creates),
  )
  const uniqueNames = unique?.members.map((member) => subjectName(resource, member))
  const one = { path, address: parameters, changed: resource }
  const changes = { ...one, answered: resource, prefers: "one" } as const
  const updated = () => writtenOne(describing, resource)
  const writings: OfResource[] = []
  if (allowed.includes("update"))
    writings.push({
      ...changes,
      ...{ kind: "update", id: `update${type}${suffix}`, summary: `Update one ${name}` },
      description: "Other members stay.",
      body: bodyOf(describing, "update", updateSchema(describing, resource, uniqueNames)),
      answers: { ...updated(), ...patched(describing) },
    })
  if (allowed.includes("replace")) {
    const schema = replaceSchema(describing, resource, {
      named: namedBy(resource, uniqueNames),
      repeated: uniqueNames ?? keyNames(resource),
      creates,
    })
    writings.push({
      ...changes,
      ...{ kind: "replace", id: `replace${type}${suffix}`, creates },
      summary: `Replace one ${name}${creates ? ", or create it" : ""}`,
      description: "Other members are reset.",
      body: bodyOf(describing, "replace", schema),
      answers: {
        ...updated(),
        ...(creates && createdOne(describing, resource)),
      },
    })
  }
  if (allowed.includes("delete"))
    writings.push({
      ...one,
      ...{ kind: "delete", id: `delete${type}${suffix}`, summary: `Delete one ${name}` },
      description: "With what it owns.",
      answers: done(describing),
    })
  return writings
}

/** Members that the address gives, with the relations of those that are references. */
function namedBy(resource: Resource, unique: readonly string[] | undefined): readonly string[] {
  if (unique) return unique
  if (resource.key?.origin === "given") return ["id"]
  const columns = new Set(keyParts(resource).map(({ column }) => column))
  const related = [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" &&
    relation.reference !== undefined &&
    relation.join.some(({ from }) => columns.has(from))
      ? [relation.reference, relation.name]
      : [],
  )
  const named = new Set([...keyNames(resource), ...related])
  return resource.key?.origin === "natural" ? memberNames(resource).filter((name) => named.has(name)) : []
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
      summary: `Create one of the ${name}'s ${relation.name}`,
      description: `For the ${name} of the address.`,
      body: bodyOf(describing, "createRelated", childSchema(describing, resource, relation)),
      answers: createdOne(describing, target),
    })
  if (!may.link.has(relation.name)) return writings
  const other = idParameter(describing, target, { name: "otherId", of: apiName(target) })
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
      description: "Does nothing when they are linked already.",
      answers: done(describing),
    },
    {
      ...{ ...link, kind: "unlink", id: `unlink${of}` },
      summary: `Take the link between one ${name} and one ${apiName(target)} away`,
      description: "Does nothing when they are not linked. Both records stay.",
      answers: done(describing),
    },
  ]
}
