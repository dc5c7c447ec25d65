// The path of a route with names in the place of values, as in openapi.json: `/orders/{id}`. Only names of the model are in it.
import { match } from "../../base/match.ts"
import { kebabCase } from "../../model/names.ts"
import { subjectName } from "../../plan/lookup.ts"
import { transitions as transitionsSegment } from "../../plan/member.ts"
import { type Address, actionsSegment, bulkSegment, type Route } from "./route.ts"

export function templateOf(route: Route): string {
  return match(route, {
    description: ({ of }) => `/${of}.json`,
    batch: () => "/batch",
    viewer: () => "/viewer",
    nodes: () => "/nodes",
    node: () => "/nodes/{id}",
    list: listPath,
    create: listPath,
    updateMany: listPath,
    deleteMany: listPath,
    createMany: (of) => `${listPath(of)}/${bulkSegment}`,
    record: recordPath,
    update: recordPath,
    replace: recordPath,
    delete: recordPath,
    related: relatedPath,
    createRelated: relatedPath,
    link: (of) => `${relatedPath(of)}/{otherId}`,
    unlink: (of) => `${relatedPath(of)}/{otherId}`,
    transitions: (of) => `${recordPath(of)}/${transitionsSegment}`,
    fire: (of) => `${recordPath(of)}/${transitionsSegment}/${kebabCase(of.transition.name)}`,
    fireMany: (of) => `${listPath(of)}/${transitionsSegment}/${kebabCase(of.transition.name)}`,
    call: (of) => {
      const action = `/${actionsSegment}/${kebabCase(of.action.name)}`
      return of.resource === undefined ? action : recordPath(of) + action
    },
  })
}

type OfResource = Pick<Extract<Route, { readonly kind: "list" }>, "resource">
type OfRecord = OfResource & { readonly address: Address }

const listPath = ({ resource }: OfResource): string => `/${resource.path}`

function recordPath({ resource, address }: OfRecord): string {
  if (address.kind === "id") return `${listPath({ resource })}/{id}`
  const names = address.unique.members.map((member) => subjectName(resource, member))
  return `${listPath({ resource })}/${names.map((name) => `${name}={${name}}`).join(",")}`
}

const relatedPath = (of: Extract<Route, { readonly kind: "related" }> | OfRelated): string =>
  `${recordPath(of)}/${kebabCase(of.relation.name)}`

type OfRelated = Extract<Route, { readonly kind: "createRelated" | "link" | "unlink" }>
