import type { App } from '../../app/app.ts'
import { visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { spaceHref } from '../../ui/words/addresses.ts'
import type { BrowserImport } from './browser-import.ts'
import { countTexts, hasChanged, renderOutcome, renderOutcomes } from './import-outcomes.ts'
import { isContainer } from './import-plan.ts'
import { type ImportState, isBusy } from './import-state.ts'

/** The progress of an import, its outcome, and the files that were not imported with the reasons. */
export function renderProgress(app: App, job: BrowserImport): HTMLElement[] {
  const state = job.state.get()
  if (state.phase === 'idle' || !state.space) return []
  if (state.phase === 'asking') return [renderQuestion(job, state)]
  return [
    el(
      'section',
      { class: 'import-job', 'data-phase': state.phase, 'aria-label': 'Import' },
      el('p', { class: 'import-title', role: 'status' }, headline(state)),
      renderBar(state),
      state.problem !== '' && el('p', { class: 'problem', role: 'alert' }, state.problem),
      renderActions(job, state),
      el('p', { class: 'dim small' }, counts(state)),
      renderFiles(app, state),
    ),
  ]
}

function headline({ phase, plan, space, uploaded, job }: ImportState): Child {
  const done = job?.done ?? 0
  const total = plan?.files.length ?? 0
  const what = plan?.folder ? `“${plan.folder}”` : total === 1 ? '1 file' : `${total} files`
  const into = ` into ${space?.name}`
  switch (phase) {
    case 'checking':
      return `Checking ${what}…`
    case 'uploading':
      return `Uploading ${what}: ${uploaded} of ${total}`
    case 'previewing':
      return `Dry run of ${what}: ${done} files so far`
    case 'previewed':
      return `Dry run of importing ${what}${into}. Nothing has been imported yet.`
    case 'running':
      return `Importing ${what}${into}: ${done} files so far`
    case 'stopped':
      return `Stopped after ${done} files. Imported files are kept.`
    case 'failed':
      return `Failed after ${done} files. Imported files are kept.`
    case 'undoing':
      return `Undoing the import of ${what}…`
    case 'undone':
      return `Undid the import of ${what}. Items that you edited since were kept.`
    default:
      if (total === 0) return 'No files to import.'
      return [`Imported ${what}${into}. `, el('a', { href: spaceHref(space!.slug) }, 'Open Space')]
  }
}

function renderBar(state: ImportState): Child {
  const { phase, plan, uploaded, job } = state
  if (!plan || !isBusy(state)) return null
  const value = phase === 'uploading' ? uploaded : (job?.done ?? 0)
  // The number of files in an archive is not known before its end.
  const isCounted =
    phase === 'uploading' || (phase === 'running' && !plan.files.some(({ path }) => isContainer(path)))
  return isCounted
    ? el('progress', { max: plan.files.length, value, 'aria-label': 'Files imported' })
    : el('progress', { 'aria-label': 'Working' })
}

function renderActions(job: BrowserImport, { phase, plan, job: serverJob }: ImportState): Child {
  if (phase === 'uploading' || phase === 'running' || phase === 'previewing')
    return button('Stop', () => job.stop())
  if (phase === 'stopped' || phase === 'failed') return button('Continue', () => job.resume())
  if (phase === 'previewed') return button('Import', () => job.resume())
  return phase === 'done' && plan && serverJob && hasChanged(serverJob.counts)
    ? button('Undo import', () => job.undo())
    : null
}

const button = (label: string, onclick: () => void) =>
  el('div', {}, el('button', { class: 'button button-small', type: 'button', onclick }, label))

function counts({ job, plan, failed }: ImportState): string {
  const skipped = (job?.counts.skipped ?? 0) + failed.length
  const hidden = plan && plan.hidden > 0 ? [`${plan.hidden} hidden, not imported`] : []
  return [...countTexts({ ...job?.counts, skipped }), ...hidden].join(' · ')
}

function renderFiles(app: App, state: ImportState): Child {
  const { job, failed, space } = state
  const { slug } = space!
  const notUploaded = failed.length > 0 && [
    el('h2', {}, 'Not uploaded'),
    el(
      'ul',
      { class: 'import-notes' },
      failed.map((file) => renderOutcome(file, slug)),
    ),
  ]
  const hasOutcomes = job && job.done > 0 && !isBusy(state)
  return [notUploaded, hasOutcomes && renderOutcomes(app, { id: job.id, slug })]
}

function renderQuestion(job: BrowserImport, { lookalike, plan }: ImportState): HTMLElement {
  return el(
    'section',
    { class: 'import-job', role: 'alert', 'aria-label': 'Import' },
    el(
      'p',
      {},
      `${lookalike?.count} of these files were imported before as “`,
      visible(lookalike?.source ?? ''),
      '”. Are they the same files in a new place?',
    ),
    el(
      'div',
      { class: 'row' },
      el(
        'button',
        { class: 'button button-primary', type: 'button', onclick: () => job.choose(lookalike!.source) },
        'Update existing',
      ),
      el(
        'button',
        { class: 'button', type: 'button', onclick: () => job.choose(plan!.source) },
        'Import as new',
      ),
    ),
  )
}
