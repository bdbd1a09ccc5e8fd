// The texts in a request, read off the JSON Schema that it has to fit.

export type JsonSchema = {
  $ref?: string
  type?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  additionalProperties?: JsonSchema | boolean
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
}

/** A text by its place, or a key that the caller may choose. `place` has `*` for what the caller may choose. */
export type TextField = { path: (string | number)[]; place: string; isKey: boolean }

/** Where a value that fits may hold text. What is held to a form (a date, a pattern, one of some words) cannot. */
export function textPlacesOf(schema: JsonSchema, place = ''): string[] {
  const { properties = {}, items, additionalProperties: more, anyOf = [], oneOf = [] } = schema
  const found = [
    ...(isText(schema) ? [place] : []),
    ...[...anyOf, ...oneOf].flatMap((one) => textPlacesOf(one, place)),
    ...Object.entries(properties).flatMap(([key, inner]) => textPlacesOf(inner, `${place}.${key}`)),
    ...(items ? textPlacesOf(items, `${place}.*`) : []),
    ...(typeof more === 'object' ? [`${place}.* (key)`, ...textPlacesOf(more, `${place}.*`)] : []),
  ]
  return [...new Set(found)]
}

/** The texts that a value holds at one of these places. */
export function textFieldsOf(places: readonly string[], value: unknown): TextField[] {
  return [...walk(value, [])].filter(({ place }) => places.includes(place))

  function* walk(inner: unknown, path: TextField['path']): Generator<TextField> {
    if (typeof inner === 'string') for (const place of spellings(path)) yield { path, place, isKey: false }
    if (typeof inner !== 'object' || inner === null) return
    for (const [key, each] of Object.entries(inner)) {
      const below = [...path, Array.isArray(inner) ? Number(key) : key]
      for (const place of spellings(below)) yield { path: below, place: `${place} (key)`, isKey: true }
      yield* walk(each, below)
    }
  }
}

/** The place of a path with any of its names chosen by the caller. */
function spellings(path: TextField['path']): string[] {
  return path.reduce<string[]>(
    (places, key) =>
      places.flatMap((place) =>
        typeof key === 'number' ? [`${place}.*`] : [`${place}.${key}`, `${place}.*`],
      ),
    [''],
  )
}

/** A schema without any condition takes text too. */
function isText({ type, format, pattern, enum: names, const: only, ...others }: JsonSchema): boolean {
  const isFree = !format && !pattern && !names && only === undefined
  return isFree && (type === 'string' || (type === undefined && Object.keys(others).length === 0))
}
