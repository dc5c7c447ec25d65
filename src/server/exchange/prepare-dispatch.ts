// Makes what answers requests out of a service: its mounts, the accounts of its callers, content codings and the log of outages.
import type { Socket } from "node:net"
import { createMeters, type MeterOptions } from "../../access/limits/meters.ts"
import { countsRequests } from "../../model/limits.ts"
import { type Accepted, type Admission, arrivalOf, createAccepted } from "../admission.ts"
import { type Compression, createCoding } from "../coding.ts"
import { clientOf, type Dispatch } from "../dispatch.ts"
import { HeldBytes } from "../held-bytes.ts"
import type { ArrivingBody } from "../incoming.ts"
import {
  createReadiness,
  type ReadinessCheck,
  type ReadinessOptions,
  shareHealth,
} from "../lifecycle/readiness.ts"
import { createFindMount, type Mounted, mountsOf } from "../mounts.ts"
import { createOutageLog } from "../outage-log.ts"
import type { SocketRates } from "../sockets/inbox.ts"
import { type BeginLasting, createLasting } from "../sockets/lasting.ts"
import { createUpgrades, type UpgradeOptions, type Upgrades } from "../sockets/upgrade.ts"

export interface DispatchOptions
  extends Omit<
      Dispatch,
      "findMount" | "openMeter" | "accepted" | "beginLasting" | "coding" | "untaken" | "arriving"
    >,
    Omit<Mounted, "readiness">,
    Omit<ReadinessOptions, "observe"> {
  /** Limits of callers over time, and where they are counted. */
  readonly counting?: Omit<MeterOptions, "failed"> | undefined
  /** Whether answers are coded as clients accept it; they are when absent. */
  readonly compression?: Compression
  /** Streams and subscriptions of one client, at the most; 1,000 when absent. */
  readonly mostLasting?: number
  /** The bound on bytes of unfinished bodies, and of answers that slow clients have not taken; a part of V8's heap when absent. */
  readonly mostHeld?: number
  /** Milliseconds for a client that takes nothing, or hardly anything, of its answers; 30 seconds when absent. */
  readonly untakenFor?: number
  /** Milliseconds in which repeated reports are only counted; 0: all are reported. Ten seconds when absent. */
  readonly bundling?: number
}

export interface PreparedDispatch extends Dispatch {
  readonly accepted: Accepted
  readonly beginLasting: BeginLasting
}

interface Prepared {
  readonly dispatch: PreparedDispatch
  readonly readiness: ReadinessCheck
  /** Reports what has not been reported. */
  end(): void
}

const defaultLasting = 1_000
const defaultUntaken = 30_000

export function prepareDispatch<Options extends DispatchOptions>(
  given: Options,
): Prepared & { readonly dispatch: Options & PreparedDispatch } {
  if (given.serverTiming) given.telemetry?.listen({ readsStages: true })
  const { observe, end } = createOutageLog(given.observe, given.bundling)
  const failed = (fault: unknown): void => observe({ kind: "uncounted", fault, count: 1 })
  const health = shareHealth(given.health)
  const readiness = createReadiness({ ...given, health })
  const dispatch = {
    ...given,
    observe,
    findMount: createFindMount(mountsOf({ ...given, health, readiness }), given.base),
    openMeter:
      given.counting && countsRequests(given.counting.limits)
        ? createMeters({ ...given.counting, failed })
        : undefined,
    accepted: createAccepted(),
    beginLasting: createLasting(given.mostLasting ?? defaultLasting),
    untaken: new HeldBytes<Socket>({
      most: given.mostHeld,
      patience: given.untakenFor ?? defaultUntaken,
      cut: (socket) => socket.destroy(),
      isGone: (socket) => socket.destroyed,
    }),
    arriving: new HeldBytes<ArrivingBody>({ most: given.mostHeld, cut: (body) => body.giveUp() }),
    coding: createCoding(given.compression ?? "auto"),
  }
  return { dispatch, readiness, end }
}

// Subscriptions over WebSocket, admitted and counted as the requests are that dispatch answers.
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
