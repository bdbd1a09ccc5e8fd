import type { Effect } from '../../../lib/contract/events/effects.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import type { App } from '../../app/app.ts'
import { panelHref } from '../../app/panel-href.ts'
import { savedText } from '../../app/storage/saved-text.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { offersName } from './turn-context.ts'

const maxKept = 20

/** Keeps an effect in place of which a link is shown, for this tab. */
export function keepOffer(turnId: string, effect: Effect): void {
  const storage = savedText(offersName(turnId), sessionStorage)
  storage.write(JSON.stringify([...readOffers(turnId), effect].slice(-maxKept)))
}

/** Those of a turn that was shown before the page was loaded. */
export function readOffers(turnId: string): Effect[] {
  try {
    // Only this page writes there.
    return JSON.parse(savedText(offersName(turnId), sessionStorage).read() || '[]') as Effect[]
  } catch {
    return []
  }
}

/** Links in place of effects, while the companion may not open pages. */
export function renderEffectLinks(effects: readonly Effect[], { state }: App): HTMLElement[] {
  return effects.flatMap((effect) => {
    if (!('panel' in effect) || effect.type === 'closePanel' || effect.type === 'updateContent') return []
    const { panel } = effect
    const mark = effect.type === 'highlight' ? effect.text : undefined
    const href = panelHref(panel, state.get(), mark)
    if (href === null) return []
    return [
      el('a', { class: 'button button-small', href }, icon('arrowRight'), `Open ${quoteShown(panel.title)}`),
    ]
  })
}
