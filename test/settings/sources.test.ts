// The effective settings of real commands: precedence, secrets from files, refusals with the place of the mistake.
import assert from "node:assert/strict"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, test } from "node:test"
import { bifold, bifoldProcess, type Ran, serving } from "../cli/run.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"

const hooks = cleanUp(after)

type Environment = Readonly<Record<string, string>>

interface Shown {
  readonly setting: string
  readonly value: unknown
  readonly from: Readonly<Record<string, string>>
}

interface Folder {
  readonly cwd: string
  run(given: readonly string[], environment?: Environment): Promise<Ran>
  /** `bifold config --json`, by setting. */
  config(given: readonly string[], environment?: Environment): Promise<Readonly<Record<string, Shown>>>
  /** The text on stderr of a command that is refused. */
  refused(given: readonly string[], environment?: Environment): Promise<string>
}

async function folder(files: Readonly<Record<string, string>> = {}): Promise<Folder> {
  const cwd = await temporaryFolder(hooks)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  const run: Folder["run"] = (given, environment = {}) => bifold(given, { cwd, environment })
  return {
    cwd,
    run,
    async config(given, environment) {
      const { code, stdout, stderr } = await run(["config", "--json", ...given], environment)
      assert.equal(code, 0, stderr)
      const all = JSON.parse(stdout) as readonly Shown[]
      return Object.fromEntries(all.map((one) => [one.setting, one]))
    },
    async refused(given, environment) {
      const { code, stdout, stderr } = await run(given, environment)
      assert.deepEqual({ code, stdout }, { code: 2, stdout: "" }, stderr)
      return stderr
    },
  }
}

const secret = "0123456789abcdef"

const service = `import { anyone, f, resource, service } from "bifold"
export default service({
  name: "shop",
  resources: { book: resource({ fields: { title: f.text() }, allow: { read: anyone } }) },
})
`

describe("a setting", () => {
  test("is the option, else the variable of Bifold, else the customary one, else of the file, else the default", async () => {
    const { config } = await folder({ "bifold.config.json": '{ "port": 1004, "database": "four.db" }' })
    const sources = { BIFOLD_PORT: "1002", PORT: "1003", BIFOLD_DATABASE: "two.db", DATABASE_URL: "three.db" }
    const { BIFOLD_PORT: _, BIFOLD_DATABASE: __, ...customary } = sources
    const all = [
      await config(["--port", "1001", "--database", "one.db"], sources),
      await config([], sources),
      await config([], customary),
      await config([], { PORT: "", DATABASE_URL: "" }),
      await (await folder()).config([]),
    ]
    assert.deepEqual(
      all.map(({ port, database }) => [port?.value, port?.from.kind, database?.value, database?.from.kind]),
      [
        [1001, "option", "one.db", "option"],
        [1002, "variable", "two.db", "variable"],
        [1003, "customary", "three.db", "customary"],
        [1004, "config", "four.db", "config"],
        [4000, "default", null, "unset"],
      ],
    )
  })

  test("is read from its text in the environment", async () => {
    const { config } = await folder()
    const found = await config(["--cors", "https://a.example", "--cors", "https://b.example"], {
      BIFOLD_CORS: "*",
      BIFOLD_ACCEPT_DATA_LOSS: "false",
      BIFOLD_SINGLE_FLIGHT: "off",
      BIFOLD_DEADLINE: "2.5",
      BIFOLD_BASE: "api/",
      BIFOLD_WORKERS: "auto",
    })
    const values = Object.fromEntries(Object.entries(found).map(([key, { value }]) => [key, value]))
    assert.deepEqual(values["cors"], ["https://a.example", "https://b.example"])
    assert.deepEqual(
      [values["acceptDataLoss"], values["singleFlight"], values["deadline"], values["workers"]],
      [false, false, 2.5, "auto"],
    )
    const list = await config(["--no-single-flight"], { BIFOLD_CORS: "https://a.example, https://b.example" })
    assert.deepEqual(list["cors"]?.value, ["https://a.example", "https://b.example"])
    assert.deepEqual(list["singleFlight"]?.from, { kind: "option", name: "--no-single-flight" })
  })

  test("of a file has its type, and each kind of file is read", async () => {
    const text =
      'import { defineConfig } from "bifold"\nexport default defineConfig({ port: 1 + 7, host: undefined })'
    for (const name of ["bifold.config.ts", "bifold.config.mts", "bifold.config.js", "bifold.config.mjs"]) {
      const { config } = await folder({ [name]: text, "package.json": '{ "type": "module" }' })
      const { port, host } = await config([])
      assert.deepEqual([port?.value, port?.from], [8, { kind: "config", file: name, key: "port" }])
      assert.equal(host?.from.kind, "default")
    }
    const { config } = await folder({ "other.json": '{ "port": 9 }' })
    assert.equal((await config([], { BIFOLD_CONFIG: "other.json" }))["port"]?.value, 9)
  })
})

describe("a secret", () => {
  test("is read from a file, without the line break at its end", async () => {
    const { config, run } = await folder({ secret: `${secret}\n`, url: "shop.db\n" })
    const { secret: shown, database } = await config([], {
      BIFOLD_SECRET_FILE: "secret",
      BIFOLD_DATABASE_FILE: "url",
      DATABASE_URL: "other.db",
    })
    assert.deepEqual(shown, {
      setting: "secret",
      value: "***",
      from: { kind: "file", name: "BIFOLD_SECRET_FILE", file: "secret" },
    })
    assert.equal(database?.value, "shop.db")
    assert.doesNotMatch((await run(["config"], { BIFOLD_SECRET_FILE: "secret" })).stdout, /0123/)
  })

  test("in a file that cannot be read, or is empty, or beside its variable, is refused", async () => {
    const { cwd, refused } = await folder({ empty: "\n", short: "sesame\n" })
    mkdirSync(join(cwd, "folder"))
    const hint = "\n  → Correct the path in BIFOLD_SECRET_FILE, or the file's permissions.\n"
    for (const [file, said] of [
      ["none", "The file none, which BIFOLD_SECRET_FILE names, cannot be read: it does not exist."],
      ["folder", "The file folder, which BIFOLD_SECRET_FILE names, cannot be read: it is a folder."],
      ["empty", "The file empty, which BIFOLD_SECRET_FILE names, is empty."],
    ] as const)
      assert.equal(await refused(["config"], { BIFOLD_SECRET_FILE: file }), `✗ ${said}${hint}`)
    const short = await refused(["config"], { BIFOLD_SECRET_FILE: "short" })
    assert.match(
      short,
      /^✗ The value of BIFOLD_SECRET_FILE \(short\) is not one that it takes\.\n {2}→ Give at least 16/,
    )
    assert.doesNotMatch(short, /sesame/)
    assert.match(
      await refused(["config"], { BIFOLD_SECRET_FILE: "short", BIFOLD_SECRET: secret }),
      /^✗ BIFOLD_SECRET and BIFOLD_SECRET_FILE are both set\./,
    )
  })

  test("that its user may not read is refused", async (context) => {
    if (process.getuid?.() !== 0) return context.skip("only root can run a command as another user")
    const { cwd } = await folder({ secret })
    chmodSync(cwd, 0o755)
    chmodSync(join(cwd, "secret"), 0o600)
    const { code, stderr } = await bifoldProcess(["config"], {
      cwd,
      user: 65_534,
      environment: { BIFOLD_SECRET_FILE: "secret" },
    })
    assert.equal(code, 2)
    assert.match(stderr, /cannot be read: this user may not read it\./)
  })

  test("is masked wherever a value is shown", async () => {
    const { cwd, run, refused } = await folder()
    const addresses = [
      "postgres://me:sesame@localhost/shop",
      "postgres://me@localhost/shop?password=sesame&access_token=sesame&sslmode=require",
      "postgres://me:12#sesame@localhost/shop",
      "postgres://me:se/sesame@localhost/shop",
      "host=localhost password=sesame",
    ]
    for (const BIFOLD_DATABASE of addresses)
      for (const form of [[], ["--json"]]) {
        const { code, stdout, stderr } = await run(["config", ...form], { BIFOLD_DATABASE })
        assert.equal(code, 0, stderr)
        assert.doesNotMatch(stdout, /sesame/)
        assert.match(stdout, /\*\*\*/)
      }
    const nats = { BIFOLD_NATS: "nats://sesame@a:4222,nats://sesame@b:4222" }
    assert.match((await run(["config"], nats)).stdout, /nats:\/\/\*\*\*@a:4222,nats:\/\/\*\*\*@b:4222/)
    for (const text of [
      await refused(["config"], { DATABASE_URL: "mysql://me:sesame@localhost/shop" }),
      await refused(["serve", "--secret", "sesame"]),
      await refused(["serve", "--database", "mysql://me:sesame@localhost/shop"]),
    ])
      assert.doesNotMatch(text, /sesame/)
    writeFileSync(
      join(cwd, "bifold.config.json"),
      '{ "secret": "sesame", "database": "mysql://a:sesame@b/c" }',
    )
    const file = await refused(["config"])
    assert.match(file, /secret in bifold\.config\.json is not a value of this setting\./)
    assert.doesNotMatch(file, /sesame/)
  })
})

describe("a refusal", () => {
  test("names every mistake, its place and what is expected", async () => {
    const { refused } = await folder()
    assert.equal(
      await refused(["serve"], { BIFOLD_PORT: "70000", BIFOLD_HOST: "", BIFOLD_CORS: "shop", PORT: "x" }),
      [
        "✗ BIFOLD_PORT is 70000.",
        "  → Give a number from 0 to 65535; 0 takes any port that is free.",
        "✗ BIFOLD_HOST is set, and empty.",
        "  → Give it a value, or unset it.",
        '✗ BIFOLD_CORS is ["shop"].',
        "  → Give an origin such as https://shop.example, or * for every one.",
        "",
      ].join("\n"),
    )
    assert.match(await refused(["config"], { PORT: "http" }), /^✗ PORT is "http"\.\n {2}→ Give a number/)
    assert.match(
      await refused(["config"], { BIFOLD_PORT: "tcp://10.96.0.7:4000" }),
      /→ Kubernetes sets it for a Service of this name/,
    )
    assert.match(await refused(["config"], { BIFOLD_ACCEPT_DATA_LOSS: "perhaps" }), /→ Give true or false\./)
  })

  test("of a variable comes with the nearest name; one that is not near is named where a server starts", async () => {
    const { refused, run } = await folder()
    const both = await refused(["migrate", "plan"], { BIFOLD_DATABSE: "a.db", BIFOLD_MAXREQUESTS: "3" })
    assert.match(both, /BIFOLD_DATABSE is no setting\.\n {2}→ Did you mean "BIFOLD_DATABASE"\?/)
    assert.match(both, /BIFOLD_MAXREQUESTS is no setting\.\n {2}→ Did you mean "BIFOLD_MAX_REQUESTS"/)
    assert.match(
      await refused(["config"], { BIFOLD_PORT_FILE: "port" }),
      /^✗ BIFOLD_PORT is no secret, so it is not read from a file\./,
    )
    const foreign = {
      BIFOLD_FLUX_CAPACITOR: "1",
      BIFOLD_SERVICE_HOST: "10.0.0.1",
      BIFOLD_PORT_4000_TCP: "tcp",
    }
    const { code, stderr } = await run(["config"], foreign)
    assert.equal(code, 0)
    assert.match(stderr, /^BIFOLD_FLUX_CAPACITOR: no setting of Bifold has this name\./)
    assert.doesNotMatch((await run(["migrate", "plan"], foreign)).stderr, /FLUX/)
  })

  test("of a store or a broker comes before it is asked, without its password", async () => {
    const { refused } = await folder({ "service.ts": service })
    const said = await refused(["serve", "service.ts", "--database", "shop.db"], {
      BIFOLD_LIMITS_STORE: "mysql://me:sesame@host",
      BIFOLD_NATS: "http://me:sesame@host",
    })
    assert.match(said, /✗ BIFOLD_LIMITS_STORE is "mysql:\/\/me:\*\*\*@host"\.\n {2}→ Give memory, redis/)
    assert.match(said, /✗ BIFOLD_NATS is "http:\/\/me:\*\*\*@host\/?"\.\n {2}→ Give nats/)
  })

  test("of a place where the server cannot answer leaves the database as it was", async (context) => {
    const { cwd, run } = await folder({ "service.ts": service, "none.pem": "x" })
    const holder = createServer().listen(0, "127.0.0.1")
    context.after(() => holder.close())
    await once(holder, "listening")
    const { port } = holder.address() as { readonly port: number }
    for (const [given, said] of [
      [["--port", String(port)], /Port \d+ of 127\.0\.0\.1 is in use already/],
      [["--metrics", String(port)], /Port \d+ of 127\.0\.0\.1, for metrics, is in use already/],
      [["--metrics", "/books"], /\/books is the service's own/],
      [["--metrics", "/metrics", "--workers", "2"], /need a port of their own/],
      [["--tls-cert", "none.pem", "--tls-key", "none.pem"], /none\.pem holds no certificate/],
      [["--socket", "none/http.sock"], /There is no folder for the socket/],
      [["--socket", "service.ts"], /service\.ts is no socket/],
    ] as const) {
      const ran = await run([
        "serve",
        "service.ts",
        "--database",
        "shop.db",
        "--dev",
        "--port",
        "0",
        ...given,
      ])
      assert.match(ran.stderr, said)
      assert.notEqual(ran.code, 0)
      assert.ok(!existsSync(join(cwd, "shop.db")), given.join(" "))
    }
  })

  test("of a configuration file names the file, and the place where it threw", async () => {
    for (const [text, said] of [
      ['\nthrow new Error("no vault")', /^✗ bifold\.config\.ts failed while it ran: no vault \(line 2\)\n$/],
      ["export default {", /^✗ bifold\.config\.ts.* cannot be read: /],
      ['import "./none.ts"', /^✗ bifold\.config\.ts imports what cannot be found: /],
      [
        "export const port = 1",
        /^✗ bifold\.config\.ts does not give an object of settings\.\n {2}→ import \{ define/,
      ],
      ["export default Promise.resolve({ port: 1 })", /does not give an object of settings/],
      ["export default () => ({ port: 1 })", /does not give an object of settings/],
      ["export default { prot: 1 }", /has "prot", which is no setting\.\n {2}→ Did you mean "port"\?/],
      ['export default { "max-requests": 1 }', /→ Did you mean "maxRequests"/],
      ["export default { dev: true }", /has "dev", which is no setting\.\n {2}→ /],
      [
        'export default { port: "8080" }',
        /^✗ port in bifold\.config\.ts is "8080"\.\n {2}→ Give a number from 0 /,
      ],
      [
        'export default { cors: ["shop"] }',
        /^✗ cors in bifold\.config\.ts is \["shop"\]\.\n {2}→ Give an origin/,
      ],
      ["export default { port: null, workers: 0 }", /✗ port in .*\n.*\n✗ workers in /],
    ] as const) {
      const { cwd, refused } = await folder({ "bifold.config.ts": text })
      assert.match(await refused(["serve", "--example", "--host", "203.0.113.1"]), said)
      assert.ok(!existsSync(join(cwd, ".bifold")), "nothing was started")
      assert.match(await refused(["migrate", "plan"]), said)
    }
    const both = await folder({ "bifold.config.ts": "", "bifold.config.json": "{}" })
    assert.match(
      await both.refused(["config"]),
      /^✗ There are both bifold\.config\.ts and bifold\.config\.json here/,
    )
    const broken = await folder({ "bifold.config.json": "{ port: 1 }" })
    assert.match(await broken.refused(["config"]), /^✗ bifold\.config\.json cannot be read: /)
    assert.match(
      await broken.refused(["config"], { BIFOLD_CONFIG: "none.ts" }),
      /^✗ There is no file none\.ts/,
    )
  })
})

describe("a server", () => {
  test("and its workers take all of it from file and environment; migrate works on the same database", async (context) => {
    const { cwd, run } = await folder({
      "service.ts": service,
      "bifold.config.ts":
        'import { defineConfig } from "bifold"\nexport default defineConfig({ database: "shop.db", base: "/api", workers: 2 })',
      secret,
    })
    const applied = await run(["migrate", "apply"])
    assert.equal(applied.code, 0, applied.stderr)
    const server = await serving([], { cwd, environment: { BIFOLD_SECRET_FILE: "secret" } })
    context.after(async () => void (await server.end("SIGKILL")))
    const answer = await fetch(`${server.url}/api/books`)
    assert.equal(answer.status, 200)
    const { stderr, code } = await server.end()
    assert.match(stderr, /2 processes share the work/)
    assert.doesNotMatch(stderr, /BIFOLD_SECRET/)
    assert.equal(code, 0)
  })

  test("that is given its database by name takes no other from DATABASE_URL", async (context) => {
    const { cwd } = await folder({ "bifold.config.json": '{ "database": "none.db" }' })
    const database = new DatabaseSync(join(cwd, "books.db"))
    database.exec("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
    database.close()
    const given = ["books.db", "--open", "read"]
    const server = await serving(given, {
      cwd,
      environment: { DATABASE_URL: "postgres://nowhere.invalid/x" },
    })
    context.after(async () => void (await server.end("SIGKILL")))
    assert.equal((await fetch(`${server.url}/books`)).status, 200)
    await server.end()
    rmSync(join(cwd, "bifold.config.json"))
    const named = await bifold(["serve", ...given], { cwd, environment: { BIFOLD_DATABASE: "other.db" } })
    assert.match(named.stderr, /^✗ Two databases are named\./)
  })
})
