// Where the log goes to is slow, full, gone, or shared: lines stay whole, and the process goes on.
import assert from "node:assert/strict"
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync } from "node:fs"
import type { Readable, Writable } from "node:stream"
import { text } from "node:stream/consumers"
import { describe, test } from "node:test"
import { fileURLToPath } from "node:url"

const writer = fileURLToPath(new URL("./log-writer.ts", import.meta.url))
const node = `"${process.execPath}" --disable-warning=ExperimentalWarning --conditions=bifold-source "${writer}"`
const lines = (output: string): readonly Record<string, unknown>[] =>
  output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

type Shell = ChildProcessByStdio<Writable, Readable, Readable>

/** Reads nothing of stderr before it is told to. */
const shell = (command: string): Shell => spawn("sh", ["-c", command], { stdio: ["pipe", "pipe", "pipe"] })

async function ended(child: Shell): Promise<number | null> {
  if (child.exitCode === null) await once(child, "exit")
  return child.exitCode
}

const skip = process.platform === "win32" ? "written for a shell" : false

describe("the destination of a log", { skip }, () => {
  test("a pipe that two processes share has whole lines of both", async () => {
    const child = shell(`{ ${node} 400 900 & ${node} 400 50 & wait; } 2>&1 >/dev/null </dev/null | cat`)
    child.stdin.end()
    const found = lines(await text(child.stdout))
    assert.equal(found.length, 802)
    assert.equal(new Set(found.map(({ pid }) => pid)).size, 2)
    assert.ok(found.every(({ event }) => event === "notice"))
  })

  test("a pipe that nobody reads holds nothing up, and its lost lines are counted", async () => {
    const child = shell(`exec ${node} 20000 200`)
    // Nothing is read until all was written: a writer that waits would wait for ever.
    await once(child.stdout, "data")
    const output = text(child.stderr)
    await new Promise((resolve) => child.stderr.once("data", resolve))
    // All that has waited is read before there is more.
    await new Promise((resolve) => setTimeout(resolve, 300))
    child.stdin.end()
    assert.equal(await ended(child), 0)
    const found = lines(await output)
    const dropped = found.find(({ event }) => event === "lines_dropped")
    assert.ok(Number(dropped?.["count"]) > 0, "lines were dropped")
    assert.equal(found.length - 2 + Number(dropped?.["count"]), 20_000)
    assert.equal(found.at(-1)?.["msg"], "last")
  })

  test("a pipe whose reader has gone costs the log, and not the process", async () => {
    const child = shell(`exec ${node} 1000 200`)
    child.stderr.destroy()
    await once(child.stdout, "data")
    child.stdin.end()
    assert.equal(await ended(child), 0)
  })

  test("a full disk costs the log, and not the process", {
    skip: process.platform === "linux" ? false : "there is no /dev/full",
  }, async () => {
    const full = openSync("/dev/full", "w")
    const child = spawn("sh", ["-c", `exec ${node} 1000 200`], { stdio: ["pipe", "pipe", full] })
    closeSync(full)
    const { stdin, stdout } = child
    assert.ok(stdin && stdout)
    await once(stdout, "data")
    stdin.end()
    const [code] = await once(child, "exit")
    assert.equal(code, 0)
  })
})
