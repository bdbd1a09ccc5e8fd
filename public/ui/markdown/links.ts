import { disguiseNote } from '#platform'
import type { Link } from '../../../lib/contract/entities.ts'
import { isShownPicture } from '../../../lib/core/text/data-pictures.ts'
import { isDrawingPath } from '../../../lib/core/text/drawings.ts'
import { type LinkAim, readDestination } from '../../../lib/core/text/links/read-destination.ts'
import {
  type Candidate,
  namesOfPath,
  namesSought,
  rankOf,
} from '../../../lib/core/text/links/resolve-link.ts'
import { normalizeName } from '../../../lib/core/text/normalize-name.ts'
import { entityHref } from '../words/addresses.ts'
import { escapeAll, type WikilinkToken, withoutCites } from './syntax.ts'

// Links, pictures and files in a text, as HTML: nothing leads anywhere but to the Space, or openly out of it.

/** What a text is shown in. */
export type LinkScope = { slug: string; targets: LinkFinder }

/** A Markdown link: within the text, to something in the Space, or openly out of it. */
export function linkHtml(
  href: string,
  { title, label, scope }: { title: string | null; label: string; scope?: LinkScope },
): string {
  const url = externalUrl(href)
  if (url) return externalHtml(href, url, { title, label })
  if (/^(#|\/s\/)/.test(href)) return `<a href="${escapeAll(href)}">${label}</a>`
  const aim = scope ? readDestination(href) : null
  if (!aim || !scope) return `<span title="${escapeAll(href)}">${label}</span>`
  return targetHtml(aim, label, scope)
}

function externalHtml(
  href: string,
  url: URL,
  { title, label }: { title: string | null; label: string },
): string {
  const where = hostHint(label, href)
  const host = where ? ` data-host="${escapeAll(where)}"` : ''
  const hint = title ? `${title} — ${url.href}` : url.href
  return `<a href="${escapeAll(url.href)}" rel="noopener noreferrer" target="_blank" title="${escapeAll(hint)}"${host}>${label}</a>${disguiseNote(label, href)}`
}

/** A link to what it leads to in the Space, with the title of that; or the mark of one that leads nowhere. */
function targetHtml(
  aim: LinkAim & { heading: string | null },
  label: string,
  { slug, targets }: LinkScope,
): string {
  const link = targets.find(aim)
  const href = link?.to_type && link.to_id ? entityHref(slug, link.to_type, link.to_id) : null
  if (!href || !link)
    return `<span class="wikilink-missing" title="${missingTitle}${escapeAll(aim.target)}" data-form="${aim.form}">${label}</span>`
  const hash = aim.heading ? `#${encodeURIComponent(aim.heading)}` : ''
  const title = link.to_title ? ` title="${escapeAll(link.to_title)}"` : ''
  return `<a href="${escapeAll(href + hash)}" class="wikilink"${title}>${label}</a>`
}

/** The host that a link is marked with, where its words do not name it; null for one that stays in the Space. */
export function hostHint(label: string, href: string): string | null {
  const url = externalUrl(href)
  if (!url) return null
  const where = url.protocol === 'mailto:' ? url.pathname : url.host
  return namesPlace(label, where) ? null : where
}

/** Whether a label, as HTML, is the address it leads to: the same host, not a host that merely contains it. */
function namesPlace(label: string, where: string): boolean {
  const namedHost = /^(?:https?:\/\/|mailto:)?([^/?#\s\\]+)(?:[/?#]\S*)?$/i.exec(label.trim())?.[1]
  return namedHost?.toLowerCase() === escapeAll(where).toLowerCase()
}

/** `300` and `300x200`, as Obsidian has it. */
const size = /^(\d{1,4})(?:x(\d{1,4}))?$/

/** An image of the Space is shown, and one whose bytes stand in the text; an external one becomes a link, so that nothing is loaded unasked. */
export function imageHtml(href: string, alt: string, scope: LinkScope): string {
  const [words = '', given = ''] = /^(.*?)\|([^|]*)$/s.exec(alt)?.slice(1) ?? []
  const isSized = size.test(given.trim())
  const own = ownFile.test(href) || isShownPicture(href) ? href : fileAt(readDestination(href), scope)
  const shown = { name: href, words: isSized ? words : alt, size: isSized ? given.trim() : '' }
  const aim = readDestination(href)
  const drawn =
    aim && drawingHtml(scope.targets.find(aim), { target: aim.target, label: alt, slug: scope.slug })
  if (drawn) return drawn
  if (own) return fileHtml(own, shown)
  const label = escapeAll(withoutCites(shown.words).trim() || 'image')
  return linkHtml(href, { title: null, label: `<span class="image-link">${label}</span>`, scope })
}

const ownFile = /^\/api\/source-docs\/[0-9a-f-]{36}\/original$/

function fileAt(aim: LinkAim | null, { targets }: LinkScope): string | null {
  const file = aim && targets.find(aim)
  return file?.to_type === 'source_doc' ? `/api/source-docs/${file.to_id}/original` : null
}

function fileHtml(address: string, shown: { name: string; words: string; size: string }): string {
  const words = escapeAll(withoutCites(shown.words))
  const played = media.exec(shown.name)
  const tag = played?.[1] ? 'video' : 'audio'
  // Nothing but how long it is gets loaded before it is played.
  if (played)
    return `<${tag} controls preload="metadata" src="${escapeAll(address)}" aria-label="${words}"></${tag}>`
  const [, width, height] = size.exec(shown.size) ?? []
  const sized = `${width ? ` width="${width}"` : ''}${height ? ` height="${height}"` : ''}`
  return `<img src="${escapeAll(address)}" alt="${words}" loading="lazy"${sized}>`
}

export function wikilinkHtml({ target, heading, label, embed }: WikilinkToken, scope: LinkScope): string {
  const { slug, targets } = scope
  const aim = { form: 'wiki', target, heading: heading || null } as const
  const file = embed && (isImage.test(target) || media.test(target)) ? fileAt(aim, scope) : null
  // The last part of a label may be the size, as in `![[Tower.png|The tower|300]]`.
  if (file) {
    const last = label.slice(label.lastIndexOf('|') + 1)
    const isSized = size.test(last)
    const words = isSized ? label.slice(0, Math.max(0, label.length - last.length - 1)) : label
    return fileHtml(file, { name: target, words: words || target, size: isSized ? last : '' })
  }
  const drawn = embed ? drawingHtml(targets.find(aim), { target, label, slug }) : null
  if (drawn) return drawn
  const text = escapeAll(label || [target, heading].filter(Boolean).join(' › '))
  if (normalizeName(target) === '' && heading)
    return `<a href="#${escapeAll(encodeURIComponent(heading))}" class="wikilink">${text}</a>`
  return targetHtml(aim, text, scope)
}

/** Whether a link leads to a drawing or a canvas, which an embed shows as a picture or a card. */
export const leadsToDrawing = (link: Link | undefined): boolean =>
  link?.to_path != null && (isDrawingPath(link.to_path) || isCanvas.test(link.to_path))

/** A drawing as its picture, where it has one, else as a card that opens it; null for anything else. */
function drawingHtml(
  link: Link | undefined,
  { target, label, slug }: { target: string; label: string; slug: string },
): string | null {
  const href = link?.to_type && link.to_id ? entityHref(slug, link.to_type, link.to_id) : null
  if (!link?.to_path || !href || !leadsToDrawing(link)) return null
  const [, words = label, wanted = ''] = /^(?:(.*)\|)?(\d{1,4}(?:x\d{1,4})?)$/.exec(label) ?? []
  const picture = link.to_picture && `/api/source-docs/${link.to_picture}/original`
  const name = words || link.to_title || target
  const kind = isCanvas.test(link.to_path) ? 'Canvas' : 'Excalidraw drawing'
  const shown = picture
    ? fileHtml(picture, { name: '', words: name, size: wanted })
    : `${escapeAll(withoutCites(name))} <small>${kind}</small>`
  return `<a href="${escapeAll(href)}" class="wikilink${picture ? '' : ' embed'}">${shown}</a>`
}

const isCanvas = /\.canvas$/i

/** The start of the title of a link without a target; the name in the link follows. */
export const missingTitle = 'Page not found: '

const isImage = /\.(?:png|jpe?g|gif|webp|avif|svg)$/i

const media = /\.(?:(mp4|webm)|mp3|m4a|ogg|wav|flac)$/i

/** The URL of an external link; `null` for any other kind of URL, such as `javascript:`. */
function externalUrl(href: string): URL | null {
  if (!/^(https?:\/\/|mailto:)/i.test(href.trim()) || !URL.canParse(href)) return null
  return new URL(href)
}

/** The links of a text by what is written, those with a target only. A text has as many as it has, so a search would not do. */
export type LinkFinder = {
  find(aim: LinkAim): Link | undefined
}

/**
 * Where the links of a text lead: as the server has resolved them; one that it has not seen yet leads to the best of what
 * the others lead to. `holder`: the path of the text.
 */
export function createLinkFinder(links: readonly Link[] = [], holder: string | null = null): LinkFinder {
  // Most texts are rendered in blocks and look up nothing.
  let written: Map<string, Link> | undefined
  let named: Map<string, { link: Link; candidate: Candidate }[]> | undefined

  return {
    find(aim) {
      written ??= new Map(links.toReversed().map((link) => [aimKey(link), link]))
      const known = written.get(aimKey(aim))
      if (known) return known.to_id ? known : undefined
      named ??= candidatesOf(links)
      const found = namesSought(aim, holder).flatMap((name) => named!.get(name) ?? [])
      return found.reduce<{ rank: string; link: Link } | null>((best, { link, candidate }) => {
        const rank = rankOf(aim, holder, candidate)
        return rank !== null && (best === null || rank < best.rank) ? { rank, link } : best
      }, null)?.link
    },
  }
}

const aimKey = ({ form, target }: LinkAim) => `${form} ${form === 'wiki' ? normalizeName(target) : target}`

function candidatesOf(links: readonly Link[]) {
  const unique = new Map(
    links.filter(({ to_id }) => to_id).map((link) => [`${link.to_id} ${link.to_path}`, link]),
  )
  const all = [...unique.values()].flatMap((link) => {
    const isPage = link.to_type === 'page'
    const path = link.to_path
    const names: { source: Candidate['source']; name: string }[] = [
      { source: 'title', name: normalizeName(link.to_title ?? '') },
      ...(path === null ? [] : namesOfPath(path)).map((name) => ({ source: 'path' as const, name })),
    ]
    return names.map((name) => ({ link, candidate: { ...name, path, isPage } }))
  })
  return Map.groupBy(all, ({ candidate }) => candidate.name)
}
