// `bifold documents`: registers the GraphQL documents of a service's clients.
import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { Command } from "commander"
import {
  createDocumentPlans,
  digestId,
  mostDocuments,
  readDocument,
  readDocuments,
  type StoredDocument,
} from "../../access/documents/document-plans.ts"
import { readDocumentFile, type WrittenDocument } from "../../access/documents/manifest.ts"
import { Refusal, refusal } from "../../base/problem.ts"
import { createEngine } from "../../engine/engine.ts"
import type { SystemPlans } from "../../engine/own-records.ts"
import { checkDocument } from "../../graphql/document/document.ts"
import { buildSchema } from "../../graphql/schema/schema.ts"
import type { Model } from "../../model/model.ts"
import { graphqlDocument } from "../../model/system/graphql-document.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { withoutInternal } from "../../plan/access/visible-model.ts"
import type { Answer } from "../../plan/read-plan.ts"
import { type CommandArguments, type DatabaseOptions, onDatabase, withDatabase } from "../on-database.ts"
import { columns } from "../output/columns.ts"
import { versionOf } from "../source.ts"

export function documentsCommand(terminal: Terminal): Command {
  const documents = new Command("documents")
    .summary("register the GraphQL documents of clients")
    .description("Registers GraphQL documents, which clients then send by their ids, lists and removes them.")
    .addHelpText(
      "after",
      `
Examples:
  $ bifold documents push service.ts app/queries persisted-query-manifest.json --database shop.db
  $ bifold documents list service.ts --database shop.db
  $ bifold documents remove sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945 service.ts

The service file has to say documents: "allowed" or documents: "required"; the latter answers no other documents.
A .graphql file is one document. A .json file is a manifest, as the tools of Apollo and Relay make it.
What is removed ends within a minute.`,
    )
  documents.addCommand(
    onDatabase(new Command("push").description("Checks documents, and registers those that are new."))
      .argument("<service>", "the service file")
      .argument("<files...>", "files, and folders of them")
      .option(
        "--api-version <date>",
        "the older version of the API that the documents are of; the newest when absent",
      )
      .action((service: string, files: readonly string[], options: PushOptions) =>
        push(terminal, files, { service, options }),
      ),
  )
  documents.addCommand(
    onDatabase(new Command("list").description("Lists the documents, the newest first."))
      .argument("[service]", "the service file; service.ts when absent")
      .action((service: string | undefined, options: DatabaseOptions) =>
        list(terminal, { service, options }),
      ),
  )
  documents.addCommand(
    onDatabase(new Command("remove").description("Removes a document."))
      .argument("<id>", "its id, as the list shows it")
      .argument("[service]", "the service file; service.ts when absent")
      .action((id: string, service: string | undefined, options: DatabaseOptions) =>
        remove(terminal, id, { service, options }),
      ),
  )
  return documents
}

interface Registered {
  readonly model: Model
  readonly plans: SystemPlans
  ask(plan: ReturnType<SystemPlans["list"] | SystemPlans["create"]>): Promise<Answer>
}

function withDocuments<Result>(
  given: CommandArguments,
  work: (registered: Registered) => Promise<Result>,
): Promise<Result> {
  return withDatabase(given, documentsWanted, (model, storage) => {
    const cursors = { seal: () => "", open: () => undefined }
    const { answer } = createEngine({ storage, cursors, singleFlight: false })
    const plans = createDocumentPlans(model)
    return work({ model, plans, ask: (plan) => answer(plan, plans.actor) })
  })
}

const documentsWanted = {
  says: "whether documents are registered",
  declared({ documents }: Model, file: string): void {
    if (documents === undefined)
      throw refusal("invalid_command", `${file} does not say that documents are registered.`, {
        hint: 'Add documents: "allowed" to the service, or documents: "required" to answer no others.',
      })
  },
  needs: () => ({ resources: [graphqlDocument] }),
}

interface PushOptions extends DatabaseOptions {
  readonly apiVersion?: string
}

async function push(
  terminal: Terminal,
  files: readonly string[],
  given: CommandArguments & { readonly options: PushOptions },
): Promise<void> {
  const written = files.flatMap(filesIn).flatMap((file) => readDocumentFile(file, readFileSync(file, "utf8")))
  if (written.length === 0)
    throw refusal("invalid_command", `There is no document in ${files.join(", ")}.`, {
      hint: "Files end with .graphql, .gql or .json.",
    })
  const { added, known } = await withDocuments(given, async ({ model, plans, ask }) => {
    refuseInvalid(versionOf(model, given.options.apiVersion), written)
    const before = new Map(
      readDocuments(await ask(plans.list())).map(({ documentId, text }) => [documentId, text] as const),
    )
    const fresh = newOf(written, before)
    if (before.size + fresh.length > mostDocuments)
      throw refusal("too_large", `There would be ${before.size + fresh.length} documents.`, {
        hint: `At most ${mostDocuments} are registered: remove those that no client sends any more.`,
      })
    let done = 0
    for (const { documentId, text } of fresh) {
      terminal.progress(`${done} of ${fresh.length} documents`)
      await ask(plans.create({ documentId, text }))
      done += 1
    }
    terminal.settle()
    return { added: fresh.map(({ documentId }) => documentId), known: before.size }
  })
  if (given.options.json) terminal.print(JSON.stringify({ ok: true, registered: added }, null, 2))
  else
    terminal.print(
      `${terminal.out.green("✓")} ${added.length} of ${written.length} documents are new; ${known + added.length} are registered now.`,
    )
}

/** Documents that are not registered. An id stands for one document for good: clients out there send it. */
function newOf(
  written: readonly WrittenDocument[],
  before: ReadonlyMap<string, string>,
): readonly WrittenDocument[] {
  const fresh = new Map<string, WrittenDocument>()
  for (const document of written) {
    const { documentId, text, source } = document
    const other = before.get(documentId) ?? fresh.get(documentId)?.text
    if (other !== undefined && other !== text)
      throw refusal("already_exists", `${source}: the id stands for another document already.`, {
        hint: "Give the new document an id of its own; remove the old one once no client sends it.",
      })
    if (other === undefined) fresh.set(documentId, document)
  }
  return [...fresh.values()]
}

/** Skips the folders of tools and packages. */
const isFolder = (path: string): boolean =>
  !/^(\..*|node_modules)$/.test(basename(path)) && lstatSync(path).isDirectory()

/** A manifest is named; a folder's other .json files are something else. */
function filesIn(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw refusal("invalid_command", `There is no file ${path}.`)
  if (found.isDirectory())
    return readdirSync(path)
      .toSorted()
      .map((name) => join(path, name))
      .filter((inner) => /\.(graphql|gql)$/.test(inner) || isFolder(inner))
      .flatMap(filesIn)
  if (/\.(graphql|gql|json)$/.test(path)) return [path]
  throw refusal("invalid_command", `${path} is no file of documents.`, {
    hint: "Files end with .graphql, .gql or .json.",
  })
}

/** @throws Refusal with every mistake of every document */
function refuseInvalid(model: Model, written: readonly WrittenDocument[]): void {
  const schema = buildSchema(withoutInternal(model))
  const texts = new Map(written.map(({ text, source }) => [text, source]))
  const [first, ...others] = [...texts].flatMap(([text, source]) =>
    checkDocument(schema, text, { introspection: true, limits: model.limits }).errors.map(
      ({ code, message, hint, locations: [at] = [] }) => ({
        code,
        message: `${source}${at ? `, line ${at.line}` : ""}: ${message}`,
        ...(hint !== undefined && { hint }),
      }),
    ),
  )
  if (first) throw new Refusal([first, ...others])
}

async function list(terminal: Terminal, given: CommandArguments): Promise<void> {
  const all = await withDocuments(given, async ({ plans, ask }) => readDocuments(await ask(plans.list())))
  if (given.options.json) terminal.print(JSON.stringify({ documents: all.map(documentJson) }, null, 2))
  else if (all.length === 0) terminal.say("No document is registered.")
  else terminal.print(documentTable(terminal, all))
}

const documentJson = ({ id: _, ...document }: StoredDocument): object => document

/** Characters of a document that are shown. */
const longestShown = 60

function documentTable({ out }: Terminal, all: readonly StoredDocument[]): string {
  return columns([
    ["Id", "Registered", "Document"].map((head) => out.dim(head)),
    ...all.map(({ documentId, createdAt, text }) => {
      const line = text.replaceAll(/\s+/g, " ").trim()
      const shown = line.length > longestShown ? `${line.slice(0, longestShown)}…` : line
      return [documentId, `${createdAt.slice(0, 10)} ${createdAt.slice(11, 16)}`, shown]
    }),
  ])
}

async function remove(terminal: Terminal, documentId: string, given: CommandArguments): Promise<void> {
  const removed = await withDocuments(given, async ({ plans, ask }) => {
    const found = readDocument(await ask(plans.find(documentId)))
    if (found) await ask(plans.remove(found.id))
    return found
  })
  if (!removed)
    throw refusal("not_found", `No document is registered as ${JSON.stringify(documentId)}.`, {
      hint: "bifold documents list has them all.",
    })
  if (given.options.json) terminal.print(JSON.stringify({ ok: true, removed: documentId }, null, 2))
  else {
    const others = documentId === digestId(removed.text) ? "" : " The document itself stays registered."
    terminal.print(`${terminal.out.green("✓")} ${documentId} ends within a minute.${others}`)
  }
}
