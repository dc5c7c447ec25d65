// Values that are to be stored: read as operands are.
import { type Encoding, type ReadValue, readValue, type ValueType } from "./values.ts"

export const acceptValue = (type: ValueType, input: unknown, encoding: Encoding): ReadValue =>
  readValue(type, input, encoding)
