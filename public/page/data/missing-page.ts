import type { Page } from '../../../lib/contract/entities.ts'
import type { LinkAim } from '../../../lib/core/text/links/read-destination.ts'
import { folderOf, isNotePath, joinPath, problemOfPath, stemOf } from '../../../lib/core/text/paths.ts'

export type MissingPage = { title: string; path?: string; parent_id?: string | null }

/**
 * The fields of the page that a link of a page names and that is not there: at the path that it says, or by its title
 * beside that page. `null`: the link names no page.
 */
export function missingPage({ form, target }: LinkAim, holder: Page): MissingPage | null {
  const name = target.trim()
  if (name === '') return null
  if (form !== 'path' && !name.includes('/')) return { title: name, parent_id: holder.parent_id }
  const isFromPage = form === 'path' || /^\.\.?\//.test(name)
  const folder = isFromPage && !name.startsWith('/') ? folderOf(holder.path ?? '') : ''
  const path = joinPath(folder, name)?.replace(/\/$/, '') ?? null
  // A name with another extension is that of a file.
  if (path === null || (!isNotePath(path) && /\.[a-z][a-z0-9]{0,5}$/i.test(path))) return null
  const file = isNotePath(path) ? path : `${path}.md`
  return problemOfPath(file) === null ? { title: stemOf(file), path: file } : null
}
