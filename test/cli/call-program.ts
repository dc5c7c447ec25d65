// Calls the program of the command line in this process: its folder and environment are lent to one call at a time, and what it
// writes is kept.
import { registerHooks } from "node:module"
import { Readable, Writable } from "node:stream"
import { type Host, run } from "../../src/cli/program.ts"

interface Call {
  readonly given: readonly string[]
  readonly cwd: string
  readonly stdin: string
  /** All of the environment. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

interface Told {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

let last: Promise<unknown> = Promise.resolve()

export function callProgram(call: Call): Promise<Told> {
  const told = last.then(() => callNow(call))
  last = told.catch(() => {})
  return told
}

let calls = 0
const repository = new URL("../../", import.meta.url).href

/** A service file may have been written again since the call before, and so may what it imports; a module that Node has read stays as it is. */
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const isFixed = !found.url.startsWith("file:") || found.url.startsWith(repository)
    return isFixed ? found : { ...found, url: `${found.url}?call=${calls}` }
  },
})

async function callNow({ given, cwd, stdin, environment }: Call): Promise<Told> {
  calls += 1
  const [stdout, stderr] = [new Kept(), new Kept()]
  const host: Host = {
    argv: [process.execPath, "bifold", ...given],
    stdin: Readable.from([stdin]),
    stdout,
    stderr,
    env: environment,
  }
  const before = { cwd: process.cwd(), env: process.env }
  process.chdir(cwd)
  process.env = { ...environment }
  try {
    await run(host)
  } finally {
    process.env = before.env
    process.chdir(before.cwd)
  }
  return { code: Number(host.exitCode ?? 0), stdout: stdout.text, stderr: stderr.text }
}

class Kept extends Writable {
  text = ""

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk
    done()
  }
}
