// The operations that write: one table of inputs and answers. REST, GraphQL and user code derive theirs from it.

import { invariant } from "../../base/invariant.ts"
import type { Action, Model, Resource, Transition, Unique } from "../../model/model.ts"
import type { Draft } from "../draft/draft.ts"
import { subjectName, transitionsOf } from "../lookup.ts"
import { type Action as InputAction, inputMembers, isDeletable, isMadePlainly } from "./inputs.ts"
import {
  type Effect,
  type InputAt,
  type Named,
  readCreate,
  readCreates,
  readDelete,
  readDeletes,
  readUpdate,
  readUpdates,
  readUpsert,
  type Several,
} from "./write.ts"
import { type Listed, readTransition, readTransitions } from "./write-transition.ts"

interface Needs {
  /** The name of the records: the key of one, which may come with If-Match, its unique key, or a condition. */
  readonly names?: "key" | "unique" | "condition"
  /** Inputs of records that it reads. */
  readonly inputs: readonly InputAction[]
  readonly answers: "one" | "many"
  /** When the answer is read; after the write when absent. */
  readonly reads?: "before"
}

const operations = {
  create: { inputs: ["create"], answers: "one" },
  createMany: { inputs: ["create"], answers: "many" },
  update: { names: "key", inputs: ["update"], answers: "one" },
  updateMany: { names: "condition", inputs: ["update"], answers: "many" },
  upsert: { names: "unique", inputs: ["create", "update"], answers: "one" },
  delete: { names: "key", inputs: [], answers: "one", reads: "before" },
  deleteMany: { names: "condition", inputs: [], answers: "many", reads: "before" },
  fire: { names: "key", inputs: [], answers: "one" },
  fireMany: { names: "condition", inputs: [], answers: "many" },
  action: { names: "key", inputs: [], answers: "one" },
} as const satisfies Readonly<Record<string, Needs>>

export type OperationKind = keyof typeof operations

export const needsOf = (kind: OperationKind): Needs => operations[kind]

/** An operation on records of a resource. */
export type RecordOperation = { readonly resource: Resource } & (
  | { readonly kind: "create" | "createMany" | "update" | "updateMany" | "delete" | "deleteMany" }
  | { readonly kind: "upsert"; readonly unique: Unique }
  | { readonly kind: "fire" | "fireMany"; readonly transition: Transition }
)

/** A call of user code; without a resource it is an operation of the service. */
export interface ActionOperation {
  readonly kind: "action"
  readonly action: Action
  readonly resource?: Resource
}

export type Operation = RecordOperation | ActionOperation

/** Operations of the visible model, in its order: of records, then actions, then operations of the service. */
export const operationsOf = (model: Model): readonly Operation[] => [
  ...[...model.resources.values()].flatMap((resource) => recordOperations(model, resource)),
  ...[...model.resources.values()].flatMap((resource) =>
    [...(resource.actions?.values() ?? [])].map((action) => ({ kind: "action", action, resource }) as const),
  ),
  ...[...(model.operations?.values() ?? [])].map((action) => ({ kind: "action", action }) as const),
]

/** Several records have no version in common, and a record that may be new has none to be named. */
export const recordOperations = (model: Model, resource: Resource): readonly RecordOperation[] =>
  candidates(model, resource).filter(({ kind }) => {
    const { names } = needsOf(kind)
    return !resource.needsVersion || names === undefined || names === "key"
  })

function candidates(model: Model, resource: Resource): readonly RecordOperation[] {
  const create = inputMembers(model, resource, "create")
  const updates = (inputMembers(model, resource, "update")?.size ?? 0) > 0
  const plain = create !== undefined && isMadePlainly(resource)
  const uniques = resource.uniques.filter(({ members }) =>
    members.every((member) => create?.has(subjectName(resource, member))),
  )
  const of = (
    isOpen: boolean,
    ...kinds: "create"[] | Exclude<RecordOperation["kind"], "upsert" | "fire" | "fireMany">[]
  ) => (isOpen ? kinds.map((kind) => ({ kind, resource })) : [])
  return [
    ...of(create !== undefined, "create"),
    ...of(plain, "createMany"),
    ...of(updates, "update", "updateMany"),
    ...(plain && updates ? uniques.map((unique) => ({ kind: "upsert", resource, unique }) as const) : []),
    ...of(isDeletable(resource), "delete", "deleteMany"),
    ...transitionsOf(resource).flatMap((transition) =>
      (["fire", "fireMany"] as const).map((kind) => ({ kind, resource, transition })),
    ),
  ]
}

/** The parts of a request; each is read only where the operation needs it. */
export interface Said {
  input(): InputAt
  /** The record, and the place for mistakes in it when there is no input. */
  named(): Named & { readonly place: InputAt["place"] }
  which(): Several | Listed
}

/** Undefined when problems were added to the draft. */
export function readOperation(draft: Draft, operation: RecordOperation, said: Said): Effect | undefined {
  const { resource } = operation
  const one = () => ({ ...said.named(), ...said.input() })
  switch (operation.kind) {
    case "create":
      return readCreate(draft, resource, said.input())
    case "createMany":
      return readCreates(draft, resource, said.input())
    case "update":
      return readUpdate(draft, resource, { ...one(), absent: "keep" })
    case "updateMany":
      return readUpdates(draft, resource, { ...conditionOf(said), input: said.input() })
    case "upsert":
      return readUpsert(draft, resource, { ...one(), absent: "keep" })
    case "delete":
      return readDelete(draft, resource, said.named())
    case "deleteMany":
      return readDeletes(draft, resource, conditionOf(said))
    case "fire":
      return readTransition(draft, resource, operation.transition, one())
    case "fireMany":
      return readTransitions(draft, resource, operation.transition, { ...said.which(), input: said.input() })
  }
}

function conditionOf(said: Said): Several {
  const which = said.which()
  invariant(!("ids" in which), "only transitions are fired on records that are listed")
  return which
}
