import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  closeCompletion,
  completionKeymap,
  completionStatus,
  pickedCompletion,
} from '@codemirror/autocomplete'
import { type Extension, Prec } from '@codemirror/state'
import { type EditorView, keymap } from '@codemirror/view'
import type { TagCount } from '../../../../lib/contract/space/pages.ts'
import type { Suggestion } from '../../../../lib/contract/space/search.ts'
import { normalizeName } from '../../../../lib/core/text/normalize-name.ts'
import { openTag } from '../../../../lib/core/text/properties/tag.ts'
import { kindLabel } from '../../../ui/words/addresses.ts'
import { isVerbatim } from './markdown-marks.ts'
import { type SlashActions, slashMenu } from './slash-menu.ts'

// What is offered while one writes: names of pages after `[[`, tags after `#`, and the list of what can be inserted after `/`.
// Arrow keys choose, Enter or Tab accepts, Escape closes.

type Offered = { pages: LinkedPages; tags: LoadTags; actions: SlashActions }

export const completion = ({ pages, tags, actions }: Offered): Extension => [
  autocompletion({
    override: [completeLinks(pages), completeTags(tags), slashMenu(actions)],
    icons: false,
    // What was typed asked for the list, so a suggestion is accepted without delay.
    interactionDelay: 0,
    optionClass: () => 'link-option',
    tooltipClass: () => 'link-options',
    defaultKeymap: false,
  }),
  Prec.highest(
    keymap.of([
      ...completionKeymap.filter(({ key }) => key !== 'Escape'),
      { key: 'Escape', run: closeShown },
      { key: 'Tab', run: acceptCompletion },
    ]),
  ),
]

/** Behind each letter there is a moment in which a list may be to come: Escape is for the editor then. */
function closeShown(view: EditorView): boolean {
  const isShown = completionStatus(view.state) === 'active'
  closeCompletion(view)
  return isShown
}

// Completes the target of a link after `[[`: titles of entities and aliases of pages, and a page that there is not yet.

export type LinkedPages = {
  /** Finds titles and aliases. When it rejects, nothing is offered. */
  names: (typed: string, signal: AbortSignal) => Promise<readonly Suggestion[]>
  /** Creates a page of that title. */
  create: (title: string) => void
}

/** The start of a link that is being typed. */
const openLink = /!?\[\[([^[\]\n|#]*)$/

const maxTyped = 200

const completeLinks =
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
  const suggestions = await names(typed.trim(), controller.signal).catch(() => [])
  const options = suggestions.flatMap((suggestion) => linkOption(suggestion) ?? [])
  const title = typed.trim()
  const isKnown = suggestions.some((one) => normalizeName(one.alias ?? one.title) === normalizeName(title))
  if (title !== '' && !isKnown && !context.aborted) options.push(toCreate(title, create))
  // The server filters and sorts: each key press sends a new request.
  return { from: context.pos - typed.length, options, filter: false }
}

function linkOption({ entity_type, title, alias }: Suggestion): Completion | null {
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

// Completes `#tag` with the tags of the Space, those of most pages first.

/** The tags of the Space. When it rejects, nothing is offered. */
export type LoadTags = (signal: AbortSignal) => Promise<readonly TagCount[]>

const completeTags =
  (load: LoadTags): CompletionSource =>
  async (context) => {
    const before = context.matchBefore(openTag)
    if (!before || isVerbatim(context.state, context.pos)) return null
    // At the beginning of a line it may become a heading.
    if (before.text === '#' && before.from === context.state.doc.lineAt(before.from).from) return null
    const controller = new AbortController()
    context.addEventListener('abort', () => controller.abort())
    const tags = await load(controller.signal).catch(() => [])
    return { from: before.from, options: tags.map(tagOption), validFor: openTag }
  }

const tagOption = ({ name, count }: TagCount): Completion => ({
  label: `#${name}`,
  detail: count === 1 ? '1 page' : `${count} pages`,
  boost: Math.min(99, count),
})
