// Broken machines, and exactly the problems that each is told for it: cases of rules.test.ts.
import type {
  FieldDeclaration,
  MachineDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
  TransitionDeclaration,
} from "../../src/model/declaration/declaration.ts"

/** Place, message, and a hint where there is one. */
export type Told = readonly [place: string, message: string, hint?: string]

export interface Case {
  readonly it: string
  readonly broken: ServiceDeclaration
  readonly told: readonly Told[]
}

const text: FieldDeclaration = { scalar: "text" }

const life: MachineDeclaration = {
  initial: "open",
  final: "closed",
  transitions: { close: { from: "open", to: "closed" } },
}

/** A service of one resource, `item`, with a machine. */
const item = (
  rest: Partial<ResourceDeclaration>,
  service: Partial<ServiceDeclaration> = {},
): ServiceDeclaration => ({
  name: "shop",
  resources: { item: { fields: { name: text }, states: life, ...rest } },
  ...service,
})

const held = (state: FieldDeclaration): ServiceDeclaration => item({ fields: { state } })

const moved = (
  transition: Partial<TransitionDeclaration>,
  rest: Partial<ResourceDeclaration> = {},
): ServiceDeclaration =>
  item({
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

const setting = (
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

export const stateCases = {
  stateMachines: [
    {
      it: "wants records that can be changed",
      broken: item({ readonly: true, history: true }),
      told: [
        [
          "resources.item.states",
          '"item" is read-only, so nothing can move its records from state to state.',
        ],
        ["resources.item.history", '"item" is read-only, so there are no changes of its records to be kept.'],
      ],
    },
    {
      it: "wants records with ids",
      broken: item({ key: false }),
      told: [
        ["resources.item.states", '"item" has no key, so nothing can move its records from state to state.'],
      ],
    },
    {
      it: "wants a machine",
      broken: item({ states: {} }),
      told: [
        ["resources.item.states", '"item" has no state machine.', "Name one in `states`, or leave it out."],
      ],
    },
    {
      it: "wants a field that is text or oneOf",
      broken: held({ scalar: "integer" }),
      told: [
        [
          "resources.item.fields.state",
          '"state" cannot hold a state: it is integer, neither text nor one of some values.',
        ],
      ],
    },
    {
      it: "wants a field of one value",
      broken: held({ scalar: "text", list: true }),
      told: [["resources.item.fields.state", '"state" cannot hold a state: it is a list.']],
    },
    {
      it: "wants a field that is written",
      broken: held({ scalar: "text", generated: true }),
      told: [["resources.item.fields.state", '"state" cannot hold a state: it is computed by the database.']],
    },
    {
      it: "wants a field that several records may share",
      broken: held({ ...text, unique: true }),
      told: [
        [
          "resources.item.fields.state",
          '"state" cannot hold a state: it is unique, and several records may be in one state.',
        ],
      ],
    },
    {
      it: "wants a field that is no unique key",
      broken: item({ fields: { state: text }, unique: [["state"]] }),
      told: [
        [
          "resources.item.fields.state",
          '"state" cannot hold a state: it is unique, and several records may be in one state.',
        ],
      ],
    },
    {
      it: "wants a field that is not in the key",
      broken: item({ fields: { state: text }, key: ["state"] }),
      told: [
        [
          "resources.item.fields.state",
          '"state" cannot hold a state: it is in the key, which never changes.',
        ],
      ],
    },
    {
      it: "wants a field that is always there",
      broken: held({ ...text, optional: true }),
      told: [
        [
          "resources.item.fields.state",
          '"state" cannot hold a state: it is optional, and a record is always in some state.',
        ],
      ],
    },
    {
      it: "wants no other default than the initial state",
      broken: held({ ...text, default: "closed" }),
      told: [
        [
          "resources.item.fields.state.default",
          '"state" of a new record is "open", its initial state, not "closed".',
          "Leave out the default.",
        ],
      ],
    },
    {
      it: "wants values for all states",
      broken: held({ scalar: "oneOf", of: ["open", "close"] }),
      told: [
        [
          "resources.item.states",
          '"state" cannot be "closed": its field has no such value.',
          'Did you mean "close"?',
        ],
      ],
    },
    {
      it: "wants a shared enumeration to have all states",
      broken: item(
        { fields: { state: { scalar: "oneOf", of: "life" } } },
        { enums: { life: { values: ["opened", "closed"] } } },
      ),
      told: [
        [
          "resources.item.states",
          '"state" cannot be "open": its field has no such value.',
          'Did you mean "opened"?',
        ],
      ],
    },
  ],
  stateNames: [
    {
      it: "finds misspelt states",
      broken: item({
        states: {
          initial: "open",
          final: ["closd", "solved"],
          states: { opn: { description: "New." }, solved: {} },
          transitions: {
            close: { from: ["open", "opne"], to: "closed" },
            reopen: { from: "closde", to: "open" },
            again: { from: "solved", to: "open" },
          },
        },
      }),
      told: [
        [
          "resources.item.states.final",
          '"closd" cannot be a final state of "state": nothing leads to it.',
          'Did you mean "closed"? Or is that misspelt in the "to" of "close", the only place that names it?',
        ],
        [
          "resources.item.states.states.opn",
          'No transition of "state" leads to "opn", or from it.',
          'Did you mean "open"?',
        ],
        [
          "resources.item.states.transitions.close.from.1",
          '"close" cannot start from "opne": nothing leads to it.',
          'Did you mean "open"?',
        ],
        [
          "resources.item.states.transitions.reopen.from",
          '"reopen" cannot start from "closde": nothing leads to it.',
          'Did you mean "closed"? Or is that misspelt in the "to" of "close", the only place that names it?',
        ],
      ],
    },
    {
      it: "finds a misspelt initial state, or one that a transition leads to, which nothing else names",
      broken: item({
        states: {
          initial: "opne",
          final: ["solved"],
          transitions: {
            close: { from: "open", to: "closde" },
            reopen: { from: ["closed"], to: "late" },
            hurry: { from: "late", to: "lost" },
            solve: { from: ["open", "closed"], to: "solved" },
          },
        },
      }),
      told: [
        [
          "resources.item.states.initial",
          'Nothing of "state" but this names the state "opne", and nothing leads to "open".',
          'Did you mean "open"?',
        ],
        [
          "resources.item.states.transitions.close.to",
          'Nothing of "state" but this names the state "closde", and nothing leads to "closed".',
          'Did you mean "closed"?',
        ],
      ],
    },
    {
      it: "leaves open which of two spellings is wrong, where each stands once",
      broken: item({ states: { initial: "opne", transitions: { close: { from: "open", to: "closed" } } } }),
      told: [
        [
          "resources.item.states.transitions.close.from",
          '"close" cannot start from "open": nothing leads to it.',
          'Did you mean "opne"? Or is that misspelt in "initial", the only place that names it?',
        ],
      ],
    },
    {
      it: "keeps the names of events and of every state",
      broken: item({
        states: {
          initial: "created",
          final: "any",
          states: { any: {} },
          transitions: {
            close: { from: ["created", "any", "created"], to: "deleted" },
            any: { from: "any", to: "any" },
          },
        },
      }),
      told: [
        [
          "resources.item.states",
          'No state of "state" can be called "created", as the event of every created record is.',
          "Give it another name.",
        ],
        [
          "resources.item.states",
          'No state of "state" can be called "deleted", as the event of every deleted record is.',
          "Give it another name.",
        ],
        [
          "resources.item.states.final",
          'No state can be called "any": from: "any" is every state.',
          "Give it another name.",
        ],
        [
          "resources.item.states.states.any",
          'No state can be called "any": from: "any" is every state.',
          "Give it another name.",
        ],
        [
          "resources.item.states.transitions.any.to",
          'No state can be called "any": from: "any" is every state.',
          "Give it another name.",
        ],
        [
          "resources.item.states.transitions.close.from",
          '"close" starts from "any" among others.',
          'Write from: "any", or name the states.',
        ],
        ["resources.item.states.transitions.close.from.2", '"close" starts from "created" twice.'],
      ],
    },
    {
      it: "wants a name of its own for each state of a resource, and a place for one that has none",
      broken: item({
        states: {
          life,
          payment: {
            initial: "due",
            transitions: { pay: { from: "due", to: "closed" }, forget: { from: "due", to: "" } },
          },
        },
      }),
      told: [
        [
          "resources.item.states.payment",
          '"closed" is a state of "life" and of "payment", so that an event "item.closed" could be of either.',
          "Give one of them another name.",
        ],
        ["resources.item.states.payment", '"item.payment" has an empty value.'],
      ],
    },
  ],
  transitionNames: [
    {
      it: "wants names of both faces, each once, and reasons that can be told",
      broken: item({
        states: {
          life: {
            ...life,
            transitions: {
              close: { from: "open", to: "closed", reason: "It is late." },
              "re-open": { from: "closed", to: "open" },
              _: { from: "closed", to: "open" },
              read: { from: "open", to: "closed" },
              closeNow: { from: "open", to: "closed" },
              close_now: { from: "open", to: "closed" },
            },
          },
          payment: { initial: "due", transitions: { close: { from: "due", to: "paid" } } },
        },
      }),
      told: [
        [
          "resources.item.states.life.transitions.close.reason",
          'The reason of "close" is never told: it has no `when` that could fail.',
          "Leave it out, or say what the record must meet.",
        ],
        [
          "resources.item.states.life.transitions.re-open",
          '"re-open" cannot be the name of a transition.',
          "Letters, digits and underscores, not beginning with a digit or with two underscores.",
        ],
        [
          "resources.item.states.life.transitions._",
          '"_" cannot be the name of a transition.',
          "Letters, digits and underscores, not beginning with a digit or with two underscores.",
        ],
        [
          "resources.item.states.life.transitions.read",
          '"read" is what rules call looking at a record, so no transition is.',
          "Give it another name.",
        ],
        [
          "resources.item.states.life.transitions.close_now",
          '"item" has two transitions that would be asked for as "close-now".',
          "Give one of them another name.",
        ],
        [
          "resources.item.states.payment.transitions.close",
          '"life" and "payment" both have a transition that is asked for as "close".',
          "Give one of them another name.",
        ],
      ],
    },
  ],
  transitionInputs: [
    {
      it: "wants names, and nothing that is said of columns",
      broken: moved({
        input: {
          "a-b": text,
          when: { ...text, unique: true, column: "x", read: { anyone: true }, default: { database: true } },
          amount: { scalar: "integer", min: 3, max: 2, pattern: "x" },
          size: { scalar: "oneOf", of: ["s", "s"] },
          kind: { scalar: "oneOf", of: "kinds" },
          count: { scalar: "integer", default: "many" },
          tag: { scalar: "text", pattern: "(" },
        },
      }),
      told: [
        [
          "resources.item.states.transitions.close.input.amount.pattern",
          '"amount" cannot have `pattern`: integer has none.',
        ],
        [
          "resources.item.states.transitions.close.input.amount",
          'The min of "amount", 3, is greater than its max, 2.',
        ],
        [
          "resources.item.states.transitions.close.input.tag.pattern",
          'The pattern of "tag" is no regular expression: /(/u: Unterminated group.',
        ],
        ["resources.item.states.transitions.close.input.size.of.1", '"item.size" has the value "s" twice.'],
        ["resources.item.states.transitions.close.input.kind.of", 'No enumeration is called "kinds".'],
        [
          "resources.item.states.transitions.close.input.count.default",
          'The default of "count" must be a whole number of 32 bits, not "many".',
        ],
        [
          "resources.item.states.transitions.close.input.a-b",
          '"a-b" cannot be the name of an input.',
          "Letters, digits and underscores, not beginning with a digit or with two underscores.",
        ],
        [
          "resources.item.states.transitions.close.input.when.unique",
          '"when" is given with "close", and no column holds it: it cannot have `unique`.',
        ],
        [
          "resources.item.states.transitions.close.input.when.column",
          '"when" is given with "close", and no column holds it: it cannot have `column`.',
        ],
        [
          "resources.item.states.transitions.close.input.when.read",
          '"when" is given with "close", and no column holds it: it cannot have `read`.',
        ],
        [
          "resources.item.states.transitions.close.input.when.default",
          '"when" has no default in the database, where no column holds it.',
        ],
      ],
    },
  ],
  transitionSets: [
    {
      it: "sets members that there are, and that may be set",
      broken: setting({
        titel: "x",
        reporter: { viewer: "id" },
        state: "closed",
        code: "x",
        sum: 1,
        reporterKey: "x",
      }),
      told: [
        [
          "resources.ticket.states.transitions.close.set.titel",
          '"ticket" has no member "titel" to set.',
          'Did you mean "title"?',
        ],
        [
          "resources.ticket.states.transitions.close.set.reporter",
          '"ticket" has no member "reporter" to set.',
          'Did you mean "reporterId" or "reporterKey"?',
        ],
        [
          "resources.ticket.states.transitions.close.set.state",
          '"state" cannot be set: it holds a state, which the transition itself changes.',
        ],
        ["resources.ticket.states.transitions.close.set.code", '"code" cannot be set: it is immutable.'],
        [
          "resources.ticket.states.transitions.close.set.sum",
          '"sum" cannot be set: it is computed by the database.',
        ],
        [
          "resources.ticket.states.transitions.close.set.reporterKey",
          '"reporterKey" cannot be set: its column is a relation\'s, which is set by its reference.',
        ],
      ],
    },
    {
      it: "sets constants that fit",
      broken: setting({
        title: "longer than ten",
        effort: "now",
        cost: null,
        size: "l",
        closedAt: "yesterday",
        reporterId: "person_1",
        words: ["longer"],
        extra: { given: "x", other: 1 },
      }),
      told: [
        [
          "resources.ticket.states.transitions.close.set.title",
          '"title" must be set to text of at most 10 characters, not "longer than ten".',
        ],
        [
          "resources.ticket.states.transitions.close.set.effort",
          '"effort" must be set to a whole number of 32 bits, not "now".',
        ],
        [
          "resources.ticket.states.transitions.close.set.cost",
          '"cost" cannot be set to null: it always has a value.',
          "Make it optional.",
        ],
        [
          "resources.ticket.states.transitions.close.set.size",
          '"size" must be set to one of "s", "m", not "l".',
        ],
        [
          "resources.ticket.states.transitions.close.set.closedAt",
          '"closedAt" must be set to a moment such as "2026-11-01T09:30:00Z", or "now", not "yesterday".',
        ],
        [
          "resources.ticket.states.transitions.close.set.reporterId",
          '"reporterId" leads to a record, which a declaration cannot name.',
          "Set it to viewer.id, to what an input gives, or to null.",
        ],
        [
          "resources.ticket.states.transitions.close.set.words",
          '"words" must be set to a list of text of at most 5 characters, not ["longer"].',
        ],
      ],
    },
    {
      it: "sets who asks only where such a record is meant",
      broken: setting({ parentId: { viewer: "id" }, title: { viewer: "id" }, reporterId: { viewer: "id" } }),
      told: [
        [
          "resources.ticket.states.transitions.close.set.parentId",
          '"parentId" cannot be the viewer: it does not refer to "person".',
          "viewer.id is for references to it.",
        ],
        [
          "resources.ticket.states.transitions.close.set.title",
          '"title" cannot be the viewer: it does not refer to "person".',
          "viewer.id is for references to it.",
        ],
      ],
    },
    {
      it: "sets who asks only where the service says who that is",
      broken: setting({ assigneeId: { viewer: "id" } }, {}, { viewer: undefined as never }),
      told: [
        [
          "resources.ticket.states.transitions.close.set.assigneeId",
          '"assigneeId" cannot be the viewer: the service declares none.',
          "Give it a `viewer`.",
        ],
      ],
    },
    {
      it: "sets what is given only where it is a value of that kind",
      broken: setting(
        {
          title: { given: "link" },
          effort: { given: "ratio" },
          size: { given: "size" },
          words: { given: "link" },
          closedAt: { given: "day" },
          reporterId: { given: "ratio" },
          assigneeId: { given: "who" },
          parentId: { given: "parnt" },
        },
        {
          link: { scalar: "url" },
          ratio: { scalar: "float" },
          size: { scalar: "oneOf", of: ["s", "l"] },
          day: { scalar: "date" },
          who: { scalar: "text" },
          parent: { scalar: "text" },
        },
      ),
      told: [
        [
          "resources.ticket.states.transitions.close.set.effort",
          'The input "ratio" does not fit "effort": it is float, not integer.',
        ],
        [
          "resources.ticket.states.transitions.close.set.size",
          'The input "size" does not fit "size": it may be "l".',
        ],
        [
          "resources.ticket.states.transitions.close.set.words",
          'The input "link" does not fit "words": it is url, not a list of text.',
        ],
        [
          "resources.ticket.states.transitions.close.set.closedAt",
          'The input "day" does not fit "closedAt": it is date, not timestamp.',
        ],
        [
          "resources.ticket.states.transitions.close.set.reporterId",
          'The input "ratio" does not fit "reporterId": it is no text, as the ids of records are.',
        ],
        [
          "resources.ticket.states.transitions.close.set.parentId",
          '"close" has no input "parnt".',
          'Did you mean "parent"?',
        ],
      ],
    },
  ],
  memberClashes: [
    {
      it: "keeps `transitions` and `history` for records that have them",
      broken: item({
        fields: { history: text },
        relations: { Transitions: { kind: "one", target: "item" } },
      }),
      told: [
        [
          "resources.item.fields.history",
          'The field "history" and the history of a record have the same name.',
        ],
        [
          "resources.item.relations.Transitions",
          'The relation "Transitions" and the list of what can be done with a record have the same name.',
        ],
      ],
    },
    {
      it: "keeps `history` for resources whose changes are kept, and `transitions` for nobody else",
      broken: {
        name: "shop",
        resources: {
          plain: { fields: { history: text, transitions: text } },
          kept: { history: true, fields: { history: text, transitions: text } },
        },
      },
      told: [
        [
          "resources.kept.fields.history",
          'The field "history" and the history of a record have the same name.',
        ],
      ],
    },
    {
      it: "tells of a state's field where the machine is written",
      broken: item({ relations: { state: { kind: "one", target: "item" } } }),
      told: [
        ["resources.item.relations.state", 'The relation "state" and the field "state" have the same name.'],
      ],
    },
  ],
  rootNames: [
    {
      it: "keeps mutations apart",
      broken: {
        name: "shop",
        resources: {
          order: {
            fields: {},
            states: {
              initial: "cart",
              transitions: { create: { from: "cart", to: "made" }, payBack: { from: "cart", to: "paid" } },
            },
          },
          backOrder: {
            fields: {},
            states: { initial: "cart", transitions: { pay: { from: "cart", to: "paid" } } },
          },
        },
      },
      told: [
        [
          "resources.order.states.transitions.create",
          '"create" of "order" would be the mutation "createOrder", which is how one would create "order".',
          "Give it another name.",
        ],
        [
          "resources.backOrder.states.transitions.pay",
          '"pay" of "backOrder" would be the mutation "payBackOrder", which is the transition "payBack" of "order".',
          "Give it another name.",
        ],
      ],
    },
  ],
  typeNames: [
    {
      it: "keeps enumerations of inputs apart",
      broken: {
        name: "shop",
        resources: {
          item: {
            fields: {},
            states: {
              ...life,
              transitions: {
                close: { from: "open", to: "closed", input: { reason: { scalar: "oneOf", of: ["a"] } } },
              },
            },
          },
          itemCloseReason: { fields: {} },
          itemState: { fields: {} },
        },
      },
      told: [
        [
          "resources.item.states",
          'The enumeration of "item.state" and the resource "itemState" would both have the type "ItemState".',
        ],
        [
          "resources.item.states.transitions.close.input.reason.of",
          'The enumeration of the input "reason" of "item.close" and the resource "itemCloseReason" would both have the type "ItemCloseReason".',
        ],
      ],
    },
  ],
  formerNames: [
    {
      it: "wants former names of states that no state has any more, and that one state had",
      broken: item({
        states: { ...life, states: { open: { was: ["new", "closed"] }, closed: { was: "new" } } },
      }),
      told: [
        [
          "resources.item.states.states.open.was",
          '"open" cannot have been "closed", which is a state now.',
          "Rename in two steps.",
        ],
        [
          "resources.item.states.states.closed.was",
          '"closed" and "open" cannot both have been "new".',
          "Leave out one of the two.",
        ],
      ],
    },
    {
      it: "refuses former names of states where the tables are somebody else's",
      broken: item({ states: { ...life, states: { open: { was: "new" } } } }, { managed: false }),
      told: [
        [
          "resources.item.states.states.open.was",
          "Bifold does not manage these tables, so it renames nothing in them.",
          "Leave out `was`.",
        ],
      ],
    },
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>
