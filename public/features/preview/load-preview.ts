import type { Preview } from '../../../lib/contract/space/preview.ts'
import type { Reader } from '../../app/api/api.ts'
import { isKind, kindNames, withQuery } from '../../ui/words/addresses.ts'

/** What a link leads to. `heading`: as in the link; `passage`: words of the text. */
export type PreviewAim = { kind: string; id: string; heading?: string; passage?: string }

/** The beginning of it; null for what has none, and where it cannot be loaded: a preview is never missed. */
export async function loadPreview(
  api: Reader,
  { kind, id, ...part }: PreviewAim,
  signal: AbortSignal,
): Promise<Preview | null> {
  if (!isKind(kind)) return null
  const path = withQuery(`/api/${kindNames[kind].path}/${encodeURIComponent(id)}/preview`, part)
  return await api.get<Preview>(path, { signal }).catch(() => null)
}

const address = /^\/s\/([^/]+)\/([a-z-]+)\/([0-9a-f-]{36})$/

const kindOf = new Map(Object.entries(kindNames).map(([kind, { path }]) => [path as string, kind]))

/** What an address within Void leads to, with its Space; null for anything else. */
export function readAim({ pathname, hash, searchParams }: URL): (PreviewAim & { slug: string }) | null {
  const [, slug, segment = '', id] = address.exec(pathname) ?? []
  const kind = kindOf.get(segment)
  if (!slug || !id || !kind) return null
  const heading = decode(hash.slice(1)).slice(0, 500)
  const passage = searchParams.get('cite')
  return {
    slug: decode(slug),
    kind,
    id,
    ...(heading ? { heading } : {}),
    ...(passage ? { passage: passage.slice(0, 700) } : {}),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
