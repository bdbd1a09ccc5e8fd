// Completes `#tag` with the tags of the Space, those of most pages first.

import type { Completion, CompletionSource } from '@codemirror/autocomplete'
import type { TagCount } from '../../../../../lib/contract/space/pages.ts'
import { openTag } from '../../../../../lib/core/text/properties/tag.ts'
import { isVerbatim } from '../syntax/is-verbatim.ts'

/** The tags of the Space. When it rejects, nothing is offered. */
export type LoadTags = (signal: AbortSignal) => Promise<readonly TagCount[]>

export const completeTags =
  (load: LoadTags): CompletionSource =>
  async (context) => {
    const before = context.matchBefore(openTag)
    if (!before || isVerbatim(context.state, context.pos)) return null
    // At the beginning of a line it may become a heading.
    if (before.text === '#' && before.from === context.state.doc.lineAt(before.from).from) return null
    const controller = new AbortController()
    context.addEventListener('abort', () => controller.abort())
    const tags = await load(controller.signal).catch(() => [])
    return { from: before.from, options: tags.map(toOption), validFor: openTag }
  }

const toOption = ({ name, count }: TagCount): Completion => ({
  label: `#${name}`,
  detail: count === 1 ? '1 page' : `${count} pages`,
  boost: Math.min(99, count),
})
