// A page in the Chromium of the machine, over its own protocol (Chrome DevTools Protocol), for pages that people open.
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createInterface } from "node:readline"
import { WebSocket } from "ws"
import { type Hooks, temporaryFolder } from "./database.ts"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** Undefined where there is none, which tests skip by name. */
export const chromium = [process.env["CHROMIUM"], ...places].find((path) => path && existsSync(path))

export interface Page {
  /** The value of an expression, which may be a promise of one. */
  run(expression: string): Promise<unknown>
  /** Typed as by a person, where the focus is. */
  type(text: string): Promise<void>
  press(key: { readonly key: string; readonly code: string; readonly control?: boolean }): Promise<void>
  /** Addresses that the page has asked for. */
  readonly requests: readonly string[]
  /** Messages of the console and of the policy, and errors of scripts. */
  readonly complaints: readonly string[]
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Readonly<Record<string, never>>
  readonly result?: Readonly<Record<string, never>>
  readonly error?: { readonly message: string }
}

/** Resolves when the page has loaded. It ends with the test. */
export async function openPage(hooks: Hooks, url: string): Promise<Page> {
  const profile = await temporaryFolder(hooks)
  const browser = spawn(
    chromium ?? "",
    [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      `--user-data-dir=${profile}`,
      "--remote-debugging-port=0",
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  )
  const ended = new Promise((resolve) => browser.once("exit", resolve))
  hooks.after(async () => {
    browser.kill("SIGKILL")
    await ended
  })
  const socket = new WebSocket(await addressOf(browser))
  hooks.after(() => socket.terminate())
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject))
  const waiting = new Map<number, PromiseWithResolvers<NonNullable<Message["result"]>>>()
  const requests: string[] = []
  const complaints: string[] = []
  const loaded = Promise.withResolvers<void>()
  socket.on("message", (data) => {
    const message = JSON.parse(String(data)) as Message
    const asked = message.id === undefined ? undefined : waiting.get(message.id)
    if (message.error) asked?.reject(new Error(message.error.message))
    else asked?.resolve(message.result ?? {})
    const { method, params = {} } = message
    if (method === "Page.loadEventFired") loaded.resolve()
    if (method === "Network.requestWillBeSent")
      requests.push((params["request"] as unknown as { readonly url: string }).url)
    if (method === "Log.entryAdded" || method === "Runtime.exceptionThrown")
      complaints.push(JSON.stringify(params))
  })
  let count = 0
  let sessionId: string | undefined
  const send = (method: string, params: object = {}): Promise<Readonly<Record<string, never>>> => {
    const answer = Promise.withResolvers<Readonly<Record<string, never>>>()
    count += 1
    waiting.set(count, answer)
    socket.send(JSON.stringify({ id: count, method, params, ...(sessionId && { sessionId }) }))
    return answer.promise
  }
  const { targetId } = await send("Target.createTarget", { url: "about:blank" })
  sessionId = (await send("Target.attachToTarget", { targetId, flatten: true }))["sessionId"]
  for (const domain of ["Page", "Network", "Log", "Runtime"]) await send(`${domain}.enable`)
  await send("Page.navigate", { url })
  await loaded.promise
  return {
    requests,
    complaints,
    async run(expression) {
      const { result, exceptionDetails } = (await send("Runtime.evaluate", {
        expression,
        awaitPromise: true,
        returnByValue: true,
      })) as unknown as { readonly result: { readonly value?: unknown }; readonly exceptionDetails?: object }
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
      return result.value
    },
    type: async (text) => void (await send("Input.insertText", { text })),
    async press({ key, code, control }) {
      const event = {
        key,
        code,
        ...(control && { modifiers: 2 }),
        windowsVirtualKeyCode: key === "Enter" ? 13 : 0,
      }
      await send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...event })
      await send("Input.dispatchKeyEvent", { type: "keyUp", ...event })
    },
  }
}

/** Chromium says where it listens. */
async function addressOf({ stderr }: ChildProcess): Promise<string> {
  if (stderr)
    for await (const line of createInterface({ input: stderr })) {
      const [, address] = /DevTools listening on (\S+)/.exec(line) ?? []
      if (address !== undefined) {
        stderr.resume()
        return address
      }
    }
  throw new Error("Chromium ended")
}
