// Dates, times and timestamps: from accepted forms to the one canonical form (docs/guide/reading.md).
// RFC 3339 section 5.6, without leap seconds, which no database here can hold.

/** A real day of the proleptic Gregorian calendar, years 0001 to 9999. */
export function readDate(text: string): string | undefined {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!found) return undefined
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])]
  return isDay(year, month, day) ? text : undefined
}

/** `hh:mm:ss` with up to six digits of a second's fraction; trailing zeros go. */
export function readTime(text: string): string | undefined {
  const found = /^(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?$/.exec(text)
  if (!found) return undefined
  if (!isTime(Number(found[1]), Number(found[2]), Number(found[3]))) return undefined
  return `${found[1]}:${found[2]}:${found[3]}${fraction(found[4])}`
}

const timestamp = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

/** Any offset, normalized to UTC; undefined when the moment in UTC is outside the years 0001 to 9999. */
export function readTimestamp(text: string): string | undefined {
  const found = timestamp.exec(text)
  const date = readDate(found?.[1] ?? "")
  const time = readTime(found?.[2] ?? "")
  if (!found || date === undefined || time === undefined) return undefined
  const [hours, minutes] = [Number(found[4] ?? 0), Number(found[5] ?? 0)]
  if (hours > 23 || minutes > 59) return undefined
  const ahead = (hours * 60 + minutes) * (found[3] === "-" ? -1 : 1)
  return ahead === 0 ? `${date}T${time}Z` : shift(date, time, ahead)
}

/** The canonical timestamp of a moment, in milliseconds since 1970 in UTC; of the years 0001 to 9999. */
export function canonicalDateTime(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString()
  return milliseconds % 1000 === 0 ? `${text.slice(0, 19)}Z` : text.replace(/0*Z$/, "Z")
}

/** A canonical time or timestamp cut to at most so many digits of a second's fraction. */
export function cutFraction(text: string, digits: number): string {
  const found = /^(.*)\.(\d+)(Z?)$/.exec(text)
  return found ? `${found[1]}${fraction(found[2]?.slice(0, digits))}${found[3]}` : text
}

/** Takes `ahead` minutes off a local date and time. */
function shift(date: string, time: string, ahead: number): string | undefined {
  const utc = new Date(Date.parse(`${date}T${time.slice(0, 8)}Z`) - ahead * 60_000)
  const year = utc.getUTCFullYear()
  if (year < 1 || year > 9999) return undefined
  return `${utc.toISOString().slice(0, 19)}${time.slice(8)}Z`
}

function fraction(digits: string | undefined): string {
  const kept = (digits ?? "").replace(/0+$/, "")
  return kept === "" ? "" : `.${kept}`
}

function isTime(hours: number, minutes: number, seconds: number): boolean {
  return hours <= 23 && minutes <= 59 && seconds <= 59
}

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day <= (lengths[month - 1] ?? 0)
}
