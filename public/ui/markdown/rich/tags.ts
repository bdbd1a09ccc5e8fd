// `#tags` in a text, as links to the pages that have them. What is one is the same as in lib/properties/extract-tags.ts.

import type { Token, Tokens } from 'marked'
import { cleanTag, hashTag } from '../../../../lib/text/properties/tag.ts'
import { tagHref } from '../../words/addresses.ts'
import { escapeAll } from '../syntax/escape.ts'

type Lexing = { lexer: { state: { inLink: boolean } } }

/** A tag at the beginning of a text. */
const opening = new RegExp(`^(?:${hashTag.source})`, 'u')

export const tagSyntax = {
  name: 'tag',
  level: 'inline' as const,
  start: (source: string) => /(?<!\S)#/.exec(source)?.index,
  tokenizer(this: unknown, source: string, before: Token[]): Tokens.Generic | undefined {
    if (!source.startsWith('#') || (this as Lexing).lexer.state.inLink) return undefined
    if (!/(?:^|\s)$/.test(before.at(-1)?.raw.slice(-1) ?? '')) return undefined
    const found = opening.exec(source)
    const tag = found && cleanTag(found[1]!)
    return tag ? { type: 'tag', raw: found[0], tag } : undefined
  },
}

export const tagRenderer = (slug: string) => ({
  name: 'tag',
  renderer: ({ raw, tag }: Tokens.Generic) =>
    `<a href="${escapeAll(tagHref(slug, String(tag)))}" class="tag">${escapeAll(raw)}</a>`,
})
