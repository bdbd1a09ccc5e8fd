import { el } from '../dom.ts'
import { icon } from './icon.ts'

/** The host of an external URL, or the address of a mailto link; `null` for any other text. */
function hostOf(address: string): string | null {
  if (!/^(https?:\/\/|mailto:)/i.test(address) || !URL.canParse(address)) return null
  const url = new URL(address)
  return url.protocol === 'mailto:' ? url.pathname : url.host
}

/** A link that shows its host and sends no referrer; `null` for a URL that must not be linked. */
export function externalLink(address: string): HTMLAnchorElement | null {
  const host = hostOf(address)
  if (host === null) return null
  return el(
    'a',
    { class: 'external', href: address, target: '_blank', rel: 'noopener noreferrer', title: address },
    host,
    icon('external'),
    el('span', { class: 'visually-hidden' }, '(opens in a new tab)'),
  )
}
