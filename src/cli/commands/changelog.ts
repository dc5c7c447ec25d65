// `bifold changelog`: the changes of an API, version by version, in words for its clients.
import { Command } from "commander"
import { refusal } from "../../base/problem.ts"
import { changelogMarkdown, changelogOf } from "../../model/versions/changelog.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { withoutInternal } from "../../plan/access/visible-model.ts"
import { findSource, openSource } from "../source.ts"

interface Options {
  readonly since?: string
  readonly json?: true
}

export function changelogCommand(terminal: Terminal): Command {
  return new Command("changelog")
    .summary("print the changes of the API, version by version")
    .description(
      "Prints the changes of each version as Markdown, newest first, with example requests before and after. Clients see their part of the changes at /changelog.",
    )
    .argument("[file]", "the service file; service.ts when absent")
    .option("--since <version>", "only versions after this one")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ bifold changelog service.ts
  $ bifold changelog service.ts --since 2026-06-01 > CHANGES.md`,
    )
    .action((file: string | undefined, options: Options) => changelog(terminal, file, options))
}

async function changelog(
  terminal: Terminal,
  given: string | undefined,
  { since, json }: Options,
): Promise<void> {
  const source = findSource(given)
  if (source.kind === "database")
    throw refusal("invalid_command", "A database without a service file has no versions.", {
      hint: "Write a service file with bifold introspect, and say in it which versions there are.",
    })
  const { model } = await openSource(source)
  const names = model.versions?.map(({ name }) => name) ?? []
  if (names.length === 0)
    throw refusal("invalid_command", "This service has no versions.", {
      hint: 'Begin with one: versions: { "2026-11-01": [] }.',
    })
  if (since !== undefined && !names.includes(since))
    throw refusal("invalid_command", `There is no version "${since}".`, {
      hint: `Known: ${names.join(", ")}.`,
    })
  const versions = changelogOf(withoutInternal(model)).filter(
    ({ version }) => since === undefined || version > since,
  )
  terminal.print(
    json ? JSON.stringify({ versions }, null, 2) : changelogMarkdown(model.title, versions).trimEnd(),
  )
}
