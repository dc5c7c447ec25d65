// Outcomes of writes that were committed together are told a few in each turn of the event loop: what is told is answered at
// once, and reads would wait behind all of these answers.

/** Outcomes that one turn answers. */
const most = 32

export function tellOutcomes(tells: readonly (() => void)[]): void {
  for (const tell of tells.slice(0, most)) tell()
  if (tells.length > most) setImmediate(tellOutcomes, tells.slice(most))
}
