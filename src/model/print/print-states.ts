// States and events as source: machines, and the builders where a transition sets what it is given or who asks.
import type { JsonValue } from "../../base/json.ts"
import type {
  EventDeclaration,
  FieldDeclaration,
  FormerNames,
  MachineDeclaration,
  SetDeclaration,
  StateDeclaration,
  StatesDeclaration,
  TransitionDeclaration,
} from "../declaration/declaration.ts"
import { isMachine } from "../declaration/states.ts"
import { ruleSource } from "./print-rules.ts"
import { array, call, jsonSource, object, openObject, type Source, string, word } from "./source-text.ts"

type FieldSource = (name: string, field: FieldDeclaration) => Source

export const statesSource = (states: StatesDeclaration, fieldSource: FieldSource): Source =>
  isMachine(states)
    ? machineSource(states, fieldSource)
    : openObject(Object.entries(states).map(([name, it]) => [name, machineSource(it, fieldSource)]))

type Members = readonly (readonly [string, Source | undefined])[]

const present = (members: Members): readonly (readonly [string, Source])[] =>
  members.flatMap(([name, source]) => (source === undefined ? [] : [[name, source] as const]))

const texts = (given: FormerNames | readonly string[] | undefined): Source | undefined =>
  given === undefined ? undefined : typeof given === "string" ? string(given) : array(given.map(string))
const text = (given: string | undefined): Source | undefined => texts(given)

function machineSource(
  { initial, final, states, transitions }: MachineDeclaration,
  fieldSource: FieldSource,
): Source {
  return openObject(
    present([
      ["initial", string(initial)],
      ["final", texts(final)],
      ["states", states && openObject(Object.entries(states).map(([name, it]) => [name, stateSource(it)]))],
      [
        "transitions",
        openObject(
          Object.entries(transitions).map(([name, it]) => [name, transitionSource(it, fieldSource)]),
        ),
      ],
    ]),
  )
}

const stateSource = ({ description, was }: StateDeclaration): Source =>
  object(
    present([
      ["description", text(description)],
      ["was", texts(was)],
    ]),
  )

export const eventsSource = (
  events: Readonly<Record<string, EventDeclaration>>,
  fieldSource: FieldSource,
): Source =>
  openObject(
    Object.entries(events).map(([name, { description, payload }]) => [
      name,
      object(
        present([
          ["description", text(description)],
          ["payload", payload && membersSource(payload, fieldSource)],
        ]),
      ),
    ]),
  )

const membersSource = (
  fields: Readonly<Record<string, FieldDeclaration>>,
  fieldSource: FieldSource,
): Source => object(Object.entries(fields).map(([name, it]) => [name, fieldSource(name, it)]))

function transitionSource(
  { from, to, description, when, reason, input, set, allow }: TransitionDeclaration,
  fieldSource: FieldSource,
): Source {
  return object(
    present([
      ["from", texts(from)],
      ["to", string(to)],
      ["description", text(description)],
      ["when", when && ruleSource(when)],
      ["reason", text(reason)],
      ["input", input && membersSource(input, fieldSource)],
      ["set", set && object(Object.entries(set).map(([name, it]) => [name, setSource(it)]))],
      ["allow", allow && ruleSource(allow)],
    ]),
  )
}

function setSource(value: SetDeclaration): Source {
  const members = typeof value === "object" && value !== null ? Object.entries(value) : []
  const [[name, of] = [], ...others] = members
  if (others.length === 0 && name === "given" && typeof of === "string") return call("given", string(of))
  return others.length === 0 && name === "viewer" && of === "id"
    ? word("viewer.id")
    : jsonSource(value as JsonValue)
}
