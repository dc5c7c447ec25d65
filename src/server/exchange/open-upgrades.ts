// Subscriptions over WebSocket, admitted and counted as the requests are that dispatch answers.
import type { Admission } from "../admission.ts"
import { arrivalOf } from "../admission.ts"
import { clientOf } from "../dispatch.ts"
import type { Mounted } from "../mounts.ts"
import type { SocketRates } from "../sockets/inbox.ts"
import { createUpgrades, type UpgradeOptions, type Upgrades } from "../sockets/upgrade.ts"
import type { PreparedDispatch } from "./prepare-dispatch.ts"

interface UpgradesOptions extends Pick<UpgradeOptions, "untaken"> {
  readonly begin: (client: string, work: () => void) => void
  readonly admission: Admission
  /** The defaults where absent. */
  readonly rates?: { readonly [Bound in keyof SocketRates]?: number | undefined } | undefined
  /** Milliseconds for which a connection may go on at its bound; 10 seconds when absent. */
  readonly patience?: number
}

/** Also in src/settings/settings.ts. */
const defaultRates = { messages: 1_000, bytes: 1024 * 1024 } as const
const defaultPatience = 10_000

export function openUpgrades(
  dispatch: PreparedDispatch & Pick<Mounted, "facesFor">,
  { admission, begin, rates, patience = defaultPatience, ...options }: UpgradesOptions,
): Upgrades {
  const { proxies = 0 } = dispatch
  const { messages = defaultRates.messages, bytes = defaultRates.bytes } = rates ?? {}
  return createUpgrades({
    ...dispatch,
    ...options,
    operateFor: (actor) => dispatch.facesFor(actor).operate,
    clientOf: (actor, request) => clientOf(actor, request, proxies),
    begin: (request, work) => begin(arrivalOf(request, dispatch).client, work),
    enter: (request) => admission.enter(arrivalOf(request, dispatch)),
    openMeter: dispatch.openMeter,
    most: dispatch.bodyLimit,
    rates: { messages, bytes },
    patience,
  })
}
