// A service inside Vite's development server: a plugin for vite.config.ts. The module of the service is api.ts.
import type { EmbeddedService } from "bifold"
import type { Plugin } from "vite"

/** Loads the module for each request: Vite gives the edited one. */
export const api: Plugin = {
  name: "api",
  configureServer(vite) {
    vite.middlewares.use("/api", async (request, response, next) => {
      try {
        const { service } = (await vite.ssrLoadModule("/api.ts")) as { readonly service: EmbeddedService }
        await service.node(request, response)
      } catch (error) {
        // A mistake in the file: Vite shows it.
        next(error)
      }
    })
  },
}
