// The tour, walked as a reader walks it: `npm start` in a clone, and curl as it is printed.
import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { personsEnvironment, temporaryClone } from "./clone.ts"
import { type Hooks, temporaryFolder } from "./database.ts"
import {
  type Asker,
  answerOf,
  type Block,
  blocksOf,
  type Example,
  examplesOf,
  lastCursor,
} from "./documents.ts"

/** A question of the tour: of a face or of both, or commands for a shell, whose answer need not be shown. */
export interface Stop {
  readonly line: number
  readonly example?: Example
  readonly commands?: string
  readonly answer?: Block
}

export function stopsOf(document: string): readonly Stop[] {
  const blocks = blocksOf(document)
  const commands = blocks.flatMap((block, index): Stop[] => {
    if (block.info !== "sh" || !/\bcurl /.test(block.text)) return []
    const next = blocks[index + 1]
    const isAnswer = next?.info === "json" && document.slice(endOf(block), next.start - 8).trim() === ""
    return [{ line: block.line, commands: block.text, ...(isAnswer && { answer: next }) }]
  })
  const examples = examplesOf(document).map(
    (example): Stop => ({ line: example.line, example, answer: example.answer }),
  )
  return [...commands, ...examples].sort((one, other) => one.line - other.line)
}

const endOf = ({ start, text }: Block): number => start + text.length + 3

/**
 * Asks in the order of the document, through one shell.
 * @returns what was answered at each stop, undefined where the document shows no answer
 */
export async function walk(document: string, shell: Shell): Promise<readonly (readonly [Stop, unknown])[]> {
  const ask = byCurl(shell)
  let cursor = "…"
  const answers: (readonly [Stop, unknown])[] = []
  for (const stop of stopsOf(document)) {
    const { example, commands = "" } = stop
    const answer = example ? await answerOf(example, ask, cursor) : answered(stop, await shell.run(commands))
    cursor = lastCursor(answer) ?? cursor
    answers.push([stop, answer])
  }
  return answers
}

function answered({ line, answer }: Stop, { code, printed }: Ran): unknown {
  if (answer) return JSON.parse(printed)
  assert.equal(code, 0, `line ${line}: ${printed}`)
  assert.doesNotMatch(printed, /"errors":/, `line ${line}`)
  return undefined
}

/** How the tour says that its blocks are sent: a document as curl's input, a message in the arguments of curl. */
function byCurl({ run }: Shell): Asker {
  const json = async (command: string): Promise<unknown> => {
    const { printed } = await run(command)
    return printed === "" ? null : JSON.parse(printed)
  }
  return {
    graphql(query, variables) {
      assert.equal(variables, undefined, "the tour has no words for variables")
      const command = "curl localhost:4000/graphql -H 'Content-Type: application/graphql' --data-binary @-"
      return json(`${command} <<'END OF DOCUMENT'\n${query}END OF DOCUMENT`)
    },
    rest: (text) => json(curlOf(text)),
  }
}

/** `curl -g -X GET 'localhost:4000/…' -H '…' -d '…'` of a message. */
export function curlOf(text: string): string {
  assert.ok(!text.includes("'"), `a message with an apostrophe cannot be quoted as the tour says: ${text}`)
  const [head = "", ...paragraphs] = text.split("\n\n")
  const body = paragraphs.join("\n\n").trim()
  const lines = head.trim().split("\n")
  const [, method, target] = /^([A-Z]+) (.*)$/.exec(lines[0] ?? "") ?? []
  const rest = lines.slice(1).map((line) => line.trim())
  const headers = rest.filter((line) => /^[A-Za-z-]+: /.test(line))
  const address = [target, ...rest.filter((line) => !headers.includes(line))].join("")
  const sent = body === "" ? [] : ["-H 'Content-Type: application/json'", `-d '${body}'`]
  return [
    `curl -g -X ${method} 'localhost:4000${address}'`,
    ...headers.map((line) => `-H '${line}'`),
    ...sent,
  ].join(" ")
}

interface Ran {
  readonly code: number
  readonly printed: string
}

export interface Shell {
  readonly run: (commands: string) => Promise<Ran>
}

/** `npm start` in a clone, and one shell whose curl reaches it at the address that the tour names. */
export async function startTour(hooks: Hooks, command: string): Promise<Shell> {
  const clone = await temporaryClone(hooks, true)
  const home = await temporaryFolder(hooks)
  const [program = "", ...args] = command.split(" ")
  const env = personsEnvironment()
  await serve(hooks, { cwd: clone, home, program, args: [...args, "--", "--port", "0"], env })
  return openShell(hooks, clone, home)
}

/** One shell, whose curl takes its settings from `home`. */
export function openShell(hooks: Hooks, cwd: string, home: string): Shell {
  const bash = spawn("bash", [], {
    cwd,
    env: { ...personsEnvironment(), HOME: home },
    stdio: ["pipe", "pipe", "inherit"],
  })
  hooks.after(() => ended(bash, () => bash.stdin.end()))
  const lines = createInterface(bash.stdout)[Symbol.asyncIterator]()
  let asked = 0
  return {
    async run(commands) {
      asked += 1
      const end = `END OF ANSWER ${asked} `
      bash.stdin.write(`${commands}\nprintf '\\n${end}%s\\n' $?\n`)
      const printed: string[] = []
      for (;;) {
        const { value, done } = await lines.next()
        assert.ok(!done, `the shell ended: ${printed.join("\n")}`)
        if (value.startsWith(end))
          return { code: Number(value.slice(end.length)), printed: printed.join("\n").trim() }
        printed.push(value)
      }
    },
  }
}

interface Served {
  readonly cwd: string
  /** The home of the shells that ask it. */
  readonly home: string
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Starts a server on a free port, which curl reaches at `localhost:4000`, so that tests can run beside whatever uses that. */
export async function serve(hooks: Hooks, { cwd, home, program, args, env }: Served): Promise<void> {
  const child = spawn(program, [...args], { cwd, env, stdio: ["ignore", "pipe", "inherit"], detached: true })
  hooks.after(() => ended(child, () => stopGroup(child)))
  let said = ""
  for await (const line of createInterface(child.stdout)) {
    said += `${line}\n`
    const [, port] = /^ *Start page +http:\/\/[^ ]+:(\d+)\/$/.exec(line) ?? []
    if (port === undefined) continue
    const connect = `connect-to = "localhost:4000:127.0.0.1:${port}"`
    writeFileSync(join(home, ".curlrc"), `silent\nshow-error\nfail-with-body\n${connect}\n`)
    return
  }
  throw new Error(`${program} ended: ${said}`)
}

/** Ends a command with all that it has started. */
function stopGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGTERM")
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, "exit")
  end()
  await closed
}

/** What was given, with `…` wherever the document has it for what differs from one run to the next. */
export function asPrinted(given: unknown, printed: unknown): unknown {
  if (typeof given === "string" && typeof printed === "string" && printed.includes("…")) {
    const parts = printed.split("…").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
    return new RegExp(`^${parts.join(".+")}$`, "s").test(given) ? printed : given
  }
  if (Array.isArray(given) && Array.isArray(printed))
    return given.map((value, index) => asPrinted(value, printed[index]))
  if (typeof given !== "object" || given === null || typeof printed !== "object" || printed === null)
    return given
  const names = printed as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, asPrinted(value, names[name])]),
  )
}
