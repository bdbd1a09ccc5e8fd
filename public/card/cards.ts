import type { Card } from '../../lib/contract/card.ts'
import { el } from '../dom.ts'
import type { CardOptions } from './card.ts'

type Render = (card: Card, options: CardOptions) => HTMLElement

/** Cards for parts that seldom have one: their code comes with the first. */
export type Cards = {
  /** From here on cards are drawn at once. */
  ready(): Promise<void>
  /** The card, or what holds its place until its code is here. */
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
        () => place.append(el('p', { class: 'problem' }, 'The card could not be fetched. Reload the page.')),
      )
      return place
    },
  }

  async function ready(): Promise<void> {
    render ??= (await import('./card.ts')).renderCard
  }
}
