import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { compileTypes, generatedFolder, recipeEnvironment, runRecipe } from "../../support/openapi-tools.ts"
import { authorization, type ShopServer, withShop } from "../../support/shop-server.ts"

/** app/recipe.ts, by orval.config.ts, which the compiler can only see once its imports are generated. */
interface Recipe {
  readonly connection: { url: string; authorization: string }
  listCheap(): Promise<readonly string[]>
  queryCheap(): Promise<readonly string[]>
  create(product: object): Promise<Readonly<Record<string, unknown>>>
  readonly ListProductsResponse: { safeParse(answer: unknown): { readonly success: boolean } }
}

async function openShop({ url }: ShopServer): Promise<Recipe> {
  const recipe = (await import(new URL("./app/recipe.ts", import.meta.url).href)) as Recipe
  Object.assign(recipe.connection, { url, authorization })
  return recipe
}

withShop(
  "orval",
  (shop) => {
    test("fetch, zod and TanStack Query generated, and compiled strictly", async (t) => {
      await generatedFolder("orval")
      const before = performance.now()
      await runRecipe(
        join(import.meta.dirname, "recipe.sh"),
        import.meta.dirname,
        recipeEnvironment("orval", shop()),
      )
      t.diagnostic(`generated in ${Math.round(performance.now() - before)} ms`)
      await compileTypes("orval", "app")
    })
  },
  ["sqlite"],
)

const slugs = ["product-01", "product-02", "product-03"]

withShop("orval's functions", (shop) => {
  test("a list by fetch, and its answer parsed by zod", async () => {
    const { listCheap, ListProductsResponse } = await openShop(shop())
    assert.deepEqual(await listCheap(), slugs)
    const page = { next: null, prev: null }
    assert.ok(ListProductsResponse.safeParse({ data: [], page }).success)
    assert.ok(!ListProductsResponse.safeParse({ data: [{ slug: "no more" }], page }).success)
  })

  test("a list by TanStack Query", async () => {
    const { queryCheap } = await openShop(shop())
    assert.deepEqual(await queryCheap(), slugs)
  })

  test("one record is created and answered", async () => {
    const { create } = await openShop(shop())
    const body = { name: "Felt", price: "2.50", weight: 1, colours: [], attributes: { colour: "red" } }
    const made = await create({ ...body, slug: "felt", categoryId: `cat_${"1".padStart(26, "0")}` })
    assert.deepEqual([made["slug"], made["active"]], ["felt", true])
  })
})
