// Compiled only: types as one would write them.
import type { components } from "../generated/schema.ts"

type Schemas = components["schemas"]

/** Neither `active`, which has a default, nor what is optional. */
export const smallest: Schemas["ProductCreate"] = {
  slug: "felt",
  name: "Felt",
  price: "2.50",
  weight: 1,
  colours: [],
  attributes: { colour: "red" },
  categoryId: "cat_1",
}
export const nested: Schemas["ProductCreate"] = { ...smallest, attributes: [{ colour: ["red", 1, null] }] }
export const changed: Schemas["ProductUpdate"] = { attributes: { colour: "red" } }

// @ts-expect-error: the price is required.
export const incomplete: Schemas["ProductCreate"] = { slug: "felt", name: "Felt" }

/** No member of an answer may be absent. */
export const read = ({ name, description, stock, createdAt }: Schemas["Product"]) => {
  const texts: readonly string[] = [name, createdAt]
  const nullable: readonly (string | null)[] = [description, stock]
  return [...texts, ...nullable]
}

// @ts-expect-error: it may be null.
export const never = ({ description }: Schemas["Product"]): string => description
