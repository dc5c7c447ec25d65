// The first entry of the log: the service, where it is reached, and the settings that matter when something is wrong later.
import { ownVersion } from "../../base/own-files.ts"
import { type AccessMode, isWritable } from "../../service/access-mode.ts"
import type { Settings } from "../../settings/settings.ts"
import { readAddress } from "../../storage/address.ts"
import type { Entry } from "../../telemetry/logs/catalog.ts"
import type { Target, TargetOptions } from "../target.ts"

interface Started {
  readonly url: string
  readonly target: Target
  readonly access: AccessMode
  readonly secretGiven: boolean
  readonly options: Settings & Pick<TargetOptions, "as">
}

export function startedEntry({ url, target, access, secretGiven, options }: Started): Entry {
  const { base, as, workers, limitsStore, nats, logRequests, logSample, slowRequest } = options
  return {
    event: "started",
    members: {
      service: target.model.name,
      version: ownVersion(),
      node: process.versions.node,
      urls: [url],
      base,
      // Neither its place nor its credentials.
      database: readAddress(target.database).kind,
      access:
        access.kind === "rules" ? (as === undefined ? "rules" : `rules, as ${as}`) : `open ${access.what}`,
      workers,
      writes: isWritable(access),
      secretGiven,
      deadlineMs: options.deadline,
      maxRequests: options.maxRequests,
      maxConnections: options.maxConnections,
      proxies: options.proxies,
      limitsStore: /^[a-z]+/.exec(limitsStore)?.[0] ?? "memory",
      sinks: nats === undefined || nats === "none" ? [] : ["nats"],
      logRequests,
      logSample,
      slowRequestMs: slowRequest,
      slowStatementMs: options.slowStatement,
    },
  }
}
