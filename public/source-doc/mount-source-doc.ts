import type { SourceDoc } from '../../lib/contract/entities.ts'
import { spaceHref } from '../addresses.ts'
import { ApiError, messageOf } from '../api.ts'
import { deleteWithUndo } from '../components/delete-with-undo.ts'
import { startRename } from '../details/rename.ts'
import type { ViewContext } from '../view.ts'

/** `held`: what is heard from elsewhere waits. */
type Data = { doc: SourceDoc; held: boolean }

/** The title of a source document is corrected where it stands. */
export function mountSourceDoc(root: HTMLElement, data: Data, context: ViewContext): void {
  const { app, signal, refresh, space, url } = context
  const rename = () => {
    data.held = true
    startRename(root, data.doc.title, (title) => {
      data.held = false
      if (title !== null) save(title)
    })
  }
  root.querySelector('#rename')?.addEventListener('click', rename, { signal })
  root.querySelector('#delete')?.addEventListener('click', remove, { signal })
  const showHistory = async () => {
    const dialog = await import('../history/history-dialog.ts')
    await dialog.showHistory(app, { path: `/api/source-docs/${data.doc.id}`, title: data.doc.title })
  }
  root.querySelector('#history')?.addEventListener('click', showHistory, { signal })
  const group = 'Source document'
  app.keys.add(
    [
      { key: 'r', label: 'Correct the title', run: rename, group },
      { key: 'h', label: 'History', run: showHistory, group },
      { key: 'Delete', label: 'Into the trash', run: remove, group },
    ],
    signal,
  )

  async function remove(): Promise<void> {
    data.held = true
    const back = () => app.navigate(url.pathname)
    if (await deleteWithUndo(app, 'source_doc', data.doc, back))
      app.navigate(`${spaceHref(space!.slug)}/source-docs`)
    else data.held = false
  }

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
