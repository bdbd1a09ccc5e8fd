import type { Space } from '../../../lib/contract/entities.ts'
import type { Folder, FolderPreview } from '../../../lib/contract/space/folder.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { fieldRow } from '../parts/setting.ts'

type Options = { space: Space; folder: Folder | null }

const reviews = [
  ['off', 'None: they become changes of pages'],
  ['others', 'Those outside of your own paths'],
  ['all', 'All'],
] as const

const maxPaths = 10

/** Connects a folder, or changes how the one that is connected is kept. */
export function renderFolderForm({ space, folder }: Options, context: ViewContext): HTMLElement {
  const { app } = context
  const at = `/api/spaces/${space.id}/folder`
  const path = el('input', {
    class: 'field',
    id: 'folder-path',
    required: true,
    maxlength: 4096,
    autocomplete: 'off',
    placeholder: '~/notes',
    value: folder?.path ?? '',
    readOnly: folder !== null,
  })
  const own = el('textarea', {
    class: 'field',
    id: 'folder-own',
    rows: 3,
    placeholder: 'Journal/**',
    value: folder?.own.join('\n') ?? '',
  })
  const review = el(
    'select',
    { class: 'field', id: 'folder-review' },
    reviews.map(([value, label]) =>
      el('option', { value, selected: value === (folder?.review ?? 'off') }, label),
    ),
  )
  const preview = el('div', { id: 'folder-preview', role: 'status' })
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  return el(
    'form',
    { class: 'stack', onsubmit: save },
    fieldRow('Folder on the server', path),
    fieldRow(
      'Your own words',
      own,
      'Paths, one a line; ** stands for any folders. Everything else counts as written by others.',
    ),
    fieldRow(
      'Review changes',
      review,
      'They wait in the Inbox. Page and file stay as they are until you decide; a rejected file is put back.',
    ),
    problem,
    preview,
    el(
      'div',
      { class: 'row' },
      folder === null &&
        el('button', { class: 'button', type: 'button', id: 'folder-try', onclick: tryOut }, 'Dry run'),
      el(
        'button',
        { class: 'button button-primary', type: 'submit' },
        folder === null ? 'Connect' : 'Save changes',
      ),
    ),
  )

  function fields() {
    const patterns = own.value
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
    return { path: path.value.trim(), own: patterns, review: review.value }
  }

  async function attempt(work: () => Promise<unknown>): Promise<void> {
    problem.hidden = true
    try {
      await work()
    } catch (error) {
      problem.hidden = false
      problem.replaceChildren(messageOf(error))
    }
  }

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    await attempt(async () => {
      await app.api.put(at, fields())
      app.toast(folder === null ? 'Folder connected.' : 'Changes saved.')
      await context.refresh()
    })
  }

  async function tryOut(): Promise<void> {
    if (!path.reportValidity()) return
    await attempt(async () => {
      const found = await app.api.put<FolderPreview>(at, { path: path.value.trim(), dry_run: true })
      preview.replaceChildren(...renderPreview(found))
    })
  }
}

function renderPreview(found: FolderPreview): HTMLElement[] {
  const { to_space, to_folder, equal, different, held, agents } = found
  const line = (title: string, { count, paths }: { count: number; paths: string[] }) =>
    el(
      'li',
      {},
      `${title}: ${count}`,
      count > 0 &&
        el(
          'span',
          { class: 'dim small' },
          ' ',
          visible(paths.slice(0, maxPaths).join(', ')),
          count > maxPaths && ' …',
        ),
    )
  return [
    el(
      'ul',
      {},
      line('Files that become pages', to_space),
      line('Pages that become files', to_folder),
      el('li', {}, `Already the same: ${equal}`),
      line('Different texts, both of which stay until you decide', different),
      line('Held', { count: held.length, paths: held.map(({ path, reason }) => `${path} ${reason}`) }),
      agents.length > 0 &&
        el(
          'li',
          {},
          'Coding agents seem to work there: ',
          visible(agents.join(', ')),
          '. Consider a review.',
        ),
    ),
  ]
}
