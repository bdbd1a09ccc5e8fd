// `@name` in a message asks that companion for it, in the thread that is shown; [[Title]] names a page.

import type { AgentMark } from '../../../lib/contract/agents.ts'
import { maxMentions } from '../../../lib/contract/limits.ts'
import { savedText } from '../../app/storage/saved-text.ts'
import type { Addressees, Mentioned } from '../state/conversation-part.ts'

/** Whom a message asks by name, if that is another companion, and which pages it names. */
export function namedIn(text: string, addressees: Addressees, spaceId: string): Mentioned {
  const guest = findGuest(text, addressees)
  const pages = pagesIn(text, spaceId)
  return {
    pages,
    body: {
      ...(guest && { agent_id: guest.id }),
      ...(pages.length > 0 && { mentions: pages.map(({ id }) => id) }),
    },
  }
}

/** The companion that a text asks in place of the one of the thread. */
export function findGuest(text: string, { agent, companions }: Addressees): AgentMark | null {
  const mention = findMention(text, companions)
  return mention?.id === agent.id ? null : mention
}

/** The companion that a text asks by name; the first one named counts, and of two names that fit the longer. */
export function findMention(text: string, companions: readonly AgentMark[]): AgentMark | null {
  const byLength = companions.toSorted((a, b) => b.name.length - a.name.length)
  for (const { index } of text.matchAll(/(?<!\S)@/gu)) {
    const companion = byLength.find(({ name }) => isNamedAt(text, index + 1, name))
    if (companion) return companion
  }
  return null
}

function isNamedAt(text: string, at: number, name: string): boolean {
  const end = at + name.length
  return (
    text.slice(at, end).toLowerCase() === name.toLowerCase() && !/^[\p{L}\p{M}\p{N}]/u.test(text.slice(end))
  )
}

// Pages that a message names as [[Title]]: which of them was picked, until the message is sent and across a reload.

export type NamedPage = { id: string; title: string }

const maxRemembered = 20

const linkTo = ({ title }: NamedPage) => `[[${title}]]`

const storage = (spaceId: string) => savedText(`named:${spaceId}`)

/** How a page that was picked stands in the text. */
export function namePage(spaceId: string, { id, title }: NamedPage): string {
  const others = readNamed(spaceId).filter((page) => page.title !== title)
  storage(spaceId).write(JSON.stringify([{ id, title }, ...others].slice(0, maxRemembered)))
  return linkTo({ id, title })
}

/** The pages that a text names, of those that were picked. */
export const pagesIn = (text: string, spaceId: string): NamedPage[] =>
  readNamed(spaceId)
    .filter((page) => text.includes(linkTo(page)))
    .slice(0, maxMentions)

/** The pages that an edited text names, where they are others than those of the message before. */
export function otherMentions(
  spaceId: string,
  before: readonly NamedPage[],
  text: string,
): { mentions?: string[] } {
  for (const page of before) namePage(spaceId, page)
  const mentions = pagesIn(text, spaceId).map(({ id }) => id)
  const isSame = mentions.length === before.length && before.every(({ id }) => mentions.includes(id))
  return isSame ? {} : { mentions }
}

function readNamed(spaceId: string): NamedPage[] {
  try {
    const pages: unknown = JSON.parse(storage(spaceId).read() || '[]')
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
