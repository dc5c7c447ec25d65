// The package as somebody has it who packs a fresh clone: `create-bifold` makes a project, which it is installed in, and the
// commands of the Dockerfile make what an image has.
import assert from "node:assert/strict"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import {
  cpSync,
  existsSync,
  globSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { DatabaseSync } from "node:sqlite"
import { after, before, describe, test } from "node:test"
import { promisify } from "node:util"
import { rolldown } from "rolldown"
import { parse } from "yaml"
import { personsEnvironment, temporaryClone } from "../support/clone.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { type Built, build, dockerfile } from "../support/dockerfile.ts"
import { freePort } from "../support/free-port.ts"

const root = join(import.meta.dirname, "../..")
const run = promisify(execFile)
const hooks = cleanUp(after)
const folder = await temporaryFolder(hooks)
const env = { ...personsEnvironment(), npm_config_offline: "true" }
let clone: string
let tarball: string

before(async () => {
  clone = await temporaryClone(hooks, true)
  mkdirSync(join(clone, "dist"))
  writeFileSync(join(clone, "dist/gone.js"), "")
  tarball = join(
    clone,
    await pack(clone, [
      "dist/index.js",
      "dist/index.d.ts",
      "dist/cli/main.js",
      "README.md",
      "examples/embedded/fastify.ts",
    ]),
  )
})

/** The name of the file, which has these and not what an older build has left. */
async function pack(cwd: string, needed: readonly string[]): Promise<string> {
  const { stdout } = await run("npm", ["pack", "--json"], { cwd, env })
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf("["))) as [
    { filename: string; files: readonly { path: string }[] },
  ]
  const paths = files.map(({ path }) => path)
  for (const each of [...needed, "LICENSE"]) assert.ok(paths.includes(each), each)
  assert.ok(!paths.includes("dist/gone.js"), "what an older build has left is not packed")
  return filename
}

/** What people get with the package and a project, as npm would have fetched it; the tests use no network. */
function fetchDependencies(cwd: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { dev?: true; devOptional?: true; optional?: true }>>
  }
  const paths = Object.entries(packages)
    .filter(([path, { dev, devOptional, optional }]) => path !== "" && !dev && !devOptional && !optional)
    .map(([path]) => path)
  assert.ok(paths.length >= 16)
  const tools = ["typescript", "@types/node", "undici-types", ...globSync("@typescript/*", { cwd: modules })]
  for (const path of [...paths, ...tools.map((name) => `node_modules/${name}`)])
    copy(join(root, path), join(cwd, path))
}

/** Files share the room of the original's where they can; npm replaces files, and changes none. */
function copy(source: string, target: string): void {
  try {
    link(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error
    cpSync(source, target, { recursive: true })
  }
}

function link(source: string, target: string): void {
  mkdirSync(target, { recursive: true })
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)]
    if (entry.isDirectory()) link(from, to)
    else if (!existsSync(to)) linkSync(from, to)
  }
}
const modules = join(root, "node_modules")

interface Started {
  readonly url: string
  /** Ends it as an init system does; gives its exit code. */
  end(): Promise<number | null>
}

async function start(
  [program = "", ...args]: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Started> {
  // The address is read from what it tells a person.
  const given = { ...env, ...options.env, BIFOLD_LOG_FORMAT: "pretty" }
  const child = spawn(program, args, { ...options, env: given, stdio: ["ignore", "pipe", "pipe"] })
  const end = async (): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM")
      await once(child, "exit")
    }
    return child.exitCode
  }
  hooks.after(async () => void (await end()))
  let said = ""
  child.stderr.on("data", (text) => {
    said += text
  })
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /^ *Start page +(\S+)\/$/.exec(line) ?? []
    if (url !== undefined) return { url, end }
  }
  throw new Error(`bifold ended: ${said}`)
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json" }
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json()
}

const bundledApplication = `import { createService } from "bifold"
import declaration from "./service.ts"
const service = createService(declaration, {
  database: process.env["DATABASE"], dev: true, secret: "0123456789abcdef", acceptDataLoss: true,
})
await service.ready()
const headers = { "content-type": "application/json" }
const body = JSON.stringify({ query: "{ posts { nodes { title } } }" })
const answer = await service.fetch(new Request("http://localhost/graphql", { method: "POST", headers, body }))
console.log(await answer.text())
await service.close()
`

describe("create-bifold", () => {
  let project: string
  const create = (...args: readonly string[]) =>
    run(process.execPath, [join(clone, "create-bifold/main.js"), ...args], { cwd: folder, env })
  const npm = (...args: readonly string[]) =>
    run("npm", [...args, "--no-audit", "--no-fund"], { cwd: project, env })

  before(async () => {
    const source = join(clone, "create-bifold")
    const creator = join(
      source,
      await pack(source, ["main.js", "template/_gitignore", "template/service.test.ts"]),
    )
    // With a cache of its own: what npm keeps of a tarball of a test would stay for ever.
    const { stdout } = await run(
      "npm",
      ["exec", "--yes", `--package=${creator}`, "--", "create-bifold", "My Service"],
      {
        cwd: folder,
        env: { ...env, npm_config_cache: join(folder, "cache") },
      },
    )
    project = join(folder, "My Service")
    assert.match(stdout, /^✓ my-service: \d files\.\n\nNext:\n {2}cd 'My Service'\n {2}npm install\n/)
    fetchDependencies(project)
    await npm("install", tarball)
  })

  test("makes a project whose tests and checks pass", async () => {
    assert.match((await npm("test")).stdout, /pass 3\n[\s\S]*fail 0\n/)
    assert.match((await npm("run", "check")).stdout, /✓ service\.ts: 2 resources/)
    assert.ok(existsSync(join(project, ".gitignore")))
  })

  test("makes a project that is served at once, by both faces", async () => {
    const { scripts } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"))
    const [program, ...args] = scripts.dev.split(" ")
    const server = await start([join(project, "node_modules/.bin", program), ...args, "--port", "0"], {
      cwd: project,
    })
    const body = { name: "Ada", email: "ada@example.org", posts: { create: [{ title: "Hello" }] } }
    await post(`${server.url}/authors`, body)
    assert.deepEqual(await post(`${server.url}/graphql`, { query: "{ posts { nodes { title } } }" }), {
      data: { posts: { nodes: [{ title: "Hello" }] } },
    })
    assert.equal(await server.end(), 0)
    const key = await run(
      "npx",
      ["bifold", "key", "create", "service.ts", "--name", "me", "--role", "editor"],
      {
        cwd: project,
        env: { ...env, NODE_ENV: "development" },
      },
    )
    assert.match(key.stdout, /my-service_\S+/, "the configuration names the database")
    const served = await start(["npm", "start", "--", "--port", "0"], { cwd: project })
    assert.equal(await served.end(), 0, "npm's shell does not keep the signal from the server")
    await assert.rejects(fetch(served.url))
    const production = { cwd: project, env: { ...env, NODE_ENV: "production" } }
    await assert.rejects(
      run("npm", ["start"], production),
      /Nothing says which database service\.ts is about/,
    )
  })

  test("is bundled whole where PostgreSQL is served; on SQLite, whose threads are files, the bundle says what to do", async () => {
    writeFileSync(join(project, "bundled.ts"), bundledApplication)
    const optional = /^@(nats-io|opentelemetry)\//
    const input = join(project, "bundled.ts")
    const bundle = await rolldown({ input, platform: "node", external: optional, onLog() {} })
    const dir = join(folder, "bundle")
    await bundle.write({ dir, format: "esm" })
    await bundle.close()
    const served = (database: string) =>
      run(process.execPath, [join(dir, "bundled.js")], { cwd: folder, env: { ...env, DATABASE: database } })
    const { stdout } = await served(await temporaryPostgres(hooks))
    assert.match(stdout, /^\{"data":\{"posts":\{"nodes":\[\]\}\}\}$/m)
    await assert.rejects(
      served("bundled.db"),
      /Error: Bifold's file \S+ is not where .* leave the package out/,
    )
  })

  test("needs the package of its own version", async () => {
    const { stdout } = await run("npx", ["bifold", "--version"], { cwd: project, env })
    const versionIn = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8")).version
    assert.equal(stdout.split(" ")[0], versionIn("package.json"))
    assert.equal(versionIn("create-bifold/package.json"), versionIn("package.json"))
  })

  test("refuses a folder that is not empty, and changes nothing in it", async () => {
    const file = join(project, "service.ts")
    const text = readFileSync(file, "utf8")
    writeFileSync(file, `${text}// mine`)
    await assert.rejects(create("My Service"), /✗ My Service is not empty\.\n {2}→ Choose a folder/)
    assert.equal(readFileSync(file, "utf8"), `${text}// mine`)
    writeFileSync(file, text)
  })

  test("refuses what it does not know, and to ask where nobody can answer", async () => {
    await assert.rejects(
      create("--force", "x"),
      /✗ There is no option --force\.\n {2}→ Usage: node \S+create-bifold\/main\.js <folder>/,
    )
    await assert.rejects(create("x", "y"), /More than one folder/)
    await assert.rejects(create("123"), /No service can be named after "123"/)
    await assert.rejects(create(), /No folder is named/)
    assert.ok(!existsSync(join(folder, "x")) && !existsSync(join(folder, "123")))
  })

  test("says in a clone how the package is made that the project needs", async () => {
    const { stdout } = await create("from-clone")
    const [, folderOfPackage] =
      /^ {2}\(cd (\S+) && npm pack\)\n {2}cd from-clone\n {2}npm install$/m.exec(stdout) ?? []
    assert.equal(realpathSync(folderOfPackage ?? ""), realpathSync(clone))
    const { dependencies } = JSON.parse(readFileSync(join(folder, "from-clone/package.json"), "utf8"))
    // Nothing of the name is fetched from a registry, where it may be anybody's.
    assert.match(dependencies.bifold, /^file:/)
    assert.equal(realpathSync(dependencies.bifold.slice("file:".length)), realpathSync(tarball))
  })

  test("says that Node is too old, and makes nothing", async () => {
    const old = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } })`
    const given = [
      `--import=data:text/javascript,${encodeURIComponent(old)}`,
      join(root, "create-bifold/main.js"),
      "x",
    ]
    await assert.rejects(
      run(process.execPath, given, { cwd: folder, env }),
      /Bifold needs Node 24.10 or later; this is Node 20/,
    )
    assert.ok(!existsSync(join(folder, "x")))
  })

  test("is not needed to serve a database as it is", async () => {
    const database = new DatabaseSync(join(project, "shop.db"))
    database.exec(
      "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO book VALUES (1, 'One')",
    )
    database.close()
    const args = ["serve", "shop.db", "--open", "read", "--port", "0"]
    const server = await start([join(project, "node_modules/.bin/bifold"), ...args], { cwd: project })
    const answer = (await (await fetch(`${server.url}/books?fields=title`)).json()) as { data: unknown }
    assert.deepEqual(answer.data, [{ id: "book_1", title: "One" }])
  })
})

describe("what the commands of the Dockerfile make", () => {
  let image: Built | undefined

  before(async () => {
    const stages = dockerfile(readFileSync(join(root, "Dockerfile"), "utf8"))
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    const commands = stages[0]?.instructions
      .filter(({ keyword }) => keyword === "RUN")
      .map(({ text }) => text)
    // The clone was built by what `npm pack` runs, with the modules of this repository.
    assert.deepEqual(commands, ["npm ci --ignore-scripts", "npm run build"])
    assert.equal(scripts.prepack, scripts.build)
    const outside = join(folder, "outside")
    mkdirSync(outside)
    cpSync(join(clone, "dist"), join(outside, "build/dist"), { recursive: true })
    const { npm_config_offline: _, ...online } = env
    image = await build(stages, {
      context: clone,
      done: { build: outside },
      folder: join(folder, "image"),
      env: { ...online, npm_config_prefer_offline: "true" },
    }).catch((error: { stderr?: string }) => {
      if (isUnreachable(error.stderr) && process.env["BIFOLD_CLIENTS"] !== "required") return undefined
      throw error
    })
  })

  const doesSucceed = ([program = "", ...args]: readonly string[], options: object): Promise<boolean> =>
    run(program, args, options).then(
      () => true,
      () => false,
    )

  test("is small, serves, tells its health, writes in its volume only, and ends when told", async (t) => {
    if (!image) return t.skip("the package registry cannot be reached")
    const sizes = filesIn(image.root).map((path) => statSync(path).size)
    const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6
    // Beside it the libraries of the base image, 27 MB at the most.
    assert.ok(megabytes > 130 && megabytes < 173, `${megabytes} MB`)

    writeFileSync(join(image.directory, "service.ts"), service)
    const port = await freePort()
    const options = {
      cwd: image.directory,
      env: {
        ...image.environment,
        BIFOLD_PORT: String(port),
        BIFOLD_DRAIN_DELAY: "0",
        BIFOLD_DATABASE: join(image.root, "data/notes.db"),
        TMPDIR: await temporaryFolder(t),
      },
    }
    const [program, ...args] = image.command(["migrate", "apply", "service.ts"])
    await run(program, args, options)
    const before = filesIn(image.root)
    assert.equal(await doesSucceed(image.health, options), false, "nothing listens yet")
    const server = await start(image.command(), options)
    assert.equal(new URL(server.url).port, String(port))
    assert.equal(await doesSucceed(image.health, options), true)
    await post(`${server.url}/notes`, { text: "one" })
    assert.equal(await server.end(), 0)
    assert.equal(await doesSucceed(image.health, options), false)
    const written = filesIn(image.root).filter((path) => !before.includes(path))
    const volume = join(image.root, "data")
    assert.deepEqual(
      written.filter((path) => !path.startsWith(volume)),
      [],
    )
  })

  test("migrates PostgreSQL and serves it as compose.yaml says, with secrets from files", async (t) => {
    if (!image) return t.skip("the package registry cannot be reached")
    const { services } = parse(readFileSync(join(root, "compose.yaml"), "utf8"), { merge: true }) as {
      services: Readonly<Record<"migrate" | "api", ComposeService>>
    }
    const secrets = await temporaryFolder(t)
    writeFileSync(join(secrets, "database"), `${await temporaryPostgres(t)}\n`)
    writeFileSync(join(secrets, "secret"), `${"0123456789abcdef".repeat(4)}\n`)
    const port = String(await freePort())
    const optionsOf = ({ environment }: ComposeService) => ({
      cwd: join(clone, "examples/storefront"),
      env: {
        ...image?.environment,
        ...Object.fromEntries(
          Object.entries(environment).map(([name, value]) => [name, value.replace("/run/secrets", secrets)]),
        ),
        BIFOLD_PORT: port,
        BIFOLD_DRAIN_DELAY: "0",
      },
    })
    const { migrate, api } = services
    const [program, ...args] = image.command(migrate.command)
    await run(program, args, optionsOf(migrate))
    // The PostgreSQL of the tests does not wait for the disk.
    const server = await start(image.command([...api.command, "--accept-data-loss"]), optionsOf(api))
    const [how, ...asked] = api.healthcheck.test
    assert.equal(how, "CMD")
    const [node = "", ...question] = asked.map((word) => word.replace(":4000/", `:${port}/`))
    assert.ok(await doesSucceed([join(image.root, node), ...question], optionsOf(api)))
    assert.equal(await server.end(), 0)
    assert.ok(!(await doesSucceed([join(image.root, node), ...question], optionsOf(api))))
  })
})

interface ComposeService {
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly healthcheck: { readonly test: readonly string[] }
}

const service = `import { anyone, f, resource, service } from "bifold"
export default service({
  name: "notes",
  resources: { note: resource({ fields: { text: f.text() }, allow: { create: anyone, read: anyone } }) },
})
`

const isUnreachable = (said = ""): boolean =>
  /\b(ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/.test(said)

function filesIn(path: string): readonly string[] {
  return globSync("**/*", { cwd: path })
    .map((each) => join(path, each))
    .filter((each) => !lstatSync(each).isDirectory())
}
