// Writes of an older version in two services that differ in hidden values only: the same status, answer and error texts, where
// hidden members are sources of former fields and lenses write them.
import assert from "node:assert/strict"
import { test } from "node:test"
import { anyone, f, resource, role, service } from "../../src/index.ts"
import { startService } from "../../src/tools/testing/start-service.ts"

const staff = role("staff")
const older = "2026-01-01"

const declared = service({
  name: "worlds",
  roles: ["staff"],
  versions: {
    "2026-06-01": [
      {
        changed: ["paper.open", "paper.secret"],
        was: { name: f.text({ default: "No Name" }) },
        reads: { name: { concat: ["open", { value: " " }, "secret"] } },
        writes: { open: { before: ["name", " "] }, secret: { after: ["name", " "] } },
      },
      {
        changed: "paper.level",
        was: { rank: f.oneOf(["no", "yes"], { default: "no" }) },
        reads: {
          rank: { if: { when: { level: { eq: "high" } }, give: { value: "yes" }, else: { value: "no" } } },
        },
        writes: { level: { map: ["rank", { yes: "high", no: "low" }] } },
      },
      { removed: "paper.hint", was: f.text({ optional: true }), reads: "secret", writes: "ignored" },
      { renamed: "paper.remark", to: "note" },
    ],
    [older]: [],
  },
  resources: {
    paper: resource({
      id: "pap",
      fields: {
        code: f.text({ unique: true }),
        open: f.text({ default: "" }),
        secret: f.text({ default: "", read: staff }),
        level: f.oneOf(["low", "high"], { default: "low", read: staff }),
        note: f.text({ optional: true }),
        shelf: f.oneOf(["front", "back"], { default: "front", read: staff }),
      },
      allow: { read: [staff, { shelf: { eq: "front" } }], create: anyone, update: anyone },
    }),
  },
} as Parameters<typeof service>[0])

const inputs = [
  { name: "A B" },
  { name: null },
  { rank: "yes" },
  { rank: null },
  { hint: "x" },
  { hint: null },
  { remark: "r" },
  { remark: null },
  { name: "C D", rank: "no", remark: "s" },
  { secret: "x" },
  {},
]

for (const database of ["sqlite", process.env["BIFOLD_TEST_POSTGRES"] ?? ""])
  test(`two worlds on ${database === "sqlite" ? database : "postgres"}`, async (context) => {
    const worlds = await Promise.all(
      [
        { secret: "s1", level: "low" },
        { secret: "another", level: "high" },
      ].map(async (hidden) => {
        const kit = await startService(declared, { database })
        const ids: string[] = []
        for (const [code, shelf] of [
          ["a", "front"],
          ["b", "front"],
          ["c", "back"],
        ])
          ids.push(
            (
              await kit.everybody.rest<{ id: string }>("POST", "/papers", {
                code,
                shelf,
                open: code,
                ...hidden,
              })
            ).body.id,
          )
        return { kit, ids }
      }),
    )
    context.after(() => Promise.all(worlds.map(({ kit }) => kit.close())))
    let asked = 0
    const both = async (ask: (of: (typeof worlds)[number]) => Promise<{ status: number }>): Promise<void> => {
      const told = await Promise.all(
        worlds.map(async (world) => {
          const { status, body, data, errors } = (await ask(world)) as Record<string, unknown>
          return JSON.stringify({ status, body, data, errors })
            .replaceAll(/pap_\w+/g, "pap")
            .replaceAll(/test-\d+/g, "test")
        }),
      )
      asked += 1
      assert.equal(told[0], told[1])
    }
    for (const version of [older, "2026-06-01"]) {
      const headers = { "api-version": version }
      for (const input of inputs)
        for (const at of [0, 1, 2]) {
          const code = "abc"[at]
          const pathOf = (ids: readonly string[]): string => `/papers/${ids[at]}`
          for (const type of ["application/json", "application/merge-patch+json"])
            await both(({ kit, ids }) =>
              kit.anyone.rest("PATCH", pathOf(ids), input, { ...headers, "content-type": type }),
            )
          const operations = Object.entries(input).map(([name, value]) => ({
            op: "add",
            path: `/${name}`,
            value,
          }))
          const patch = { ...headers, "content-type": "application/json-patch+json" }
          await both(({ kit, ids }) => kit.anyone.rest("PATCH", pathOf(ids), operations, patch))
          const tests = operations.map((one) => ({ ...one, op: "test" }))
          await both(({ kit, ids }) => kit.anyone.rest("PATCH", pathOf(ids), tests, patch))
          await both(({ kit, ids }) => kit.anyone.rest("PUT", pathOf(ids), { code, ...input }, headers))
          await both(({ kit }) => kit.anyone.rest("PUT", `/papers/code=${code}`, input, headers))
          await both(({ kit }) =>
            kit.anyone.graphql(
              `mutation ($input: PaperUpsertByCodeInput!) { upsertPaperByCode(code: "${code}", input: $input) { paper { code } } }`,
              { input },
              headers,
            ),
          )
          await both(({ kit }) => kit.anyone.rest("POST", "/papers", { code, ...input }, headers))
          const filter = encodeURIComponent(JSON.stringify(input))
          const most = { ...headers, prefer: "max-affected=5" }
          await both(({ kit }) => kit.anyone.rest("PATCH", `/papers?filter=${filter}`, { note: "n" }, most))
          await both(({ kit }) => kit.anyone.rest("GET", "/papers?sort=code", undefined, headers))
        }
    }
    context.diagnostic(`${asked} pairs`)
  })
