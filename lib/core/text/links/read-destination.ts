// What the destination of a link says, by CommonMark and in a [[wikilink]].

import { blockReferenceAt } from './block-reference.ts'
import { namedCharacter } from './named-character.ts'

/** Where a link leads, as it is written: a name, or a path from the text that holds it. */
export type LinkAim = { form: 'wiki' | 'path'; target: string }

export type Aim = LinkAim & {
  heading: string | null
  /** Of the target as it stands in the text. */
  length: number
}

/** `Page`, `Page#Heading`, `Page#^block` and `Page^block`. */
export function readWikilink(destination: string): Aim | null {
  const [whole = '', target = ''] = /^([^#^]*(?:\^(?![\w-]+$)[^#^]*)*)/.exec(destination) ?? []
  const heading = destination.slice(whole.length).replace(/^#/, '').trim() || null
  if (target.trim() === '' && heading === null) return null
  return { form: 'wiki', target, heading, length: target.length }
}

/** A block of any page in the Space, which keeps its id. */
export const blockAim = (id: string): Aim => ({
  form: 'wiki',
  target: id,
  heading: `^${id}`,
  length: id.length,
})

/** Of the application itself. */
const ownAddress = /^\/(?:api\/[a-z-]+\/[0-9a-f-]{36}|s\/[a-z0-9-]+\/[a-z-]+)(?:\/|#|$)/

/** A path relative to the text, or from the root of the Space; `null` for an address elsewhere and a part of the text. */
export function readDestination(destination: string): Aim | null {
  // With a scheme, or of a server.
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(destination) || ownAddress.test(destination)) return null
  const wiki = /^\[\[([^[\]]*)\]\]$/.exec(destination)
  if (wiki) return readWikilink(wiki[1]!)
  const block = blockReferenceAt(destination, 0)
  if (block?.end === destination.length) return blockAim(block.id)
  const path = destination.slice(0, pathEnd(destination))
  const target = decode(withoutEscapes(path))
  if (target.trim() === '' || target.includes('\0')) return null
  const rest = withoutEscapes(destination.slice(path.length))
  const fragment = rest.indexOf('#')
  const heading = fragment < 0 ? null : decode(rest.slice(fragment + 1)) || null
  return { form: 'path', target, heading, length: path.length }
}

const escapes = /\\([!-/:-@[-`{-~])|&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}\d{0,2}));/gi

/** Backslash escapes and entities, as CommonMark reads them. */
const withoutEscapes = (text: string): string => text.replace(escapes, escaped)

function escaped(all: string, sign?: string, decimal?: string, hex?: string, name?: string): string {
  if (sign !== undefined) return sign
  if (name !== undefined) return namedCharacter(name) ?? all
  const code = decimal ? Number(decimal) : Number.parseInt(hex!, 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}

const partsOfAddress = new RegExp(`${escapes.source}|[#?]`, 'gi')

/** Where the query or fragment of an address begins, which is read without its escapes. */
function pathEnd(destination: string): number {
  for (const { index, 0: piece } of destination.matchAll(partsOfAddress))
    if (/^[#?]/.test(withoutEscapes(piece))) return index
  return destination.length
}

/** Each run of encoded bytes by itself: a percent sign that encodes nothing stands for itself. */
const decode = (text: string): string => text.replace(/(?:%[\da-f]{2})+/gi, decodeRun)

function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run)
  } catch {
    return run
  }
}
