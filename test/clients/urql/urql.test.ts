import { clientTests } from "../../support/clients.ts"

await clientTests("urql", () => import("./shopping.ts"))
