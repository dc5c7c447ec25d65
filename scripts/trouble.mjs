/** What a person has to do something about: says what is wrong, and what to do. */
export class Trouble extends Error {
  constructor(message, advice) {
    super(message)
    this.advice = advice
  }
}
