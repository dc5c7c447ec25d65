// The tables of states, transitions and events.
import type {
  EventDeclaration,
  MachineDeclaration,
  SetDeclaration,
  StateDeclaration,
  StatesDeclaration,
  TransitionDeclaration,
} from "../declaration/declaration.ts"
import { fields } from "./fields.ts"
import {
  either,
  type Form,
  formerNames,
  isObject,
  json,
  list,
  maybe,
  members,
  names,
  record,
  rule,
  text,
  textOr,
} from "./forms.ts"
import { call, string, word } from "./source-text.ts"

/** By a builder where it is given or of the viewer. */
const setting: Form<SetDeclaration> = {
  schema: json.schema,
  print(value, name) {
    const [[key, of] = [], ...others] = isObject(value) ? Object.entries(value) : []
    if (others.length === 0 && key === "given" && typeof of === "string") return call("given", string(of))
    return others.length === 0 && key === "viewer" && of === "id"
      ? word("viewer.id")
      : json.print(value, name)
  },
}

const transition = members<TransitionDeclaration>("{ from, to }", {
  from: textOr(names, 'a state, a list of states, or "any"'),
  to: text,
  description: maybe(text),
  when: maybe(rule),
  reason: maybe(text),
  input: maybe(fields),
  set: maybe(record(setting, "an object of values")),
  allow: maybe(rule),
})

const machine = members<MachineDeclaration>(
  "{ initial, transitions }",
  {
    initial: text,
    final: maybe(textOr(list(text, "a list of states"), "a state, or a list of states")),
    states: maybe(
      record(
        members<StateDeclaration>("{ description, was }", {
          description: maybe(text),
          was: maybe(formerNames),
        }),
        "an object of states",
        "open",
      ),
    ),
    transitions: record(transition, "an object of transitions", "open"),
  },
  "open",
)
const machines = record(machine, "a machine, or an object of machines", "open")

/** One machine says where it begins; several are named. */
export const states = either<StatesDeclaration>((input) => {
  const isMachine = isObject(input) && !isObject(input["initial"]) && Object.hasOwn(input, "initial")
  return isMachine ? machine : machines
})

export const events = record(
  members<EventDeclaration>("{ description, payload }", {
    description: maybe(text),
    payload: maybe(fields),
  }),
  "an object of events",
  "open",
)
