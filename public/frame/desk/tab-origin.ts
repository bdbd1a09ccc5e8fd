import { quoteShown, quoteShownSingly } from '../../../lib/core/text/quote-name.ts'
import type { Tab } from '../../app/app.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'

/** The title of a tab, and of one that the companion opened in which thread. */
export const tabTitle = ({ title, origin }: Tab): string =>
  origin ? `${quoteShown(title)}, ${originText(origin)}` : quoteShown(title)

/** A link to the call that opened the tab, in its conversation; the tab stays where it is. */
export function renderOrigin({ href, origin }: Tab): Child {
  if (!origin) return null
  const url = new URL(href, location.href)
  url.searchParams.set('turn', origin.turn)
  if (origin.call) url.searchParams.set('call', origin.call)
  const label = `Show message: ${originText(origin)}`
  return el(
    'a',
    { class: 'tab-origin', href: `${url.pathname}${url.search}`, title: label, 'aria-label': label },
    icon('companion'),
  )
}

const originText = ({ thread }: NonNullable<Tab['origin']>) =>
  `opened by the companion in ${thread ? quoteShownSingly(thread) : 'an untitled thread'}`
