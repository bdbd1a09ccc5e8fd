import type { Clause, Command } from './command.ts'
import { newReference } from './create-reference.ts'
import { unquote } from './unquote.ts'
import { findUrl } from './web-address.ts'

const opening =
  /^(?:save|bookmark|store|keep|clip|remember|add|file)\b(?: (?:this|the|that|a|an|new|link|url|page|article|address|website|site|ref|reference|bookmark|resource|to|for|from|at|:)\b:?)* ?(?=https?:\/\/)/i

/** "Save this link https://… as X": a ref. */
export function readSaveLink({ head, below, said }: Clause): Command | null {
  const text = /^https?:\/\/\S+ (?:as|called) /i.test(head) ? `save ${head}` : head
  const start = opening.exec(text.slice(0, 200))
  const url = start ? findUrl(text) : null
  if (!start || !url) return null

  const rest = text.slice(text.indexOf(url) + url.length).trim()
  const named =
    /^(?:[,:–-] ?)?(?:as(?: an?| the)?(?: ref| reference| bookmark| link| resource)?(?: called| named| titled)?|called|named|titled|under(?: the name)?|with (?:the )?title|[–-])[: ]+(.+)$/i.exec(
      rest,
    )
  const [title = '', body = ''] = (named?.[1] ?? rest.replace(/^[,:–-] ?/, '')).split(
    / with (?:the )?(?:note|text|body)s?:? /i,
  )
  return newReference(/\bresource\b/i.test(start[0]) ? 'resource' : 'ref', {
    title: unquote(title),
    body: [body, below].filter(Boolean).join('\n\n'),
    url,
    said,
  })
}
