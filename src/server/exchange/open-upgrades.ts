// Subscriptions over WebSocket, admitted and counted as the requests are that dispatch answers.
import type { Admission } from "../admission.ts"
import { clientOf } from "../dispatch.ts"
import type { Mounted } from "../mounts.ts"
import { createUpgrades, type Upgrades } from "../sockets/upgrade.ts"
import { arrivalOf } from "./arrival.ts"
import type { PreparedDispatch } from "./prepare-dispatch.ts"

interface UpgradesOptions {
  readonly admission: Admission
  /** Milliseconds for a client that takes nothing of an answer. */
  readonly untaken: number
}

export function openUpgrades(
  dispatch: PreparedDispatch & Pick<Mounted, "facesFor">,
  { admission, untaken }: UpgradesOptions,
): Upgrades {
  const { proxies = 0 } = dispatch
  return createUpgrades({
    ...dispatch,
    operateFor: (actor) => dispatch.facesFor(actor).operate,
    clientOf: (actor, request) => clientOf(actor, request, proxies),
    enter: (request) => admission.enter(arrivalOf(request, dispatch)),
    openMeter: dispatch.openMeter,
    most: dispatch.bodyLimit,
    untaken,
  })
}
