import type { Links } from '../../../lib/contract/entities/links.ts'
import type { Properties } from '../../../lib/contract/entities/property.ts'
import { normalizeName } from '../../../lib/text/normalize-name.ts'
import { tooComplex } from '../../components/too-complex.ts'
import { type Child, el } from '../../dom.ts'
import { entityHref } from '../../entities/addresses.ts'

export type PropertyContext = { slug: string; links: Links['links'] }

/** The properties of a page, folded to one line until they are opened. */
export function renderProperties(
  { items: properties, too_complex }: Properties,
  context: PropertyContext,
): Child {
  if (too_complex) return tooComplex('The front matter', 'Edit the page to see it.')
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
