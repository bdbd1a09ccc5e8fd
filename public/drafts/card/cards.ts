import type { Card } from '../../../lib/contract/changes/card.ts'
import { el } from '../../ui/dom.ts'
import type { CardOptions } from './draft/card-state.ts'

type Render = (card: Card, options: CardOptions) => HTMLElement

/** Cards whose code is loaded with the first one. */
export type Cards = {
  /** Resolves when cards are drawn at once. */
  ready(): Promise<void>
  /** The card, or a placeholder until its code has loaded. */
  render: Render
}

export function createCards(): Cards {
  let render: Render | null = null

  return {
    ready,
    render(card, options) {
      if (render) return render(card, options)
      const place = el(
        'article',
        { class: 'card', 'aria-label': card.summary, 'aria-busy': true },
        el('header', { class: 'card-head' }, el('p', { class: 'card-summary' }, card.summary)),
      )
      ready().then(
        () => !options.signal.aborted && render && place.replaceWith(render(card, options)),
        () => place.append(el('p', { class: 'problem' }, 'Could not load the draft. Reload the page.')),
      )
      return place
    },
  }

  async function ready(): Promise<void> {
    render ??= (await import('./card.ts')).renderCard
  }
}
