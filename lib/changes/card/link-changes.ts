import type { LinkChange } from '../../contract/changes/text-change.ts'
import { hostOf } from '../../core/text/links/link-host.ts'
import type { LinkTarget } from '../../core/text/links/link-targets.ts'

type Link = Pick<LinkTarget, 'kind' | 'label' | 'target'>

/** The links that are changed, added or removed between two lists; those in both are left out. */
export function linkChanges(before: readonly Link[], after: readonly Link[]): LinkChange[] {
  const { left: gone, right: come } = pairs(before, after, (link) => keyOf(link, link.target))
  const byLabel = pairs(gone, come, (link) => keyOf(link, ''))
  const byTarget = pairs(byLabel.left, byLabel.right, ({ kind, target }) => `${kind}\n${target}`)
  const byKind = pairs(byTarget.left, byTarget.right, ({ kind }) => kind)
  return [
    ...[...byLabel.pairs, ...byTarget.pairs, ...byKind.pairs].map(([old, fresh]) => toChange(old, fresh)),
    ...byKind.left.map((link) => toChange(link, null)),
    ...byKind.right.map((link) => toChange(null, link)),
  ]
}

const keyOf = ({ kind, label }: Link, target: string) => `${kind}\n${label}\n${target}`

function toChange(before: Link | null, after: Link | null): LinkChange {
  const { kind, label } = (after ?? before)!
  return {
    kind,
    label,
    before: before?.target ?? null,
    after: after?.target ?? null,
    hosts: { before: hostIn(before), after: hostIn(after) },
  }
}

const hostIn = (link: Link | null) =>
  link === null || link.kind === 'wikilink' || link.kind === 'embed' ? null : hostOf(link.target)

type Pairing = { pairs: [Link, Link][]; left: Link[]; right: Link[] }

/** Pairs the first link of a key on the left with the first of it on the right, and so on. */
function pairs(left: readonly Link[], right: readonly Link[], key: (link: Link) => string): Pairing {
  const waiting = Map.groupBy(right.toReversed(), key)
  const paired = new Set<Link>()
  const pairing: Pairing = { pairs: [], left: [], right: [] }
  for (const link of left) {
    const partner = waiting.get(key(link))?.pop()
    if (!partner) {
      pairing.left.push(link)
      continue
    }
    paired.add(partner)
    pairing.pairs.push([link, partner])
  }
  pairing.right = right.filter((link) => !paired.has(link))
  return pairing
}
