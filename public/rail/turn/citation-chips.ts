import type { Citation } from '../../../lib/contract/events/events.ts'
import type { App } from '../../app/app.ts'
import { kindIcon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { entityHref, kindLabel } from '../../ui/words/addresses.ts'

export type CitationChips = {
  /** The numbered button of a citation. */
  toChip(citation: Citation): HTMLElement
  /** Shows the quoted passage; to be put into the page once. */
  popover: HTMLElement
}

const popoverId = 'citation'
const gap = 6

/** Chips that show their passage while hovered or focused, and open it when clicked. */
export function createCitationChips(app: App): CitationChips {
  const popover = el('div', { class: 'citation', id: popoverId, role: 'tooltip', popover: 'manual' })

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
    place(chip)
  }

  function hide(): void {
    popover.hidePopover()
  }

  function place(chip: HTMLElement): void {
    const at = chip.getBoundingClientRect()
    const { width, height } = popover.getBoundingClientRect()
    const left = Math.max(gap, Math.min(at.left, innerWidth - width - gap))
    // At most 40 % of the height, so that it fits above or below, and never covers the chip.
    const below = at.bottom + gap
    const top = below + height + gap <= innerHeight ? below : at.top - height - gap
    popover.style.setProperty('inset-inline-start', `${left}px`)
    popover.style.setProperty('inset-block-start', `${top}px`)
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
