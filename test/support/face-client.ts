// A client of faces that a test has opened itself, as one caller: without versions and without budgets.
import type { Actor } from "../../src/plan/access/actor.ts"
import { prepareDispatch } from "../../src/server/exchange/prepare-dispatch.ts"
import type { Faces } from "../../src/server/service.ts"
import { type Client, createClient } from "../../src/tools/testing/client.ts"

interface Asking {
  readonly actor: Actor
  readonly facesFor: (actor: Actor) => Faces
  readonly nextRequestId: () => string
}

export function createFaceClient({ actor, facesFor, nextRequestId }: Asking): Client {
  const { dispatch } = prepareDispatch({
    facesFor,
    base: "",
    cors: [],
    identify: () => actor,
    health: async () => ({ unavailable: 0 }),
    managed: true,
    compression: "off",
    bodyLimit: 64 * 1024 * 1024,
    loopbackOnly: false,
    observe: () => {},
  })
  return createClient({ to: dispatch, nextRequestId })
}
