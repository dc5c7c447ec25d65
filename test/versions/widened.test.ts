// A to-one relation that became a to-many one: older versions have the first of the records that their caller sees.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, many, one, resource, role, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer, until } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { startReceiver } from "../webhooks/receiver.ts"

const staff = role("staff")
const everything = { create: anyone, update: anyone, delete: anyone }
const older = "2026-01-01"

/** Issues have several people, through a join table, and several steps, which name their issue. */
const tracker = load(
  withSystem(
    service({
      name: "tracker",
      roles: ["staff"],
      webhooks: { manage: staff, networks: ["127.0.0.0/8"] },
      versions: {
        "2026-09-01": [
          { renamed: "issue.people", to: "assignees" },
          { renamed: "person.rank", to: "level" },
        ],
        "2026-06-01": [
          { widened: "issue.assignee", to: "people", first: ["-rank", "name"] },
          { widened: "issue.step", to: "steps", first: "place" },
          { widened: "issue.tag", to: "tags", first: ["-word"] },
          { widened: "ticket.owner", to: "people", first: "name" },
          { widened: "team.captain", to: "members", first: "name", required: true },
        ],
        [older]: [],
      } as never,
      resources: {
        person: resource({
          id: "per",
          fields: {
            name: f.text(),
            level: f.integer({ optional: true, read: [staff, { shy: { eq: false } }] }),
            shy: f.boolean({ default: false }),
            spy: f.boolean({ default: false }),
          },
          relations: { issues: many("issue", { through: "assignment" }) },
          allow: { read: [staff, { spy: { eq: false } }], ...everything },
        }),
        issue: resource({
          id: "iss",
          history: true,
          fields: { title: f.text() },
          relations: {
            assignees: many("person", { through: "assignment" }),
            steps: many("step", { by: "issue" }),
            tags: many("tag", {
              through: {
                table: "issue_tag",
                near: { issue_id: "id" },
                far: { tag_group: "group", tag_word: "word" },
              },
            }),
          },
          allow: { read: anyone, ...everything },
        }),
        /** Its key has two parts. */
        tag: resource({
          key: ["group", "word"],
          fields: { group: f.text(), word: f.text() },
          allow: { read: anyone, ...everything },
        }),
        team: resource({
          id: "tea",
          fields: { name: f.text() },
          relations: { members: many("person", { through: "membership" }) },
          allow: { read: anyone, ...everything },
        }),
        /** It may be made by its key. */
        ticket: resource({
          id: "tic",
          fields: { code: f.text({ unique: true }), title: f.text() },
          relations: { people: many("person", { through: "ticketing" }) },
          allow: { read: anyone, ...everything, update: [staff, { title: { ne: "locked" } }] },
        }),
        step: resource({
          id: "stp",
          fields: { place: f.integer(), text: f.text() },
          relations: { issue: one("issue") },
          allow: { read: anyone, ...everything },
        }),
      },
    }),
  ),
)

interface Issue {
  readonly assignees: { readonly nodes: readonly Person[] }
  readonly steps: { readonly nodes: readonly { readonly id: string }[] }
  readonly tags: { readonly nodes: readonly { readonly id: string }[] }
}

interface Person {
  readonly id: string
  readonly name: string
  readonly level: number | null
}

for (const database of ["sqlite", "postgres"] as const)
  describe(`a relation that was a to-one relation on ${database}`, async () => {
    const hooks = cleanUp(after)
    const url = await openDatabase(hooks, database, tracker)
    const identify = withVersions(
      ({ authorization }) =>
        authorization === undefined
          ? strangerTo(tracker)
          : actorFromText(tracker, authorization.replace("Bearer ", "")),
      tracker,
    )
    const server = await openServer(hooks, url, tracker, { dialer: { networks: "any" } }, { identify })
    const send = async (
      actor: string | undefined,
      version: string,
      [method, path, body]: readonly [string, string, unknown?],
      type = "application/json",
      more: Readonly<Record<string, string>> = {},
    ) => {
      const answered = await fetch(`${server.url}${path}`, {
        method,
        headers: {
          "content-type": type,
          "api-version": version,
          ...(actor !== undefined && { authorization: actor }),
          ...more,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answered.text()
      assert.ok(
        answered.status < 500,
        `${method} ${path} ${JSON.stringify(body)} ${JSON.stringify(server.observed.map((o) => ("error" in o ? String((o.error as Error)?.stack) : "")))}`,
      )
      return { status: answered.status, body: text === "" ? {} : JSON.parse(text) }
    }
    const newest = "2026-09-01"
    const get = async (actor: string | undefined, version: string, path: string) => {
      const { status, body } = await send(actor, version, ["GET", path])
      assert.equal(status, 200, JSON.stringify(body))
      return body
    }
    const ask = async (actor: string | undefined, version: string, query: string) => {
      const { body } = await send(actor, version, ["POST", "/graphql", { query }])
      assert.equal(body.errors, undefined, JSON.stringify(body))
      return body.data
    }
    const made = async (path: string, input: object): Promise<string> => {
      const { status, body } = await send("role:staff", newest, ["POST", path, input])
      assert.equal(status, 201, JSON.stringify(body))
      return body.id
    }

    const people = new Map<string, string>()
    test("begins with records", async () => {
      for (const [name, level, more] of [
        ["Ada", 3, {}],
        ["Bob", 3, {}],
        ["Cyd", 9, { shy: true }],
        ["Dan", 7, { spy: true }],
        ["Eve", null, {}],
      ] as const)
        people.set(name, await made("/people", { name, level, ...more }))
      for (const [title, names] of [
        ["none", ""],
        ["one", "Bob"],
        ["ties", "Bob Ada Eve"],
        ["spy", "Dan Ada"],
        ["shy", "Cyd Bob"],
        ["spies", "Dan"],
        ["late", "Eve Cyd"],
      ] as const) {
        const link = names.split(" ").flatMap((name) => people.get(name) ?? [])
        const words = [...new Set(names.replaceAll(" ", ""))].slice(0, 3)
        const create = words.map((word) => ({ group: `${title} ~`, word }))
        const id = await made("/issues", { title, assignees: { link }, tags: { create } })
        for (const place of title.length > 3 ? [3, 1, 2] : [])
          await made("/steps", { place, text: `${title} ${place}`, issueId: id })
      }
    })

    const actors = [undefined, "role:staff"] as const

    test("leads to what a list of the newest version begins with, for each caller", async () => {
      const found: string[] = []
      for (const actor of actors) {
        const { issues } = await ask(
          actor,
          newest,
          `{ issues(orderBy: [{ field: title }]) { nodes { id title
            assignees(first: 1, orderBy: [{ field: level, direction: DESC }, { field: name }]) { nodes { id name level } }
            steps(first: 1, orderBy: [{ field: place }]) { nodes { id } }
            tags(first: 1, orderBy: [{ field: word, direction: DESC }]) { nodes { id } } } } }`,
        )
        const expected = issues.nodes.map(({ assignees, steps, tags, ...issue }: Issue) => {
          const [person] = assignees.nodes
          const [step] = steps.nodes
          const shown = person && { id: person.id, name: person.name, rank: person.level }
          return {
            ...issue,
            assigneeId: person?.id ?? null,
            assignee: shown ?? null,
            stepId: step?.id ?? null,
            tagId: tags.nodes[0]?.id ?? null,
          }
        })
        const asked = await ask(
          actor,
          older,
          "{ issues(orderBy: [{ field: title }]) { nodes { id title assigneeId assignee { id name rank } stepId tagId } } }",
        )
        assert.deepEqual(asked.issues.nodes, expected)
        const { data } = await get(
          actor,
          older,
          "/issues?sort=title&include=assignee&include[assignee][fields]=name,rank&fields=title,assigneeId,stepId,tagId",
        )
        const byMembers = (all: readonly object[]): readonly string[] =>
          all.map((it) => JSON.stringify(Object.entries(it).sort()))
        assert.deepEqual(byMembers(data), byMembers(expected))
        found.push(
          JSON.stringify(expected.map((it: { readonly assignee: Person | null }) => it.assignee?.name)),
        )
        for (const { id, assignee } of expected) {
          const single = await send(actor, older, ["GET", `/issues/${id}/assignee`])
          assert.equal(single.status, assignee ? 200 : 404, JSON.stringify(single.body))
          if (assignee) assert.equal(single.body.id, assignee.id)
        }
      }
      // none, one, shy, spies, spy, ties by titles: late is first.
      assert.deepEqual(found, [
        '["Cyd",null,"Bob","Bob",null,"Ada","Ada"]',
        '["Cyd",null,"Bob","Cyd","Dan","Dan","Ada"]',
      ])
    })

    test("is filtered, sorted and grouped by", async () => {
      for (const actor of actors) {
        const { data: all } = await get(actor, older, "/issues?sort=title&include=assignee")
        const titles = (issues: readonly { readonly title: string }[]) => issues.map(({ title }) => title)
        const where = async (filter: object, wanted: (person: Person | null) => boolean) => {
          const path = `/issues?sort=title&limit=100&filter=${encodeURIComponent(JSON.stringify(filter))}`
          const { data, page } = await get(actor, older, `${path}&total=true`)
          const expected = titles(
            all.filter(({ assignee }: { readonly assignee: Person | null }) => wanted(assignee)),
          )
          assert.deepEqual(titles(data), expected, JSON.stringify(filter))
          if (page.total !== undefined) assert.equal(page.total, expected.length)
        }
        const [ada, bob, dan] = ["Ada", "Bob", "Dan"].map((name) => people.get(name))
        await where({ assigneeId: { eq: bob } }, (person) => person?.id === bob)
        await where({ assigneeId: { ne: bob } }, (person) => person?.id !== bob)
        await where({ assigneeId: { in: [ada, dan] } }, (person) => person?.id === ada || person?.id === dan)
        await where({ assigneeId: { notIn: [ada] } }, (person) => person?.id !== ada)
        await where({ assigneeId: { isNull: true } }, (person) => !person)
        await where({ assigneeId: { isNull: false } }, (person) => person !== null)
        await where({ assignee: { name: { eq: "Ada" } } }, (person) => person?.name === "Ada")
        await where({ not: { assignee: { name: { eq: "Ada" } } } }, (person) => person?.name !== "Ada")
        await where({ assignee: { id: { eq: bob } } }, (person) => person?.id === bob)
        const tagged = all.find((it: { readonly tagId: string | null }) => it.tagId !== null)
        const byTag = await get(actor, older, `/issues?filter[tagId]=${encodeURIComponent(tagged.tagId)}`)
        assert.deepEqual(titles(byTag.data), [tagged.title])
        await where({ assignee: {} }, (person) => person !== null)
        await where({ or: [{ assignee: { rank: { gte: 9 } } }, { assigneeId: { eq: dan } }] }, (person) => {
          const rank = (person as unknown as { readonly rank: number | null } | null)?.rank ?? 0
          return rank >= 9 || person?.id === dan
        })
        for (const sort of [
          "assignee.name,-title",
          "-assigneeId,title",
          "assigneeId",
          "-stepId,title",
          "tagId",
        ]) {
          const whole = await get(actor, older, `/issues?limit=100&sort=${sort}`)
          const pages: { readonly title: string }[] = []
          for (let next = ""; ; ) {
            const { data, page } = await get(actor, older, `/issues?limit=2&sort=${sort}${next}`)
            pages.push(...data)
            if (page.next === null) break
            next = `&after=${page.next}`
          }
          assert.deepEqual(titles(pages), titles(whole.data), sort)
        }
        const sorted = await get(actor, older, "/issues?limit=100&include=assignee&sort=assignee.name,title")
        const names = sorted.data.map((it: { readonly assignee: Person | null }) => it.assignee?.name ?? "~")
        assert.deepEqual(names, names.toSorted())
        const { groups } = await get(actor, older, "/issues?limit=0&groupBy=assigneeId&aggregate=count")
        const counts = Map.groupBy(all as { assigneeId: string | null }[], (it) => it.assigneeId)
        assert.deepEqual(
          new Map(
            groups.map(
              ({ key, count }: { readonly key: Record<string, unknown>; readonly count: number }) => [
                key["assigneeId"],
                count,
              ],
            ),
          ),
          new Map([...counts].map(([id, of]) => [id, of.length])),
        )
      }
    })

    test("is set when a record is made, where that says all", async () => {
      const [ada, bob] = ["Ada", "Bob"].map((name) => people.get(name))
      const assigneesOf = async (id: string) =>
        (await get("role:staff", newest, `/issues/${id}/assignees?sort=name`)).data.map(
          ({ name }: Person) => name,
        )
      const create = (input: object) => send(undefined, older, ["POST", "/issues", input])
      const linked = await create({ title: "linked", assigneeId: ada })
      assert.deepEqual([linked.status, linked.body.assigneeId], [201, ada], JSON.stringify(linked.body))
      assert.deepEqual(await assigneesOf(linked.body.id), ["Ada"])
      const nested = await create({ title: "nested", assignee: { create: { name: "Fay", rank: 4 } } })
      assert.equal(nested.status, 201, JSON.stringify(nested.body))
      assert.deepEqual(await assigneesOf(nested.body.id), ["Fay"])
      const { createIssue } = await ask(
        undefined,
        older,
        `mutation { createIssue(input: { title: "by GraphQL", assigneeId: "${bob}" }) { issue { assignee { name } } } }`,
      )
      assert.equal(createIssue.issue.assignee.name, "Bob")
      for (const input of [{ title: "null", assigneeId: null }, { title: "absent" }]) {
        const { status, body } = await create(input)
        assert.deepEqual([status, body.assigneeId], [201, null])
      }
      const refused = async (answer: ReturnType<typeof send>, code: string, pointer: string) => {
        const { status, body } = await answer
        assert.ok(status >= 400, JSON.stringify(body))
        const errors = body.errors ?? [body]
        assert.deepEqual([errors[0].code, errors[0].pointer], [code, pointer], JSON.stringify(body))
      }
      await refused(
        create({ title: "both", assigneeId: ada, assignee: { link: bob } }),
        "invalid_value",
        "/assignee",
      )
      await refused(create({ title: "x", assigneeId: "per_nobody" }), "missing_reference", "/assigneeId")
      // To a stranger a spy is nobody.
      await refused(create({ title: "x", assigneeId: people.get("Dan") }), "missing_reference", "/assigneeId")
      const { id } = linked.body
      // A step would be taken from the issue that has it.
      await refused(create({ title: "x", stepId: "stp_1" }), "readonly_field", "/stepId")
      assert.deepEqual(await assigneesOf(id), ["Ada"])
    })

    const isShown = (answer: Awaited<ReturnType<typeof send>>) => {
      assert.ok(answer.status < 300 && !answer.body.errors, JSON.stringify(answer.body))
    }
    type Way = (id: string, title: string, input: Record<string, unknown>) => ReturnType<typeof send>
    /** Ways to write an issue that is there. */
    const ways: Readonly<Record<string, Way>> = {
      "a PATCH": (id, _, input) => send(undefined, older, ["PATCH", `/issues/${id}`, input]),
      "a JSON Patch": (id, _, input) =>
        send(
          undefined,
          older,
          [
            "PATCH",
            `/issues/${id}`,
            Object.entries(input).map(([name, value]) => ({ op: "replace", path: `/${name}`, value })),
          ],
          "application/json-patch+json",
        ),
      "a PUT": (id, title, input) => send(undefined, older, ["PUT", `/issues/${id}`, { title, ...input }]),
      "an update of GraphQL": (id, _, input) =>
        send(undefined, older, [
          "POST",
          "/graphql",
          {
            query:
              "mutation ($id: ID!, $input: IssueUpdateInput!) { updateIssue(id: $id, input: $input) { issue { id assigneeId } } }",
            variables: { id, input },
          },
        ]),
      "a nested update": async (id, _, input) => {
        const { body } = await send(undefined, older, ["GET", `/issues/${id}/step`])
        return send(undefined, older, ["PATCH", `/steps/${body.id}`, { issue: { update: input } }])
      },
      "a batch": (id, _, input) =>
        send(undefined, older, [
          "POST",
          "/batch",
          { requests: [{ method: "PATCH", path: `/issues/${id}`, body: input }] },
        ]),
    }
    const issueWith = async (title: string, names: string) => {
      const link = names.split(" ").flatMap((name) => people.get(name) ?? [])
      const id = await made("/issues", { title, assignees: { link } })
      await made("/steps", { place: 1, text: title, issueId: id })
      return id
    }
    const assigneesNow = async (id: string) => {
      const { data } = await get("role:staff", newest, `/issues/${id}/assignees?sort=name`)
      return data.map(({ name }: Person) => name).join(" ")
    }
    const entries = async (id: string) =>
      (await get("role:staff", newest, `/issues/${id}/history`)).data.length
    const etagOf = async (id: string) =>
      (await fetch(`${server.url}/issues/${id}`, { headers: { authorization: "role:staff" } })).headers.get(
        "etag",
      )

    for (const [way, write] of Object.entries(ways))
      test(`${way} changes the only one, and repeats the first of several`, async () => {
        const idOf = (name: string) => people.get(name)
        const one = await issueWith(way, "Ada Dan")
        // To a stranger Dan is hidden: Ada is the only one, and Dan stays.
        isShown(await write(one, way, { assigneeId: idOf("Bob") }))
        assert.equal(await assigneesNow(one), "Bob Dan")
        assert.equal((await get(undefined, older, `/issues/${one}`)).assigneeId, idOf("Bob"))
        isShown(await write(one, way, { assigneeId: null }))
        assert.equal(await assigneesNow(one), "Dan")
        isShown(await write(one, way, { assigneeId: idOf("Eve") }))
        assert.equal(await assigneesNow(one), "Dan Eve")
        // A JSON Patch is about the fields of the record.
        if (way !== "a JSON Patch") {
          isShown(await write(one, way, { assignee: { create: { name: `of ${way}`, rank: 1 } } }))
          assert.equal(await assigneesNow(one), `Dan of ${way}`)
          isShown(await write(one, way, { assignee: { link: idOf("Ada") } }))
          assert.equal(await assigneesNow(one), "Ada Dan")
          isShown(await write(one, way, { assignee: { unlink: true } }))
          assert.equal(await assigneesNow(one), "Dan")
        }

        const several = await issueWith(way, "Bob Ada Eve")
        const before = [await entries(several), await etagOf(several)]
        isShown(await write(several, way, { assigneeId: idOf("Ada") }))
        assert.equal(await assigneesNow(several), "Ada Bob Eve")
        if (way !== "a PUT") assert.deepEqual([await entries(several), await etagOf(several)], before)
        for (const assigneeId of [idOf("Bob"), null]) {
          const { body } = await write(several, way, { assigneeId })
          const errors = (body.errors ?? body.responses?.[0].body.errors ?? []) as readonly {
            readonly code?: string
            readonly pointer?: string
            readonly extensions?: { readonly code: string }
          }[]
          assert.deepEqual(
            errors.map(({ code, extensions }) => code ?? extensions?.code),
            ["conflict"],
            JSON.stringify(body),
          )
          assert.equal(await assigneesNow(several), "Ada Bob Eve")
        }
      })

    test("is cleared by a PUT that leaves it out, and kept by all other updates that do", async () => {
      const id = await issueWith("cleared", "Bob")
      isShown(await send(undefined, older, ["PATCH", `/issues/${id}`, { title: "kept" }]))
      assert.equal(await assigneesNow(id), "Bob")
      isShown(await send(undefined, older, ["PUT", `/issues/${id}`, { title: "cleared" }]))
      assert.equal(await assigneesNow(id), "")
      isShown(await send(undefined, older, ["PUT", `/issues/${id}`, { title: "still" }]))
      const team = await made("/teams", { name: "led", members: { link: [people.get("Ada")] } })
      const put = (input: object) => send(undefined, older, ["PUT", `/teams/${team}`, input])
      const missing = await put({ name: "x" })
      assert.deepEqual([missing.status, missing.body.errors[0].code], [400, "missing_field"])
      isShown(await put({ name: "x", captainId: people.get("Bob") }))
      assert.equal((await put({ name: "x", captainId: null })).body.errors[0].code, "invalid_value")
      const { data } = await get("role:staff", newest, `/teams/${team}/members`)
      assert.deepEqual(
        data.map(({ name }: Person) => name),
        ["Bob"],
      )
      await send("role:staff", newest, ["DELETE", `/teams/${team}`])
    })

    test("is one record also where several writers change it at once", async () => {
      const id = await issueWith("at once", "Ada")
      const write = (name: string) => ways["a PATCH"]?.(id, "", { assigneeId: people.get(name) })
      await Promise.all(["Bob", "Eve", "Bob", "Eve", "Bob", "Eve"].map(write))
      const { assigneeId } = await get(undefined, older, `/issues/${id}`)
      const left = await assigneesNow(id)
      assert.deepEqual([["Bob", "Eve"].includes(left), assigneeId], [true, people.get(left)])
    })

    test("is written with a record that may be there already", async () => {
      const [ada, bob, dan] = ["Ada", "Bob", "Dan"].map((name) => people.get(name))
      const put = (input: object) => send(undefined, older, ["PUT", "/tickets/code=a", input])
      const upsert = (input: object) =>
        ask(
          undefined,
          older,
          `mutation { upsertTicketByCode(code: "a", input: { title: "t"${Object.entries(input)
            .map(([name, value]) => `, ${name}: ${JSON.stringify(value)}`)
            .join("")} }) { ticket { ownerId } } }`,
        )
      const now = async () => {
        const { data } = await get("role:staff", newest, "/tickets?filter[code]=a&include=people")
        return data[0]?.people.data
          .map(({ name }: Person) => name)
          .sort()
          .join(" ")
      }
      assert.equal(
        (await put({ title: "t", ownerId: "per_nobody" })).body.errors[0].code,
        "missing_reference",
      )
      assert.equal((await put({ title: "t", ownerId: dan })).body.errors[0].code, "missing_reference")
      assert.equal(await now(), undefined)
      const first = await put({ title: "t", ownerId: ada })
      assert.deepEqual([first.status, first.body.ownerId, await now()], [201, ada, "Ada"])
      const again = await put({ title: "t", ownerId: ada })
      assert.deepEqual([again.status, await now()], [200, "Ada"])
      assert.deepEqual([(await put({ title: "t", ownerId: bob })).status, await now()], [200, "Bob"])
      assert.deepEqual([(await put({ title: "t" })).status, await now()], [200, ""])
      assert.deepEqual((await upsert({ ownerId: ada })).upsertTicketByCode.ticket, { ownerId: ada })
      await upsert({})
      assert.equal(await now(), "Ada")
      await upsert({ ownerId: null })
      assert.equal(await now(), "")
      const link = [bob, ada, dan]
      const { body } = await send("role:staff", newest, [
        "PATCH",
        `/tickets/${first.body.id}`,
        { people: { link } },
      ])
      assert.equal(body.id, first.body.id)
      assert.deepEqual([(await put({ title: "u", ownerId: ada })).status, await now()], [200, "Ada Bob Dan"])
      for (const input of [{ title: "v", ownerId: bob }, { title: "v" }]) {
        const refused = await put(input)
        assert.deepEqual([refused.status, refused.body.errors[0].pointer], [409, "/ownerId"])
        assert.deepEqual(
          [(await get(undefined, older, "/tickets/code=a")).title, await now()],
          ["u", "Ada Bob Dan"],
        )
      }
    })

    test("is refused for the rule first, then for the version, and for several last", async () => {
      const link = ["Ada", "Bob"].map((name) => people.get(name))
      const id = await made("/tickets", { code: "locked", title: "locked", people: { link } })
      const { etag } = (await ask("role:staff", older, `{ ticket(id: "${id}") { etag } }`)).ticket
      const stale = etag.replace(/\d+/, "1")
      const input = { ownerId: people.get("Bob") }
      const query = `mutation ($id: ID!, $input: TicketUpdateInput!, $ifMatch: String)
        { updateTicket(id: $id, input: $input, ifMatch: $ifMatch) { ticket { id } } }`
      for (const [actor, match, code] of [
        [undefined, stale, "forbidden"],
        [undefined, etag, "forbidden"],
        [undefined, undefined, "forbidden"],
        ["role:staff", stale, "stale_version"],
        ["role:staff", etag, "conflict"],
        ["role:staff", undefined, "conflict"],
      ] as const) {
        const variables = { id, input, ...(match && { ifMatch: match }) }
        const { body } = await send(actor, older, ["POST", "/graphql", { query, variables }])
        assert.equal(body.errors?.[0].extensions.code, code, JSON.stringify([match, body]))
        for (const [method, sent, type] of [
          ["PATCH", input],
          ["PUT", { code: "locked", title: "locked", ...input }],
          ["PUT", { code: "locked", title: "locked" }],
          [
            "PATCH",
            [{ op: "replace", path: "/ownerId", value: input.ownerId }],
            "application/json-patch+json",
          ],
        ] as const) {
          // A JSON Patch is held against the version when it is applied, before its changes are judged.
          if (type && actor === undefined && match === stale) continue
          const headers = match && { "if-match": `"${match}"` }
          const refused = await send(actor, older, [method, `/tickets/${id}`, sent], type, headers)
          const found = refused.body.errors?.[0].code ?? refused.body.code
          assert.equal(found, code, JSON.stringify([method, sent, match, refused.body]))
        }
      }
      const { data } = await get("role:staff", newest, `/tickets/${id}/people?sort=name`)
      assert.deepEqual(
        data.map((one: Person) => one.id),
        link,
      )
    })

    test("leads to nobody whom its writer does not see", async () => {
      const id = await issueWith("seen", "Ada")
      const patch = (input: object) => send(undefined, older, ["PATCH", `/issues/${id}`, input])
      for (const assigneeId of ["per_nobody", people.get("Dan")]) {
        const { status, body } = await patch({ assigneeId })
        assert.deepEqual(
          [status, body.errors[0].code, body.errors[0].pointer],
          [422, "missing_reference", "/assigneeId"],
        )
      }
      assert.equal(await assigneesNow(id), "Ada")
      const { status, body } = await send(undefined, older, [
        "PATCH",
        "/issues/iss_01jaaaaaaaaaaaaaaaaaaaaaaa",
        { assigneeId: people.get("Ada") },
      ])
      assert.deepEqual([status, body.errors?.[0]?.code ?? body.code], [404, "not_found"])
    })

    test("is always there where it is declared so", async () => {
      const create = (input: object) => send("role:staff", older, ["POST", "/teams", input])
      const missing = await create({ name: "none" })
      assert.deepEqual([missing.status, missing.body.errors[0].code], [400, "missing_field"])
      const empty = await create({ name: "none", captainId: null })
      assert.deepEqual([empty.status, empty.body.errors[0].code], [400, "invalid_value"])
      const led = await create({ name: "led", captainId: people.get("Dan") })
      assert.deepEqual([led.status, led.body.captainId], [201, people.get("Dan")])
      const query = "{ teams { nodes { name captainId captain { name } } } }"
      const { teams } = await ask("role:staff", older, query)
      assert.deepEqual(teams.nodes, [{ name: "led", captainId: people.get("Dan"), captain: { name: "Dan" } }])
      // Of a team whose members are all hidden there is no captain to be told.
      const { body } = await send(undefined, older, ["POST", "/graphql", { query }])
      assert.equal(body.errors[0].extensions.code, "unrepresentable_value", JSON.stringify(body))
      const { type } = (
        await ask(
          undefined,
          older,
          '{ __type(name: "Team") { fields(includeDeprecated: true) { name type { kind } } } }',
        )
      ).__type.fields.find(({ name }: { readonly name: string }) => name === "captainId")
      assert.equal(type.kind, "NON_NULL")
    })

    test("is in the documents of its version", async () => {
      const { input, changes, issue } = await ask(
        undefined,
        older,
        `{ input: __type(name: "IssueCreateInput") { inputFields { name } }
          changes: __type(name: "IssueUpdateInput") { inputFields { name } }
          issue: __type(name: "Issue") { fields(includeDeprecated: true) { name type { kind name } deprecationReason } } }`,
      )
      const names = (fields: readonly { readonly name: string }[]) => fields.map(({ name }) => name)
      assert.deepEqual(names(input.inputFields), ["title", "assigneeId", "assignee", "tagId", "tag"])
      assert.deepEqual(names(changes.inputFields), ["title", "assigneeId", "assignee", "tagId", "tag"])
      const reason = "Since 2026-06-01 there are people in its place: this is the first of them."
      const fields = issue.fields as readonly { readonly name: string; readonly deprecationReason: string }[]
      for (const name of ["assignee", "assigneeId"])
        assert.equal(fields.find((field) => field.name === name)?.deprecationReason, reason)
      const { paths, components } = await get(undefined, older, "/openapi.json")
      assert.ok(paths["/issues/{id}/assignee"] && !paths["/issues/{id}/assignees"])
      assert.equal(components.schemas.Issue.properties.assigneeId.deprecated, true)
      const { versions } = await get(undefined, newest, "/changelog")
      const told = versions.flatMap((version: { readonly changes: readonly object[] }) => version.changes)
      const change = told.find(({ kind }: { readonly kind: string }) => kind === "widened")
      assert.deepEqual(
        [change.before, change.after, change.examples.before.rest, change.examples.after.rest],
        [
          ["issue.assignee"],
          ["issue.people"],
          "GET /issues?limit=1&include=assignee",
          "GET /issues?limit=1&include=people",
        ],
      )
    })

    test("is in the events that its version is sent", async (t) => {
      const receiver = await startReceiver(t)
      const endpoint = await send("role:staff", newest, [
        "POST",
        "/webhook-endpoints",
        { url: receiver.url, types: ["issue.*"], version: older, roles: ["staff"] },
      ])
      assert.equal(endpoint.status, 201, JSON.stringify(endpoint.body))
      const [ada, dan] = ["Ada", "Dan"].map((name) => people.get(name))
      const id = await made("/issues", { title: "told", assignees: { link: [ada, dan] } })
      await until(() => receiver.received.length > 0)
      const data = receiver.received[0]?.body["data"] as { readonly record?: Record<string, unknown> }
      assert.deepEqual(data.record, { id, title: "told", assigneeId: dan, stepId: null, tagId: null })
      const history = await get("role:staff", older, `/issues/${id}/history`)
      assert.deepEqual(
        history.data[0].changes.map(({ field }: { readonly field: string }) => field),
        ["title"],
      )
    })
  })
