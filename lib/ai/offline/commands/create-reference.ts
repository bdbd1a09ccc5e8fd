import { readDraft } from '../answers.ts'
import { type Command, problem, propose } from './command.ts'
import type { Creation } from './create.ts'
import { readNamedText } from './named-text.ts'
import { findUrl, titleOfUrl } from './web-address.ts'

/** A new ref or resource: a name, an address, a text. */
export function createReference(kind: 'ref' | 'resource', { rest, below, said }: Creation): Command | null {
  const url = findUrl(rest)
  const words = url
    ? rest
        .replace(url, ' ')
        .replace(/\s+/g, ' ')
        .replace(/ (?:at|from|to|for)\s*$/i, '')
    : rest
  const { title, body } = readNamedText(words.replace(/^(?:to|at|for|from)? ?(?:as )/i, '').trim(), below)
  return newReference(kind, { title, body, url, said })
}

type NewReference = { title: string; body: string; url: string | null; said: string }

export function newReference(
  kind: 'ref' | 'resource',
  { title, body, url, said }: NewReference,
): Command | null {
  const name = title || (url ? titleOfUrl(url) : '')
  if (name === '') return null
  const payload = {
    title: name.slice(0, 500).toWellFormed(),
    ...(url ? { url } : {}),
    ...(body ? { body } : {}),
  }
  const make = () => propose({ entity_type: kind, action: 'create', payload }, said)

  return {
    said,
    creates: () => [{ kind, title: name, make }],
    *draft() {
      const answer = yield* make()
      const draft = readDraft(answer)
      return draft ? [{ draft }] : problem(`I could not draft the ${kind} “${payload.title}”: ${answer.text}`)
    },
  }
}
