// The version that a caller is served.
import type { Model } from "../model.ts"

/** The request header that names a version, and the response header that names the one that was served. */
export const versionHeader = "api-version"

/** The version of a caller's model; undefined in a service without versions. */
export const versionOf = ({ version, versions }: Model): string | undefined => version ?? versions?.[0]?.name

/**
 * The version that an API key is pinned to; undefined before its first use. Keys used before the service had versions know
 * the oldest.
 * @param lastUsedAt null for a key that has never been used
 */
export const pinOfKey = (
  { versions }: Model,
  { version, lastUsedAt }: { readonly version: string | null; readonly lastUsedAt: string | null },
): string | undefined => version ?? (lastUsedAt === null ? undefined : versions?.at(-1)?.name)
