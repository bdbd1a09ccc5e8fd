import type { CardWarning } from '../../contract/changes/card.ts'
import { quoteShownSingly as quoted } from '../../core/text/quote-name.ts'
import type { Stretch } from './stretch.ts'

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
