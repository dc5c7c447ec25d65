// The prose of a file: paragraphs, items and cells of a page, comments and messages of a source. Code in it becomes a word.
import { TextlintKernel } from "@textlint/kernel"
import markdown from "@textlint/textlint-plugin-markdown"
import { parseSync, Visitor } from "oxc-parser"
import { StringSource } from "textlint-util-to-string"

/** @typedef {{ line: number, text: string, item?: boolean }} Text */

const kernel = new TextlintKernel()
const code = "code"

/** @param {string} page Markdown @returns {Promise<Text[]>} */
export async function textsOfPage(page) {
  const texts = []
  const collect = ({ Syntax }) => {
    const take = (node, more) => {
      const replacer = ({ node, emptyValue, maskValue }) =>
        node.type === Syntax.Code ? maskValue("x") : node.type === Syntax.Html ? emptyValue() : undefined
      const text = new StringSource(node, { replacer }).toString().replace(/x{2,}/g, code)
      texts.push({ line: node.loc.start.line, text, ...more })
    }
    return {
      [Syntax.Paragraph]: (node) => take(node, { item: node.parent?.type === Syntax.ListItem }),
      [Syntax.TableCell]: (node) => take(node),
      [Syntax.Header]: (node) => take(node),
    }
  }
  await kernel.lintText(page, {
    ext: ".md",
    plugins: [{ pluginId: "markdown", plugin: markdown.default ?? markdown }],
    rules: [{ ruleId: "collect", rule: collect }],
  })
  return texts
}

/** @param {string} path of a TypeScript or JavaScript file @param {string} source @returns {Text[]} */
export function textsOfSource(path, source) {
  const { comments, program } = parseSync(path, source)
  const lineAt = (offset) => source.slice(0, offset).split("\n").length
  const texts = []
  let last
  for (const { type, value, start, end } of comments) {
    const follows =
      last && type === "Line" && last.type === "Line" && /^\s*$/.test(source.slice(last.end, start))
    if (follows) last.value += `\n${value}`
    else {
      last = { type, value, line: lineAt(start) }
      texts.push(last)
    }
    last.end = end
  }
  const said = []
  const see = (text, start) => {
    if (/^\p{Lu}/u.test(text) && /[.?]$/.test(text) && text.split(" ").length >= 4)
      said.push({ line: lineAt(start), text: plain(text) })
  }
  new Visitor({
    Literal: ({ value, start }) => typeof value === "string" && see(value, start),
    TemplateLiteral: ({ quasis, start }) => see(quasis.map(({ value }) => value.cooked).join(code), start),
  }).visit(program)
  return [...texts.flatMap(({ value, line }) => proseOf(value).map((text) => ({ line, text }))), ...said]
}

/** A comment's description and each of its tags are texts of their own. */
const proseOf = (comment) =>
  plain(comment.replace(/^\s*\*/gm, ""))
    .split(/(?:^|\s)@[a-z]+\s/)
    .map((part) => part.trim())
    .filter((part) => !/^(?:biome-ignore|ts-|v8 ignore|#)/.test(part))

const plain = (text) => text.replace(/`[^`]*`|\{@[^}]*\}|https?:\/\/\S+/g, code)
