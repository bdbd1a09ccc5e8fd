// Completes the target of a link after `[[`: titles of entities and aliases of pages, and a page that there is not yet.

import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  pickedCompletion,
} from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'
import type { Suggestion } from '../../../../../lib/contract/space/search.ts'
import { normalizeName } from '../../../../../lib/core/text/normalize-name.ts'
import { kindLabel } from '../../../../ui/words/addresses.ts'

export type LinkedPages = {
  /** Finds titles and aliases. When it rejects, nothing is offered. */
  names: (typed: string, signal: AbortSignal) => Promise<readonly Suggestion[]>
  /** Creates a page of that title. */
  create: (title: string) => void
}

/** The start of a link that is being typed. */
const openLink = /!?\[\[([^[\]\n|#]*)$/
const maxTyped = 200

export const completeLinks =
  (pages: LinkedPages): CompletionSource =>
  (context) =>
    offer(context, pages)

async function offer(
  context: CompletionContext,
  { names, create }: LinkedPages,
): Promise<CompletionResult | null> {
  const before = context.matchBefore(openLink)
  const typed = before && openLink.exec(before.text)?.[1]
  if (typed === undefined || typed === null || typed.length > maxTyped) return null
  const controller = new AbortController()
  context.addEventListener('abort', () => controller.abort(), { onDocChange: true })
  const found = await names(typed.trim(), controller.signal).catch(() => [])
  const options = found.flatMap((suggestion) => toOption(suggestion) ?? [])
  const title = typed.trim()
  const isKnown = found.some((one) => normalizeName(one.alias ?? one.title) === normalizeName(title))
  if (title !== '' && !isKnown && !context.aborted) options.push(toCreate(title, create))
  // The server filters and sorts: each key press sends a new request.
  return { from: context.pos - typed.length, options, filter: false }
}

function toOption({ entity_type, title, alias }: Suggestion): Completion | null {
  // These characters end a link, so a name with one of them cannot be linked.
  if (/[[\]|#\n]/.test(title)) return null
  const kind = entity_type === 'page' ? '' : kindLabel(entity_type)
  const insert = alias ? `${title}|${alias}` : title
  return {
    label: alias ? `${alias} → ${title}` : title,
    ...(kind ? { detail: kind } : {}),
    apply: (view, completion, from, to) => take(view, completion, { insert, from, to }),
  }
}

const toCreate = (title: string, create: (title: string) => void): Completion => ({
  label: `Create “${title}”`,
  detail: 'new page',
  apply(view, completion, from, to) {
    take(view, completion, { insert: title, from, to })
    create(title)
  },
})

/** Inserts the name and moves the caret behind the link; closing brackets that are there are reused. */
function take(
  view: EditorView,
  completion: Completion,
  { insert, from, to }: { insert: string; from: number; to: number },
): void {
  const rest = view.state.sliceDoc(to, to + 2)
  const closing = rest === ']]' ? 2 : 0
  view.dispatch({
    changes: { from, to: to + closing, insert: `${insert}]]` },
    selection: { anchor: from + insert.length + 2 },
    annotations: pickedCompletion.of(completion),
    userEvent: 'input.complete',
    scrollIntoView: true,
  })
}
