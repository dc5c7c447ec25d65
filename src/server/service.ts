// Puts a service together: storage, engine and both faces of one Model.

import { createEngine } from "../engine/engine.ts"
import type { Face } from "../faces/exchange.ts"
import { graphqlFace } from "../faces/graphql/face.ts"
import { restFace } from "../faces/rest/face.ts"
import type { Model } from "../model/model.ts"
import { createCursors } from "../plan/cursor.ts"
import type { Storage } from "../storage/storage.ts"

export interface ServiceOptions {
  readonly model: Model
  readonly storage: Storage
  /** Seals cursors: equal secrets accept each other's. */
  readonly secret: string
  /** Path before both faces: empty, or such as `/api`. */
  readonly base: string
}

export interface Faces {
  readonly graphql: Face
  readonly rest: Face
}

export function createFaces({ model, storage, secret, base }: ServiceOptions): Faces {
  const cursors = createCursors(secret)
  const { answer } = createEngine({ storage, cursors })
  return {
    graphql: graphqlFace({ model, cursors, answer }),
    rest: restFace({ model, cursors, answer, base }),
  }
}
