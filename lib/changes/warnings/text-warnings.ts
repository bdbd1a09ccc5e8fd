// Warnings on what a draft writes: characters that a reader cannot see, letters that look like others, links, HTML and
// pictures from other servers.

import { domainToUnicode } from 'node:url'
import type { CardField, CardWarning } from '../../contract/changes/card.ts'
import type { LinkChange } from '../../contract/changes/text-change.ts'
import { disguiseOf, isPlainHost } from '../../core/text/links/disguise.ts'
import { decodeTarget, hostOf } from '../../core/text/links/link-host.ts'
import { mixesScripts } from '../../core/text/mixed-scripts.ts'
import { namePadding, paddingIn } from '../../core/text/padding.ts'
import { quoteShownSingly as quoted, splitHidden } from '../../core/text/quote-name.ts'

/** A stretch of a draft that is looked at by itself: a hunk of a text, or a short value. */
export type Stretch = {
  field: string
  hunk: number | null
  before: string
  after: string
  links: readonly LinkChange[]
  /** Whether it names something: a title. */
  isName: boolean
  /** Code is blanked out: nothing in code is rendered. */
  rendered: { before: string; after: string }
}

/** The stretches of a field, from a card that is whole. */
export function stretchesOf(field: CardField, masked: { before: string[]; after: string[] }): Stretch[] {
  if (!field.text) {
    const before = asText(field.before)
    const after = asText(field.after)
    const isName = field.name === 'title'
    return [
      {
        field: field.name,
        hunk: null,
        before,
        after,
        links: field.links,
        isName,
        rendered: { before, after },
      },
    ]
  }
  return field.text.hunks.map((hunk) => ({
    field: field.name,
    hunk: hunk.index,
    before: join(hunk.parts, 'added'),
    after: join(hunk.parts, 'removed'),
    links: hunk.links,
    isName: false,
    rendered: {
      before: lines(masked.before, hunk.lines.before),
      after: lines(masked.after, hunk.lines.after),
    },
  }))
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

const join = (parts: readonly { kind: string; text: string }[], without: string) =>
  parts
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join('')

const lines = (all: readonly string[], { start, count }: { start: number; count: number }) =>
  all.slice(start - 1, start - 1 + count).join('')

const maxListed = 6

/** Hidden characters that a stretch has more of than it had. */
export function warnHidden({ field, hunk, before, after }: Stretch): CardWarning[] {
  const had = countHidden(before)
  const added = [...countHidden(after)].flatMap(([character, count]) => {
    const more = count - (had.get(character) ?? 0)
    return more > 0 ? [`${character}${more > 1 ? ` ×${more}` : ''}`] : []
  })
  const padding = warnPadding({ field, hunk, before, after })
  if (added.length === 0) return padding
  const named = added.slice(0, maxListed).join(', ')
  const rest = added.length > maxListed ? ` and ${added.length - maxListed} other kinds` : ''
  const message = `It adds invisible characters, or characters that change the reading order: ${named}${rest}.`
  return [{ code: 'hidden_characters', message, field, hunk }, ...padding]
}

function warnPadding({
  field,
  hunk,
  before,
  after,
}: Pick<Stretch, 'field' | 'hunk' | 'before' | 'after'>): CardWarning[] {
  const [had, has] = [paddingIn(before), paddingIn(after)]
  const more = {
    blanks: has.blanks > had.blanks ? has.blanks : 0,
    lines: has.lines > had.lines ? has.lines : 0,
  }
  const named = namePadding(more)
  if (named === '') return []
  const message = `It adds ${named}: what follows may be out of sight.`
  return [{ code: 'hidden_characters', message, field, hunk }]
}

function countHidden(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const piece of splitHidden(text)) {
    if (typeof piece === 'string') continue
    const key = `${piece.name} [${piece.code}]`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** Look-alike letters in a name that changes and in the links that come. */
export function warnMixedScripts({ field, hunk, before, after, isName, links }: Stretch): CardWarning[] {
  const names = isName && after !== before && mixesScripts(after) ? [after] : []
  const targets = links.flatMap(({ kind, label, after: target }) => {
    if (target === null) return []
    const host = kind === 'wikilink' || kind === 'embed' ? null : hostOf(target)
    return [label, host === null ? target : domainToUnicode(host)].filter((name) => mixesScripts(name))
  })
  return [...new Set([...names, ...targets])].map((name) => ({
    code: 'mixed_script',
    message: `${quoted(name)} mixes letters of several alphabets that look alike: it may not be the name it appears to be.`,
    field,
    hunk,
  }))
}

/** Links that lead elsewhere than before, than they say, or to something that is no place. */
export function warnLinks({ links, field, hunk }: Stretch): CardWarning[] {
  return links.flatMap((link) => {
    const found = [changed(link), disguised(link), unsafe(link)].filter((one) => one !== null)
    return found.map((warning) => ({ ...warning, field, hunk }))
  })
}

type Found = Pick<CardWarning, 'code' | 'message'> | null

function changed({ label, before, after, hosts }: LinkChange): Found {
  if (before === null || after === null || before === after) return null
  const name = label === after ? 'An address' : `The link ${quoted(label)}`
  const message =
    hosts.before === hosts.after
      ? `${name} has a new target: ${quoted(after)}, not ${quoted(before)}.`
      : `${name} leads to ${place(after, hosts.after)}, not to ${place(before, hosts.before)}.`
  return { code: 'link_changed', message }
}

const place = (target: string, host: string | null) =>
  host === null ? quoted(target) : `another server, ${quoted(host)} (${quoted(target)})`

/** What pretends to lead elsewhere than it does. */
function disguised({ kind, label, after, hosts }: LinkChange): Found {
  if (after === null || kind === 'html' || kind === 'wikilink' || kind === 'embed') return null
  const host = hosts.after === null ? null : domainToUnicode(hosts.after)
  const leads = disguiseOf(label, after) ?? (host !== null && !isPlainHost(host) ? host : null)
  if (leads === null) return null
  const message =
    label === after
      ? `The address ${quoted(after)} leads to ${quoted(leads)}.`
      : `A link reads ${quoted(label)} and leads to ${quoted(leads)}.`
  return { code: 'link_disguised', message }
}

function unsafe({ kind, after }: LinkChange): Found {
  if (after === null || kind === 'wikilink' || kind === 'embed') return null
  const scheme = /^(javascript|vbscript|data|file|blob):/i.exec(decodeTarget(after))?.[1]?.toLowerCase()
  if (!scheme) return null
  return {
    code: 'unsafe_link',
    message: `A ${kind === 'image' ? 'picture' : 'link'} begins with ${scheme}:, which is no place to go to: ${quoted(after)}. Void will not open it.`,
  }
}

/** Tags that Void shows, since they can do nothing; anything else is shown as text. */
const harmless = /^<\/?(?:br|wbr|sub|sup|kbd|mark|del|details|summary)\s*\/?>$/i

const anyTag = /<(?:\/?[a-z][^<>]*>?|!--|![a-z]|\?)/gi

const autolink = /^<[a-z][a-z0-9+.-]{1,31}:[^\s<>]*>$|^<[^\s<>@]+@[^\s<>@]+>$/i

const imageByReference = /!\[[^[\]\n]*\](?:\[[^[\]\n]*\])?(?!\()/

const remoteDefinition = /^ {0,3}\[[^\]\n]+\]:[ \t]*<?(?:https?:)?\/\//im

/** HTML that a stretch has more of than it had. */
export function warnHtml({ field, hunk, rendered }: Stretch): CardWarning[] {
  const tags = tagsIn(rendered.after)
  if (tags.length <= tagsIn(rendered.before).length) return []
  return [
    {
      code: 'raw_html',
      message: `It adds HTML, which Void shows as text and another program may not: ${quoted(tags[0]!)}.`,
      field,
      hunk,
    },
  ]
}

const tagsIn = (text: string): string[] =>
  (text.includes('<') ? (text.match(anyTag) ?? []) : []).filter(
    (tag) => !harmless.test(tag) && !autolink.test(tag),
  )

/** Pictures from other servers: whoever opens the text would be seen doing so. */
export function warnRemoteImages({ field, hunk, links, rendered }: Stretch, whole: string): CardWarning[] {
  const hosts = links
    .filter(
      ({ kind, label }) =>
        kind === 'image' || (kind === 'html' && /^(img|image|picture|source|video|audio)$/.test(label)),
    )
    .flatMap(({ before, after, hosts }) =>
      after !== null && before !== after && hosts.after ? [hosts.after] : [],
    )
  if (addsReferenceImage(rendered) && remoteDefinition.test(whole))
    hosts.push('an address given elsewhere in the text')
  return [...new Set(hosts)].map((host) => ({
    code: 'remote_image',
    message: `It adds a picture from another server, ${quoted(host)}. Void shows it as a link.`,
    field,
    hunk,
  }))
}

const addsReferenceImage = ({ before, after }: Stretch['rendered']) =>
  imageByReference.test(after) && !imageByReference.test(before)
