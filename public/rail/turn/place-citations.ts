import type { Place } from '../../../lib/core/text/cited/cited-markdown.ts'
import { citeClose, citeOpen } from '../../ui/markdown/syntax.ts'
import type { Block } from './blocks.ts'

/** A block with the marks that fall into it. Signs that would pass for a mark are taken out of the text first. */
export function markBlock({ text, start }: Block, places: readonly Place[]): string {
  const clean = text.replace(new RegExp(`[${citeOpen}${citeClose}]`, 'g'), ' ')
  const pieces: string[] = []
  let done = 0
  for (const { at, numbers, below } of places) {
    if (at <= start || at > start + text.length) continue
    const marks = numbers.map((n) => `${citeOpen}${n}${citeClose}`).join('')
    pieces.push(clean.slice(done, at - start), below ? `\n\n${marks}\n\n` : marks)
    done = at - start
  }
  return pieces.join('') + clean.slice(done)
}
