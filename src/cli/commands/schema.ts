// `bifold schema`: what a service looks like to its clients, and to its database.
import { Command, Option } from "commander"
import { refusal } from "../../base/problem.ts"
import { printGraphql, printSubgraph } from "../../graphql/schema/schema.ts"
import { type Detail, depths, purposes } from "../../http/schemas/values.ts"
import type { Model } from "../../model/model.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { withoutInternal } from "../../plan/access/visible-model.ts"
import { asyncapi } from "../../rest/openapi/asyncapi.ts"
import { openapi } from "../../rest/openapi/openapi.ts"
import type { Dialect } from "../../sql/dialect.ts"
import { dialects } from "../../sql/dialects/dialects.ts"
import { createSchema } from "../../sql/schema/schema.ts"
import { withSettings } from "../settings/options.ts"
import { findSource, openSource, versionOf } from "../source.ts"

interface Options {
  readonly graphql?: true
  readonly openapi?: true
  readonly asyncapi?: true
  readonly federation?: true
  readonly sql?: Dialect["name"]
  readonly base: string
  /** The newest when absent. */
  readonly apiVersion?: string
  readonly depth?: Detail["depth"]
  readonly purpose?: Detail["purpose"]
}

export function schemaCommand(terminal: Terminal): Command {
  const command = new Command("schema")
    .summary("print the GraphQL schema, the OpenAPI document or the tables")
    .description("Prints the API of a service as its clients see it, or the tables that it needs.")
    .argument("[source]", "a service file, or the address of a database; service.ts when absent")
    .addOption(
      new Option("--graphql", "the GraphQL schema, in the schema definition language").conflicts([
        "openapi",
        "asyncapi",
        "sql",
      ]),
    )
    .addOption(
      new Option("--openapi", "the REST endpoints, as an OpenAPI 3.1 document").conflicts([
        "asyncapi",
        "sql",
      ]),
    )
    .addOption(new Option("--asyncapi", "the events, as an AsyncAPI 3 document").conflicts("sql"))
    .addOption(new Option("--sql <database>", "the SQL that makes the tables").choices(Object.keys(dialects)))
    .addOption(
      new Option("--federation", "the GraphQL schema as a subgraph of Apollo Federation").conflicts([
        "openapi",
        "asyncapi",
        "sql",
      ]),
    )
    .addOption(
      new Option("--api-version <date>", "an older version of the API; the newest when absent").conflicts(
        "sql",
      ),
    )
    .addOption(
      new Option(
        "--depth <levels>",
        "levels of relations that --openapi describes; flat when absent",
      ).choices(depths),
    )
    .addOption(
      new Option(
        "--purpose <purpose>",
        "purpose of the answers in --openapi: generators of clients, or validation of every possible answer",
      ).choices(purposes),
    )
  return withSettings(command, { base: "path before the REST endpoints" })
    .addHelpText(
      "after",
      `
Examples:
  $ bifold schema --graphql service.ts > schema.graphql
  $ bifold schema --graphql service.ts --api-version 2026-01-01 > schema-2026-01-01.graphql
  $ bifold schema --graphql --federation service.ts > subgraph.graphql
  $ bifold schema --openapi shop.db > openapi.json
  $ bifold schema --sql sqlite service.ts | sqlite3 shop.db`,
    )
    .action((source: string | undefined, options: Options) => schema(terminal, source, options))
}

async function schema(terminal: Terminal, given: string | undefined, options: Options): Promise<void> {
  if (!options.graphql && !options.openapi && !options.asyncapi && !options.sql)
    throw refusal("invalid_command", "Nothing says which schema is meant.", {
      hint: "Add --graphql, --openapi, --asyncapi or --sql.",
    })
  if (!options.openapi && (options.depth || options.purpose))
    throw refusal("invalid_command", "Only OpenAPI documents have a depth and a purpose.", {
      hint: "Add --openapi, or leave --depth and --purpose out.",
    })
  if (options.federation && !options.graphql)
    throw refusal("invalid_command", "Only the GraphQL schema is a subgraph.", { hint: "Add --graphql." })
  const source = findSource(given)
  if (options.sql && source.kind === "database")
    throw refusal("invalid_command", "A database has its tables already.", {
      hint: "Give a service file with --sql.",
    })
  const { model } = await openSource(source)
  const served = withoutInternal(versionOf(model, options.apiVersion))
  if (options.federation && !served.federation)
    throw refusal("invalid_command", "The service is no subgraph: it does not answer `_entities`.", {
      hint: "Add federation: true to its declaration.",
    })
  const printed = options.federation ? printSubgraph : printGraphql
  if (options.graphql) terminal.print(printed(served).trimEnd())
  else if (options.openapi) terminal.print(JSON.stringify(openapi(served, options), null, 2))
  else if (options.asyncapi) terminal.print(JSON.stringify(asyncapi(served, { base: options.base }), null, 2))
  else if (options.sql) terminal.print(tables(model, options.sql))
}

function tables(model: Model, database: Dialect["name"]): string {
  const commands = ["BEGIN", ...createSchema(model, dialects[database]), "COMMIT"]
  return commands.map((command) => `${command};`).join("\n")
}
