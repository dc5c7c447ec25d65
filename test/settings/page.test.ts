// docs/reference/settings.md has every setting, as src/settings/settings.ts has them. BIFOLD_UPDATE=1 writes its table.
import assert from "node:assert/strict"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { Command } from "commander"
import { SettingOption } from "../../src/cli/settings/options.ts"
import { defineConfig } from "../../src/index.ts"
import { checkValue, fileVariableOf, longOptionOf, variableOf } from "../../src/settings/setting.ts"
import { type SettingKey, settingKeys, settingOf } from "../../src/settings/settings.ts"
import { findUnknownVariables } from "../../src/settings/unknown.ts"

const root = join(import.meta.dirname, "..", "..")
const page = join(root, "docs", "reference", "settings.md")

const code = (text: string): string => `\`${text}\``

/** `--max-requests <number>`, without the short form. */
const optionOf = (key: SettingKey): string => settingOf(key).flags.replace(/^-\w, /, "")

function variablesOf(key: SettingKey): string {
  const { secret, customary } = settingOf(key)
  const names = [variableOf(key), ...(secret ? [fileVariableOf(key)] : []), ...(customary ? [customary] : [])]
  return names.map(code).join(", ")
}

function defaultOf(key: SettingKey): string {
  const { default: usual, unit } = settingOf(key)
  const isEmpty = usual === undefined || usual === "" || (Array.isArray(usual) && usual.length === 0)
  return isEmpty ? "" : `${code(String(usual))}${unit ? ` ${unit}` : ""}`
}

const rows = settingKeys.map((key) => [
  code(key),
  code(optionOf(key)),
  variablesOf(key),
  defaultOf(key),
  settingOf(key).description.replaceAll("|", "\\|"),
])
const header = ["key", "option", "variables", "default", "about"]
const table = [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

test("docs/reference/settings.md has every setting, as it is", () => {
  const before = readFileSync(page, "utf8")
  const expected = before.replace(/\| key \| option[^\n]*\n(\|[^\n]*\n)*/, () => `${table}\n`)
  if (process.env["BIFOLD_UPDATE"] === "1") writeFileSync(page, expected)
  assert.ok(expected.includes(table), "the table has its place")
  assert.equal(readFileSync(page, "utf8"), expected, "BIFOLD_UPDATE=1 writes the table")
})

test("the configuration file is typed by the list", () => {
  const config = defineConfig({ port: 8080, workers: "auto", cors: ["*"], secret: undefined })
  assert.deepEqual(config.cors, ["*"])
  // @ts-expect-error a key that no setting has
  defineConfig({ prot: 8080 })
  // @ts-expect-error a text instead of a number
  defineConfig({ port: "8080" })
  // @ts-expect-error none of the choices
  defineConfig({ compression: "on" })
})

test("a setting has one name in all of its places", () => {
  for (const key of settingKeys) {
    const option = new SettingOption(key, "")
    assert.equal(option.attributeName(), key)
    assert.equal(
      longOptionOf(settingOf(key)).slice(2).replace(/^no-/, ""),
      variableOf(key).slice(7).toLowerCase().replaceAll("_", "-"),
    )
    assert.doesNotThrow(() => new Command().addOption(option))
  }
  const customary = settingKeys.flatMap((key) => settingOf(key).customary ?? [])
  assert.equal(new Set(customary).size, customary.length)
})

test("each default is a value of its setting, and each refusal says what is expected", () => {
  for (const key of settingKeys) {
    const setting = settingOf(key)
    if (setting.default !== undefined) assert.ok(checkValue(setting, setting.default).ok, key)
    for (const wrong of [null, {}, Number.NaN, []].filter(
      (one) => !(setting.form === "list" && Array.isArray(one)),
    )) {
      const checked = checkValue(setting, wrong)
      assert.ok(
        !checked.ok && /^(Give|Allowed choices) .*\.$/.test(checked.expected),
        `${key}: ${JSON.stringify(checked)}`,
      )
    }
  }
})

test("variables of the tests themselves are no misspelt settings", () => {
  const files = globSync("{test,scripts,bench}/**/*.{ts,mjs}", {
    cwd: root,
    exclude: ["**/node_modules", "test/settings/**"],
  })
  const names = files.flatMap(
    (file) =>
      readFileSync(join(root, file), "utf8").match(/(?<=(env\.|env\[")|\b)BIFOLD_[A-Z_]*[A-Z]/g) ?? [],
  )
  assert.ok(names.includes("BIFOLD_PROOF") && names.includes("BIFOLD_UPDATE"))
  const environment = Object.fromEntries(names.map((name) => [name, "1"]))
  assert.deepEqual(findUnknownVariables(environment).refused, [])
})
