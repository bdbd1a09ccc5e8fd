// Characters that a reader cannot see, and letters that look like others.

import { domainToUnicode } from 'node:url'
import type { CardWarning } from '../../contract/changes/card.ts'
import { splitHidden } from '../../core/text/hidden-characters.ts'
import { hostOf } from '../../core/text/links/link-host.ts'
import { mixesScripts } from '../../core/text/mixed-scripts.ts'
import { quoteShownSingly as quoted } from '../../core/text/quote-name.ts'
import type { Stretch } from './stretch.ts'

const maxListed = 6

/** Hidden characters that a stretch has more of than it had. */
export function warnHidden({ field, hunk, before, after }: Stretch): CardWarning[] {
  const had = countHidden(before)
  const added = [...countHidden(after)].flatMap(([character, count]) => {
    const more = count - (had.get(character) ?? 0)
    return more > 0 ? [`${character}${more > 1 ? ` ×${more}` : ''}`] : []
  })
  if (added.length === 0) return []
  const named = added.slice(0, maxListed).join(', ')
  const rest = added.length > maxListed ? ` and ${added.length - maxListed} other kinds` : ''
  const message = `It adds invisible characters, or characters that change the reading order: ${named}${rest}.`
  return [{ code: 'hidden_characters', message, field, hunk }]
}

function countHidden(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const piece of splitHidden(text)) {
    if (typeof piece === 'string') continue
    const key = `${piece.name} [${piece.code}]`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** Look-alike letters in a name that changes and in the links that come. */
export function warnMixedScripts({ field, hunk, before, after, isName, links }: Stretch): CardWarning[] {
  const names = isName && after !== before && mixesScripts(after) ? [after] : []
  const targets = links.flatMap(({ kind, label, after: target }) => {
    if (target === null) return []
    const host = kind === 'wikilink' || kind === 'embed' ? null : hostOf(target)
    return [label, host === null ? target : domainToUnicode(host)].filter((name) => mixesScripts(name))
  })
  return [...new Set([...names, ...targets])].map((name) => ({
    code: 'mixed_script',
    message: `${quoted(name)} mixes letters of several alphabets that look alike: it may not be the name it appears to be.`,
    field,
    hunk,
  }))
}
