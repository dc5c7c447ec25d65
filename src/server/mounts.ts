// The paths of the server and who answers them: one table, from which faces, index and health check hang.
import { expectModules } from "../base/lazily.ts"
import { type Refusal, refusal } from "../base/problem.ts"
import type { ObservedFace } from "../base/telemetry.ts"
import { type Face, type FaceRequest, type FaceResponse, faultIn } from "../http/face.ts"
import type { Actor } from "../plan/access/actor.ts"
import { problemResponse } from "../rest/question/problem.ts"
import type { ReadinessCheck } from "./lifecycle/readiness.ts"
import { healthResponse, livenessResponse, readinessResponse } from "./lifecycle/readiness.ts"
import { changelogPage } from "./pages/changelog-page.ts"
import {
  asksForPage,
  graphqlPage,
  schemaModule,
  schemaPath,
  schemaText,
  showsSchema,
} from "./pages/graphql-page.ts"
import { indexPage } from "./pages/index-page.ts"
import type { Faces, Health } from "./service.ts"

export interface Mount {
  /** From the root of the server, percent-encoded, without a slash at its end. */
  readonly path: string
  /** Whether each path below it is the mount's own too. */
  readonly below?: true
  /** Requests to it count against the limits of their callers. */
  readonly counted?: true
  /** Credentials of its requests are not looked at: that may take the database. */
  readonly anonymous?: true
  /** How requests to it are counted by those who watch. */
  readonly face?: ObservedFace
  /** Its path for those, where nothing of it is a value. */
  readonly route?: string
  /** A mount with paths below it receives the rest of the path. The handler words earlier refusals of the server in its own form. */
  readonly handler: (request: FaceRequest) => FaceResponse | Promise<FaceResponse>
}

/** The mount that answers a path, and that path as its handler receives it. */
export type FindMount = (path: string) => Found

export interface Found extends Pick<Mount, "handler" | "counted" | "face" | "route" | "anonymous"> {
  readonly path: string
}

export interface Mounted {
  /** Further mounts beside the service's own. */
  readonly ownMounts?: readonly Mount[] | undefined
  readonly facesFor: (actor: Actor) => Faces
  /** Path before both faces: empty, or such as `/api`. */
  readonly base: string
  /** Rejects when the service cannot answer now. */
  readonly health: () => Promise<Health>
  readonly readiness: Pick<ReadinessCheck, "check">
}

export function mountsOf({ facesFor, base, health, readiness, ownMounts = [] }: Mounted): readonly Mount[] {
  expectModules(schemaModule)
  const rest: Face = (request) => facesFor(request.actor).rest(request)
  const schema = document(({ actor }) => schemaText(actor.model))
  const changelog = document(({ actor, headers }) => changelogPage(actor.model, headers["accept"]))
  return [
    {
      path: `${base}/graphql`,
      counted: true,
      face: "graphql",
      handler: (request) => {
        const { actor, method } = request
        if (!asksForPage(request) || !showsSchema(actor.model)) return facesFor(actor).graphql(request)
        const page = graphqlPage(actor.model, base)
        return method === "HEAD" ? { ...page, body: "" } : page
      },
    },
    {
      path: `${base}${schemaPath}`,
      counted: true,
      face: "page",
      route: schemaPath,
      handler: (request) =>
        showsSchema(request.actor.model) ? schema(request) : rest({ ...request, path: schemaPath }),
    },
    {
      path: `${base}/changelog`,
      face: "page",
      route: "/changelog",
      // In a service without versions the path may be a resource's.
      handler: (request) =>
        request.actor.model.versions ? changelog(request) : rest({ ...request, path: "/changelog" }),
    },
    { path: base, below: true, counted: true, face: "rest", handler: rest },
    {
      path: "/",
      face: "page",
      route: "/",
      handler: document(({ actor, headers }) => indexPage(actor.model, base, headers["accept"])),
    },
    {
      path: "/health",
      face: "page",
      route: "/health",
      handler: document(() => healthResponse(health)),
    },
    {
      path: "/livez",
      anonymous: true,
      face: "page",
      route: "/livez",
      handler: document(livenessResponse),
    },
    {
      path: "/readyz",
      anonymous: true,
      face: "page",
      route: "/readyz",
      handler: document(() => readinessResponse(readiness)),
    },
    { path: "*", handler: serverOptions(base) },
    ...ownMounts,
  ]
}

/** A mount's own path goes before paths below another one. */
export function createFindMount(mounts: readonly Mount[], base: string): FindMount {
  const exact = new Map(mounts.filter(({ below }) => !below).map((mount) => [mount.path, mount]))
  const trees = mounts.filter(({ below }) => below)
  const nothing = nothingHere(base)
  return (path) => {
    const own = exact.get(path)
    if (own) return own
    const tree = trees.find((mount) => path === mount.path || path.startsWith(`${mount.path}/`))
    return tree ? { ...tree, path: path.slice(tree.path.length) } : { handler: nothing, path }
  }
}

/** Answers reads, and refuses what the server refused. */
export function document(read: Mount["handler"]): Mount["handler"] {
  return (request) => {
    if (request.refused) return refusedResponse(request, request.refused)
    if (request.method === "GET" || request.method === "HEAD") return read(request)
    const allow = { allow: "GET, HEAD, OPTIONS" }
    if (request.method === "OPTIONS") return { status: 204, headers: allow, body: "" }
    const refused = refusedResponse(
      request,
      refusal("method_not_allowed", `${request.method} is not allowed here.`),
    )
    return { ...refused, headers: { ...refused.headers, ...allow } }
  }
}

/** The server as a whole (RFC 9110 section 9.3.7). */
function serverOptions(base: string): Mount["handler"] {
  const others = nothingHere(base)
  return (request) =>
    request.method === "OPTIONS" && !request.refused
      ? { status: 204, headers: { allow: "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT" }, body: "" }
      : others(request)
}

const nothingHere =
  (base: string) =>
  (request: FaceRequest): FaceResponse =>
    refusedResponse(
      request,
      request.refused ??
        refusal("not_found", `There is nothing at ${request.path}.`, {
          hint: `The service is below ${base || "/"}.`,
        }),
    )

function refusedResponse({ requestId }: FaceRequest, refused: Refusal): FaceResponse {
  return { ...problemResponse(refused, { requestId, locate: () => ({}) }), ...faultIn(refused) }
}
