// `bifold schema`: what a service looks like to its clients.
import { Command, Option } from "commander"
import { refusal } from "../base/problem.ts"
import { printGraphql } from "../faces/graphql/schema.ts"
import { openapi } from "../faces/rest/openapi.ts"
import { basePath } from "./options.ts"
import { findSource, openSource } from "./source.ts"
import type { Terminal } from "./terminal.ts"

interface Options {
  readonly graphql?: true
  readonly openapi?: true
  readonly base: string
}

export function schemaCommand(terminal: Terminal): Command {
  return new Command("schema")
    .summary("print the GraphQL schema or the OpenAPI document")
    .description("Prints what a service looks like to its clients.")
    .argument("[source]", "a service file, or the address of a database; service.ts when absent")
    .addOption(
      new Option("--graphql", "the GraphQL schema, in the schema definition language").conflicts("openapi"),
    )
    .addOption(new Option("--openapi", "the REST endpoints, as an OpenAPI 3.1 document"))
    .addOption(new Option("--base <path>", "path before the REST endpoints").default("").argParser(basePath))
    .addHelpText(
      "after",
      "\nExamples:\n  $ bifold schema --graphql service.ts > schema.graphql\n  $ bifold schema --openapi shop.db > openapi.json",
    )
    .action((source: string | undefined, options: Options) => schema(terminal, source, options))
}

async function schema(terminal: Terminal, given: string | undefined, options: Options): Promise<void> {
  if (!options.graphql && !options.openapi)
    throw refusal("invalid_command", "Nothing says which schema is meant.", {
      hint: "Add --graphql or --openapi.",
    })
  const { model } = await openSource(findSource(given))
  if (options.graphql) terminal.print(printGraphql(model).trimEnd())
  else terminal.print(JSON.stringify(openapi(model, { base: options.base }), null, 2))
}
