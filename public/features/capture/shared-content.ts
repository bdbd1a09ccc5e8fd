// What another page or program gave to be captured: by the share target of the manifest in the query, by the bookmarklet
// in the hash and, for the page itself, in a message.

import { maxClipLength, maxNoteLength } from '../../../lib/contract/limits.ts'

export type SharedContent = { title: string; url: string | null; text: string }

const webUrl = /^https?:\/\/\S+$/i

/** From an address of the capture page. Whatever it holds is text that its owner sees before anything is saved. */
export function readShared({ search, hash }: Pick<URL, 'search' | 'hash'>): SharedContent {
  const params = new URLSearchParams(hash.startsWith('#clip&') ? hash.slice(6) : search)
  const part = (name: string) => (params.get(name) ?? '').slice(0, maxNoteLength).trim()
  const [title, url, text] = [part('title'), part('url'), part('text')]
  if (webUrl.test(url)) return { title, url: url.slice(0, 2000), text }
  // Android shares an address as text.
  if (webUrl.test(text)) return { title, url: text.slice(0, 2000), text: '' }
  return { title: '', url: null, text: [title, text, url].filter(Boolean).join('\n') }
}

/** The HTML in a message of the page that is clipped; `null` for any other message. */
export function readClippedHtml(
  { data, origin, source }: Pick<MessageEvent, 'data' | 'origin' | 'source'>,
  { opener, url }: { opener: unknown; url: string | null },
): string | null {
  if (!opener || source !== opener || url === null || !URL.canParse(url)) return null
  // Nobody but the page that is named speaks for it.
  if (new URL(url).origin !== origin) return null
  const html: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'voidClip') : null
  return typeof html === 'string' && html !== '' ? html.slice(0, maxClipLength) : null
}
