// A name that a version lacks is refused with the version that has it, as far as the caller sees it there.
import assert from "node:assert/strict"
import { test } from "node:test"
import { anyone, f, resource, role, service } from "../../src/index.ts"
import { startService } from "../../src/tools/testing/start-service.ts"

const staff = role("staff")
const [now, then, ended] = ["2026-06-01", "2026-01-01", "2025-01-01"]
const declared = service({
  name: "shop",
  roles: ["staff"],
  versions: {
    [now]: [
      { renamed: "item.name", to: "title" },
      { renamed: "item.price", to: "cost" },
      { added: "item.due" },
      { added: "crate" },
      { added: "vault" },
    ],
    [then]: [{ renamed: "item.label", to: "name" }],
    [ended]: { changes: [], ends: "2025-06-01" },
  },
  resources: {
    item: resource({
      id: "itm",
      fields: {
        title: f.text({ was: "name" }),
        cost: f.text({ default: "", read: staff, was: "price" }),
        due: f.text({ optional: true }),
      },
      allow: { read: anyone, create: anyone },
    }),
    crate: resource({ id: "cra", fields: {}, allow: { read: anyone } }),
    vault: resource({ id: "vau", fields: {}, allow: { read: staff } }),
  },
} as Parameters<typeof service>[0])

const newer = `The request's version is ${then}; version ${now} has it (API-Version).`
const older = `Version ${now} no longer has it; version ${then} does (API-Version).`

for (const database of ["sqlite", process.env["BIFOLD_TEST_POSTGRES"] ?? ""])
  test(`names of other versions on ${database === "sqlite" ? database : "postgres"}`, async (context) => {
    const kit = await startService(declared, { database })
    context.after(() => kit.close())
    const [caller, clerk] = [kit.as("signedIn"), kit.as("role:staff")]
    const hintsOf = async (as: typeof clerk, version: string, [method, path, body]: readonly unknown[]) => {
      const headers = { "api-version": version }
      const answer =
        method === "graphql"
          ? await as.graphql(String(path), body as Record<string, unknown>, headers)
          : await as.rest(String(method), String(path), body, headers)
      const said = JSON.stringify(answer)
      assert.match(said, /unknown_field|not_found|invalid_document|invalid_value/, said)
      return [newer, older].filter((hint) => said.includes(hint))
    }
    const named = (name: string, path = "items", type = "items") => [
      ["GET", `/${path}?fields=${name}`],
      ["GET", `/${path}?sort=${name}`],
      ["GET", `/${path}?filter[${name}]=x`],
      ["graphql", `{ ${type} { nodes { ${name} } } }`],
      [
        "graphql",
        "query($w: ItemWhere) { items(where: $w) { nodes { id } } }",
        { w: { [name]: { eq: "x" } } },
      ],
      ["graphql", `{ ${type}(where: { ${name}: { eq: "x" } }) { nodes { id } } }`],
    ]
    for (const asked of [
      ...named("title"),
      ["POST", "/items", { due: "x" }],
      ["GET", "/crates"],
      ["graphql", "{ crates { nodes { id } } }"],
    ])
      assert.deepEqual(await hintsOf(caller, then, asked), [newer], String(asked))
    for (const asked of named("name"))
      assert.deepEqual(await hintsOf(caller, now, asked), [older], String(asked))
    // Hidden there, or of a version that has ended.
    for (const asked of [...named("cost"), ["GET", "/vaults"], ["graphql", "{ vaults { nodes { id } } }"]]) {
      assert.deepEqual(await hintsOf(clerk, then, asked), [newer], String(asked))
      assert.deepEqual(await hintsOf(caller, then, asked), [], String(asked))
    }
    for (const asked of [...named("label"), ...named("nothing")])
      assert.deepEqual(await hintsOf(caller, now, asked), [], String(asked))
  })
