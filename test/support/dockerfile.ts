// A Dockerfile as stages and instructions, and a run of them in a folder in place of a container.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, symlinkSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { promisify } from "node:util"
import { DockerfileParser } from "dockerfile-ast"

const run = promisify(execFile)

interface Instruction {
  /** In capitals. */
  readonly keyword: string
  /** What follows it, on one line, flags included. */
  readonly text: string
}

export interface Stage {
  readonly base: string
  readonly name: string | undefined
  readonly instructions: readonly Instruction[]
}

export function dockerfile(text: string): readonly Stage[] {
  const stages: { base: string; name: string | undefined; instructions: Instruction[] }[] = []
  for (const each of DockerfileParser.parse(text).getInstructions()) {
    const operands = each
      .getTextContent()
      .slice(each.getKeyword().length)
      .replaceAll(/\s*\\\n\s*/g, " ")
      .trim()
    const [, base = "", , name] = /^(\S+)( AS (\S+))?$/.exec(operands) ?? []
    if (each.getKeyword() === "FROM") stages.push({ base, name, instructions: [] })
    else stages.at(-1)?.instructions.push({ keyword: each.getKeyword(), text: operands })
  }
  return stages
}

export interface Built {
  /** The folder that stands for `/`. */
  readonly root: string
  /** The folder that stands for the working directory. */
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
  /** What `docker run` starts, with these arguments in place of the image's own. */
  readonly command: (args?: readonly string[]) => readonly [string, ...string[]]
  readonly health: readonly [string, ...string[]]
}

export interface BuildOptions {
  readonly context: string
  /** Roots of stages that are there already. */
  readonly done: Readonly<Record<string, string>>
  /** An empty folder. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

/** Does what the instructions of each stage say, in a folder for each. Rejects when a command fails, with what it said. */
export async function build(
  stages: readonly Stage[],
  { context, done, folder, env }: BuildOptions,
): Promise<Built> {
  const roots = new Map(Object.entries(done))
  let built: Built | undefined
  for (const [index, stage] of stages.entries()) {
    const name = stage.name ?? String(index)
    if (roots.has(name)) continue
    const root = join(folder, name)
    roots.set(name, root)
    mkdirSync(root, { recursive: true })
    // The official image has it; what it links to is the Node of the tests.
    if (stage.base.startsWith("node:")) linkNode(root)
    built = await buildStage(stage, { root, context, env, rootOf: (other) => roots.get(other) ?? "" })
  }
  assert.ok(built, "the last stage is not one that was there already")
  return built
}

function linkNode(root: string): void {
  mkdirSync(join(root, "usr/local/bin"), { recursive: true })
  symlinkSync(process.execPath, join(root, "usr/local/bin/node"))
}

interface Surroundings {
  readonly root: string
  readonly context: string
  readonly env: NodeJS.ProcessEnv
  readonly rootOf: (stage: string) => string
}

async function buildStage(
  { instructions }: Stage,
  { root, context, env, rootOf }: Surroundings,
): Promise<Built> {
  let directory = "/"
  let environment: Readonly<Record<string, string>> = {}
  const lists = new Map<string, readonly string[]>()
  const inside = (path: string): string => join(root, resolve(directory, path))
  for (const { keyword, text } of instructions)
    if (keyword === "WORKDIR") {
      directory = resolve(directory, text)
      mkdirSync(inside("."), { recursive: true })
    } else if (keyword === "COPY") copy(text, { inside, context, rootOf })
    else if (keyword === "RUN")
      await run("sh", ["-ec", text.replaceAll(/(?<=\s)\/(?=\w)/g, `${root}/`)], { cwd: inside("."), env })
    else if (keyword === "ENV")
      environment = Object.fromEntries(
        [...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
      )
    else if (/^(ENTRYPOINT|CMD|HEALTHCHECK)$/.test(keyword))
      lists.set(keyword, JSON.parse(text.slice(text.indexOf("["))))
  const commandOf = (list: readonly string[]): [string, ...string[]] => {
    const [program = "", ...rest] = list.map((word) => (word.startsWith("/") ? join(root, word) : word))
    return [program, ...rest]
  }
  return {
    root,
    directory: inside("."),
    environment,
    command: (args = lists.get("CMD") ?? []) => [...commandOf(lists.get("ENTRYPOINT") ?? []), ...args],
    health: commandOf(lists.get("HEALTHCHECK") ?? []),
  }
}

function copy(
  text: string,
  {
    inside,
    context,
    rootOf,
  }: Pick<Surroundings, "context" | "rootOf"> & { inside: (path: string) => string },
): void {
  const words = text.split(" ")
  const flags = words.filter((word) => word.startsWith("--"))
  const paths = words.filter((word) => !word.startsWith("--"))
  const from = flags.find((flag) => flag.startsWith("--from="))?.slice("--from=".length)
  const target = paths.pop() ?? ""
  for (const path of paths) {
    const source = join(from === undefined ? context : rootOf(from), path)
    const place = target.endsWith("/") ? join(inside(target), basename(path)) : inside(target)
    mkdirSync(dirname(place), { recursive: true })
    cpSync(source, place, { recursive: true, verbatimSymlinks: true })
  }
}
