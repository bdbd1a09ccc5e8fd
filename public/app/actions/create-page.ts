import type { Space } from '../../../lib/contract/entities.ts'
import { untitled } from '../../../lib/core/text/paths.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { messageOf } from '../api/api.ts'
import type { App } from '../app.ts'

/** Creates an untitled page and opens it in the editor. */
export async function createPage(
  { api, navigate, toast }: Pick<App, 'api' | 'navigate' | 'toast'>,
  space: Space,
  parentId: string | null,
): Promise<void> {
  try {
    const page = await api.post<{ id: string }>(`/api/spaces/${space.id}/pages`, {
      title: untitled,
      body: '',
      parent_id: parentId,
    })
    await navigate(`${entityHref(space.slug, 'page', page.id)}?edit=1`)
  } catch (error) {
    toast(messageOf(error), { tone: 'problem' })
  }
}
