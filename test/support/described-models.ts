// The services of the tests as Models, for whoever checks their OpenAPI documents.
import { join } from "node:path"
import storefront from "../../examples/storefront/service.ts"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { f, one, resource, service } from "../../src/model/declaration/service.ts"
import { declare } from "../../src/model/introspection/declare.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { inspect } from "../../src/storage/introspection/inspect.ts"
import { shop } from "../code/shop.ts"
import { notes } from "../feed/notes.ts"
import { kiosk } from "../rest/kiosk.ts"
import { desk } from "../services/desk.ts"
import { gallery } from "../services/gallery.ts"

export const describedModels: Readonly<Record<string, Model>> = {
  storefront: load(storefront),
  gallery: load(gallery),
  desk: load(desk),
  kiosk,
  shop: load(shop),
  "notes with webhooks": load(withSystem({ ...notes, webhooks: true })),
  "storefront to a customer": actorFromText(load(storefront), "customer:cus_01gnna1j00e1rrmypgynq0qqf2")
    .model,
}

/** A database that others have made; it may be absent. */
export const chinook = join(import.meta.dirname, "../../../shared/data/chinook.sqlite")

export async function chinookModel(): Promise<Model> {
  return load(declare(await inspect(chinook), "chinook").declaration)
}

/** 60 tables, each with a relation to the one before it. */
export const wideModel = (): Model =>
  load(
    service({
      name: "wide",
      resources: Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [
          `thing${index}`,
          resource({
            description: `Things of kind ${index}.`,
            fields: {
              name: f.text(),
              size: f.integer(),
              price: f.decimal({ precision: 10, scale: 2 }),
              madeAt: f.timestamp(),
              extra: f.json({ optional: true }),
            },
            relations: index > 0 ? { previous: one(`thing${index - 1}`) } : {},
          }),
        ]),
      ),
    }),
  )
