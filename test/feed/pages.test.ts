// Events under the rules of who asks: whose they are, which kind, and nothing of records out of sight.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import type { Client } from "../../src/tools/testing/start-service.ts"
import { openNotes } from "./open-notes.ts"

const servers = { sqlite: "sqlite", postgres: process.env["BIFOLD_TEST_POSTGRES"] ?? "" } as const

interface Event {
  readonly id: string
  readonly kind: string
  readonly type: string
  readonly resource: string
  readonly recordId: string
  readonly changes?: readonly { readonly field: string }[]
}

interface Page {
  readonly data: readonly Event[]
  readonly page: { readonly next: string; readonly hasMore: boolean }
}

const eventsOf = async (client: Client, query = ""): Promise<Page> => {
  const { status, body } = await client.rest<Page>("GET", `/events${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const kindsOf = ({ data }: Page): readonly (readonly string[])[] => data.map(({ kind, type }) => [kind, type])

for (const [name, database] of Object.entries(servers))
  describe(`pages of events, on ${name}`, () => {
    const open = () => openNotes(database)

    test("a record that changes hands leaves one and enters the sight of another", async () => {
      const { started, ann, ben, staff, write, annSees, benSees } = await open()
      await using _ = started
      const id = await write("POST", "/notes", { text: "one", ownerId: ann, secret: "s" })
      await write("PATCH", `/notes/${id}`, { text: "two", secret: "t" })
      await write("PATCH", `/notes/${id}`, { ownerId: ben })
      await write("POST", `/notes/${id}/transitions/publish`, { why: "because" })
      await write("DELETE", `/notes/${id}`)
      assert.deepEqual(kindsOf(await eventsOf(staff)), [["DELETED", "note.deleted"]])
      assert.deepEqual(kindsOf(await eventsOf(annSees)), [["LEFT", "note.left"]])
      assert.deepEqual(kindsOf(await eventsOf(benSees)), [["DELETED", "note.deleted"]])
    })

    test("a page after now is empty, and its cursor is followed by what is written then", async () => {
      const { started, ann, write, annSees } = await open()
      await using _ = started
      const id = await write("POST", "/notes", { text: "one", ownerId: ann })
      const asked =
        "query ($after: String) { events(after: $after) { nodes { type } pageInfo { endCursor } } }"
      const byGraphql = async (after: string) => {
        const { data, errors } = await annSees.graphql<{
          readonly events: {
            readonly nodes: readonly Event[]
            readonly pageInfo: { readonly endCursor: string }
          }
        }>(asked, { after })
        assert.deepEqual(errors, [])
        assert.ok(data)
        return data.events
      }
      const [page, connection] = [await eventsOf(annSees, "?after=now"), await byGraphql("now")]
      assert.deepEqual([page.data, page.page.hasMore, connection.nodes], [[], false, []])
      await write("PATCH", `/notes/${id}`, { text: "two" })
      for (const cursor of [page.page.next, connection.pageInfo.endCursor]) {
        assert.deepEqual(kindsOf(await eventsOf(annSees, `?after=${cursor}`)), [["UPDATED", "note.updated"]])
        assert.deepEqual((await byGraphql(cursor)).nodes, [{ type: "note.updated" }])
      }
    })

    test("conditions on ids give what they leave of all events", async () => {
      const { started, ann, ben, staff, write, annSees } = await open()
      await using _ = started
      const ids: string[] = []
      for (const ownerId of [ann, ann, ben]) ids.push(await write("POST", "/notes", { text: "one", ownerId }))
      const [first = "", second = "", third = ""] = ids
      for (const id of ids) await write("PATCH", `/notes/${id}`, { text: "two" })
      await write("PATCH", `/notes/${first}`, { ownerId: ben })
      await write("DELETE", `/notes/${second}`)
      const all = { staff: (await eventsOf(staff)).data, ann: (await eventsOf(annSees)).data }
      const asked = async (client: Client, condition: object): Promise<readonly Event[]> =>
        (await eventsOf(client, `?resource=note&filter=${encodeURIComponent(JSON.stringify(condition))}`))
          .data
      const bare = first.slice("nte_".length)
      for (const [condition, wanted] of [
        [{ id: { eq: first } }, [first]],
        [{ id: { eq: bare } }, [first]],
        [{ id: { in: [second, third] } }, [second, third]],
        [{ text: { ne: "none" }, id: { eq: second } }, [second]],
        [{ or: [{ id: { eq: first } }, { id: { eq: third } }] }, [first, third]],
        [{ not: { id: { eq: first } } }, [second, third]],
        [{ and: [{ id: { in: ids } }, { id: { ne: third } }] }, [first, second]],
      ] as const)
        for (const [who, client] of [
          ["staff", staff],
          ["ann", annSees],
        ] as const)
          assert.deepEqual(
            await asked(client, condition),
            all[who].filter(({ recordId }) => (wanted as readonly string[]).includes(recordId)),
            `${who} ${JSON.stringify(condition)}`,
          )
      assert.equal(all.ann.filter(({ recordId }) => recordId === first).length, 1)
    })

    test("while it is there, its events are those of its history", async () => {
      const { started, ann, ben, staff, write, annSees, benSees } = await open()
      await using _ = started
      const id = await write("POST", "/notes", {
        text: "one",
        ownerId: ann,
        secret: "s",
        tags: ["a"],
        dueOn: "2026-01-01",
      })
      await write("PATCH", `/notes/${id}`, { text: "two", secret: "t" })
      await write("PATCH", `/notes/${id}`, { ownerId: ben })
      await write("POST", `/notes/${id}/transitions/publish`, { why: "because" })
      const seen = await eventsOf(benSees)
      assert.deepEqual(kindsOf(seen), [
        ["CREATED", "note.created"],
        ["UPDATED", "note.updated"],
        ["ENTERED", "note.updated"],
        ["UPDATED", "note.published"],
      ])
      assert.deepEqual(kindsOf(await eventsOf(annSees)), [["LEFT", "note.left"]])
      assert.deepEqual(kindsOf(await eventsOf(staff)), [
        ["CREATED", "note.created"],
        ["UPDATED", "note.updated"],
        ["UPDATED", "note.updated"],
        ["UPDATED", "note.published"],
      ])
      const { body } = await benSees.rest<{ history: { data: readonly object[] } }>(
        "GET",
        `/notes/${id}?include=history`,
      )
      const history = body.history.data
      const shown = seen.data.map(({ id: _id, kind: _kind, resource: _resource, recordId, ...entry }) => {
        assert.equal(recordId, id)
        return entry
      })
      assert.deepEqual(shown, history)
    })

    test("a condition says which records, and their coming and going", async () => {
      const { started, ann, write, annSees } = await open()
      await using _ = started
      const asked = `?resource=note&filter={"price":{"gte":"5.00"},"dueOn":{"gt":"2026-01-01"}}`
      const id = await write("POST", "/notes", {
        text: "one",
        ownerId: ann,
        price: "4.99",
        dueOn: "2026-01-02",
      })
      const { page } = await eventsOf(annSees, asked)
      assert.equal(page.hasMore, false)
      await write("PATCH", `/notes/${id}`, { price: "5.00", tags: ["x", "y"] })
      const came = await eventsOf(annSees, asked)
      assert.deepEqual(kindsOf(came), [
        ["CREATED", "note.created"],
        ["ENTERED", "note.updated"],
      ])
      const later = `${asked}&after=${page.next}`
      assert.deepEqual(kindsOf(await eventsOf(annSees, later)), [["ENTERED", "note.updated"]])
      const after = `${asked}&after=${came.page.next}`
      await write("PATCH", `/notes/${id}`, { text: "two" })
      await write("PATCH", `/notes/${id}`, { dueOn: null })
      assert.deepEqual(kindsOf(await eventsOf(annSees, after)), [["LEFT", "note.left"]])
      await write("PATCH", `/notes/${id}`, { dueOn: "2026-03-01" })
      assert.deepEqual(kindsOf(await eventsOf(annSees, after)), [
        ["UPDATED", "note.updated"],
        ["LEFT", "note.left"],
        ["ENTERED", "note.updated"],
      ])
      assert.deepEqual(kindsOf(await eventsOf(annSees, `${after}&types=note.left`)), [["LEFT", "note.left"]])
    })

    test("ids that come again are other records", async () => {
      const { started, staff, write } = await open()
      await using _ = started
      const benSees = started.as("signedIn")
      await write("POST", "/pages", { slug: "a", text: "first", open: true })
      await write("PATCH", "/pages/a", { text: "changed" })
      await write("DELETE", "/pages/a")
      await write("POST", "/pages", { slug: "a", text: "second" })
      assert.deepEqual(kindsOf(await eventsOf(benSees)), [["DELETED", "page.deleted"]])
      await write("PATCH", "/pages/a", { open: true })
      assert.deepEqual(kindsOf(await eventsOf(benSees)), [
        ["DELETED", "page.deleted"],
        ["CREATED", "page.created"],
        ["ENTERED", "page.updated"],
      ])
      assert.equal((await eventsOf(staff)).data.length, 3)
    })

    test("changes of records out of sight change nothing of an answer", async () => {
      const { started, ann, ben, write, annSees } = await open()
      await using _ = started
      const id = await write("POST", "/notes", { text: "one", ownerId: ann })
      const before = await eventsOf(annSees)
      const after = `?after=${before.page.next}`
      assert.deepEqual(
        before.data.map(({ recordId }) => recordId),
        [id],
      )
      const folder = await write("POST", "/folders", { title: "f", ownerId: ben })
      const hidden = await write("POST", "/notes", { text: "two", ownerId: ben, folderId: folder })
      await write("PATCH", `/notes/${hidden}`, { text: "three" })
      await write("DELETE", `/notes/${hidden}`)
      // Cursors are never the same, and so tell nothing.
      const shown = ({ data, page: { hasMore } }: Page) => ({ data, hasMore })
      assert.deepEqual(shown(await eventsOf(annSees)), shown(before))
      const [one, other] = [await eventsOf(annSees, after), await eventsOf(annSees, after)]
      assert.deepEqual(shown(one), { data: [], hasMore: false })
      assert.equal(new Set([before, one, other].map(({ page }) => page.next)).size, 3)
    })

    test("pages without events go on, a thousand rows at a time, and lose nothing", async () => {
      const { started, ann, ben, staff, annSees, write } = await open()
      await using _ = started
      const many = { text: "hidden", ownerId: ben }
      const query = `mutation ($input: [NoteCreateInput!]!) { createNotes(input: $input) { notes { id } } }`
      const made = await staff.graphql(query, { input: Array.from({ length: 50 }, () => many) })
      assert.deepEqual(made.errors, [])
      const change = `mutation ($text: String!) {
        updateNotes(where: { shared: { eq: false } }, input: { text: $text }, maxAffected: 60) { affected }
      }`
      const changeAll = async (text: string): Promise<void> => {
        assert.deepEqual((await staff.graphql(change, { text })).errors, [])
      }
      for (let round = 1; round <= 21; round += 1) await changeAll(String(round))
      const shared = await write("POST", "/notes", { text: "one", ownerId: ann })
      const first = await eventsOf(annSees, "?resource=note")
      assert.deepEqual([first.data, first.page.hasMore], [[], true])
      const second = await eventsOf(annSees, `?resource=note&after=${first.page.next}`)
      assert.deepEqual(
        second.data.map(({ recordId }) => recordId),
        [shared],
      )
      await changeAll("22")
      const third = await eventsOf(annSees, `?resource=note&after=${second.page.next}`)
      assert.deepEqual([kindsOf(third), third.page.hasMore], [[["UPDATED", "note.updated"]], false])
    })

    test("types are named one by one, or all of a resource", async () => {
      const { started, ann, staff, write } = await open()
      await using _ = started
      const id = await write("POST", "/notes", { text: "one", ownerId: ann })
      await write("PATCH", `/notes/${id}`, { text: "two" })
      await write("POST", "/folders", { title: "f", ownerId: ann })
      const typesOf = async (types: string) =>
        (await eventsOf(staff, `?types=${types}`)).data.map(({ type }) => type)
      assert.deepEqual(await typesOf("note.*"), ["note.created", "note.updated"])
      for (const types of ["folder.*,note.updated", "folder.*&types=note.updated"])
        assert.deepEqual(await typesOf(types), ["note.updated", "folder.created"])
      const indexed = await eventsOf(staff, "?types[0]=folder.*&types[1]=note.updated")
      assert.equal(indexed.data.length, 2)
    })

    test("what cannot be asked is refused by name", async () => {
      const { started, annSees } = await open()
      await using _ = started
      const refused = async (query: string) => {
        const { status, body } = await annSees.rest<{
          errors: readonly { code: string; parameter?: string }[]
        }>("GET", `/events${query}`)
        return [status, ...body.errors.map(({ code, parameter }) => `${code} ${parameter}`)]
      }
      assert.deepEqual(await refused("?after=evt_AAAAAAAAAAAAAAAAAAAAAA"), [400, "invalid_cursor after"])
      assert.deepEqual(await refused("?after=evt_1"), [400, "invalid_cursor after"])
      const { page } = await eventsOf(annSees)
      const forged = `${page.next.slice(0, -4)}AAAA`
      assert.deepEqual(await refused(`?after=${forged}`), [400, "invalid_cursor after"])
      assert.deepEqual(await refused(`?after=${page.next}A`), [400, "invalid_cursor after"])
      assert.deepEqual(await refused("?resource=person"), [400, "invalid_value resource"])
      assert.deepEqual(await refused(`?filter={"text":"a"}`), [400, "invalid_value filter"])
      assert.deepEqual(await refused("?types=note.created,note.creatd"), [400, "invalid_value types"])
      assert.deepEqual(await refused("?types=note.created&types[]=note.updated"), [
        400,
        "invalid_value types",
      ])
      assert.deepEqual(await refused("?resource=note&resource=folder"), [400, "invalid_value resource"])
      assert.deepEqual(await refused(`?resource=note&filter={}&filter[price]=1`), [
        400,
        "invalid_value filter[price]",
      ])
      assert.deepEqual(await refused("?resource=note&types=folder.*"), [400, "invalid_value types"])
      assert.deepEqual(await refused("?resource=note&filter[secret]=a"), [
        400,
        "unknown_field filter[secret]",
      ])
      assert.deepEqual(await refused("?sort=id&x=1&limit=1000"), [
        400,
        "unknown_parameter x",
        "unknown_parameter sort",
        "invalid_value limit",
      ])
    })
  })
