// Plans of registered GraphQL documents, and a document as it is stored.
import { createHash } from "node:crypto"
import {
  createSystemPlans,
  readSystemRecord,
  readSystemRecords,
  type SystemPlans,
} from "../../engine/own-records.ts"
import type { Model } from "../../model/model.ts"
import { graphqlDocument } from "../../model/system/graphql-document.ts"
import type { Answer } from "../../plan/read-plan.ts"

export interface StoredDocument {
  readonly id: string
  /** `sha256:` and the digest of the text in hexadecimal digits, or a name that clients send. */
  readonly documentId: string
  readonly text: string
  /** A canonical timestamp. */
  readonly createdAt: string
}

/** Documents of a service, at the most; a document under two ids counts twice. */
export const mostDocuments = 10_000

/** @param whole the service as it was declared, with its resource of documents */
export const createDocumentPlans = (whole: Model): SystemPlans =>
  createSystemPlans(whole, {
    resource: graphqlDocument,
    unique: "documentId",
    noun: "document",
    members: () => [
      { kind: "id", key: "id" },
      ...["documentId", "text", "createdAt"].map((field) => ({ kind: "field", key: field, field }) as const),
    ],
    mostListed: mostDocuments,
  })

export const readDocument = (answer: Answer): StoredDocument | undefined => readSystemRecord(answer)

export const readDocuments = (answer: Answer): readonly StoredDocument[] => readSystemRecords(answer)

/** The id that follows from a text, as `documentId` has it. */
export const digestId = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`
