import type { CellValue, PageRow } from '../../../lib/contract/space/pages.ts'
import { isDay, isLink } from '../../../lib/core/text/properties/typed-properties.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { createLinkFinder } from '../../ui/markdown/links.ts'
import { dayText, timeAgo } from '../../ui/time.ts'
import { entityHref, tagHref } from '../../ui/words/addresses.ts'

export type CellContext = { slug: string; now: Date }

/** The value of a property as a person reads it. */
export function renderCell(
  row: PageRow,
  { property, value }: { property: string; value: CellValue },
  context: CellContext,
): Child {
  if (property === 'file.tags')
    return row.tags.map((tag) => el('a', { class: 'badge', href: tagHref(context.slug, tag) }, `#${tag}`))
  if (property === 'file.mtime') return timeAgo(row.updated_at, context.now)
  if (property === 'file.ctime') return timeAgo(row.created_at, context.now)
  if (!Array.isArray(value)) return renderValue(row, value, context)
  return value.map((item, at) => [at > 0 && ', ', renderValue(row, item, context)])
}

function renderValue(row: PageRow, value: CellValue, { slug, now }: CellContext): Child {
  if (value === null || Array.isArray(value)) return null
  if (typeof value === 'boolean')
    return value
      ? [icon('check'), el('span', { class: 'visually-hidden' }, 'Yes')]
      : el('span', { class: 'dim' }, 'No')
  if (typeof value === 'number') return el('span', { class: 'cell-number' }, Number(value.toPrecision(12)))
  if (isDay(value)) return el('time', { datetime: value }, dayText(value, now))
  if (isLink(value)) return renderLink(row, value, slug)
  return /^https?:\/\/\S+$/.test(value) && URL.canParse(value)
    ? el('a', { href: value, target: '_blank', rel: 'noopener noreferrer' }, value)
    : value
}

function renderLink({ links }: PageRow, value: string, slug: string): Child {
  const [, target = '', label] = /^\[\[([^\]|#]*)(?:#[^\]|]*)?(?:\|([^\]]*))?\]\]$/.exec(value) ?? []
  const found = createLinkFinder(
    links.map((link) => ({ ...link, label: null, heading: null, embed: false })),
  ).find(target)
  const href = found?.to_type && found.to_id ? entityHref(slug, found.to_type, found.to_id) : null
  return href ? el('a', { href }, label || target) : label || target
}
