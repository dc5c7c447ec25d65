// For a process of its own (`--import`): writes down which modules it loads, and which of Node's own at its end.
import { appendFileSync } from "node:fs"
import { registerHooks } from "node:module"

const file = process.env.LOADED_MODULES
const say = (name) => appendFileSync(file, `${name}\n`)

registerHooks({
  load(url, context, next) {
    say(url)
    return next(url, context)
  },
})
process.on("exit", () => {
  for (const name of process.moduleLoadList) say(name)
})
