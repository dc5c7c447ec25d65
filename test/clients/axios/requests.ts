import assert from "node:assert/strict"
import { test } from "node:test"
import axios from "axios"

test("axios is there", () => {
  assert.equal(typeof axios.create, "function")
})
