// A desk with tickets in every state, asked by either face as whoever is named.

import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { graphqlFace } from "../../src/graphql/face.ts"
import type { AnswerPlan } from "../../src/http/face.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { type Actor, everybodyOf } from "../../src/plan/access/actor.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import type { Fresh } from "../../src/plan/draft/draft.ts"
import { restFace } from "../../src/rest/face.ts"
import type { Row } from "../../src/sql/write/insert.ts"
import { desk } from "../services/desk.ts"
import type { Hooks } from "../support/database.ts"
import { connectFaces, type Database, type OpenService, openService } from "../support/open-service.ts"
import { readMessage } from "../support/spelling.ts"
import { asText, type TextResponse } from "../support/text-face.ts"

export const deskModel: Model = load(desk)

/** `id(7)`: the 26 characters of the seventh record. */
export const id = (number: number): string => String(number).padStart(26, "0")

export const agent = `role:agent+person:per_${id(2)}`
export const boss = "role:boss"
export const ada = `person:per_${id(1)}`

const ticket = (number: number, more: Row): Row => ({
  id: id(number),
  title: `Ticket ${number}`,
  effort: null,
  cost: "0.00",
  secret: null,
  answer: null,
  closedAt: null,
  state: "open",
  billing: "unbilled",
  reporterId: id(1),
  assigneeId: null,
  ...more,
})

/** 11 open, 12 working, 13 open with a note, 14 solved, 15 closed, 16 costs something, 17 is Cyd's. */
const records = new Map<string, readonly Row[]>([
  [
    "person",
    [
      { id: id(1), name: "Ada" },
      { id: id(2), name: "Bob" },
      { id: id(3), name: "Cyd" },
    ],
  ],
  [
    "ticket",
    [
      ticket(11, {}),
      ticket(12, { state: "working", assigneeId: id(2) }),
      ticket(13, {}),
      ticket(14, { state: "solved", answer: "Done." }),
      ticket(15, { state: "closed" }),
      ticket(16, { cost: "12.50" }),
      ticket(17, { reporterId: id(3) }),
    ],
  ],
  ["note", [{ id: id(21), text: "How.", ticketId: id(13) }]],
])

export interface Desk {
  as(words: string): OpenService
}

/** Ids in their order, and a clock that stands still. */
function freshIds(): Fresh {
  let made = 900
  return {
    id: () => id(++made),
    uuid: () => crypto.randomUUID(),
    now: () => "2026-03-01T12:00:00.000Z",
  }
}

/** A database of its own; `as` asks it as whoever the words name. */
export async function openDesk(hooks: Hooks, database: Database): Promise<Desk> {
  const { storage } = await openService(hooks, {
    model: deskModel,
    records: { records, links: [] },
    database,
    options: { writes: "unsafe" },
  })
  const fresh = freshIds()
  const known = new Map<string, OpenService>()
  return {
    as(words) {
      const actor = actorFromText(deskModel, words)
      const opened = known.get(words) ?? connectFaces(actor.model, storage, { actor, fresh })
      known.set(words, opened)
      return opened
    },
  }
}

const unread: AnswerPlan = () => Promise.reject(new Error("nothing should be read"))

/** Both faces of a model, of which nothing is read: for what is told without looking at a record. */
export function unreadFaces(model: Model, actor: Actor = everybodyOf(model)) {
  const context = { model, cursors: createCursors("a secret of the tests"), answer: unread }
  const [rest, graphql] = [asText(restFace(context), model), asText(graphqlFace(context), model)]
  const given = { requestId: "test", actor, headers: {} }
  return {
    rest: (message: string): Promise<TextResponse> => rest({ ...given, ...readMessage(message) }),
    graphql: (query: string): Promise<TextResponse> =>
      graphql({
        ...given,
        method: "POST",
        path: "",
        query: "",
        headers: { "content-type": "application/json" },
        body: Buffer.from(JSON.stringify({ query })),
      }),
  }
}
