// Pages that a message names as [[Title]]: which of them was picked, until the message is sent and across a reload.

import { maxMentions } from '../../../lib/contract/limits.ts'
import { savedText } from '../../app/storage/saved-text.ts'

export type NamedPage = { id: string; title: string }

const maxRemembered = 20
const linkTo = ({ title }: NamedPage) => `[[${title}]]`
const stored = (spaceId: string) => savedText(`named:${spaceId}`)

/** How a page that was picked stands in the text. */
export function namePage(spaceId: string, { id, title }: NamedPage): string {
  const others = readNamed(spaceId).filter((page) => page.title !== title)
  stored(spaceId).write(JSON.stringify([{ id, title }, ...others].slice(0, maxRemembered)))
  return linkTo({ id, title })
}

/** The pages that a text names, of those that were picked. */
export const pagesIn = (text: string, spaceId: string): NamedPage[] =>
  readNamed(spaceId)
    .filter((page) => text.includes(linkTo(page)))
    .slice(0, maxMentions)

function readNamed(spaceId: string): NamedPage[] {
  try {
    const pages: unknown = JSON.parse(stored(spaceId).read() || '[]')
    return Array.isArray(pages) ? pages.filter(isPage) : []
  } catch {
    return []
  }
}

const isPage = (page: unknown): page is NamedPage =>
  typeof page === 'object' &&
  page !== null &&
  typeof Reflect.get(page, 'id') === 'string' &&
  typeof Reflect.get(page, 'title') === 'string'
