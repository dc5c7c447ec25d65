// Short spellings of declarations with state machines.
import type {
  FieldDeclaration,
  MachineDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
  TransitionDeclaration,
} from "../../../src/model/declaration/declaration.ts"
import { text } from "./case.ts"

export const life: MachineDeclaration = {
  initial: "open",
  final: "closed",
  transitions: { close: { from: "open", to: "closed" } },
}

/** A service of one resource, `item`, with a machine. */
export const stateful = (
  rest: Partial<ResourceDeclaration>,
  service: Partial<ServiceDeclaration> = {},
): ServiceDeclaration => ({
  name: "shop",
  resources: { item: { fields: { name: text }, states: life, ...rest } },
  ...service,
})

export const held = (state: FieldDeclaration): ServiceDeclaration => stateful({ fields: { state } })

export const moved = (
  transition: Partial<TransitionDeclaration>,
  rest: Partial<ResourceDeclaration> = {},
): ServiceDeclaration =>
  stateful({
    ...rest,
    states: { ...life, transitions: { close: { from: "open", to: "closed", ...transition } } },
  })

/** A ticket of somebody, with a member of each form that a transition sets or must not set. */
const members: ServiceDeclaration = {
  name: "desk",
  viewer: "person",
  resources: {
    person: { fields: { name: text } },
    ticket: {
      fields: {
        title: { scalar: "text", max: 10 },
        effort: { scalar: "integer", optional: true, min: 0 },
        cost: { scalar: "decimal", precision: 6, scale: 2 },
        code: { scalar: "text", immutable: true },
        sum: { scalar: "integer", generated: true },
        closedAt: { scalar: "timestamp", optional: true },
        size: { scalar: "oneOf", of: ["s", "m"] },
        words: { scalar: "text", list: true, items: { max: 5 } },
        tag: { scalar: "text", pattern: "[a-z]+" },
        extra: { scalar: "json", optional: true },
        reporterKey: { scalar: "text", column: "reporter_id", readonly: true },
      },
      relations: {
        reporter: { kind: "one", target: "person" },
        assignee: { kind: "one", target: "person", optional: true },
        parent: { kind: "one", target: "ticket", optional: true },
      },
      states: life,
    },
  },
}

export const setting = (
  set: TransitionDeclaration["set"] & object,
  input: Readonly<Record<string, FieldDeclaration>> = {},
  rest: Partial<ServiceDeclaration> = {},
): ServiceDeclaration => {
  const { ticket, ...others } = members.resources
  const transitions = { close: { from: "open", to: "closed", input, set } }
  return {
    ...members,
    ...rest,
    resources: {
      ...others,
      ticket: { ...(ticket as ResourceDeclaration), states: { ...life, transitions } },
    },
  }
}
