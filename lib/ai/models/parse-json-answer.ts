import type { z } from 'zod'

/**
 * The JSON object in a model's answer, whatever surrounds it, as far as the schema knows it. `null` when there is
 * none, or another one than was asked for.
 */
export function readJsonAnswer<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): z.output<Schema> | null {
  const from = text.indexOf('{')
  const to = text.lastIndexOf('}')
  if (from === -1 || to < from) return null
  try {
    return schema.safeParse(JSON.parse(text.slice(from, to + 1))).data ?? null
  } catch {
    return null
  }
}
