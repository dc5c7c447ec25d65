// Runs the command line: in the test's own process where its output and exit code are what counts, else as a person does, in
// a process of its own.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { builtPackage } from "../support/built-package.ts"
import { callProgram } from "./call-program.ts"

/** As somebody has it who installed it, which starts in half the time. */
export const main = join(await builtPackage(), "dist/cli/main.js")
const mainOfSources = join(import.meta.dirname, "../../src/cli/main.ts")

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd?: string
  readonly stdin?: string
  readonly environment?: Readonly<Record<string, string>>
  /** The user that it runs as, where that is another. */
  readonly user?: number
  /** Files that it may have open. */
  readonly files?: number
  /** The project whose installed package is run, in place of one that all tests share. */
  readonly installed?: string
  /** As somebody has it who cloned the repository, the example with it. */
  readonly cloned?: boolean
}

/**
 * Calls the program in this process, since a process for each call takes ten times as long; one after the other, as they
 * share its folder. Not for calls that begin processes of their own, as `test` and `serve --workers` do.
 */
export async function bifold(given: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { cwd = process.cwd(), stdin = "", environment } = options
  return await callProgram({ given, cwd, stdin, environment: { ...cleanEnvironment(), ...environment } })
}

/** As a person runs it. */
export async function bifoldProcess(given: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = start(given, options)
  child.stdin?.end(options.stdin ?? "")
  const [stdout, stderr] = await Promise.all([
    child.stdout ? text(child.stdout) : "",
    child.stderr ? text(child.stderr) : "",
    once(child, "close"),
  ])
  return { code: child.exitCode, stdout, stderr }
}

/** Still running: for whoever serves. */
function start(given: readonly string[], options: RunOptions = {}): ChildProcess {
  const built = options.installed ? join(options.installed, "node_modules/bifold/dist/cli/main.js") : main
  const command = [process.execPath, options.cloned ? mainOfSources : built, ...given]
  const [first = "", ...others] =
    options.files === undefined
      ? command
      : ["sh", "-c", `ulimit -n ${options.files}; exec "$@"`, "sh", ...command]
  return spawn(first, others, {
    cwd: options.cwd,
    ...(options.user !== undefined && { uid: options.user, gid: options.user }),
    env: { ...cleanEnvironment(), ...options.environment },
    stdio: "pipe",
  })
}

/** A process that serves, once it has said where. */
export interface Serving {
  readonly url: string
  readonly said: string
  readonly pid: number | undefined
  /** Its standard error until now. */
  saidError(): string
  /** Sends the signals, all at once, and gives what the process ended with. */
  end(...signals: readonly NodeJS.Signals[]): Promise<Ran>
}

export async function serving(given: readonly string[], options: RunOptions = {}): Promise<Serving> {
  const child = start(["serve", "--port", "0", ...given], options)
  const ran = { stdout: "", stderr: "" }
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    ran.stderr += chunk
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      ran.stdout += chunk
      const found = /Start page\s+(https?:\/\/\S+)\/\n/.exec(ran.stdout)?.[1]
      if (found !== undefined && ran.stdout.includes("Ctrl+C")) resolve(found)
    })
    child.once("close", (code) => reject(new Error(`ended with ${code}: ${ran.stdout}${ran.stderr}`)))
  })
  return {
    url,
    said: ran.stdout,
    pid: child.pid,
    saidError: () => ran.stderr,
    async end(...signals) {
      if (child.exitCode !== null || child.signalCode !== null) return { code: child.exitCode, ...ran }
      leaveConnections()
      const closed = once(child, "close")
      for (const signal of signals.length > 0 ? signals : (["SIGTERM"] as const)) child.kill(signal)
      await closed
      return { code: child.exitCode, ...ran }
    },
  }
}

interface Dispatcher {
  readonly constructor: new (around?: Dispatcher) => Dispatcher
  close(): Promise<void>
}

/** Where `fetch` keeps its connections (undici's `lib/global.js`): where undici was loaded before, the first wraps the second. */
const dispatcher = Symbol.for("undici.globalDispatcher.1")
const newer = Symbol.for("undici.globalDispatcher.2")

/** Ends the idle connections of `fetch`, for whose clients a server that ends would wait two seconds. */
function leaveConnections(): void {
  const connected = globalThis as { [dispatcher]?: Dispatcher; [newer]?: Dispatcher }
  const { [dispatcher]: own, [newer]: other } = connected
  if (!own) return
  const isWrapper = own.constructor.length === 1
  const agents = new Set([other, isWrapper ? undefined : own].filter((one) => one !== undefined))
  const anew = new Map([...agents].map((one) => [one, new one.constructor()]))
  if (other) connected[newer] = anew.get(other) as Dispatcher
  connected[dispatcher] = isWrapper ? new own.constructor(connected[newer]) : (anew.get(own) as Dispatcher)
  for (const agent of agents) void agent.close()
}

/** Nothing of the test run's own settings. Logs are texts, unless a test asks for JSON. */
function cleanEnvironment(): Record<string, string | undefined> {
  const foreign = (name: string): boolean =>
    name.startsWith("BIFOLD_") || ["NODE_OPTIONS", "NODE_TEST_CONTEXT", "FORCE_COLOR"].includes(name)
  const kept = Object.entries(process.env).filter(([name]) => !foreign(name))
  return { ...Object.fromEntries(kept), NO_COLOR: "1", BIFOLD_LOG_FORMAT: "pretty" }
}
