// Settings of every command. Options and variables of the environment go before these; npm run bifold -- config lists them all.
import { defineConfig } from "bifold"

export default defineConfig({
  port: 4000,
  // In production, BIFOLD_DATABASE has to name it.
  ...(process.env["NODE_ENV"] !== "production" && { database: "data.db" }),
})
