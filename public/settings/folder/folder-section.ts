import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { ConnectedFolder, Folder, FolderLogEntry } from '../../../lib/contract/space/folder.ts'
import type { LoadContext, ViewContext } from '../../app/view.ts'
import { visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { folderLine } from '../../ui/words/folder-line.ts'
import { createToastChange, defineSection } from '../parts/section.ts'
import { fieldRow } from '../parts/setting.ts'
import { renderFolderForm } from './folder-form.ts'
import { folderLogPath, renderFolderLog } from './folder-log.ts'

type Data = { spaces: Space[]; space: Space | null; folder: Folder | null; log: List<FolderLogEntry> | null }

/** Held files that are listed. */
const maxHeld = 50
const pollMs = 3000

/** The folder of one Space: its state, how it is kept, and what was done. */
export const folderSection = defineSection<Data>({
  async load({ api, url, space: last }) {
    const { items: spaces } = await api.get<List<Space>>('/api/spaces?limit=200')
    const asked = url.searchParams.get('space') ?? last?.id
    const space = spaces.find(({ id }) => id === asked) ?? spaces[0] ?? null
    const folder = space && (await findFolder(api, space.id))
    const log = space && folder ? await api.get<List<FolderLogEntry>>(folderLogPath(space.id)) : null
    return { spaces, space, folder, log }
  },
  render: ({ spaces, space, folder, log }, context) => [
    el(
      'p',
      { class: 'dim' },
      'A Space and a folder of Markdown on the machine of this server are kept the same, both ways. Write in Obsidian, ' +
        'VS Code or vim, with search, drafts and the companion here.',
    ),
    space === null ? el('p', {}, 'Create a Space first.') : renderSpaces(spaces, space, context),
    space && folder && renderState({ space, folder }, context),
    space && renderFolderForm({ space, folder }, context),
    space && folder && log && renderFolderLog(log, { space, context }),
  ],
  mount(root, { space, folder }, context) {
    if (!space || !folder) return
    const timer = setInterval(() => void refreshState(root, { space, folder }, context), pollMs)
    context.signal.addEventListener('abort', () => clearInterval(timer))
  },
  affectedBy: (event, { space }) =>
    (event.type === 'change' && event.data.space_id === space?.id) || event.type === 'space',
})

async function findFolder(api: LoadContext['api'], spaceId: string): Promise<Folder | null> {
  const { items } = await api.get<List<ConnectedFolder>>('/api/folders')
  return items.find(({ space_id }) => space_id === spaceId) ?? null
}

function renderSpaces(spaces: readonly Space[], space: Space, { app }: ViewContext): HTMLElement {
  const select = el(
    'select',
    {
      class: 'field',
      id: 'folder-space',
      onchange: () => app.navigate(`/settings/folder?space=${select.value}`),
    },
    spaces.map(({ id, name }) => el('option', { value: id, selected: id === space.id }, name)),
  )
  return fieldRow('Space', select)
}

type Connected = { space: Space; folder: Folder }

/** Draws the state again where it changed; what is being typed stays. */
async function refreshState(root: HTMLElement, { space, folder }: Connected, context: ViewContext) {
  const place = root.querySelector('#folder-state')
  const now = await findFolder(context.app.api, space.id).catch(() => null)
  if (!place || !now || context.signal.aborted || place.contains(document.activeElement)) return
  if (now.state !== folder.state || now.waiting !== folder.waiting) return await context.refresh()
  place.replaceWith(renderState({ space, folder: now }, { ...context, now: new Date() }))
}

function renderState({ space, folder }: Connected, context: ViewContext): HTMLElement {
  const { path, state, problem, held, files, watched } = folder
  const at = `/api/spaces/${space.id}/folder`
  const change = createToastChange(context)
  const { api } = context.app
  const button = (label: string, done: string, work: () => Promise<unknown>) =>
    el(
      'button',
      { class: 'button button-small', type: 'button', onclick: () => void change(work, done) },
      label,
    )
  const asksDeletions = state === 'paused' && problem !== null && problem.includes('gone from')
  return el(
    'section',
    { class: 'stack', id: 'folder-state', 'aria-label': 'State of the folder', 'data-state': state },
    el('p', { class: 'row-title' }, visible(path)),
    el(
      'p',
      { class: state === 'paused' ? 'problem' : 'dim', role: 'status' },
      folderLine({ ...folder, held: held.length }, context.now),
      state !== 'paused' && ` · ${files} notes`,
    ),
    !watched &&
      state !== 'paused' &&
      el(
        'p',
        { class: 'dim small', id: 'folder-unwatched' },
        'The system does not report every change in this folder, as on network disks, in containers, or at its limit of ' +
          'watches (fs.inotify.max_user_watches).',
      ),
    el(
      'div',
      { class: 'row' },
      asksDeletions && [
        button('Restore the files', 'Files are written again.', () =>
          api.post(`${at}/resume`, { deletions: 'put_back' }),
        ),
        button('Delete their pages', 'Pages are moved to the trash.', () =>
          api.post(`${at}/resume`, { deletions: 'apply' }),
        ),
      ],
      state === 'paused' &&
        !asksDeletions &&
        button('Resume', 'Resumed.', () => api.post(`${at}/resume`, {})),
      state !== 'paused' && button('Pause', 'Paused.', () => api.post(`${at}/pause`, {})),
      button('Disconnect', 'Disconnected. Files and pages stay.', () => api.delete(at)),
    ),
    renderHeld(held),
    renderOffer(folder),
  )
}

/** Where coding agents seem to work, and nobody looks at what they write. */
function renderOffer({ review, agents }: Folder): Child {
  if (review !== 'off' || agents.length === 0) return null
  return el(
    'p',
    { class: 'small', id: 'folder-agents' },
    'Coding agents seem to work in this folder: ',
    visible(agents.join(', ')),
    '. Review lets you approve or reject each of their changes.',
  )
}

function renderHeld(held: Folder['held']): Child {
  if (held.length === 0) return null
  return el(
    'details',
    { class: 'card-more', id: 'folder-held', open: held.length <= 5 },
    el('summary', {}, held.length === 1 ? '1 file held' : `${held.length} files held`),
    el(
      'ul',
      { class: 'rows' },
      held
        .slice(0, maxHeld)
        .map(({ path, reason }) =>
          el(
            'li',
            { class: 'row-item' },
            el('bdi', { class: 'row-title' }, visible(path)),
            el('span', { class: 'dim small' }, visible(reason)),
          ),
        ),
    ),
    held.length > maxHeld && el('p', { class: 'dim small' }, `and ${held.length - maxHeld} more`),
  )
}
