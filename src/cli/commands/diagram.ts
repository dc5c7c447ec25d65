// `bifold diagram`: a picture of a service's resources, or of the states of one of them.
import { writeFileSync } from "node:fs"
import { basename, extname } from "node:path"
import { Command, Option } from "commander"
import { refusal } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import { load } from "../../model/load.ts"
import type { Machine, Model, Resource } from "../../model/model.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { findSource, openSource } from "../source.ts"

type Format = "svg" | "mermaid"

interface Options {
  readonly states?: string
  readonly model?: true
  readonly format?: Format
  readonly output?: string
}

export function diagramCommand(terminal: Terminal): Command {
  return new Command("diagram")
    .summary("draw the resources of a service, or the states of one")
    .description(
      "Draws the resources of a service with their fields and relations, or the states of a resource with their transitions.",
    )
    .argument("[source]", "a service file, or the address of a database; service.ts when absent")
    .addOption(
      new Option(
        "--states <resource>",
        "the states of a resource; resource.machine for one of several machines",
      ).conflicts("model"),
    )
    .option("--model", "all resources; the default")
    .addOption(
      new Option(
        "--format <format>",
        "svg, or mermaid for text that other programs draw; svg when absent",
      ).choices(["svg", "mermaid"]),
    )
    .option(
      "-o, --output <file>",
      "write to a file instead of the terminal; .svg, or .mmd and .mermaid for Mermaid",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ bifold diagram service.ts --output model.svg
  $ bifold diagram service.ts --states order --output order.svg
  $ bifold diagram service.ts --states ticket.billing --format mermaid`,
    )
    .action((source: string | undefined, options: Options) => diagram(terminal, source, options))
}

async function diagram(terminal: Terminal, given: string | undefined, options: Options): Promise<void> {
  const { output } = options
  const { declaration } = await openSource(findSource(given))
  // Without what Bifold adds to every service.
  const model = load(declaration)
  const named = options.states === undefined ? undefined : findMachines(model, options.states)
  const format = formatOf(options)
  const text = await (format === "svg" ? drawSvg : drawMermaid)(model, named)
  if (output === undefined) {
    terminal.print(text.trimEnd())
    return
  }
  write(output, text)
  const what = named
    ? `the states of ${named.machines.map(({ name }) => `${named.resource.name}.${name}`).join(" and ")}`
    : counted(model)
  terminal.say(`${terminal.err.green("✓")} ${output}: ${what}.`)
}

const endings: Readonly<Record<string, Format>> = { ".svg": "svg", ".mmd": "mermaid", ".mermaid": "mermaid" }

/** The requested format, or the format of the file's ending: a file never holds another format than its name says. */
function formatOf({ format, output }: Options): Format {
  if (output === undefined) return format ?? "svg"
  const ending = extname(output).toLowerCase()
  const meant = endings[ending]
  if (meant !== undefined && (format ?? meant) === meant) return meant
  if (format !== undefined && meant === undefined && !pictures.has(ending)) return format
  throw refusal(
    "invalid_command",
    format === undefined || meant === undefined
      ? `${output} cannot be drawn: there are SVG (.svg) and Mermaid (.mmd, .mermaid).`
      : `--format ${format} does not fit ${output}, whose ending stands for ${meant}.`,
    { hint: `Name the file ${basename(output, extname(output))}${format === "mermaid" ? ".mmd" : ".svg"}.` },
  )
}

/** Endings of formats that other programs would read the file as. */
const pictures = new Set([".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf"])

const counted = ({ resources }: Model): string =>
  resources.size === 1 ? "1 resource" : `${resources.size} resources`

interface Named {
  readonly resource: Resource
  readonly machines: readonly Machine[]
}

async function drawSvg(model: Model, named: Named | undefined): Promise<string> {
  if (!named) return (await import("../../tools/diagram/model-svg.ts")).modelSvg(model)
  const { statesSvg } = await import("../../tools/diagram/states-svg.ts")
  return statesSvg(model, named.resource, named.machines)
}

async function drawMermaid(model: Model, named: Named | undefined): Promise<string> {
  const { modelMermaid, statesMermaid } = await import("../../tools/diagram/mermaid.ts")
  return named ? statesMermaid(model, named.resource, named.machines) : modelMermaid(model)
}

/** @param given `order`, or `order.status` */
function findMachines(model: Model, given: string): Named {
  const [name = "", machine, ...more] = given.split(".")
  const resource = model.resources.get(name)
  if (!resource)
    throw refusal("invalid_command", `There is no resource "${name}".`, hinted(name, model.resources.keys()))
  if (resource.machines.size === 0) {
    const others = [...model.resources.values()].flatMap((it) => (it.machines.size > 0 ? [it.name] : []))
    throw refusal("invalid_command", `${name} has no states.`, {
      hint:
        others.length > 0
          ? `These have states: ${others.join(", ")}.`
          : "No resource of this service has any; without --states, all resources are drawn.",
    })
  }
  if (machine === undefined) return { resource, machines: [...resource.machines.values()] }
  const found = more.length === 0 ? resource.machines.get(machine) : undefined
  const called = [machine, ...more].join(".")
  if (!found)
    throw refusal(
      "invalid_command",
      `${name} has no states "${called}".`,
      hinted(called, resource.machines.keys()),
    )
  return { resource, machines: [found] }
}

function hinted(given: string, known: Iterable<string>): { readonly hint?: string } {
  const hint = suggest(given, known)
  return hint === undefined ? {} : { hint }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw refusal("invalid_command", `${file} cannot be written: ${why}`)
  }
}
