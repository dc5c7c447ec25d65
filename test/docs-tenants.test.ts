// The service of docs/guide/tenants.md keeps organizations apart, by both faces and on both databases, also from attackers.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { describe, type TestContext, test } from "node:test"
import { type Client, startService } from "../src/tools/testing/start-service.ts"
import { evaluate } from "./model/evaluate.ts"
import { cleanUp, temporaryPostgres } from "./support/database.ts"
import { blocksOf } from "./support/documents.ts"

const page = readFileSync(new URL("../docs/guide/tenants.md", import.meta.url), "utf8")
const source = blocksOf(page).find(({ info }) => info === "ts")?.text ?? assert.fail("the page has a service")

/** Ann owns Acme, where Mia is a member. Eve owns Evil, where Mia is a member too. Bob belongs to none. */
const records = {
  person: [
    { id: "person_ann", name: "Ann", email: "ann@example.com" },
    { id: "person_bob", name: "Bob", email: "bob@example.com" },
    { id: "person_eve", name: "Eve", email: "eve@example.com" },
    { id: "person_mia", name: "Mia", email: "mia@example.com" },
  ],
  organization: [
    { id: "organization_acme", name: "Acme" },
    { id: "organization_evil", name: "Evil" },
  ],
  membership: [
    { organizationId: "organization_acme", personId: "person_ann", level: "owner" },
    { organizationId: "organization_acme", personId: "person_mia", level: "member" },
    { organizationId: "organization_evil", personId: "person_eve", level: "owner" },
    { organizationId: "organization_evil", personId: "person_mia", level: "member" },
  ],
  project: [
    { organizationId: "organization_acme", code: "site", name: "Site" },
    { organizationId: "organization_evil", code: "site", name: "Site" },
    { organizationId: "organization_evil", code: "plot", name: "Plot" },
  ],
}

async function open(context: TestContext, database: string, text = source) {
  const url = database === "sqlite" ? database : await temporaryPostgres(cleanUp(context.after.bind(context)))
  const service = await startService(evaluate(text), { database: url, records })
  const as = (name: string): Client => service.as({ viewer: `person_${name}` })
  const [ann, bob, eve, mia] = ["ann", "bob", "eve", "mia"].map(as) as [Client, Client, Client, Client]
  return { service, ann, bob, eve, mia, as, [Symbol.asyncDispose]: () => service.close() }
}

type Asked = readonly [caller: Client, method: string, path: string, body?: Readonly<Record<string, unknown>>]

/** The code of the refusal, or the status. */
async function outcome([caller, method, path, body]: Asked): Promise<string | number> {
  const { status, body: answer } = await caller.rest<{ code?: string } | null>(method, path, body)
  return answer?.code ?? status
}

async function make(caller: Client, path: string, body: Readonly<Record<string, unknown>>): Promise<string> {
  const { status, body: made } = await caller.rest<{ id: string }>("POST", path, body)
  assert.equal(status, 201, JSON.stringify(made))
  return made.id
}

async function idsOf(caller: Client, path: string): Promise<readonly string[]> {
  const { body } = await caller.rest<{ data: readonly { id: string }[] }>("GET", path)
  return body.data.map(({ id }) => id)
}

const acme = "organization_acme"
const evil = "organization_evil"
const site = { organizationId: acme, projectId: "project_acme~site", title: "Paint" }

/** An owner without the rule that an attack has to get around. */
const weaker = (rule: string, other: string): string => {
  assert.ok(source.includes(rule), rule)
  return source.replace(rule, other)
}

for (const database of ["sqlite", "postgres"])
  describe(`docs/guide/tenants.md, ${database}`, () => {
    test("members see their organizations only, by both faces", async (context) => {
      await using service = await open(context, database)
      const { ann, bob, eve, mia } = service
      await make(ann, "/tasks", site)
      await make(ann, "/invitations", { organizationId: acme, email: "new@example.com" })
      const query = "{ organizations { nodes { id } } projects { nodes { id } } people { nodes { id } } }"
      for (const [caller, organizations, projects, people] of [
        [ann, [acme], ["project_acme~site"], ["person_ann", "person_mia"]],
        [bob, [], [], ["person_bob"]],
        [eve, [evil], ["project_evil~plot", "project_evil~site"], ["person_eve", "person_mia"]],
        [
          mia,
          [acme, evil],
          ["project_acme~site", "project_evil~plot", "project_evil~site"],
          ["person_ann", "person_eve", "person_mia"],
        ],
      ] as const) {
        assert.deepEqual(await idsOf(caller, "/organizations"), organizations)
        assert.deepEqual(await idsOf(caller, "/projects"), projects)
        const { data } = await caller.graphql<Record<string, { nodes: readonly { id: string }[] }>>(query)
        assert.deepEqual(
          Object.values(data ?? {}).map(({ nodes }) => nodes.map(({ id }) => id)),
          [organizations, projects, people],
        )
      }
      for (const path of ["/tasks", "/invitations", "/api-keys"])
        assert.deepEqual(await idsOf(eve, path), [], path)
      assert.deepEqual(await idsOf(mia, `/tasks?filter[organizationId]=${evil}`), [])
      assert.equal((await idsOf(mia, `/tasks?filter[organizationId]=${acme}`)).length, 1)
      const tasks = `{ tasks(where: { organizationId: { eq: "${acme}" } }) { totalCount } }`
      assert.deepEqual((await mia.graphql(tasks)).data, { tasks: { totalCount: 1 } })
      assert.equal(await outcome([eve, "GET", "/projects/project_acme~site"]), "not_found")
    })

    test("the creator of an organization owns it, and owners add members", async (context) => {
      await using service = await open(context, database)
      const { ann, bob, mia } = service
      const memberships = { create: [{ personId: "person_bob", level: "owner" }] }
      const id = await make(bob, "/organizations", { name: "Fresh", memberships })
      assert.equal(await outcome([bob, "PATCH", `/organizations/${id}`, { name: "Fresh Ltd" }]), 200)
      assert.equal(await outcome([bob, "POST", "/organizations", { name: "Without" }]), "forbidden")
      const other = { create: [{ personId: "person_mia", level: "owner" }] }
      assert.equal(
        await outcome([ann, "POST", "/organizations", { name: "Gift", memberships: other }]),
        "forbidden",
      )
      const joint = await make(ann, "/organizations", {
        name: "Joint",
        memberships: { create: [{ personId: "person_ann", level: "owner" }] },
      })
      await make(ann, "/memberships", { organizationId: joint, personId: "person_mia" })
      assert.ok((await idsOf(mia, "/organizations")).includes(joint))
    })

    test("an invitation is for its address, and for one time", async (context) => {
      await using service = await open(context, database)
      const { ann, bob, eve, mia } = service
      const id = await make(ann, "/invitations", { organizationId: acme, email: "bob@example.com" })
      const accept = `/invitations/${id}/actions/accept`
      for (const caller of [eve, mia]) assert.equal(await outcome([caller, "POST", accept]), "not_found")
      assert.equal(await outcome([ann, "POST", accept]), "forbidden")
      assert.equal(await outcome([bob, "POST", accept]), 204)
      assert.deepEqual(await idsOf(bob, "/organizations"), [acme])
      assert.equal(await outcome([bob, "POST", accept]), "not_found")
      assert.equal(await outcome([ann, "DELETE", "/memberships/membership_acme~bob"]), 204)
      const again = { organizationId: acme, personId: "person_bob" }
      assert.equal(await outcome([bob, "POST", "/memberships", again]), "missing_reference")
      assert.equal(await outcome([bob, "POST", accept]), "not_found")
    })

    test("an invitation finds its address in any letter case, which the sign-up server alone writes", async (context) => {
      await using service = await open(context, database)
      const { ann, bob } = service
      const signUp = service.service.as("role:accounts")
      const dee = await make(signUp, "/people", { name: "Dee", email: "Dee@Example.com" })
      assert.equal(
        await outcome([signUp, "POST", "/people", { name: "Two", email: "dee@EXAMPLE.com" }]),
        "already_exists",
      )
      assert.equal(
        await outcome([signUp, "PATCH", "/people/person_bob", { email: "DEE@example.com" }]),
        "already_exists",
      )
      for (const [person, client, sent, email] of [
        [dee, service.as(dee.slice("person_".length)), "Dee@example.com", "dee@example.com"],
        ["person_bob", bob, "BOB@new.example", "bob@new.example"],
      ] as const) {
        const changed = await signUp.rest<{ email: string }>("PATCH", `/people/${person}`, { email: sent })
        assert.equal(changed.body.email, email)
        const id = await make(ann, "/invitations", { organizationId: acme, email: email.toUpperCase() })
        assert.deepEqual(await idsOf(client, "/invitations"), [id])
        assert.equal(await outcome([client, "POST", `/invitations/${id}/actions/accept`]), 204)
      }
    })

    test("an organization keeps an owner", async (context) => {
      await using service = await open(context, database)
      const { ann, mia } = service
      const [annSeat, miaSeat] = ["/memberships/membership_acme~ann", "/memberships/membership_acme~mia"]
      assert.equal(await outcome([ann, "DELETE", annSeat]), "conflict")
      assert.equal(await outcome([ann, "PATCH", annSeat, { level: "member" }]), "conflict")
      assert.equal(await outcome([ann, "PATCH", miaSeat, { level: "owner" }]), 200)
      assert.equal(await outcome([ann, "PATCH", annSeat, { level: "member" }]), 200)
      assert.equal(await outcome([mia, "DELETE", miaSeat]), "conflict")
      assert.equal(await outcome([mia, "PATCH", annSeat, { level: "owner" }]), 200)
      const both = `mutation { a: deleteMembership(id: "membership_acme~ann") { deletedId } b: deleteMembership(id: "membership_acme~mia") { deletedId } }`
      const { errors } = await mia.graphql(both)
      assert.equal(errors[0]?.extensions.code, "conflict")
      const memberships = { delete: ["membership_acme~ann", "membership_acme~mia"] }
      assert.equal(await outcome([mia, "PATCH", `/organizations/${acme}`, { memberships }]), "conflict")
      assert.equal(await outcome([mia, "DELETE", miaSeat]), 204)
      assert.equal(await outcome([ann, "DELETE", annSeat]), "conflict")
    })

    test("a stranger and a member gain nothing by any write", async (context) => {
      await using service = await open(context, database)
      const { ann, eve, mia } = service
      await make(ann, "/invitations", { organizationId: acme, email: "bob@example.com" })
      const task = await make(ann, "/tasks", site)
      const seat = { organizationId: acme, personId: "person_eve", level: "owner" }
      const attacks: readonly (readonly [Asked, string])[] = [
        [[eve, "POST", "/memberships", seat], "missing_reference"],
        [[eve, "PUT", "/memberships/membership_acme~eve", { level: "owner" }], "missing_reference"],
        [[eve, "PATCH", "/memberships/membership_acme~ann", { level: "member" }], "not_found"],
        [[mia, "PATCH", "/memberships/membership_acme~mia", { level: "owner" }], "forbidden"],
        [[mia, "POST", "/memberships", { ...seat, personId: "person_eve" }], "forbidden"],
        [[eve, "PATCH", `/organizations/${acme}`, { name: "Mine" }], "not_found"],
        [[mia, "POST", "/invitations", { organizationId: acme, email: "eve@example.com" }], "forbidden"],
        [[eve, "PATCH", "/people/person_eve", { email: "bob@example.com" }], "readonly_field"],
        [[eve, "POST", "/people", { name: "Bob", homeId: evil, email: "bob@example.com" }], "readonly_field"],
        [[eve, "POST", "/people", { name: "Bot", homeId: acme }], "missing_reference"],
        [
          [eve, "POST", "/projects", { organizationId: acme, code: "mine", name: "Mine" }],
          "missing_reference",
        ],
        [[eve, "POST", "/tasks", site], "missing_reference"],
        [[eve, "DELETE", `/tasks/${task}`], "not_found"],
        [[mia, "POST", "/tasks", { ...site, assigneeId: "membership_evil~eve" }], "invalid_value"],
        [[mia, "POST", "/tasks", { ...site, organizationId: evil }], "invalid_value"],
        [[mia, "PATCH", `/tasks/${task}`, { assigneeId: "membership_evil~eve" }], "conflict"],
        [[mia, "PATCH", `/tasks/${task}`, { projectId: "project_evil~plot" }], "conflict"],
      ]
      for (const [asked, code] of attacks)
        assert.equal(await outcome(asked), code, JSON.stringify(asked.slice(1)))
      const mutation = `mutation { createMembership(input: { organizationId: "${acme}", personId: "person_eve", level: owner }) { membership { id } } }`
      const { errors } = await eve.graphql(mutation)
      assert.equal(errors[0]?.extensions.code, "missing_reference")
      assert.deepEqual(await idsOf(eve, "/organizations"), [evil])
      assert.deepEqual(await idsOf(ann, "/memberships"), ["membership_acme~ann", "membership_acme~mia"])
    })

    test("owners make keys for programs of their organization, and for no person", async (context) => {
      await using service = await open(context, database)
      const { ann, eve, mia, as } = service
      const bot = await make(ann, "/people", { name: "Import", homeId: acme })
      await make(ann, "/memberships", { organizationId: acme, personId: bot })
      await make(ann, "/api-keys", { name: "import", ownerId: bot })
      const program = as(bot.slice("person_".length))
      assert.deepEqual(await idsOf(program, "/organizations"), [acme])
      const attacks: readonly (readonly [Asked, string])[] = [
        [[ann, "POST", "/api-keys", { name: "mia", ownerId: "person_mia" }], "forbidden"],
        [[mia, "POST", "/api-keys", { name: "import", ownerId: bot }], "forbidden"],
        [[eve, "POST", "/api-keys", { name: "import", ownerId: bot }], "missing_reference"],
        [[mia, "PATCH", "/people/person_mia", { homeId: evil }], "forbidden"],
        [[program, "PATCH", `/people/${bot}`, { homeId: null }], "forbidden"],
      ]
      for (const [asked, code] of attacks)
        assert.equal(await outcome(asked), code, JSON.stringify(asked.slice(1)))
    })

    test("each of these rules is needed", async (context) => {
      const founder = weaker('and: [together("organization"), {', "and: [{")
      await using open1 = await open(
        context,
        database,
        founder.replace("read: [accounts, member]", "read: signedIn"),
      )
      const seat = { organizationId: acme, personId: "person_eve", level: "owner" }
      assert.equal(await outcome([open1.eve, "POST", "/memberships", seat]), 201, "a stranger takes over")
      await using open2 = await open(context, database, weaker(", homeId: { isNull: true } }", " }"))
      assert.equal(await outcome([open2.mia, "PATCH", "/people/person_mia", { homeId: evil }]), 200)
      assert.equal(
        await outcome([open2.eve, "POST", "/api-keys", { name: "mia", ownerId: "person_mia" }]),
        201,
        "an owner acts as a member",
      )
    })
  })
