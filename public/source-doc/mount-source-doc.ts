import type { SourceDoc } from '../../lib/contract/entities.ts'
import { ApiError, messageOf } from '../api.ts'
import { startRename } from '../details/rename.ts'
import type { ViewContext } from '../view.ts'

type Data = { doc: SourceDoc; renaming: boolean }

/** The title of a source document is corrected where it stands. */
export function mountSourceDoc(root: HTMLElement, data: Data, { app, signal, refresh }: ViewContext): void {
  const rename = () => {
    data.renaming = true
    startRename(root, data.doc.title, (title) => {
      data.renaming = false
      if (title !== null) save(title)
    })
  }
  root.querySelector('#rename')?.addEventListener('click', rename, { signal })
  app.keys.add([{ key: 'r', label: 'Correct the title', run: rename, group: 'Source document' }], signal)

  async function save(title: string): Promise<void> {
    const { id, version } = data.doc
    try {
      await app.api.patch(`/api/source-docs/${id}`, { title, version })
      app.announce('Saved')
    } catch (error) {
      const stale = error instanceof ApiError && error.status === 409
      const why = stale ? 'It was changed elsewhere meanwhile; you see it as it is now.' : messageOf(error)
      app.toast(`The title “${title}” was not saved. ${why}`, { tone: 'problem' })
    }
    await refresh().catch(() => {})
  }
}
