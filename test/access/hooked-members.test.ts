// Rules are asked of a record with the members that its hook sets, of new and of changed records, by every way to change one.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, given, many, one, resource, service, signedIn, viewer, withCode } from "../../src/index.ts"
import { openCode } from "../code/open.ts"
import { dialects } from "../support/open-service.ts"

const me = { id: { eq: viewer.id } }

/** The text names the member that the hook sets. */
const set = ({ new: { text } }: { readonly new: { readonly text: string } }) =>
  text === "give"
    ? { authorId: "per_bob" }
    : text === "grade"
      ? { grade: 9 }
      : text === "move"
        ? { teamId: "tea_other" }
        : text === "join"
          ? { teamId: "tea_empty" }
          : text === "hide"
            ? { hidden: true }
            : text === "plain"
              ? { stamp: "s" }
              : {}

const school = withCode(
  service({
    name: "school",
    viewer: "person",
    resources: {
      person: resource({ id: "per", fields: { name: f.text() }, allow: { read: signedIn } }),
      team: resource({
        id: "tea",
        fields: { name: f.text() },
        relations: { seats: many("seat", { by: "team" }), notes: many("note", { by: "team" }) },
        allow: { read: signedIn, update: signedIn },
      }),
      seat: resource({
        id: "sea",
        fields: { kind: f.text() },
        relations: { team: one("team"), person: one("person") },
        allow: { read: signedIn },
      }),
      note: resource({
        id: "not",
        fields: {
          code: f.text({ unique: true }),
          text: f.text(),
          grade: f.integer({ default: 0, readonly: true }),
          hidden: f.boolean({ default: false, readonly: true }),
          stamp: f.text({ optional: true, readonly: true }),
        },
        relations: { author: one("person"), team: one("team") },
        states: {
          initial: "open",
          transitions: {
            say: {
              from: "open",
              to: "said",
              allow: signedIn,
              input: { text: f.text() },
              set: { text: given("text") },
            },
          },
        },
        allow: {
          read: { hidden: { eq: false } },
          create: { author: me, grade: { lt: 5 } },
          update: {
            author: me,
            grade: { lt: 5 },
            team: { seats: { some: { person: me } }, notes: { some: { author: me } } },
          },
        },
      }),
    },
  }),
  { before: { note: { create: set, update: set } } },
)

for (const database of dialects)
  test(`a rule is asked of what a hook sets (${database})`, async (context) => {
    const { add, as } = await openCode(context, school, database)
    await add({
      person: [
        { id: "per_ann", name: "Ann" },
        { id: "per_bob", name: "Bob" },
      ],
    })
    await add({
      team: [
        { id: "tea_own", name: "own" },
        { id: "tea_other", name: "other" },
        { id: "tea_empty", name: "empty" },
      ],
    })
    await add({
      seat: [
        { kind: "s", teamId: "tea_own", personId: "per_ann" },
        { kind: "s", teamId: "tea_empty", personId: "per_ann" },
      ],
    })
    const ann = as("person:per_ann")
    const record = (code: string) => ({ code, text: "x", authorId: "per_ann", teamId: "tea_own" })
    const rest = (code: string) => {
      const { code: _, ...others } = record(code)
      return others
    }
    const codes = ["a", "b", "c", "d"]
    await add({ note: codes.map((code) => ({ id: `not_${code}`, ...record(code) })) })
    const stored = async () => (await ann.rest("GET", "/notes?sort=code")).body
    const before = await stored()
    for (const text of ["give", "grade", "move", "join", "hide"]) {
      const filter = encodeURIComponent(JSON.stringify({ code: { in: ["a", "b"] } }))
      const ways = {
        patch: () => ann.rest("PATCH", "/notes/not_a", { text }),
        bulk: () => ann.rest("PATCH", `/notes?filter=${filter}`, { text }, { prefer: "max-affected=5" }),
        upsert: () => ann.rest("PUT", "/notes/code=b", { ...rest("b"), text }),
        nested: () =>
          ann.rest("PATCH", "/teams/tea_own", { notes: { update: [{ id: "not_a", input: { text } }] } }),
        batch: () =>
          ann.rest("POST", "/batch", {
            requests: [{ method: "PATCH", path: "/notes/not_a", body: { text } }],
          }),
        ...(text === "hide" && { fire: () => ann.rest("POST", "/notes/not_c/transitions/say", { text }) }),
      }
      for (const [way, ask] of Object.entries(ways)) {
        const { status, body } = await ask()
        assert.equal(status, 403, `${text} by ${way}: ${JSON.stringify(body)}`)
        // The record was there, however it was named.
        assert.doesNotMatch(JSON.stringify(body), /may not create/, `${text} by ${way}`)
      }
      const { errors = [] } = await ann.graphql(
        `mutation { updateNote(id: "not_a", input: { text: "${text}" }) { note { id } } }`,
      )
      assert.equal(errors[0]?.extensions?.["code"], "forbidden", text)
      const made = await ann.rest("PUT", "/notes/code=new", { ...rest("new"), text })
      assert.deepEqual(
        [made.status, /may not create/.test(JSON.stringify(made.body))],
        [403, true],
        JSON.stringify(made.body),
      )
    }
    assert.deepEqual(await stored(), before)
    for (const text of ["plain", "nothing"])
      assert.equal((await ann.rest("PATCH", "/notes/not_a", { text })).status, 200, text)
    // The rules of an update are not asked of a transition.
    for (const [code, text] of [
      ["c", "give"],
      ["d", "move"],
    ])
      assert.equal((await ann.rest("POST", `/notes/not_${code}/transitions/say`, { text })).status, 200, text)
  })
