import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { FolderLogEntry } from '../../../lib/contract/space/folder.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { entityHref, withQuery } from '../../ui/words/addresses.ts'

const pageSize = 20

export const folderLogPath = (spaceId: string, cursor: string | null = null): string =>
  withQuery(`/api/spaces/${spaceId}/folder/log`, { limit: pageSize, cursor })

const words: Record<FolderLogEntry['action'], string> = {
  created: 'created',
  updated: 'updated',
  moved: 'moved',
  deleted: 'deleted',
  restored: 'restored',
  conflict: 'changed on both sides: in the Inbox',
  kept: 'written late: saved beside its note',
  drafted: 'changed in the folder: in the Inbox',
  outweighed: 'deleted on one side, changed on the other: kept',
}

type Options = { space: Space; context: ViewContext }

/** What was done on each side, newest first. A change of a page is undone there, and the file follows. */
export function renderFolderLog(log: List<FolderLogEntry>, options: Options): HTMLElement {
  const { app } = options.context
  const { space } = options
  const list = el('ul', { class: 'rows', id: 'folder-log' }, rows(log.items))
  let cursor = log.next_cursor
  const more = el(
    'button',
    { class: 'button button-small', type: 'button', hidden: cursor === null, onclick: showMore },
    'Show more',
  )
  return el(
    'section',
    { class: 'stack', 'aria-label': 'What was done' },
    el('h2', {}, 'What was done'),
    log.items.length === 0 ? el('p', { class: 'dim' }, 'No changes yet.') : list,
    el('div', {}, more),
  )

  function rows(items: readonly FolderLogEntry[]): HTMLElement[] {
    return items.map((item) => renderLine(item, options))
  }

  async function showMore(): Promise<void> {
    try {
      const page = await app.api.get<List<FolderLogEntry>>(folderLogPath(space.id, cursor))
      list.append(...rows(page.items))
      cursor = page.next_cursor
      more.hidden = cursor === null
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
}

function renderLine(line: FolderLogEntry, { space, context }: Options): HTMLElement {
  const { side, action, path, page_id, audit_seq, at } = line
  const { app, now, refresh } = context
  const name = visible(path)
  const href = page_id !== null && action !== 'deleted' && entityHref(space.slug, 'page', page_id)
  return el(
    'li',
    { class: 'row-item' },
    href ? el('a', { class: 'row-title', href }, name) : el('bdi', { class: 'row-title' }, name),
    el('span', { class: 'dim small' }, `${side === 'file' ? 'File' : 'Page'} ${words[action]}`),
    timeAgo(at, now),
    audit_seq !== null &&
      el(
        'button',
        { class: 'button button-small', type: 'button', 'aria-label': `Undo: ${path}`, onclick: undo },
        'Undo',
      ),
  )

  async function undo(): Promise<void> {
    try {
      await app.api.post(`/api/audit/${audit_seq}/undo`, {})
      app.toast('Undone.')
      await refresh()
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
}
