import type { Citation } from '../../../lib/contract/events/events.ts'
import type { App } from '../../app/app.ts'
import { loadPreview } from '../../features/preview/load-preview.ts'
import { kindIcon } from '../../ui/components/icon.ts'
import { placePopover } from '../../ui/components/place-popover.ts'
import { el } from '../../ui/dom.ts'
import { entityHref, kindLabel } from '../../ui/words/addresses.ts'

export type CitationChips = {
  /** The numbered button of a citation. */
  toChip(citation: Citation): HTMLElement
  /** Shows the quoted passage; to be put into the page once. */
  popover: HTMLElement
}

const popoverId = 'citation'

/** Chips that show their passage while hovered or focused, and open it when clicked. */
export function createCitationChips(app: App): CitationChips {
  const popover = el('div', { class: 'citation', id: popoverId, role: 'tooltip', popover: 'manual' })

  let places: AbortController | null = null

  return {
    popover,
    toChip(citation) {
      const { n, checked } = citation
      const chip = el(
        'button',
        {
          class: ['cite', !checked && 'cite-unchecked'],
          type: 'button',
          'aria-label': `Source ${n}: ${nameOf(citation)}${checked ? '' : `, ${stateOf(citation).toLowerCase()}`}`,
          'aria-describedby': popoverId,
          onpointerenter: () => show(citation, chip),
          onpointerleave: hide,
          onfocus: () => show(citation, chip),
          onblur: hide,
          onclick: () => {
            hide()
            openCitation(app, citation)
          },
        },
        String(n),
      )
      return chip
    },
  }

  function show(citation: Citation, chip: HTMLElement): void {
    popover.replaceChildren(
      el('blockquote', { class: 'citation-words' }, shorten(citation.cited_text)),
      el(
        'p',
        { class: 'citation-source' },
        citation.id !== null && kindIcon(citation.kind),
        el('strong', {}, nameOf(citation)),
      ),
      citation.checked
        ? ''
        : el('p', { class: 'citation-doubt' }, `${stateOf(citation)}: ${reasonOf(citation)}`),
    )
    popover.showPopover()
    placePopover(popover, chip.getBoundingClientRect())
    void showPlace(citation)
  }

  /** The headings that the passage stands below. */
  async function showPlace({ kind, id, cited_text }: Citation): Promise<void> {
    places?.abort()
    places = new AbortController()
    const { signal } = places
    if (id === null) return
    const aim = { kind, id, passage: cited_text.slice(0, 700) }
    const preview = await loadPreview(app.api, aim, signal)
    if (signal.aborted || !preview) return
    const headings = preview.headings.map((heading) => [' › ', el('bdi', {}, heading)])
    popover.querySelector('.citation-source')?.append(el('span', { class: 'dim' }, headings))
  }

  function hide(): void {
    places?.abort()
    popover.hidePopover()
  }
}

/** Opens the source with the passage marked. */
function openCitation(app: App, { kind, id, cited_text }: Citation): void {
  if (kind === 'tool_result' && id) {
    void import('../../app/actions/show-tool-result.ts').then(({ showToolResult }) => showToolResult(app, id))
    return
  }
  const { space } = app.state.get()
  const href = space && id && entityHref(space.slug, kind, id, cited_text)
  if (href) app.navigate(href)
}

const nameOf = ({ id, title, kind }: Citation): string =>
  id === null ? 'Quotation without a source' : title || kindLabel(kind)

const stateOf = ({ kind }: Citation): string => (kind === 'conversation' ? 'Said before' : 'Not verified')

const reasonOf = ({ id, kind }: Citation): string => {
  if (kind === 'conversation') return 'a conversation is not a source.'
  return id === null
    ? 'these words are not in any source read for this answer.'
    : 'this quote is not in any passage read for this answer.'
}

const shorten = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}…` : text)
