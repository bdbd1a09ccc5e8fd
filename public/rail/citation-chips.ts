import type { Citation } from '../../lib/contract/events.ts'
import { kindLabel } from '../addresses.ts'
import type { App } from '../app.ts'
import { kindIcon } from '../components/icon.ts'
import { el } from '../dom.ts'

export type CitationChips = {
  /** The small number that stands for a citation. */
  toChip(citation: Citation): HTMLElement
  /** What shows the quoted passage; to be put into the page once. */
  popover: HTMLElement
}

const popoverId = 'citation'
const gap = 6

/** Chips whose passage is shown while they are hovered or focused, and opened when they are clicked. */
export function createCitationChips(app: App): CitationChips {
  const popover = el('div', { class: 'citation', id: popoverId, role: 'tooltip', popover: 'manual' })

  return {
    popover,
    toChip(citation) {
      const { n, title, checked } = citation
      const chip = el(
        'button',
        {
          class: ['cite', !checked && 'cite-unchecked'],
          type: 'button',
          'aria-label': `Source ${n}: ${title || kindLabel(citation.kind)}${checked ? '' : ', not checked'}`,
          'aria-describedby': popoverId,
          onpointerenter: () => show(citation, chip),
          onpointerleave: hide,
          onfocus: () => show(citation, chip),
          onblur: hide,
          onclick: () => {
            hide()
            app.openCitation(citation)
          },
        },
        String(n),
      )
      return chip
    },
  }

  function show(citation: Citation, chip: HTMLElement): void {
    popover.replaceChildren(
      el(
        'p',
        { class: 'citation-source' },
        kindIcon(citation.kind),
        el('strong', {}, citation.title || kindLabel(citation.kind)),
      ),
      el('blockquote', { class: 'citation-words' }, shorten(citation.cited_text)),
      citation.checked
        ? ''
        : el('p', { class: 'citation-doubt' }, 'Not checked: these words were not found in the stored text.'),
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
    const below = at.bottom + gap
    const top = below + height < innerHeight ? below : Math.max(gap, at.top - height - gap)
    popover.style.setProperty('inset-inline-start', `${left}px`)
    popover.style.setProperty('inset-block-start', `${top}px`)
  }
}

const shorten = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}…` : text)
