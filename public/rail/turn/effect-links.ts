import type { Effect } from '../../../lib/contract/events/effects.ts'
import { quoteShown } from '../../../lib/text/quote-name.ts'
import type { App } from '../../app/app.ts'
import { icon } from '../../components/icon.ts'
import { el } from '../../dom.ts'
import { panelHref } from '../../entities/panel-href.ts'

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
