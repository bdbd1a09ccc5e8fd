import { icon } from './components/icon.ts'
import { el } from './dom.ts'

/** The host of an address that leaves the app, or of a mail; `null` for whatever else a text may hold. */
export function hostOf(address: string): string | null {
  if (!/^(https?:\/\/|mailto:)/i.test(address) || !URL.canParse(address)) return null
  const url = new URL(address)
  return url.protocol === 'mailto:' ? url.pathname : url.host
}

/** A link that says where it leads and tells the place nothing; `null` for an address that must not be one. */
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
