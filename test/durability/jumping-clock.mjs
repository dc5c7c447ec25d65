// A calendar that a test sets back or forward, in all threads of a process: by the milliseconds in a file.
import { readFileSync } from "node:fs"

const file = process.env.JUMPING_CLOCK
const Calendar = Date
const now = () => Calendar.now() + Number(readFileSync(file, "utf8"))

globalThis.Date = class Jumping extends Calendar {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given))
  }
  static now = now
}
