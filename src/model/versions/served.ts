// The version that a caller is served.
import type { Model } from "../model.ts"

/** The request header that names a version, and the response header that names the one that was served. */
export const versionHeader = "api-version"

/** The version of a caller's model; undefined in a service without versions. */
export const versionOf = ({ version, versions }: Model): string | undefined => version ?? versions?.[0]?.name
