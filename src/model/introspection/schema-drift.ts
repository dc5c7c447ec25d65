// A model whose database has drifted from it: the resources that are hurt are marked, so that the others can be served. The
// marks can be seen to again while it is served.
import type { Problem } from "../../base/problem.ts"
import type { Model, Resource } from "../model.ts"
import type { TableList } from "./catalog.ts"
import { findMismatches } from "./schema-mismatches.ts"

interface Drift {
  readonly model: Model
  /** Missing parts of the database, each with its place in the declaration. */
  readonly problems: readonly Problem[]
  /** Names of the resources that can be served. */
  readonly whole: readonly string[]
}

export function markDrifted(model: Model, database: TableList): Drift {
  const problems = findMismatches(model, database)
  const hurt = hurtBy(problems)
  return {
    model: problems.length === 0 ? model : marked(model, (name) => hurt.has(name)),
    problems,
    whole: [...model.resources.keys()].filter((name) => !hurt.has(name)),
  }
}

interface Watched {
  readonly model: Model
  /** Compares the present database. Gives its deficiencies if other resources are hurt than before, undefined otherwise. */
  compare(database: TableList): readonly Problem[] | undefined
  /** Whether no resource was hurt when it was compared last. */
  isWhole(): boolean
}

/**
 * The model, whose resources are hurt or not as they were found last.
 * @param log tables that hold the log, where Bifold does not make them: logged resources need them
 */
export function watchDrift(model: Model, log: readonly string[] = []): Watched {
  const logged = [...model.resources.values()].filter(({ logged: has }) => has)
  const lost = ({ tables }: TableList): readonly Problem[] =>
    log
      .filter((table) => !tables.some(({ name }) => name === table))
      .flatMap((table) =>
        logged.map(
          ({ name }): Problem => ({
            code: "database_mismatch",
            message: `The database has no table "${table}".`,
            place: ["resources", name],
          }),
        ),
      )
  let hurt: ReadonlySet<string> = new Set(
    [...model.resources.values()].flatMap((resource) => (resource.hurt?.() ? [resource.name] : [])),
  )
  return {
    model: marked(model, (name) => hurt.has(name)),
    isWhole: () => hurt.size === 0,
    compare(database) {
      const before = hurt
      const problems = [...findMismatches(model, database), ...lost(database)]
      hurt = hurtBy(problems)
      const isOther = hurt.size !== before.size || [...hurt].some((name) => !before.has(name))
      return isOther ? problems : undefined
    },
  }
}

const hurtBy = (problems: readonly Problem[]): ReadonlySet<string> =>
  new Set(problems.map(({ place }) => String(place?.[1])))

function marked(model: Model, isHurt: (name: string) => boolean): Model {
  const mark = (resource: Resource): Resource => ({ ...resource, hurt: () => isHurt(resource.name) })
  return { ...model, resources: new Map([...model.resources].map(([name, it]) => [name, mark(it)])) }
}
