import { load } from "../../../src/model/load.ts"
import { withSystem } from "../../../src/system/with-system.ts"
import { evolve } from "./services.ts"

for (let seed = 1; seed <= Number(process.argv[2] ?? 20); seed++) {
  const one = evolve(seed)
  try {
    load(withSystem(one.declared as never))
    console.log(seed, "ok")
  } catch (error) {
    console.log(
      seed,
      String((error as Error).message).slice(0, 600),
      JSON.stringify((error as { problems?: unknown }).problems)?.slice(0, 1500),
    )
  }
}
