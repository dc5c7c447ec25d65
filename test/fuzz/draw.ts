// A random request: one that fits, by either face, and in half of all cases with something wrong about it.
import { graphqlRequest } from "./graphql.ts"
import { mutated } from "./mutate.ts"
import { randomFrom } from "./random.ts"
import type { Asking, FuzzRequest } from "./request.ts"
import { restRequest } from "./rest.ts"
import type { World } from "./world.ts"

const askers: readonly Asking[] = ["anonymous", "creator", "reader", "staff", "staff"]

/** The same for the same seed and world. */
export function drawRequest(world: World, seed: number): FuzzRequest {
  const random = randomFrom(seed)
  const as = random.one(askers)
  const draw = { random, world, model: world.models[as] }
  const fitting = random.percent(50) ? restRequest(draw, as) : graphqlRequest(draw, as)
  return random.percent(50) ? fitting : mutated(random, fitting)
}
