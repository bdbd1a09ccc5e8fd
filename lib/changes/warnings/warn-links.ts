import type { CardWarning } from '../../contract/changes/card.ts'
import type { LinkChange } from '../../contract/changes/text-change.ts'
import { decodeTarget, hostOf } from '../../core/text/links/link-host.ts'
import { quoteShownSingly as quoted } from '../../core/text/quote-name.ts'
import type { Stretch } from './stretch.ts'

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

// A label that is itself an address, and not the one it leads to.
function disguised({ kind, label, after, hosts }: LinkChange): Found {
  if (after === null || kind === 'html' || kind === 'wikilink' || kind === 'embed') return null
  const said = hostInLabel(label)
  if (said === null || hosts.after === null || bare(said) === bare(hosts.after)) return null
  return {
    code: 'link_disguised',
    message: `A link reads ${quoted(label)} and leads to ${quoted(hosts.after)}.`,
  }
}

function hostInLabel(label: string): string | null {
  const address = /(?:https?:\/\/|www\.)[^\s<>"'`)\]]+/i.exec(label)?.[0]
  if (address) return hostOf(/^www\./i.test(address) ? `https://${address}` : address)
  return (
    /^\s*((?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|io|eu|de|uk|fr|ch|at|info|bank))\/?\s*$/i.exec(
      label,
    )?.[1] ?? null
  )
}

const bare = (host: string) => host.toLowerCase().replace(/^www\./, '')

function unsafe({ kind, after }: LinkChange): Found {
  if (after === null || kind === 'wikilink' || kind === 'embed') return null
  const scheme = /^(javascript|vbscript|data|file|blob):/i.exec(decodeTarget(after))?.[1]?.toLowerCase()
  if (!scheme) return null
  return {
    code: 'unsafe_link',
    message: `A ${kind === 'image' ? 'picture' : 'link'} begins with ${scheme}:, which is no place to go to: ${quoted(after)}. Void will not open it.`,
  }
}
