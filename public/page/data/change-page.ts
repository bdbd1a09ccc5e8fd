import type { Page } from '../../../lib/contract/entities.ts'
import { ApiError } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'

/** `keep_alias`: the old title stays as an alias. */
export type PageFields = Partial<Pick<Page, 'title' | 'body' | 'parent_id' | 'position'>> & {
  keep_alias?: true
}

export const pagePath = (id: string): string => `/api/pages/${id}`

/**
 * Changes a page. Where it has changed since `seen`, but not in these fields, the change is sent again for the current
 * version; otherwise the 409 is thrown, as any other failure is.
 */
export async function changePage(app: App, seen: Page, fields: PageFields): Promise<Page> {
  try {
    return await app.api.patch<Page>(pagePath(seen.id), { ...fields, version: seen.version })
  } catch (error) {
    const current = error instanceof ApiError && error.status === 409 ? error.details.current : null
    if (!isPage(current) || touches(current, seen, fields)) throw error
    return await app.api.patch<Page>(pagePath(seen.id), { ...fields, version: current.version })
  }
}

const isPage = (value: unknown): value is Page =>
  typeof value === 'object' && value !== null && 'version' in value && 'parent_id' in value

const touches = (current: Page, seen: Page, fields: PageFields) =>
  (Object.keys(fields) as (keyof Page)[]).some((name) => current[name] !== seen[name])
