import type { Links } from '../../../lib/contract/entities.ts'
import type { EmbeddedPage } from '../../../lib/contract/space/pages.ts'
import type { Reader } from '../../app/api/api.ts'
import type { Embedder } from './page-data.ts'

/** The pages that a page embeds; their code is loaded only for a text that has any. */
export async function loadEmbeds(
  api: Reader,
  id: string,
  links: Links['links'],
): Promise<Embedder | undefined> {
  if (!links.some(({ embed, to_type }) => embed && to_type === 'page')) return undefined
  const [{ items }, { createEmbedder }] = await Promise.all([
    api.get<{ items: EmbeddedPage[] }>(`/api/pages/${encodeURIComponent(id)}/embeds`),
    import('./embeds.ts'),
  ])
  return createEmbedder(id, items)
}
