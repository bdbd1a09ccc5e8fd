import type { Links } from '../../lib/contract/entities.ts'
import { normalizeName } from '../../lib/links/normalize-name.ts'
import { entityHref } from '../addresses.ts'
import { type Child, el } from '../dom.ts'
import type { Property } from './front-matter.ts'

export type PropertyContext = { slug: string; links: Links['links'] }

/** The properties of a page, folded to one line until they are wanted. */
export function renderProperties(properties: readonly Property[], context: PropertyContext): Child {
  if (properties.length === 0) return null
  const names = properties.map(({ name }) => name || 'unnamed').join(', ')
  return el(
    'details',
    { class: 'properties', id: 'properties' },
    el('summary', {}, 'Properties', el('span', { class: 'properties-names' }, names)),
    el(
      'table',
      {},
      el(
        'tbody',
        {},
        properties.map(({ name, values }) =>
          el(
            'tr',
            {},
            el('th', { scope: 'row' }, name || '—'),
            el(
              'td',
              {},
              el(
                'ul',
                { class: 'property-values' },
                values.map((value) => renderValue(value, context)),
              ),
            ),
          ),
        ),
      ),
    ),
  )
}

function renderValue(value: string, { slug, links }: PropertyContext): HTMLLIElement {
  const wikilink = /^\[\[([^\]|#]*)(?:#[^\]|]*)?(?:\|([^\]]*))?\]\]$/.exec(value)
  if (wikilink) {
    const [, target = '', label] = wikilink
    const found = links.find((link) => link.name === normalizeName(target))
    const href = found?.to_type && found.to_id ? entityHref(slug, found.to_type, found.to_id) : null
    return el('li', {}, href ? el('a', { href }, label || target) : label || target)
  }
  return el('li', {}, isWebAddress(value) ? webLink(value) : value)
}

const isWebAddress = (value: string) => /^https?:\/\/\S+$/.test(value) && URL.canParse(value)

const webLink = (href: string) => el('a', { href, target: '_blank', rel: 'noopener noreferrer' }, href)
