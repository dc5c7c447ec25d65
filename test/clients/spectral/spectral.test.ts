import { clientTests } from "../../support/clients.ts"

await clientTests("spectral", () => import("./lint.ts"))
