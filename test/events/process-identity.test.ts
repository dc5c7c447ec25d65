// A lease is taken over only from a process that has surely ended.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import { isGone, processIdentity } from "../../src/events/handlers/leases.ts"

const own = processIdentity()
const source = join(import.meta.dirname, "../../src/events/handlers/leases.ts")

describe("the identity of a process", { skip: !existsSync("/proc/self/ns/pid") && "no /proc" }, () => {
  test("is no other's while the process lives, and is gone with it", async (context) => {
    const print = `import { processIdentity } from ${JSON.stringify(source)}
      process.stdout.write(processIdentity()); setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", print], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    context.after(() => void child.kill("SIGKILL"))
    const [identity] = (await once(child.stdout, "data")).map(String)
    assert.ok(identity && identity !== own)
    assert.equal(isGone(identity), false)
    child.kill("SIGSTOP")
    assert.equal(isGone(identity), false, "one that stands still has not ended")
    child.kill("SIGKILL")
    await once(child, "exit")
    assert.equal(isGone(identity), true)
  })

  test("tells a process from a later one of the same number", () => {
    assert.ok(own)
    const [boot, namespace, pid, started] = own.split("/")
    assert.equal(isGone(own), false)
    assert.equal(isGone([boot, namespace, pid, `${Number(started) - 1}`].join("/")), true)
  })

  test("says nothing of other hosts, other containers and other texts", () => {
    assert.ok(own)
    const [boot, namespace, , started] = own.split("/")
    const nobody = `${readFileSync("/proc/sys/kernel/pid_max", "utf8").trim()}`
    assert.equal(isGone([boot, namespace, nobody, started].join("/")), true)
    for (const other of [
      ["00000000-0000-0000-0000-000000000000", namespace, nobody, started].join("/"),
      [boot, "pid:[1]", nobody, started].join("/"),
      [boot, namespace, "0", started].join("/"),
      [boot, namespace, "-1", started].join("/"),
      [boot, namespace, "x", started].join("/"),
      [boot, namespace, nobody].join("/"),
      `${own}/more`,
      "",
    ])
      assert.equal(isGone(other), false, other)
  })
})
