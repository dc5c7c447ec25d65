// A page that leads from nothing to an answer, run as a reader runs it: the service file saved, the commands in one shell,
// the server in another, and the printed answers compared.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { personsEnvironment, temporaryClone } from "./clone.ts"
import { type Hooks, temporaryFolder } from "./database.ts"
import { type Block, blocksOf } from "./documents.ts"
import { asPrinted, openShell, type Shell, serve } from "./tour.ts"

export interface Finding {
  readonly block: Block
  readonly given: unknown
  readonly printed: unknown
}

interface Place {
  readonly shell: Shell
  readonly home: string
  readonly hooks: Hooks
}

/**
 * Runs the blocks in order: `ts` is saved as service.ts, `sh` is run, and a `json` or `text` block is the answer to the
 * commands before it.
 * @param inside whether the reader stands in the clone, or in the folder that has the clone in it
 * @returns the answers, each with what is printed
 */
export async function walkThrough(hooks: Hooks, page: string, inside: boolean): Promise<readonly Finding[]> {
  const clone = await temporaryClone(hooks, true)
  const home = await temporaryFolder(hooks)
  const place = { hooks, home, shell: openShell(hooks, inside ? clone : join(clone, ".."), home) }
  const findings: Finding[] = []
  let said: string | undefined
  let functions = ""
  for (const block of blocksOf(page)) {
    const { info, text, line } = block
    if (info === "ts") await save(place, text)
    else if (info === "sh") {
      functions = /^(?:\w+=.*\n)?\w+\(\) \{.*\}$/m.exec(text)?.[0] ?? functions
      said = await runCommands(place, block, functions)
    } else if (info === "json" || info === "text") {
      assert.ok(said !== undefined, `line ${line}: an answer without a command`)
      const printed: unknown = info === "json" ? JSON.parse(text) : text.trim()
      const given: unknown = info === "json" ? JSON.parse(said) : said
      findings.push({ block, given: asPrinted(given, printed), printed })
      said = undefined
    }
  }
  return findings
}

async function save({ shell }: Place, text: string): Promise<void> {
  const { printed: folder } = await shell.run("pwd")
  writeFileSync(join(folder, "service.ts"), text)
}

async function runCommands({ hooks, home, shell }: Place, block: Block, functions: string): Promise<string> {
  const { text, line } = block
  if (!/ serve /.test(text)) {
    const { code, printed } = await shell.run(text)
    assert.equal(code, 0, `line ${line}: ${printed}`)
    return printed
  }
  const { printed: cwd } = await shell.run("pwd")
  const command = `${functions}\n${text.trim()} --port 0`
  await serve(hooks, { cwd, home, program: "bash", args: ["-c", command], env: personsEnvironment() })
  return ""
}
