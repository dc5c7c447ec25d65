// Addresses that are served to other callers only: 401 or 403 in place of 404, where that reveals nothing.

import { perObject } from "../../base/caches.ts"
import { Refusal, refusal } from "../../base/problem.ts"
import { isFeedPath } from "../../http/changes.ts"
import type { FaceRequest } from "../../http/face.ts"
import type { Model, Resource } from "../../model/model.ts"
import { modelAt } from "../../model/versions/model-at.ts"
import { versionHint } from "../../plan/other-versions.ts"
import { callDenied, isWord } from "../../plan/write/problems.ts"
import {
  type Addresses,
  createAddresses,
  findRoutes,
  isRead,
  type Route,
  type Routes,
  routeFor,
  type WriteRoute,
} from "./route.ts"

/** A request, or a step of a batch: the verdict on both is the same. */
type Addressed = Pick<FaceRequest, "path" | "method">

const addressesOf = perObject(createAddresses)

interface ServedRoute {
  readonly routes: Routes
  /** Undefined when the path has no such method, for others either. */
  readonly route: Route | undefined
}

/**
 * Throws a Refusal when nothing is served there, or nothing to the caller.
 * @param addresses of the model
 */
export function findServed(model: Model, addresses: Addresses, request: Addressed): ServedRoute {
  const routes = findOrDeny(model, addresses, request)
  const route = routeFor(routes, request.method)
  const denied = route ? undefined : deniedRoute(model, request)
  if (denied) throw denied
  return { routes, route }
}

function findOrDeny(model: Model, addresses: Addresses, request: Addressed): Routes {
  try {
    return findRoutes(addresses, request.path)
  } catch (error) {
    throw deniedRoute(model, request) ?? elsewhere(model, request, error)
  }
}

/** The refusal of an unknown address, with the version that serves it to this caller. */
function elsewhere(model: Model, request: Addressed, error: unknown): unknown {
  const [problem] = error instanceof Refusal ? error.problems : []
  if (problem?.code !== "not_found") return error
  const hint = versionHint(model, (other) => routeOf(addressesOf(other), request) !== undefined)
  return hint === undefined ? error : new Refusal([{ ...problem, hint }])
}

/** Undefined when nothing is served there, or when the refusal would reveal invisible records. */
function deniedRoute({ audience, resources, version }: Model, request: Addressed): Refusal | undefined {
  const whole = audience && version !== undefined ? modelAt(audience.whole, version) : audience?.whole
  if (audience && whole && !audience.signedIn && isFeedPath(whole, request.path)) return unauthenticated()
  const route = whole && routeOf(addressesOf(whole), request)
  if (!audience || !route || !("resource" in route || route.kind === "call")) return undefined
  if (!audience.signedIn) return unauthenticated()
  if (route.kind === "call" && !route.resource) return callDenied(route.action.name)
  if (isRead(route) || !resources.has(route.resource.name)) return undefined
  return refusal("forbidden", `You may not ${deedOf(route)}.`)
}

/** `update people` */
function deedOf(route: WriteRoute | Extract<Route, { readonly kind: "call" }>): string {
  const { collection = "" } = route.resource ?? {}
  const own = (name: string): string =>
    isWord(name) ? `${name} ${collection}` : `do \`${name}\` to ${collection}`
  switch (route.kind) {
    case "call":
      return own(route.action.name)
    case "fire":
    case "fireMany":
      return own(route.transition.name)
    case "createRelated":
      return `create ${route.relation.name} of ${collection}`
    case "link":
    case "unlink":
      return `${route.kind} ${route.relation.name} of ${collection}`
    case "replace":
      return `update ${collection}`
    default:
      return `${route.kind.replace("Many", "")} ${collection}`
  }
}

/** For an address that is served for something else, such as a PUT that may only create. */
export const mayNot = ({ audience }: Model, resource: Resource): Refusal =>
  audience && !audience.signedIn
    ? unauthenticated()
    : refusal("forbidden", `You may not update ${resource.collection}.`)

export const unauthenticated = (): Refusal =>
  refusal("unauthenticated", "Authentication required.", {
    hint: "Send credentials: Authorization: Bearer … with a key or a token.",
  })

function routeOf(addresses: Addresses, { path, method }: Addressed): Route | undefined {
  try {
    return routeFor(findRoutes(addresses, path), method)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
