// Loaded before every test file: properties draw the same examples each time, so that a change is judged by what it
// changes. `npm run proof` draws new ones.
import fc from "fast-check"

if (process.env.BIFOLD_PROOF !== "full") fc.configureGlobal({ seed: 20_261_121 })
