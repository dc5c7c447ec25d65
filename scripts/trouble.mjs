/** A failure that a person can mend, with advice. */
export class Trouble extends Error {
  constructor(message, advice) {
    super(message)
    this.advice = advice
  }
}
