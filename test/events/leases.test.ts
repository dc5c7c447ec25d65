// How processes divide partitions among themselves, on a database that they share.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import { type Checkpoints, createCheckpoints, partitionOf } from "../../src/events/handlers/checkpoints.ts"
import { Leases } from "../../src/events/handlers/leases.ts"
import { allPartitions } from "../../src/sql/schema/system-tables.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { openShop } from "./open.ts"

const hooks = cleanUp(after)

interface Member {
  readonly leases: Leases
  readonly own: ReturnType<Checkpoints["as"]>
  held(): Promise<readonly number[]>
}

function join(kept: Checkpoints, holder: string, length = 60_000): Member {
  const own = kept.as(holder)
  const leases = new Leases({ kept, own, holder, length, look: 0 })
  return {
    leases,
    own,
    async held() {
      const division = await leases.divide([])
      assert.ok(typeof division === "object", String(division))
      const surplus = [...division.held].slice(division.share)
      if (surplus.length > 0) await own.leave(surplus)
      return [...division.held].slice(0, division.share)
    },
  }
}

for (const database of dialects)
  describe(`partitions on ${database}`, () => {
    /** With positions in its log. */
    const openLogged = async () => {
      const shop = await openShop(hooks, database)
      for (let number = 1; number < 10; number += 1) await shop.order(String(number))
      assert.ok(((await shop.storage.log?.latest()) ?? 0n) >= 9n)
      const kept = createCheckpoints(shop.storage)
      await kept.ready()
      return { shop, kept }
    }
    const openKept = async (): Promise<Checkpoints> => {
      const kept = createCheckpoints((await openShop(hooks, database)).storage)
      await kept.ready()
      return kept
    }

    test("are divided evenly, each to one process, whoever comes and goes", async () => {
      const kept = await openKept()
      const members = ["a", "b", "c"].map((name) => join(kept, name))
      const [first, second, third] = members
      assert.deepEqual(await first?.held(), allPartitions)
      for (let round = 0; round < 3; round += 1) for (const one of members) await one.held()
      const divided = await Promise.all(members.map((one) => one.held()))
      assert.deepEqual(divided.flat().toSorted(), allPartitions)
      assert.deepEqual(
        divided.map(({ length }) => length),
        [3, 3, 2],
      )
      await first?.own.leave()
      for (let round = 0; round < 2; round += 1) for (const one of [second, third]) await one?.held()
      const left = await Promise.all([second, third].map((one) => one?.held()))
      assert.deepEqual(left.flat().toSorted(), allPartitions)
      assert.deepEqual(
        left.map((one) => one?.length),
        [4, 4],
      )
    })

    test("that had run out are begun anew: another may have had them and left them again", async () => {
      const kept = await openKept()
      const one = join(kept, "one", 100)
      assert.deepEqual(await one.held(), allPartitions)
      await wait(150)
      const other = kept.as("other")
      await other.take(allPartitions, 60_000, [])
      await other.leave()
      assert.equal(await one.leases.divide([]), "late")
    })

    test("that are gone are begun anew, and not taken again unnoticed", async () => {
      const kept = await openKept()
      const one = join(kept, "one")
      const had = await one.held()
      await one.own.leave()
      assert.equal(await one.leases.divide(had), "late")
      one.leases.forget()
      assert.deepEqual(await one.held(), allPartitions)
    })

    test("allow writes to their holder alone", async () => {
      const { kept } = await openLogged()
      await kept.add("order.*", 5n)
      const record = "ord_01h455vb4pex5vsknk084sn02q"
      const partition = partitionOf(record)
      const holder = kept.as("holder")
      const other = kept.as("other")
      await holder.take([partition], 60_000, [])
      await other.take(allPartitions, 60_000, [])
      const waiting = { handler: "order.*", record, position: 6n, attempts: 1, due: null, error: "x" }
      await other.keep(waiting)
      assert.deepEqual(await kept.waiting(), [])
      await other.move({ handler: "order.*", partitions: allPartitions, position: 9n })
      const moved = (await kept.partitions()).get("order.*")
      assert.deepEqual(
        allPartitions.filter((each) => moved?.get(each) === 5n),
        [partition],
      )
      assert.equal((await kept.positions()).get("order.*"), 5n)
      await holder.keep(waiting)
      await other.forget("order.*", record)
      assert.equal((await kept.waiting()).length, 1)
      await holder.forget("order.*", record)
      assert.deepEqual(await kept.waiting(), [])
    })

    test("begin where a handler was before it had any", async () => {
      const { shop, kept } = await openLogged()
      const text = "INSERT INTO bifold_handler (name, position) VALUES ('order.paid', 7)"
      await shop.storage.write?.({
        shape: { commands: [{ text, takes: 0 }], wanted: [], takes: 0, sure: true },
        parameters: [],
      })
      await kept.add("order.paid", 9n)
      await kept.add("order.made", 9n)
      const positions = await kept.positions()
      assert.deepEqual([positions.get("order.paid"), positions.get("order.made")], [7n, 9n])
    })
  })

test("records are in partitions by the keys of their ids, evenly", () => {
  assert.equal(partitionOf("ord_01h455vb4pex5vsknk084sn02q"), partitionOf("order_01h455vb4pex5vsknk084sn02q"))
  const counts = allPartitions.map(() => 0)
  for (let key = 0; key < 8_000; key += 1) {
    const partition = partitionOf(`album_${key}`)
    counts[partition] = (counts[partition] ?? 0) + 1
  }
  for (const count of counts) assert.ok(count > 800 && count < 1_200, `${counts}`)
})
