// Style and script of the page at the GraphQL endpoint. Its policy names them by their digests.

export const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
* { box-sizing: border-box }
body { margin: 0; height: 100vh; display: flex; flex-direction: column }
header { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; padding: .6rem 1rem }
h1 { font-size: 1.1rem; margin: 0 }
main { flex: 1; min-height: 0; display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; padding: 0 1rem 1rem }
section { display: flex; flex-direction: column; min-height: 0; min-width: 0 }
textarea, pre, input { font: 13px/1.5 ui-monospace, monospace; padding: .5rem; border: 1px solid #8888; border-radius: 4px }
input { padding: .2rem .4rem }
textarea { resize: vertical; width: 100%; tab-size: 2 }
#query, #answer { flex: 1; min-height: 8rem; overflow: auto }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
@media (max-width: 50rem) { body { height: auto } main { grid-template-columns: 1fr } }
`

/** Answers are only ever shown as text. Credentials are kept in the page alone. */
export const script = String.raw`
"use strict"
const part = (id) => document.getElementById(id)
const [query, variables, answer, status, run] = ["query", "variables", "answer", "status", "run"].map(part)
let running

/** JSON with line breaks; its numbers and strings stay as they are written. */
function laidOut(text) {
  let depth = 0
  const line = () => "\n" + "  ".repeat(depth)
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+|([{\[])(?=\s*([}\]])?)|([}\]])|([,:])/g, (all, string, open, empty, close, mark, at) => {
    if (string) return string
    if (open) return empty ? open : (depth++, open + line())
    if (close) return /[{\[]\s*$/.test(text.slice(Math.max(0, at - 80), at)) ? close : (depth--, line() + close)
    return mark === "," ? "," + line() : mark ? ": " : ""
  })
}

const show = (text) => {
  try {
    JSON.parse(text)
    return laidOut(text)
  } catch {
    return text
  }
}

const headers = () => {
  const given = { authorization: part("authorization").value.trim(), "api-version": part("version").value.trim() }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""))
}

/** The name of the operation in which the cursor stands, where there are several. */
function operationName(text) {
  const named = [...text.matchAll(/(?:^|[\s}])(?:query|mutation|subscription)\s+([A-Za-z_]\w*)/g)]
  if (named.length < 2) return undefined
  return (named.filter(({ index }) => index <= query.selectionStart).pop() || named[0])[1]
}

async function request(init, url = location.pathname) {
  running?.abort()
  const own = (running = new AbortController())
  const since = performance.now()
  answer.textContent = ""
  status.textContent = "…"
  run.textContent = "Stop"
  try {
    const response = await fetch(url, { ...init, signal: own.signal, credentials: "same-origin" })
    const told = () => (status.textContent = response.status + ", " + Math.round(performance.now() - since) + " ms")
    told()
    if ((response.headers.get("content-type") || "").startsWith("text/event-stream")) await follow(response.body)
    else answer.textContent = show(await response.text())
    told()
  } catch (error) {
    if (!own.signal.aborted) status.textContent = String(error)
  } finally {
    if (running === own) {
      running = undefined
      run.textContent = "Run"
    }
  }
}

/** The newest result comes first. */
async function follow(body) {
  let text = ""
  for (const reader = body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) return
    const frames = (text + value).split("\n\n")
    text = frames.pop()
    for (const frame of frames) {
      const data = frame.split("\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n")
      if (data !== "") answer.textContent = (show(data) + "\n\n" + answer.textContent).slice(0, 200000)
    }
  }
}

function send() {
  const text = variables.value.trim()
  let given
  try {
    given = text === "" ? undefined : JSON.parse(text)
  } catch (error) {
    status.textContent = "Variables: " + error.message
    return
  }
  // The text is sent as it is, so that no number in it is rounded.
  const members = { query: query.value, operationName: operationName(query.value) }
  const body = given === undefined ? JSON.stringify(members) : JSON.stringify(members).slice(0, -1) + ',"variables":' + text + "}"
  const accept = "application/graphql-response+json, application/json;q=0.9, text/event-stream;q=0.5"
  request({ method: "POST", headers: { ...headers(), "content-type": "application/json", accept }, body })
}

run.addEventListener("click", () => (running ? running.abort() : send()))
part("schema").addEventListener("click", (event) => {
  event.preventDefault()
  request({ headers: headers() }, event.target.href)
})
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    send()
  }
})
`
