// Bounds of the values of a field.
export interface Constraints {
  /** Characters of text, items of a list, bytes of `bytes`; the least and greatest value of numbers. */
  readonly min?: number
  readonly max?: number
  /** For a list: `min` and `max` of each item; `declared`: names of the service that are accepted, in part types of events. */
  readonly items?: {
    readonly min?: number
    readonly max?: number
    readonly declared?: readonly string[]
    readonly eventTypes?: true
  }
  /** For a `text`, or for each in a list: an ECMAScript pattern, anchored, from the declaration only. */
  readonly pattern?: string
  /** For a `decimal`: digits in all; for a time or timestamp: digits of a second's fraction. */
  readonly precision?: number
  /** For a `decimal`: digits after the point; below zero: zeros before it. */
  readonly scale?: number
}
