// What Void adds to Markdown: `[[wikilinks]]`, citations and block ids.

import type { Tokens } from 'marked'
import { escapeAll } from './escape.ts'

/** Around the number of a citation, in a text to be rendered. The text itself contains neither. */
export const citeOpen = '\uE000'
export const citeClose = '\uE001'

export type WikilinkToken = Tokens.Generic & {
  target: string
  heading: string
  label: string
  embed: boolean
}
type CiteToken = Tokens.Generic & { n: string }

export const extensions = [
  {
    name: 'wikilink',
    level: 'inline' as const,
    start: (source: string) => /!?\[\[/.exec(source)?.index,
    tokenizer(source: string): WikilinkToken | undefined {
      const found = /^(!?)\[\[([^[\]\n|#]*)(?:#([^[\]\n|]*))?(?:\\?\|([^[\]\n]*))?\]\]/.exec(source)
      if (!found) return undefined
      const [raw, bang, target = '', heading = '', label = ''] = found
      return {
        type: 'wikilink',
        raw,
        target: target.trim(),
        heading: heading.trim(),
        label: label.trim(),
        embed: bang === '!',
      }
    },
  },
  {
    name: 'cite',
    level: 'inline' as const,
    start: (source: string) => new RegExp(citeOpen).exec(source)?.index,
    tokenizer(source: string): CiteToken | undefined {
      const found = new RegExp(`^${citeOpen}(\\d+)${citeClose}`).exec(source)
      return found ? { type: 'cite', raw: found[0], n: found[1]! } : undefined
    },
    renderer: (token: Tokens.Generic) =>
      `<span class="cite" data-cite="${Number(token.n)}">${Number(token.n)}</span>`,
  },
  {
    // Obsidian's id at the end of a block, the target of `[[Page#^id]]`.
    name: 'block-id',
    level: 'inline' as const,
    start: (source: string) => /\s\^[\w-]+\s*$/.exec(source)?.index,
    tokenizer(source: string): Tokens.Generic | undefined {
      const found = /^\s*\^([\w-]{1,100})\s*$/.exec(source)
      return found ? { type: 'block-id', raw: found[0], id: found[1] } : undefined
    },
    renderer: ({ id }: Tokens.Generic) =>
      `<span class="block-id" data-block="${escapeAll(String(id))}"></span>`,
  },
]
