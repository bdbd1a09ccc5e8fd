import type { Links, Properties } from '../../../lib/contract/entities.ts'
import { icon } from '../../ui/components/icon.ts'
import { tooComplex } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { createLinkFinder, type LinkFinder } from '../../ui/markdown/links.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { writtenTime } from '../../ui/written-time.ts'

export type PropertyContext = { slug: string; links: Links['links']; now: Date }

/** More are folded to one line until they are opened. */
const maxOpen = 5

/** As many, in as many characters, stand on one line. */
const maxInLine = { properties: 3, characters: 90 }

/** The properties of a page as rows, each with a button to change it. */
export function renderProperties(
  { items: properties, too_complex }: Properties,
  { slug, links, now }: PropertyContext,
): Child {
  if (too_complex) return tooComplex('The front matter', 'Edit the page to see it.')
  if (properties.length === 0) return null
  const targets = createLinkFinder(links)
  const isLine =
    properties.length <= maxInLine.properties &&
    properties.flatMap(({ name, values }) => [name, ...values]).join('').length <= maxInLine.characters
  const names = properties.map(({ name }) => name || 'unnamed').join(', ')
  return el(
    'details',
    {
      class: ['properties', isLine && 'properties-line'],
      id: 'properties',
      open: properties.length <= maxOpen,
    },
    el('summary', {}, 'Properties', el('span', { class: 'properties-names' }, names)),
    el(
      'table',
      {},
      el(
        'tbody',
        {},
        properties.map(({ name, values, type }, at) =>
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
                values.map((value) => renderValue(value, { slug, targets, now })),
              ),
            ),
            el('td', { class: 'property-act' }, type !== null && editButton(name, at)),
          ),
        ),
      ),
    ),
  )
}

const editButton = (name: string, at: number) =>
  el(
    'button',
    {
      class: 'icon-button',
      type: 'button',
      id: `property-${at}`,
      'data-property': at,
      title: 'Edit',
      'aria-label': `Edit ${name}`,
    },
    icon('edit'),
  )

function renderValue(
  value: string,
  { slug, targets, now }: { slug: string; targets: LinkFinder; now: Date },
): HTMLLIElement {
  const wikilink = /^\[\[([^\]|#]*)(?:#[^\]|]*)?(?:\|([^\]]*))?\]\]$/.exec(value)
  if (wikilink) {
    const [, target = '', label] = wikilink
    const link = targets.find({ form: 'wiki', target })
    const href = link?.to_type && link.to_id ? entityHref(slug, link.to_type, link.to_id) : null
    return el('li', {}, href ? el('a', { href }, label || target) : label || target)
  }
  return el('li', {}, isWebAddress(value) ? webLink(value) : (writtenTime(value, now) ?? value))
}

const isWebAddress = (value: string) => /^https?:\/\/\S+$/.test(value) && URL.canParse(value)

const webLink = (href: string) => el('a', { href, target: '_blank', rel: 'noopener noreferrer' }, href)
