// After `[[` the names that a link may lead to are on offer, as one types them: titles, and the other names that pages
// give themselves. Arrow keys choose, Enter or Tab takes, Escape leaves the text as it is.

import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
  pickedCompletion,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { type EditorView, keymap } from '@codemirror/view'
import type { Suggestion } from '../../../lib/contract/suggest.ts'
import { kindLabel } from '../../addresses.ts'

export type LinkNames = (typed: string, signal: AbortSignal) => Promise<readonly Suggestion[]>

/** What is typed of a link whose end is not there yet. */
const openLink = /!?\[\[([^[\]\n|#]*)$/
const mostTyped = 200

/** `names` finds what is called so. When it cannot, nothing is offered, and one types on. */
export function completeLinks(names: LinkNames): Extension {
  return [
    autocompletion({
      override: [(context) => offer(context, names)],
      icons: false,
      // What stands there was asked for by two brackets: it may be taken as soon as it is seen.
      interactionDelay: 0,
      optionClass: () => 'link-option',
      tooltipClass: () => 'link-options',
    }),
    keymap.of(completionKeymap),
  ]
}

async function offer(context: CompletionContext, names: LinkNames): Promise<CompletionResult | null> {
  const before = context.matchBefore(openLink)
  const typed = before && openLink.exec(before.text)?.[1]
  if (typed === undefined || typed === null || typed.length > mostTyped) return null
  const controller = new AbortController()
  context.addEventListener('abort', () => controller.abort(), { onDocChange: true })
  const found = await names(typed.trim(), controller.signal).catch(() => [])
  const options = found.flatMap((suggestion) => toOption(suggestion) ?? [])
  // The server has found and ordered them; what is typed next is asked for anew.
  return { from: context.pos - typed.length, options, filter: false }
}

function toOption({ entity_type, title, alias }: Suggestion): Completion | null {
  // These end a link, so a name with one of them cannot stand in it.
  if (/[[\]|#\n]/.test(title)) return null
  const kind = entity_type === 'page' ? '' : kindLabel(entity_type)
  const insert = alias ? `${title}|${alias}` : title
  return {
    label: alias ? `${alias} → ${title}` : title,
    ...(kind ? { detail: kind } : {}),
    apply: (view, completion, from, to) => take(view, completion, { insert, from, to }),
  }
}

/** Puts the name in and goes on behind the link, whose end is used when it is there. */
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
