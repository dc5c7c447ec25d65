// A record that is made under rules takes one statement on PostgreSQL. Its refusals, the log and the keys of requests are those
// of the commands one by one, as SQLite has them.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, many, resource, service, signedIn, one as toOne, viewer } from "../../src/index.ts"
import type { StorageOptions } from "../../src/storage/storage.ts"
import { openCode } from "../code/open.ts"
import { dialects } from "../support/open-service.ts"

const me = { id: { eq: viewer.id } }
const mine = { memberships: { some: { person: me } } }
const club = service({
  name: "club",
  viewer: "person",
  resources: {
    person: resource({ id: "per", fields: { name: f.text() }, allow: { read: signedIn } }),
    team: resource({
      id: "tea",
      fields: { name: f.text() },
      relations: { memberships: many("membership", { by: "team" }), notes: many("note", { by: "team" }) },
      allow: { read: mine },
    }),
    membership: resource({
      id: "mem",
      fields: {},
      relations: { team: toOne("team"), person: toOne("person") },
      allow: { read: { person: me }, create: { team: { memberships: { some: { person: me } } } } },
    }),
    note: resource({
      id: "not",
      history: true,
      fields: {
        text: f.text({ unique: true, optional: true }),
        color: f.oneOf(["red", "blue"], { default: "red" }),
        pinned: f.boolean({ default: false }),
      },
      relations: { team: toOne("team"), author: toOne("person") },
      allow: { read: { team: mine }, create: { team: mine, author: me, color: { ne: "blue" } } },
    }),
    seat: resource({
      id: "sea",
      fields: { blocked: f.boolean({ optional: true }) },
      relations: { room: toOne("room") },
      allow: { read: { room: { seats: { none: { blocked: { eq: true } } } } }, create: signedIn },
    }),
    room: resource({
      id: "roo",
      fields: {},
      relations: { seats: many("seat", { by: "room" }) },
      allow: { read: signedIn },
    }),
    ticket: resource({
      key: { column: "number", type: "integer" },
      fields: { text: f.text({ optional: true }) },
      allow: { read: signedIn, create: { id: { ne: 1 }, text: { isNull: true } } },
    }),
    draft: resource({
      id: "dra",
      fields: { size: f.integer() },
      relations: { note: toOne("note", { optional: true }) },
      allow: { read: { size: { lt: 9 } }, create: signedIn },
    }),
  },
})

for (const database of dialects)
  test(`a record under rules is made by one statement where one can tell, ${database}`, async (context) => {
    const sent: number[] = []
    const telemetry = {
      awaited: (statement: { kind: string; commands?: readonly unknown[] }, run: () => Promise<unknown>) => {
        if (statement.kind === "write") sent.push(statement.commands?.length ?? 0)
        return run()
      },
      committed() {},
      doneAgain() {},
    } as unknown as NonNullable<StorageOptions["telemetry"]>
    const one = database === "postgres"
    const opened = await openCode(context, club, database, one ? { telemetry } : {})
    const { person: [ann = "", ben = ""] = [] } = await opened.add({
      person: [{ name: "Ann" }, { name: "Ben" }],
    })
    const { team: [hers = "", his = ""] = [] } = await opened.add({ team: [{ name: "A" }, { name: "B" }] })
    await opened.add({
      membership: [
        { teamId: hers, personId: ann },
        { teamId: his, personId: ben },
      ],
    })
    const { note: [hidden = ""] = [] } = await opened.add({ note: [{ teamId: his, authorId: ben }] })
    const { room: [room = ""] = [] } = await opened.add({ room: [{}] })
    const asAnn = opened.as(`person:${ann}`)
    const told = async (path: string, body: object, headers = {}) => {
      sent.length = 0
      const { status, body: answer } = await asAnn.rest<{
        id?: string
        code?: string
        errors?: readonly { pointer?: string }[]
      }>("POST", path, body, headers)
      const what = status < 300 ? status : `${status} ${answer.code} ${answer.errors?.[0]?.pointer ?? ""}`
      return { what, id: answer.id, commands: [...sent] }
    }
    const note = (more: object) => ({ teamId: hers, authorId: ann, ...more })

    const made = await told("/notes", note({ text: "first" }))
    assert.equal(made.what, 201)
    if (one) assert.deepEqual(made.commands, [1])
    const included = await told("/notes?include=team,author", note({ text: "second" }))
    assert.equal(included.what, 201)
    if (one) assert.deepEqual(included.commands, [1])
    const keyed = [1, 2].map(() => told("/notes", note({ text: "keyed" }), { "idempotency-key": "k1" }))
    const [once, again] = [await keyed[0], await keyed[1]]
    assert.ok([once?.what, again?.what].includes(201))
    assert.equal((await told("/drafts", { size: 1, noteId: made.id })).what, 201)

    for (const [path, body, what] of [
      ["/notes", note({ teamId: his }), "422 missing_reference /teamId"],
      ["/notes", note({ teamId: his.replace(/.$/, "0") }), "422 missing_reference /teamId"],
      ["/notes", note({ authorId: ben }), "403 forbidden "],
      ["/notes", note({ color: "blue" }), "403 forbidden "],
      ["/notes", note({ text: "first" }), "409 already_exists /text"],
      ["/notes", note({ text: "first", authorId: ben }), "409 already_exists /text"],
      ["/drafts", { size: 9 }, "403 forbidden "],
      ["/drafts", { size: 1, noteId: hidden }, "422 missing_reference /noteId"],
      ["/seats", { roomId: room, blocked: true }, "403 forbidden "],
      ["/tickets", {}, "403 forbidden "],
      ["/tickets", { text: "some" }, "403 forbidden "],
      ["/memberships", { teamId: his, personId: ann }, "422 missing_reference /teamId"],
    ] as const)
      assert.equal((await told(path, body)).what, what, JSON.stringify(body))
    // The rule of sight leads to the table that is written: one statement would see it as it was.
    const member = await told("/memberships", { teamId: hers, personId: ann })
    assert.equal(member.what, 201)
    if (one) assert.ok((member.commands[0] ?? 0) > 1)

    const { body: events } = await asAnn.rest<{ data: readonly unknown[] }>("GET", `/notes?fields=id`)
    assert.equal(events.data.length, 3)
    const { body: history } = await asAnn.rest<{ data: readonly unknown[] }>(
      "GET",
      `/notes/${made.id}/history`,
    )
    assert.equal(history.data.length, 1)
    assert.deepEqual(opened.faults, [])
  })
