// `bifold test`: runs test files, which may lie anywhere, with the Node and the Bifold that run this.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { Command } from "commander"
import { ownModule } from "../../base/own-files.ts"
import { exitCodes } from "../output/failure.ts"
import type { Terminal } from "../output/terminal.ts"

export function testCommand(terminal: Terminal): Command {
  return new Command("test")
    .summary("run tests of a service")
    .description(
      "Runs test files by Node's own test runner. What they import from bifold and bifold/testing is the Bifold that runs.",
    )
    .argument("[files...]", "test files; all below the current folder when absent, such as service.test.ts")
    .addHelpText("after", "\nExamples:\n  $ bifold test\n  $ bifold test shop/service.test.ts")
    .action((files: readonly string[]) => runTests(terminal, files))
}

async function runTests(terminal: Terminal, files: readonly string[]): Promise<void> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const options = [...process.execArgv, "--import", ownModule("cli/resolve-self").href, "--test"]
  const [code] = await once(
    spawn(process.execPath, [...options, ...files], { stdio: "inherit", env }),
    "exit",
  )
  if (code !== 0) terminal.exitWith(exitCodes.failed)
}
