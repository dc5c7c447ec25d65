// `bifold test`: runs test files, which may lie anywhere, with the Node and the Bifold that run this.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { Command } from "commander"
import { ownModule } from "../../base/own-files.ts"
import { exitCodes } from "../../observe/terminal/failure.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { testDatabaseVariable } from "../../tools/testing/test-database.ts"

export function testCommand(terminal: Terminal): Command {
  return new Command("test")
    .summary("run tests of a service")
    .description(
      "Runs test files with Node's own test runner. Their imports of bifold and bifold/testing resolve to the running Bifold.",
    )
    .argument("[files...]", "test files; all below the current folder when absent, such as service.test.ts")
    .option(
      "--postgres <address>",
      "runs them twice: on SQLite, and on databases that are made on this PostgreSQL server",
    )
    .addHelpText(
      "after",
      "\nExamples:\n  $ bifold test\n  $ bifold test shop/service.test.ts\n  $ bifold test --postgres postgres://bifold@localhost/postgres",
    )
    .action(async (files: readonly string[], { postgres }: { readonly postgres?: string }) => {
      const databases = postgres === undefined ? [undefined] : ["sqlite", postgres]
      for (const database of databases) await runTests(terminal, files, database)
    })
}

/** @param database where services of tests are that name none; absent where SQLite is all that is tried */
async function runTests(
  terminal: Terminal,
  files: readonly string[],
  database: string | undefined,
): Promise<void> {
  const { NODE_TEST_CONTEXT: _, ...own } = process.env
  const env = database === undefined ? own : { ...own, [testDatabaseVariable]: database }
  if (database !== undefined) terminal.say(database === "sqlite" ? "On SQLite:" : "On PostgreSQL:")
  const options = [...process.execArgv, "--import", ownModule("cli/resolve-self").href, "--test"]
  const [code] = await once(
    spawn(process.execPath, [...options, ...files], { stdio: "inherit", env }),
    "exit",
  )
  if (code !== 0) terminal.exitWith(exitCodes.failed)
}
