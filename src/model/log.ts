// How long a service keeps its log, and whose changes are in it.

export interface LogDeclaration {
  /** Such as `"30 days"`; everything is kept when absent. */
  readonly keep?: string
  /**
   * `"database"`: changes by other programs are logged too, by triggers that `bifold migrate` installs. For the tables of
   * somebody else's (`managed: false`) on PostgreSQL.
   */
  readonly capture?: "database"
}

const hour = 3_600_000
const units: Readonly<Record<string, number>> = {
  h: hour,
  d: 24 * hour,
  w: 7 * 24 * hour,
  y: 365 * 24 * hour,
}

/** Milliseconds of `12 hours`, `30 days`, `1 week`, `2 years`, or `12h` and so on; undefined for any other text, and beyond a century. */
export function readDuration(text: string): number | undefined {
  const [, count, short, long] = /^([1-9]\d{0,5})(?:([hdwy])| (hour|day|week|year)s?)$/.exec(text) ?? []
  const time = Number(count) * (units[short ?? long?.[0] ?? ""] ?? Number.NaN)
  return time <= 100 * 365 * 24 * hour ? time : undefined
}
