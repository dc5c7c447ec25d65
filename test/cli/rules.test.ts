// `bifold rules`: the matrix as a table and as a file, and the check that fails when what is allowed has changed.
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { fileURLToPath } from "node:url"
import { shellWord } from "../../src/observe/terminal/terminal.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { bifold } from "./run.ts"

const example = fileURLToPath(new URL("../../examples/storefront/service.ts", import.meta.url))
const agreed = example.replace(".ts", ".rules")
const source = readFileSync(example, "utf8")
const cwd = await temporaryFolder(cleanUp(after))

/** The example's service file with a part of it replaced, in a folder of the test. */
function changed(name: string, part: string, other: string): string {
  assert.equal(source.split(part).length, 2, `the example has ${part} once`)
  const file = join(cwd, `${name}.ts`)
  writeFileSync(file, source.replace(part, other))
  return file
}

describe("bifold rules", () => {
  test("the example allows what its file says", async () => {
    const { code, stdout, stderr } = await bifold(["rules", example, "--check"])
    assert.deepEqual([code, stderr], [0, ""])
    assert.equal(stdout, `✓ ${agreed} is what ${example} allows.\n`)
  })

  const changes: readonly (readonly [string, string, string, readonly string[]])[] = [
    [
      "a rule that is gone",
      "read: [staff, { and: [warehouse, toPack] }, own],",
      "read: [staff, { and: [warehouse, toPack] }],",
      ["-     customer:…              customer.id = viewer.id", "+     customer:…              –"],
    ],
    [
      "a field that anybody may read who sees the record",
      "          read: staff,\n          write: staff,\n",
      "          write: staff,\n",
      ["-       note                  –"],
    ],
    [
      "a condition that is wider",
      'const ownCart = { ...own, status: { eq: "cart" } }',
      'const ownCart = { ...own, status: { in: ["cart", "placed"] } }',
      [
        "-     customer:…              status = cart and customer.id = viewer.id",
        "+     customer:…              status in cart, placed and customer.id = viewer.id",
      ],
    ],
    [
      "a role that is new",
      'roles: ["staff", "warehouse"],',
      'roles: ["staff", "warehouse", "press"],',
      ["+     role:press              –"],
    ],
    [
      "an action for more of the records",
      'allow: [{ and: [staff, { status: { eq: "cart" } }] }, ownCart],',
      'allow: [{ and: [staff, { status: { eq: "cart" } }] }, own],',
      [
        "-     customer:…              status = cart and customer.id = viewer.id",
        "+     customer:…              customer.id = viewer.id",
      ],
    ],
    [
      "an action that is lent nothing",
      'as: { roles: ["staff"] },',
      "",
      ["-   action applyCoupon, as role:staff", "+   action applyCoupon"],
    ],
  ]
  for (const [index, [title, part, other, lines]] of changes.entries())
    test(`${title} fails the check, and is shown`, async () => {
      const file = changed(`change${index}`, part, other)
      const { code, stdout, stderr } = await bifold(["rules", file, "--check", "--file", agreed])
      assert.equal(code, 1)
      for (const line of lines) assert.ok(stdout.split("\n").includes(line), `${line}\n${stdout}`)
      assert.match(stderr, / differ\./)
      assert.ok(stderr.includes(`bifold rules ${shellWord(file)} --write --file ${shellWord(agreed)}`))
      const json = await bifold(["rules", file, "--check", "--file", agreed, "--json"])
      assert.equal(json.code, 1)
      const { ok, changes: found } = JSON.parse(json.stdout)
      assert.equal(ok, false)
      for (const line of lines)
        assert.ok(
          found.some(
            ({ kind, text }: { kind: string; text: string }) =>
              `${kind === "gone" ? "-" : "+"} ${text}` === line,
          ),
        )
    })

  test("each line that differs is told with its resource, its action and its actor", async () => {
    const check = async (name: string, part: string, other: string, ...options: readonly string[]) =>
      (await bifold(["rules", changed(name, part, other), "--check", "--file", agreed, ...options])).stdout
    const wider = ["told", "delete: [staff, own],", "delete: [staff, warehouse, own],"] as const
    assert.equal(
      await check(...wider),
      [
        "address · delete",
        "      signedIn                –",
        "      customer:…              customer.id = viewer.id",
        "      role:staff              all",
        "-     role:warehouse          –",
        "+     role:warehouse          all",
        "      scope:catalogue         –",
        "",
        "",
      ].join("\n"),
    )
    const { changes: told } = JSON.parse(await check(...wider, "--json"))
    const place = { resource: "address", action: "delete", actor: "role:warehouse" }
    assert.deepEqual(told, [
      { kind: "gone", text: "    role:warehouse          –", ...place },
      { kind: "new", text: "    role:warehouse          all", ...place },
    ])
    // A field far below the actor whom it is kept from.
    const fields = await check("fields", 'only(["name", "phone"]', 'only(["name", "phone", "createdAt"]')
    assert.match(fields, /^customer · read\n {6}role:warehouse +all\n[\s\S]*\n- {7}createdAt +–\n/)
    const lent = await check("lent", 'as: { roles: ["staff"] },', "")
    assert.ok(lent.startsWith("order · action applyCoupon\n"), lent)
    const added = await check(
      "added",
      'roles: ["staff", "warehouse"],',
      'roles: ["staff", "warehouse", "press"],',
    )
    assert.ok(added.includes("\n\ncustomer · create\n"), added)
  })

  test("what is written is what is checked, also with other line ends", async () => {
    const file = changed("written", 'name: "storefront"', 'name: "shop"')
    const missing = await bifold(["rules", file, "--check"])
    assert.equal(missing.code, 1)
    assert.match(missing.stderr, /no file .*written\.rules to compare with[\s\S]*--write/)
    const written = await bifold(["rules", file, "--write"])
    assert.deepEqual([written.code, written.stdout], [0, ""])
    const rules = join(cwd, "written.rules")
    assert.equal((await bifold(["rules", file, "--check"])).code, 0)
    writeFileSync(rules, readFileSync(rules, "utf8").replaceAll("\n", "\r\n"))
    assert.equal((await bifold(["rules", file, "--check"])).code, 0)
    writeFileSync(rules, `# A note of the team.\n${readFileSync(rules, "utf8")}`)
    assert.equal((await bifold(["rules", file, "--check"])).code, 0, "comments are not compared")
    writeFileSync(rules, `${readFileSync(rules, "utf8")}more\n`)
    assert.equal((await bifold(["rules", file, "--check"])).code, 1)
  })

  test("the tables are readable at 100 columns, and name each kind of actor once in each", async () => {
    const { code, stdout } = await bifold(["rules", example])
    assert.equal(code, 0)
    const tables = stdout.trimEnd().split("\n\n")
    // Of each resource one, of orders two more, for their transitions and their action, and of keys one for their grants.
    assert.equal(tables.length, 14)
    for (const table of tables) {
      for (const actor of [
        "anyone",
        "signedIn",
        "customer:…",
        "role:staff",
        "role:warehouse",
        "scope:catalogue",
      ])
        assert.equal(table.split("\n").filter((line) => line.startsWith(`  ${actor}`)).length, 1, table)
      for (const line of table.split("\n")) assert.ok(line.length <= 100, line)
    }
    assert.match(tables[0] ?? "", /^customer\n\s+read\s+create\s+update\s+delete\n/)
    assert.match(tables[0] ?? "", /not email, bornOn, note, newsletter, createdAt/)
  })

  test("the colours are for terminals", async () => {
    const { stdout } = await bifold(["rules", example], { environment: { FORCE_COLOR: "1" } })
    assert.ok(stdout.includes("\u001b[32mall\u001b[39m"))
    const check = [
      "rules",
      changed("colours", "delete: staff,\n      },\n    }),\n\n    address", "},\n    }),\n\n    address"),
      "--check",
      "--file",
      agreed,
    ]
    const { stdout: diff } = await bifold(check, { environment: { FORCE_COLOR: "1" } })
    const lines = diff.split("\n")
    assert.ok(lines.includes("\u001b[31m-     role:staff              all\u001b[39m"), diff)
    assert.ok(lines.includes("\u001b[32m+     role:staff              –\u001b[39m"), diff)
  })

  test("JSON has every cell", async () => {
    const { stdout } = await bifold(["rules", example, "--json"])
    const { actors, resources, operations } = JSON.parse(stdout)
    assert.equal(actors.length, 6)
    assert.equal(resources.length, 11)
    for (const { actions } of resources)
      for (const action of ["read", "create", "update", "delete"]) assert.equal(actions[action].length, 6)
    assert.deepEqual(operations, [])
    const { ownActions } = resources.find(({ name }: { name: string }) => name === "order")
    assert.deepEqual(
      ownActions.map(({ name, as, cells }: { name: string; as: string; cells: readonly object[] }) => [
        name,
        as,
        cells.length,
      ]),
      [["applyCoupon", "role:staff", 6]],
    )
  })

  test("what cannot be meant is said", async () => {
    const both = await bifold(["rules", example, "--check", "--write"])
    assert.equal(both.code, 2)
    const nothing = await bifold(["rules", example, "--file", "x"])
    assert.match(nothing.stderr, /Add --write or --check/)
    assert.equal(nothing.code, 2)
    const database = await bifold(["rules", "postgres://localhost/x"])
    assert.match(database.stderr, /no rules/)
    const wrong = await bifold(["rules", changed("wrong", 'role("warehouse")', 'role("wherehouse")')])
    assert.match(wrong.stderr, /no role "wherehouse"/)
    assert.equal(wrong.code, 1)
  })
})

test("long names are not cut, and the table grows", async () => {
  const field = "theNameOfTheHouseInWhichTheyLiveMostOfTheYear"
  const file = join(cwd, "long.ts")
  writeFileSync(
    file,
    `import { f, resource, role, service } from "bifold"
export default service({
  name: "long",
  roles: ["administratorOfTheHouse", "guestOfTheAdministratorOfTheHouse"],
  resources: {
    person: resource({
      id: "per",
      fields: { ${field}: f.text() },
      allow: {
        read: { ${field}: { eq: "x" } },
        create: { ${field}: { ne: "y" } },
        update: { and: [role("administratorOfTheHouse"), role("guestOfTheAdministratorOfTheHouse")] },
        delete: { ${field}: { in: ["x", "y", "z"] } },
      },
    }),
  },
})
`,
  )
  const { code, stdout } = await bifold(["rules", file])
  assert.equal(code, 0)
  assert.equal(stdout.split(field).length, 1 + 3 * 2, stdout)
  assert.ok(stdout.includes("role:administratorOfTheHouse+role:guestOfTheAdministratorOfTheHouse"))
  assert.doesNotMatch(stdout, /…/)
})
