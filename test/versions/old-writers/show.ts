import { evolve } from "./services.ts"

for (let seed = 1; seed <= Number(process.argv[2]); seed++) {
  const one = evolve(seed)
  if (seed === Number(process.argv[2]))
    for (const [at, steps] of one.changes.entries()) {
      console.log(one.versions[at]?.name, JSON.stringify(one.versions[at]?.members))
      for (const s of steps) console.log("   ", s.kind, JSON.stringify(s.change("x")))
    }
}
