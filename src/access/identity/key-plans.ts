// Plans of API keys, and a key as it is stored.
import {
  createSystemPlans,
  readSystemRecord,
  readSystemRecords,
  type SystemInput,
  type SystemPlans,
} from "../../engine/own-records.ts"
import type { Model, Resource } from "../../model/model.ts"
import { apiKey, apiKeyOwner } from "../../model/system/api-key.ts"
import type { Answer, Member } from "../../plan/read-plan.ts"

/** A key as it is stored. */
export interface StoredKey {
  readonly id: string
  readonly name: string
  readonly hint: string
  readonly digest: string
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
  /** Canonical timestamps. */
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly createdAt: string
  /** The id of the record that it signs in as. */
  readonly owner: string | null
  /** The version of the API that it is pinned to. */
  readonly version: string | null
  /** The tier whose limits hold. */
  readonly tier: string | null
}

/** Members of the resource by their names; `ownerId` for its owner. */
export type KeyInput = SystemInput
export type KeyPlans = SystemPlans

/** @param whole the service as it was declared, with its resource of keys */
export const createKeyPlans = (whole: Model): KeyPlans =>
  createSystemPlans(whole, {
    resource: apiKey,
    unique: "digest",
    noun: "key",
    members: membersOf,
    mostListed: 1_000,
  })

/** The key of an answer; undefined without one. */
export const readKey = (answer: Answer): StoredKey | undefined => readSystemRecord(answer)

export const readKeys = (answer: Answer): readonly StoredKey[] => readSystemRecords(answer)

function membersOf({ relations, fields: declared }: Resource): readonly Member[] {
  const fields = [
    "name",
    "hint",
    "digest",
    "roles",
    "scopes",
    "expiresAt",
    "lastUsedAt",
    "createdAt",
    "version",
  ]
  return [
    { kind: "id", key: "id" },
    ...fields.map((field): Member => ({ kind: "field", key: field, field })),
    relations.has(apiKeyOwner)
      ? { kind: "reference", key: "owner", relation: apiKeyOwner }
      : { kind: "constant", key: "owner", json: "null" },
    declared.has("tier")
      ? { kind: "field", key: "tier", field: "tier" }
      : { kind: "constant", key: "tier", json: "null" },
  ]
}
