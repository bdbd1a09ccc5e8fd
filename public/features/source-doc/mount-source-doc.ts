import type { SourceDoc } from '../../../lib/contract/entities/entities.ts'
import { quoteShown } from '../../../lib/text/quote-name.ts'
import { deleteWithUndo } from '../../app/actions/delete-with-undo.ts'
import { ApiError, messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { editTitle } from '../../ui/components/title-editor.ts'
import { spaceHref } from '../../ui/words/addresses.ts'

/** `held`: changes from elsewhere wait. */
type Data = { doc: SourceDoc; held: boolean }

/** The title of a file can be edited; its text never changes. */
export function mountSourceDoc(root: HTMLElement, data: Data, context: ViewContext): void {
  const { app, signal, space, url } = context
  const rename = () => {
    data.held = true
    editTitle(root.querySelector<HTMLElement>('#rename'), {
      title: data.doc.title,
      name: 'detail-title-field',
      onEnd(title) {
        data.held = false
        if (title !== null) saveTitle(data, context, title)
      },
    })
  }
  const showHistory = async () => {
    const dialog = await import('../../page/history/history-dialog.ts')
    await dialog.showHistory(app, { path: `/api/source-docs/${data.doc.id}`, title: data.doc.title })
  }
  const remove = async () => {
    data.held = true
    const back = () => app.navigate(url.pathname)
    if (await deleteWithUndo(app, 'source_doc', data.doc, back))
      app.navigate(`${spaceHref(space!.slug)}/source-docs`)
    else data.held = false
  }
  root.querySelector('#rename')?.addEventListener('click', rename, { signal })
  root.querySelector('#history')?.addEventListener('click', showHistory, { signal })
  root.querySelector('#delete')?.addEventListener('click', remove, { signal })
  const group = 'File'
  app.keys.add(
    [
      { key: 'r', label: 'Rename', run: rename, group },
      { key: 'h', label: 'History', run: showHistory, group },
      { key: 'Delete', label: 'Move to trash', run: remove, group },
    ],
    signal,
  )
}

async function saveTitle({ doc }: Data, { app, refresh }: ViewContext, title: string): Promise<void> {
  try {
    await app.api.patch(`/api/source-docs/${doc.id}`, { title, version: doc.version })
    app.announce('Saved')
  } catch (error) {
    const stale = error instanceof ApiError && error.status === 409
    const why = stale ? 'It was changed in the meantime.' : messageOf(error)
    app.toast(`Could not rename the file to ${quoteShown(title)}. ${why}`, { tone: 'problem' })
  }
  await refresh().catch(() => {})
}
