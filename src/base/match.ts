// One exhaustive table per pass over a union: a new kind does not compile until every pass handles it.

export type Cases<Union extends { readonly kind: string }, Result> = {
  readonly [Kind in Union["kind"]]: (value: Extract<Union, { readonly kind: Kind }>) => Result
}

/** Calls the case that carries the value's `kind`. */
export function match<Union extends { readonly kind: string }, Result>(
  value: Union,
  cases: Cases<Union, Result>,
): Result {
  const handle = cases[value.kind as Union["kind"]] as (value: Union) => Result
  return handle(value)
}
