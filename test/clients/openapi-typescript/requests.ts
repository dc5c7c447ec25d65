import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { compileTypes, generatedFolder, recipeEnvironment, runRecipe } from "../../support/openapi-tools.ts"
import { authorization, type ShopServer, withShop } from "../../support/shop-server.ts"

type Product = Readonly<Record<string, unknown>>

/** app/recipe.ts, which the compiler can only see once the types are generated. */
interface Recipe {
  openShop(
    url: string,
    authorization: string,
  ): {
    products(query: object): Promise<readonly Product[]>
    createProduct(body: object): Promise<Product>
  }
}

const openShop = async ({ url }: ShopServer) => {
  const recipe = (await import(new URL("./app/recipe.ts", import.meta.url).href)) as Recipe
  return recipe.openShop(url, authorization)
}

withShop(
  "openapi-typescript",
  (shop) => {
    test("types that compile, as one would write them", async () => {
      await generatedFolder("openapi-typescript")
      await runRecipe(
        join(import.meta.dirname, "recipe.sh"),
        import.meta.dirname,
        recipeEnvironment("openapi-typescript", shop()),
      )
      await compileTypes("openapi-typescript", "app")
    })
  },
  ["sqlite"],
)

withShop("openapi-fetch", (shop) => {
  test("all pages of a filtered list", async () => {
    const api = await openShop(shop())
    const filter = JSON.stringify({ price: { gte: "2" } })
    const found = await api.products({ filter, sort: ["slug"], limit: 10 })
    assert.equal(found.length, 24)
    assert.equal(found[23]?.["slug"], "product-25")
    assert.equal(found[23]?.["stock"], "9007199254740993")
  })

  test("one record is created and answered", async () => {
    const { createProduct } = await openShop(shop())
    const body = { name: "Felt", price: "2.50", weight: 1, colours: [], attributes: { colour: "red" } }
    const made = await createProduct({ ...body, slug: "felt", categoryId: `cat_${"1".padStart(26, "0")}` })
    assert.deepEqual([made["slug"], made["active"], made["attributes"]], ["felt", true, { colour: "red" }])
    await assert.rejects(
      createProduct({ ...body, slug: "other", price: "much", categoryId: made["categoryId"] }),
      /`price` must be a decimal number/,
    )
  })
})
