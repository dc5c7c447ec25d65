// Records whose absent members are absent, not `undefined`, so that two equal things compare as equal.

type Loose<Shape> = { readonly [Name in keyof Shape]: Shape[Name] | undefined }

/** The record without the members that are undefined. */
export function omitUndefined<Shape extends object>(record: Loose<Shape>): Shape {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Shape
}
