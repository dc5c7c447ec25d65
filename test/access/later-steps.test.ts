// A later operation of a batch or document is refused as the same request would be after the earlier ones: what they made
// forbidden is 403, what they hid is 404.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, many, one, resource, service, signedIn } from "../../src/index.ts"
import { openCode } from "../code/open.ts"
import { dialects } from "../support/open-service.ts"

const open = { folder: { open: { eq: true } } }

const desk = service({
  name: "desk",
  viewer: "person",
  resources: {
    person: resource({ id: "per", fields: { name: f.text() }, allow: { read: signedIn } }),
    folder: resource({
      id: "fol",
      fields: { open: f.boolean(), shown: f.boolean(), full: f.boolean() },
      relations: { notes: many("note", { by: "folder" }) },
      allow: { read: signedIn, update: signedIn },
    }),
    note: resource({
      id: "not",
      fields: { text: f.text(), status: f.oneOf(["draft", "sent"]) },
      relations: { folder: one("folder") },
      states: {
        status: {
          initial: "draft",
          transitions: {
            send: {
              from: "draft",
              to: "sent",
              allow: open,
              when: { folder: { full: { eq: false } } },
              reason: "The folder is full.",
            },
          },
        },
      },
      allow: { read: { folder: { shown: { eq: true } } }, create: open, update: open, delete: open },
    }),
  },
})

interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: object
  /** The same as a field of a mutation. */
  readonly field: string
}

const first = (folder: string, note: string): Readonly<Record<string, Asked>> => {
  const patch = (body: object, text: string): Asked => ({
    method: "PATCH",
    path: `/folders/${folder}`,
    body,
    field: `updateFolder(id: "${folder}", input: ${text}) { folder { id } }`,
  })
  return {
    closes: patch({ open: false }, "{ open: false }"),
    hides: patch({ shown: false }, "{ shown: false }"),
    fills: patch({ full: true }, "{ full: true }"),
    sends: {
      method: "POST",
      path: `/notes/${note}/transitions/send`,
      body: {},
      field: `sendNote(id: "${note}") { note { id } }`,
    },
    removes: {
      method: "DELETE",
      path: `/notes/${note}`,
      field: `deleteNote(id: "${note}") { deletedId }`,
    },
  }
}

const second = (folder: string, note: string): Readonly<Record<string, Asked>> => ({
  update: {
    method: "PATCH",
    path: `/notes/${note}`,
    body: { text: "new" },
    field: `updateNote(id: "${note}", input: { text: "new" }) { note { id } }`,
  },
  delete: {
    method: "DELETE",
    path: `/notes/${note}`,
    field: `deleteNote(id: "${note}") { deletedId }`,
  },
  create: {
    method: "POST",
    path: "/notes",
    body: { text: "new", folderId: folder },
    field: `createNote(input: { text: "new", folderId: "${folder}" }) { note { id } }`,
  },
  fire: {
    method: "POST",
    path: `/notes/${note}/transitions/send`,
    body: {},
    field: `sendNote(id: "${note}") { note { id } }`,
  },
  nest: {
    method: "PATCH",
    path: `/folders/${folder}`,
    body: { notes: { update: [{ id: note, input: { text: "new" } }] } },
    field: `updateFolder(id: "${folder}", input: { notes: { update: [{ id: "${note}", input: { text: "new" } }] } }) { folder { id } }`,
  },
})

/** What became of a request. */
const said: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  closes: {
    update: "forbidden",
    delete: "forbidden",
    create: "forbidden",
    fire: "forbidden",
    nest: "forbidden",
  },
  hides: {
    update: "not_found",
    delete: "not_found",
    create: "forbidden",
    fire: "not_found",
    nest: "missing_reference",
  },
  fills: { update: "done", delete: "done", create: "done", fire: "condition_not_met", nest: "done" },
  sends: { update: "done", delete: "done", create: "done", fire: "illegal_transition", nest: "done" },
  removes: {
    update: "not_found",
    delete: "not_found",
    create: "done",
    fire: "not_found",
    nest: "missing_reference",
  },
}

for (const database of dialects)
  test(`a later operation is refused for what the earlier ones left, ${database}`, async (context) => {
    const opened = await openCode(context, desk, database)
    const { person: [ann = ""] = [] } = await opened.add({ person: [{ name: "Ann" }] })
    const asAnn = opened.as(`person:${ann}`)
    const fresh = async (): Promise<readonly [string, string]> => {
      const { folder: [folder = ""] = [] } = await opened.add({
        folder: [{ open: true, shown: true, full: false }],
      })
      const { note: [note = ""] = [] } = await opened.add({ note: [{ text: "old", folderId: folder }] })
      return [folder, note]
    }
    const ask = async (method: string, path: string, body?: unknown): Promise<string> => {
      const answer = await asAnn.rest<{ code?: string } | undefined>(method, path, body)
      return answer.status < 300 ? "done" : String(answer.body?.code)
    }
    for (const [before, codes] of Object.entries(said))
      for (const [then, code] of Object.entries(codes)) {
        const pairOf = async (): Promise<readonly Asked[]> => {
          const ids = await fresh()
          return [first(...ids)[before], second(...ids)[then]].filter((one) => one !== undefined)
        }
        const what = `${then} after one that ${before}`
        const oneByOne: string[] = []
        for (const { method, path, body } of await pairOf()) oneByOne.push(await ask(method, path, body))
        assert.deepEqual(oneByOne, ["done", code], what)
        const requests = (await pairOf()).map(({ field: _, ...asked }, index) => ({
          id: `r${index}`,
          ...asked,
        }))
        assert.equal(await ask("POST", "/batch", { requests }), code, `${what}, in a batch`)
        const fields = (await pairOf()).map(({ field }, index) => `f${index}: ${field}`)
        const { errors } = await asAnn.graphql(`mutation { ${fields.join(" ")} }`)
        assert.equal(errors?.[0]?.extensions?.["code"] ?? "done", code, `${what}, in a document`)
      }
    assert.deepEqual(opened.faults, [])
  })

const shelves = service({
  name: "shelves",
  viewer: "person",
  resources: {
    person: resource({ id: "per", fields: { name: f.text() }, allow: { read: signedIn } }),
    shelf: resource({
      id: "she",
      fields: { label: f.text() },
      allow: { read: signedIn, create: signedIn },
    }),
    book: resource({
      id: "boo",
      fields: { isbn: f.text({ unique: true }), note: f.text({ default: "" }) },
      relations: { shelf: one("shelf", { optional: true }) },
      allow: { read: signedIn, update: signedIn },
    }),
  },
})

for (const database of dialects)
  test(`PUT refers to an earlier request of its batch, also for callers who create no such record, ${database}`, async (context) => {
    const opened = await openCode(context, shelves, database)
    const { person: [ann = ""] = [] } = await opened.add({ person: [{ name: "Ann" }] })
    await opened.add({ book: [{ isbn: "1" }] })
    const { status, body } = await opened
      .as(`person:${ann}`)
      .rest<{ responses: readonly { body: { id: string; shelfId?: string } }[] }>("POST", "/batch", {
        requests: [
          { id: "s", method: "POST", path: "/shelves", body: { label: "A" } },
          { method: "PUT", path: "/books/isbn=1", body: { note: "moved", shelfId: { $ref: "s.id" } } },
        ],
      })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.responses[1]?.body.shelfId, body.responses[0]?.body.id)
  })
