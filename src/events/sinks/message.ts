// A row of the log as a message of a broker: its subject and its content. All content comes from the row, so that repeated
// messages are equal.
import { hash } from "node:crypto"
import type { Model, Resource } from "../../model/model.ts"
import { withoutInternal } from "../../plan/access/visible-model.ts"
import { everyRecord } from "../../plan/every-record.ts"
import type { LogRow } from "../../storage/log-types.ts"
import type { EventIds } from "../log/event-ids.ts"
import { rowEvent } from "./row-event.ts"

export interface SinkMessage {
  /** The event's id, as clients have it. */
  readonly id: string
  /** `<resource>.<event>.<record>`: three tokens, escaped. */
  readonly subject: string
  /** Attributes of CloudEvents 1.0 in its binary mode, `ce-id` and so on, and the `traceparent` of the write. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** JSON: the event as `GET /events` has it. */
  readonly body: string
  /** The same with ids alone and `"isCut": true`, for brokers that do not take as much. */
  readonly cut: string
}

export interface Messages {
  /** Resources whose events are sent. */
  readonly resources: readonly string[]
  of(row: LogRow): SinkMessage
}

/** @param model the whole service, as it was declared */
export function createMessages(model: Model, ids: Pick<EventIds, "idOf">): Messages {
  const shown = shownModel(model)
  const logged = [...shown.resources.values()].filter((resource) => resource.logged)
  const source = `/${encodeURIComponent(model.name)}`
  return {
    resources: logged.map(({ name }) => name),
    of(row) {
      const id = ids.idOf(row)
      const { resource, record: recordId, version, at, actor } = row
      const { type, ...told } = rowEvent(shown, row)
      const kind = row.old === null ? "CREATED" : row.new === null ? "DELETED" : "UPDATED"
      const known = { id, kind, type, resource, recordId, version, at }
      const subject = [resource, type.slice(type.lastIndexOf(".") + 1), recordId].map(subjectToken).join(".")
      return {
        id,
        subject,
        headers: [
          ...attributes({ id, source, type, subject: recordId, time: at }),
          ...(row.trace === null ? [] : ([["traceparent", row.trace]] as const)),
        ],
        body: JSON.stringify({ ...known, actor, ...told }),
        cut: JSON.stringify({ ...known, isCut: true }),
      }
    },
  }
}

/**
 * The operator's view: every record, without members that the declaration hides from all callers (`read: []`), such as
 * digests of passwords.
 */
function shownModel(model: Model): Model {
  const shown = (resource: Resource): Resource => ({
    ...resource,
    fields: new Map(
      [...resource.fields].filter(([, { read }]) => !(Array.isArray(read) && read.length === 0)),
    ),
    access: { read: everyRecord },
  })
  const { roles, scopes } = model
  const resources = new Map([...withoutInternal(model).resources].map(([name, one]) => [name, shown(one)]))
  return { ...model, resources, audience: { whole: model, seats: [], signedIn: true, roles, scopes } }
}

/** Characters of a token; of a longer one its digest is there. */
const longestToken = 256

/** Characters with a meaning in subjects, and all but letters, digits, `-` and `_`, as `%` and two digits for each byte. */
export function subjectToken(text: string): string {
  const token = encodeURIComponent(text).replaceAll(
    /[.!~*'()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return token.length <= longestToken ? token : `~${hash("sha256", text, "base64url")}`
}

/** NATS binding of CloudEvents, section 3.1.3: values are percent-encoded as in headers of HTTP. */
const attributes = (given: Readonly<Record<string, string>>): SinkMessage["headers"] =>
  Object.entries({ specversion: "1.0", ...given, datacontenttype: "application/json" }).map(
    ([name, value]) => [`ce-${name}`, headerText(value)] as const,
  )

const headerText = (text: string): string =>
  text.replaceAll(/[^\x21\x23\x24\x26-\x7e]+/gu, encodeURIComponent)
