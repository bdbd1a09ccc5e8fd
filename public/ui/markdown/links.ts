import { disguiseNote } from '#platform'
import type { Link } from '../../../lib/contract/entities.ts'
import { normalizeName } from '../../../lib/core/text/normalize-name.ts'
import { entityHref } from '../words/addresses.ts'
import { escapeAll, type WikilinkToken, withoutCites } from './syntax.ts'

// Links, pictures and files in a text, as HTML: nothing leads anywhere but to the Space, or openly out of it.

/** What a text is shown in. */
export type LinkScope = { slug: string; targets: LinkFinder }

export function linkHtml(href: string, title: string | null, label: string): string {
  const url = externalUrl(href)
  if (!url) {
    const inside = /^(#|\/s\/)/.test(href)
    return inside
      ? `<a href="${escapeAll(href)}">${label}</a>`
      : `<span title="${escapeAll(href)}">${label}</span>`
  }
  const where = url.protocol === 'mailto:' ? url.pathname : url.host
  const host = namesPlace(label, where) ? '' : ` data-host="${escapeAll(where)}"`
  const hint = title ? `${title} — ${url.href}` : url.href
  return `<a href="${escapeAll(url.href)}" rel="noopener noreferrer" target="_blank" title="${escapeAll(hint)}"${host}>${label}</a>${disguiseNote(label, href)}`
}

/** Whether a label, as HTML, is the address it leads to: the same host, not a host that merely contains it. */
function namesPlace(label: string, where: string): boolean {
  const namedHost = /^(?:https?:\/\/|mailto:)?([^/?#\s\\]+)(?:[/?#]\S*)?$/i.exec(label.trim())?.[1]
  return namedHost?.toLowerCase() === escapeAll(where).toLowerCase()
}

/** An image of the Space is shown; an external one becomes a link, so that nothing is loaded unasked. */
export function imageHtml(href: string, alt: string, { targets }: LinkScope, size = ''): string {
  const own = /^\/api\/source-docs\/[0-9a-f-]{36}\/original$/.test(href) ? href : attachment(href, targets)
  const words = escapeAll(withoutCites(alt))
  const played = media.exec(href)
  const tag = played?.[1] ? 'video' : 'audio'
  // Nothing but how long it is gets loaded before it is played.
  if (own && played)
    return `<${tag} controls preload="metadata" src="${escapeAll(own)}" aria-label="${words}"></${tag}>`
  if (own) return `<img src="${escapeAll(own)}" alt="${words}" loading="lazy"${size}>`
  const label = escapeAll(withoutCites(alt).trim() || 'image')
  return linkHtml(href, null, `<span class="image-link">${label}</span>`)
}

function attachment(name: string, targets: LinkFinder): string | null {
  const file = targets.findFile(safeDecode(name))
  return file ? `/api/source-docs/${file.to_id}/original` : null
}

export function wikilinkHtml({ target, heading, label, embed }: WikilinkToken, scope: LinkScope): string {
  const link = scope.targets.find(target)
  if (embed && link?.to_type === 'source_doc' && (isImage.test(target) || media.test(target)))
    return embeddedFile(target, label, scope)
  const text = escapeAll(label || [target, heading].filter(Boolean).join(' › '))
  if (normalizeName(target) === '' && heading)
    return `<a href="#${escapeAll(encodeURIComponent(heading))}" class="wikilink">${text}</a>`
  const href = link?.to_type && link.to_id ? entityHref(scope.slug, link.to_type, link.to_id) : null
  if (!href)
    return `<span class="wikilink-missing" title="${missingTitle}${escapeAll(target)}">${text}</span>`
  const hash = heading ? `#${encodeURIComponent(heading)}` : ''
  return `<a href="${escapeAll(href + hash)}" class="wikilink">${text}</a>`
}

/** A numeric label is the width, as in `![[Tower.png|300]]` and `300x200`. */
function embeddedFile(target: string, label: string, scope: LinkScope): string {
  const width = /^(\d{1,4})(?:x\d{1,4})?$/.exec(label)?.[1]
  return imageHtml(target, width || !label ? target : label, scope, width && ` width="${width}"`)
}

/** The start of the title of a link without a target; the name in the link follows. */
export const missingTitle = 'Page not found: '

const isImage = /\.(?:png|jpe?g|gif|webp|avif)$/i

const media = /\.(?:(mp4|webm)|mp3|m4a|ogg|wav|flac)$/i

/** The URL of an external link; `null` for any other kind of URL, such as `javascript:`. */
function externalUrl(href: string): URL | null {
  if (!/^(https?:\/\/|mailto:)/i.test(href.trim()) || !URL.canParse(href)) return null
  return new URL(href)
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The links of a text by name, those with a target only. A text names as many as it has, so a search would not do. */
export type LinkFinder = {
  find(name: string): Link | undefined
  /** The one to a file, where several things have that name. */
  findFile(name: string): Link | undefined
}

export function createLinkFinder(links: readonly Link[] = []): LinkFinder {
  // Most texts are rendered in blocks and look up nothing.
  let all: Map<string, Link> | undefined
  let files: Map<string, Link> | undefined

  return {
    find(name) {
      all ??= byName(links)
      return all.get(normalizeName(name))
    },
    findFile(name) {
      files ??= byName(links.filter(({ to_type }) => to_type === 'source_doc'))
      return files.get(normalizeName(name))
    },
  }
}

/** The first of each name. */
const byName = (links: readonly Link[]) =>
  new Map(
    links
      .filter(({ to_id }) => to_id)
      .toReversed()
      .map((link) => [link.name, link]),
  )
