// Runs the TypeScript compiler on sources of a test, with the project's own settings and the declarations of the built package,
// which are what the compiler of a service reads, in a folder of its own.
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { builtPackage } from "../support/built-package.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

export interface Compiled {
  readonly code: number
  /** Errors, and with `--extendedDiagnostics` the figures. */
  readonly output: string
  /** What the compiler used of processors, in seconds: as good as the same however busy the machine is. */
  readonly processorSeconds: number
  /** Lines of the first source that have an error, from 1, each once. */
  readonly lines: readonly number[]
}

/** Compiles sources that import from "bifold", each a module, without writing JavaScript. */
export async function compile(
  sources: string | readonly string[],
  ...options: readonly string[]
): Promise<Compiled> {
  const folder = await mkdtemp(join(tmpdir(), "bifold-compile-"))
  try {
    const settings = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        paths: { bifold: [join(await builtPackage(), "dist/index.d.ts")] },
        typeRoots: [join(root, "node_modules/@types")],
        rewriteRelativeImportExtensions: false,
        allowImportingTsExtensions: true,
      },
      include: ["*.ts"],
    }
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings))
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    for (const [index, source] of [sources].flat().entries())
      await writeFile(join(folder, index === 0 ? "service.ts" : `service${index + 1}.ts`), source)
    const tsc = join(root, "node_modules/typescript/bin/tsc")
    return await run(process.execPath, [tsc, "-p", folder, "--pretty", "false", ...options])
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** POSIX `times` tells what the shell's children used, on its last line: `0m0.61s 0m0.12s`, user and system. */
const timed = '"$0" "$@"; code=$?; times; exit $code'

function run(command: string, parameters: readonly string[]): Promise<Compiled> {
  return new Promise((resolve) => {
    execFile("sh", ["-c", timed, command, ...parameters], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const [, told = "", used = ""] = /^(.*?)[^\n]*\n([^\n]*)\n$/s.exec(stdout) ?? []
      const seconds = [...used.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => Number(m) * 60 + Number(s))
      const output = told + stderr
      const found = [...output.matchAll(/service\.ts\((\d+),\d+\): error/g)].map(([, line]) => Number(line))
      resolve({
        code: Number(error?.code ?? 0),
        output,
        processorSeconds: seconds.reduce((sum, part) => sum + part, 0),
        lines: [...new Set(found)],
      })
    })
  })
}
