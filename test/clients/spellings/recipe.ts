import axios from "axios"
import { createQuerySerializer } from "openapi-fetch"
import qs from "qs"

// { filter: { customer: { email: { endsWith: "@example.com" } } }, fields: ["number", "total"], limit: 5 }
type Question = Readonly<Record<string, unknown>>

export const byQs = (question: Question) => qs.stringify(question, { encodeValuesOnly: true })

export const byAxios = (params: Question) =>
  axios.getUri({ url: "/orders", params, paramsSerializer: { indexes: true } })

const serialize = createQuerySerializer({ array: { style: "form", explode: true } })

export const byOpenapiFetch = ({ filter, ...others }: Question) =>
  serialize({ ...others, ...(filter !== undefined && { filter: JSON.stringify(filter) }) })
