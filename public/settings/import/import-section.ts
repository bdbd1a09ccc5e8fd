import type { Space } from '../../../lib/contract/entities.ts'
import type { ImportJob } from '../../../lib/contract/imports.ts'
import type { List } from '../../../lib/contract/list.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { browserImportOf } from './browser-import.ts'
import { looseSource, type Picked, readDrop, readInput } from './import-plan.ts'
import { renderProgress } from './import-progress.ts'
import { isBusy } from './import-state.ts'
import { pastImportsPath, renderPastImports } from './past-imports.ts'

type Data = { spaces: Space[]; past: List<ImportJob> | null }

export const importSection = defineSection<Data>({
  async load({ api, space }) {
    const { items: spaces } = await api.get<List<Space>>('/api/spaces?limit=200')
    const into = chosenFirst(spaces, space)
    return { spaces, past: into ? await api.get(pastImportsPath(into.id)) : null }
  },
  render: ({ spaces, past }, context) => [
    el(
      'p',
      { class: 'dim' },
      'Markdown, web pages and tables become pages; folders become parent pages, and links between files become ' +
        'links between pages. Messages go into Mail. PDF, Word and other documents become files that you can search. A .zip is unpacked. ' +
        'Importing the same files again updates them; your edits are never overwritten.',
    ),
    spaces.length === 0 ? el('p', {}, 'Create a Space first.') : renderForm(spaces, context),
    el('div', { class: 'import-progress', id: 'import-progress' }),
    el(
      'div',
      { id: 'earlier-imports' },
      past && renderPastImports(past, { app: context.app, space: chosenFirst(spaces, context.space)! }),
    ),
  ],
  mount(root, { spaces }, context) {
    const { app, signal } = context
    const place = root.querySelector('#import-progress')
    const job = browserImportOf(app)
    const draw = () => place?.replaceChildren(...renderProgress(app, job))
    draw()
    let asked = new AbortController()
    const showPast = () => {
      asked.abort()
      asked = new AbortController()
      return refreshPast(root, spaces, { app, signal: AbortSignal.any([signal, asked.signal]) })
    }
    const showOther = () => {
      root.querySelector('#earlier-imports')?.replaceChildren()
      return showPast()
    }
    root.querySelector('#import-space')?.addEventListener('change', showOther, { signal })
    job.state.watch(isBusy, (busy) => busy || showPast(), signal)
    job.state.watch((state) => state, draw, signal)
    acceptDrops(root, (picked) => begin(picked, spaces, context), signal)
  },
})

const chosenFirst = (spaces: readonly Space[], last: Space | null | undefined): Space | undefined =>
  spaces.find(({ id }) => id === last?.id) ?? spaces[0]

async function refreshPast(
  root: HTMLElement,
  spaces: readonly Space[],
  { app, signal }: Pick<ViewContext, 'app' | 'signal'>,
) {
  const select = root.querySelector<HTMLSelectElement>('#import-space')
  const space = spaces.find(({ id }) => id === select?.value)
  if (!space) return
  try {
    const past = await app.api.get<List<ImportJob>>(pastImportsPath(space.id), { signal })
    root.querySelector('#earlier-imports')?.replaceChildren(renderPastImports(past, { app, space }))
  } catch (error) {
    if (!signal.aborted) app.toast(messageOf(error), { tone: 'problem' })
  }
}

function renderForm(spaces: Space[], context: ViewContext): HTMLElement {
  const { space } = context
  return el(
    'div',
    { class: 'drop-zone' },
    el(
      'label',
      { class: 'drop-space' },
      el('span', { class: 'field-label' }, 'Import into'),
      el(
        'select',
        { class: 'field', id: 'import-space' },
        spaces.map(({ id, name }) => el('option', { value: id, selected: id === space?.id }, name)),
      ),
    ),
    renderTrust(),
    icon('upload'),
    el('p', {}, el('strong', {}, 'Drop files or a folder here'), ' or anywhere in this section.'),
    el(
      'div',
      { class: 'row' },
      chooser('Choose files', 'import-files', { multiple: true }, spaces, context),
      chooser('Choose folder', 'import-folder', { webkitdirectory: true }, spaces, context),
    ),
    el('label', { class: 'check-line' }, el('input', { type: 'checkbox', id: 'import-preview' }), ' Dry run'),
    el('p', { class: 'dim small' }, `A folder is identified by its name, loose files by “${looseSource}”.`),
  )
}

const renderTrust = (): HTMLElement =>
  el(
    'fieldset',
    { class: 'import-trust' },
    el('legend', { class: 'field-label' }, 'Who wrote these files?'),
    el(
      'label',
      { class: 'choice' },
      el('input', { type: 'radio', name: 'import-trust', id: 'import-own', checked: true }),
      ' I did',
    ),
    el(
      'label',
      { class: 'choice' },
      el('input', { type: 'radio', name: 'import-trust', id: 'import-others' }),
      ' Others',
    ),
    el(
      'p',
      { class: 'dim small' },
      'Drafts say when they use other people’s words. PDF and Word files, mail and saved web pages always count as theirs. ',
      el('a', { href: '/settings/trust' }, 'Change it later'),
    ),
  )

function chooser(
  label: string,
  id: string,
  props: Record<string, boolean>,
  spaces: Space[],
  context: ViewContext,
): Child {
  const input = el('input', {
    ...props,
    type: 'file',
    id,
    class: 'visually-hidden',
    onchange: () => {
      begin(readInput(input), spaces, context)
      input.value = ''
    },
  })
  return el('label', { class: 'button chooser', for: id }, input, label)
}

function begin(picked: readonly Picked[], spaces: readonly Space[], { app }: ViewContext): void {
  const select = document.querySelector<HTMLSelectElement>('#import-space')
  const space = spaces.find(({ id }) => id === select?.value)
  if (!space || picked.length === 0) return
  const job = browserImportOf(app)
  if (isBusy(job.state.get())) {
    app.toast('An import is already running. Wait until it ends, or stop it.', { tone: 'problem' })
    return
  }
  const preview = document.querySelector<HTMLInputElement>('#import-preview')?.checked ?? false
  const trust = document.querySelector<HTMLInputElement>('#import-others')?.checked ? 'outside' : 'own'
  job.start(picked, space, { preview, trust })
}

function acceptDrops(root: HTMLElement, onFiles: (picked: Picked[]) => void, signal: AbortSignal): void {
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
  const mark = (over: boolean) => root.toggleAttribute('data-dropping', over)
  root.addEventListener(
    'dragover',
    (event) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      mark(true)
    },
    { signal },
  )
  root.addEventListener('dragleave', (event) => mark(root.contains(event.relatedTarget as Node | null)), {
    signal,
  })
  root.addEventListener(
    'drop',
    async (event) => {
      if (!hasFiles(event) || !event.dataTransfer) return
      event.preventDefault()
      mark(false)
      onFiles(await readDrop(event.dataTransfer))
    },
    { signal },
  )
  signal.addEventListener('abort', () => mark(false))
}
