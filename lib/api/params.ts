// What the requests of many routes share.

import type { Request } from 'express'
import { z } from 'zod'
import { id, maxInteger, version } from '../contract/scalars.ts'
import { invalid } from '../core/errors.ts'

/** Whatever is not a UUID names nothing: such a parameter is answered with 404, as an unknown id is. */
export const idParams = <Names extends string>(...names: Names[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, id])) as Record<Names, typeof id>)

export const seenVersion = version.describe('The version that was read')

/** A version in a query string. */
export const versionParam = z.coerce.number().int().min(1).max(maxInteger)

export const pageQuery = z.object({
  cursor: id.optional().describe('The next_cursor of the page before'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')

/** Throws a 400 `AppError` for one that is empty or too long; `null` without one. */
export function readIdempotencyKey({ headers }: Pick<Request, 'headers'>): string | null {
  const header = headers['idempotency-key']
  if (header === undefined) return null
  const key = String(header).trim()
  if (key.length < 1 || key.length > 200) throw invalid('Idempotency-Key must have 1 to 200 characters.')
  return key
}

/** Rows cut to `limit`, and the cursor for more; the query asked for one row too many. */
export function page<Row extends { id: string }>(rows: Row[], limit: number) {
  const items = rows.slice(0, limit)
  return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}
