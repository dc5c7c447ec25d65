// Indexes that a service's rules, orders and registered documents would be served by, and that its database lacks.

import { createDocumentPlans, readDocuments } from "../../access/documents/document-plans.ts"
import { Refusal } from "../../base/problem.ts"
import { createEngine } from "../../engine/engine.ts"
import { planDocument } from "../../graphql/planning/plan.ts"
import type { Model } from "../../model/model.ts"
import { type Claims, openModel, stranger, visibleModelOf } from "../../plan/access/visible-model.ts"
import type { Statistics } from "../../plan/cost/access-paths.ts"
import { adviseIndexes, type IndexAdvice } from "../../plan/cost/index-advice.ts"
import { noCursors } from "../../plan/draft/cursor.ts"
import type { PlanContext } from "../../plan/draft/draft.ts"
import type { Plan } from "../../plan/plan.ts"
import { planRequest } from "../../rest/read/plan.ts"
import type { Storage } from "../../storage/storage.ts"

/** A missing index, and what would be read by it. */
export interface AdvisedIndex extends IndexAdvice {
  readonly reasons: readonly string[]
}

/** False for a table that PostgreSQL has not analyzed yet: it may be empty. */
export const isCounted = ({ rows }: AdvisedIndex): boolean => rows < Number.POSITIVE_INFINITY

/** Those that save most rows first. */
export async function advisedIndexes(model: Model, storage: Storage): Promise<readonly AdvisedIndex[]> {
  const found = new Map<string, AdvisedIndex>()
  for (const { plan, reason } of await questionsOf(model, storage))
    note(found, plan, reason, storage.statistics)
  return [...found.values()].toSorted((one, other) => other.rows - one.rows)
}

/** A request that clients may send. */
interface AskedQuestion {
  readonly plan: Plan
  readonly reason: string
}

async function questionsOf(model: Model, storage: Storage): Promise<readonly AskedQuestion[]> {
  return [
    ...listQuestions(model),
    ...(model.documents === undefined ? [] : await documentQuestions(model, storage)),
  ]
}

/** Each list of each audience, and under the open service each of its orders. */
function listQuestions(whole: Model): readonly AskedQuestion[] {
  const open = openModel(whole)
  const ruled = audiencesOf(whole).flatMap(({ name, claims }) => {
    const model = visibleModelOf(whole, claims)
    return [...model.resources.values()].flatMap(({ path, name: resource }) =>
      question({ model, cursors: noCursors }, `/${path}`, "", `rules of ${resource} for ${name}`),
    )
  })
  const sorted = [...open.resources.values()].flatMap(({ path, fields }) =>
    [...fields.keys()].flatMap((field) =>
      question({ model: open, cursors: noCursors }, `/${path}`, `sort=${field}`, `sorted by ${field}`),
    ),
  )
  return [...ruled, ...sorted]
}

/** Nothing where the service has no such list, or not for this audience. */
function question(
  context: PlanContext,
  path: string,
  query: string,
  reason: string,
): readonly AskedQuestion[] {
  const request = { method: "GET", path, query, headers: {}, body: new Uint8Array() }
  return planned(() => planRequest(context, request), reason)
}

function planned(plan: () => Plan, reason: string): readonly AskedQuestion[] {
  try {
    return [{ plan: plan(), reason }]
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

interface NamedAudience {
  readonly name: string
  readonly claims: Claims
}

const audiencesOf = ({ viewer, roles, scopes }: Model): readonly NamedAudience[] => [
  { name: "anyone", claims: stranger },
  { name: viewer ?? "signedIn", claims: { ...stranger, signedIn: true, viewer: viewer !== undefined } },
  ...roles.map((role) => ({ name: `role:${role}`, claims: { ...stranger, signedIn: true, roles: [role] } })),
  ...scopes.map((scope) => ({
    name: `scope:${scope}`,
    claims: { ...stranger, signedIn: true, scopes: [scope] },
  })),
]

/** Those that need no variables: pages have their usual size. */
async function documentQuestions(model: Model, storage: Storage): Promise<readonly AskedQuestion[]> {
  const plans = createDocumentPlans(model)
  const { answer } = createEngine({ storage, cursors: noCursors, singleFlight: false })
  const documents = readDocuments(await answer(plans.list(), plans.actor))
  const context = { model: openModel(model), cursors: noCursors }
  return documents.flatMap(({ documentId, text }) =>
    planned(() => planDocument(context, { query: text }), `document ${documentId}`),
  )
}

function note(found: Map<string, AdvisedIndex>, plan: Plan, reason: string, statistics: Statistics): void {
  for (const missing of adviseIndexes(plan, statistics, "rules")) {
    const key = `${missing.resource} ${missing.members.join()}`
    const known = found.get(key)
    const reasons = [...(known?.reasons ?? []), reason]
    found.set(key, { ...missing, rows: Math.max(missing.rows, known?.rows ?? 0), reasons })
  }
}
