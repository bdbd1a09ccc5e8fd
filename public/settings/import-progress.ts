import { spaceHref } from '../addresses.ts'
import type { App } from '../app.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'
import { countWords, hasChanged } from './import-counts.ts'
import { busyPhases, type ImportJob, type ImportState } from './import-job.ts'
import { renderOutcome, renderOutcomes } from './import-outcomes.ts'
import { isContainer } from './import-plan.ts'

/** How far an import is, what came of it, and what did not come in and why. */
export function renderProgress(app: App, job: ImportJob): HTMLElement[] {
  const state = job.state.get()
  if (state.phase === 'idle' || !state.space) return []
  if (state.phase === 'asking') return [renderQuestion(job, state)]
  return [
    el(
      'section',
      { class: 'import-job', 'data-phase': state.phase, 'aria-label': 'Import' },
      el('p', { class: 'import-title', role: 'status' }, headline(state)),
      bar(state),
      state.problem !== '' && el('p', { class: 'problem', role: 'alert' }, state.problem),
      buttons(job, state),
      el('p', { class: 'dim small' }, counts(state)),
      renderFiles(app, state),
    ),
  ]
}

function headline({ phase, plan, space, sent, job }: ImportState): Child {
  const done = job?.done ?? 0
  const total = plan?.files.length ?? 0
  const what = plan?.folder ? `“${plan.folder}”` : total === 1 ? 'One file' : `${total} files`
  const into = ` into ${space?.name}`
  switch (phase) {
    case 'looking':
      return `Looking at ${what} …`
    case 'sending':
      return `Handing over ${what}: ${sent} of ${total}`
    case 'previewing':
      return `Finding out what would come of ${what}: ${done} files so far`
    case 'previewed':
      return `This is what would come of bringing ${what}${into}. Nothing has happened yet.`
    case 'running':
      return `${what}${into}: ${done} files so far`
    case 'stopped':
      return `Stopped after ${done} files. What is in stays in.`
    case 'failed':
      return `Broken off after ${done} files. What is in stays in.`
    case 'undoing':
      return `Taking ${what} back …`
    case 'undone':
      return `${what} was taken back. What you have changed since was kept.`
    default:
      if (total === 0) return 'There was no file in it that could be brought in.'
      return [`${what}${into}: done. `, el('a', { href: spaceHref(space!.slug) }, 'Open the Space')]
  }
}

function bar({ phase, plan, sent, job }: ImportState): Child {
  if (!plan || !busyPhases.includes(phase)) return null
  const value = phase === 'sending' ? sent : (job?.done ?? 0)
  // An archive holds more than it is: how much is not known before its end.
  const isCounted =
    phase === 'sending' || (phase === 'running' && !plan.files.some(({ path }) => isContainer(path)))
  return isCounted
    ? el('progress', { max: plan.files.length, value, 'aria-label': 'Files brought in' })
    : el('progress', { 'aria-label': 'Working' })
}

function buttons(job: ImportJob, { phase, plan, job: made }: ImportState): Child {
  if (phase === 'sending' || phase === 'running' || phase === 'previewing')
    return button('Stop', () => job.stop())
  if (phase === 'stopped' || phase === 'failed') return button('Go on', () => job.resume())
  if (phase === 'previewed') return button('Bring them in', () => job.resume())
  return phase === 'done' && plan && made && hasChanged(made.counts)
    ? button('Take it back', () => job.undo())
    : null
}

const button = (label: string, onclick: () => void) =>
  el('div', {}, el('button', { class: 'button button-small', type: 'button', onclick }, label))

function counts({ job, plan, unsent }: ImportState): string {
  const skipped = (job?.counts.skipped ?? 0) + unsent.length
  const hidden = plan && plan.hidden > 0 ? [`${plan.hidden} hidden left out`] : []
  return [...countWords({ ...job?.counts, skipped }), ...hidden].join(' · ')
}

function renderFiles(app: App, { phase, job, unsent, space }: ImportState): Child {
  const { slug } = space!
  const notHandedOver = unsent.length > 0 && [
    el('h3', {}, 'Not handed over'),
    el(
      'ul',
      { class: 'import-notes' },
      unsent.map((file) => renderOutcome(file, slug)),
    ),
  ]
  const toldOf = job && job.done > 0 && !busyPhases.includes(phase)
  return [notHandedOver, toldOf && renderOutcomes(app, { id: job.id, slug })]
}

function renderQuestion(job: ImportJob, { lookalike, plan }: ImportState): HTMLElement {
  return el(
    'section',
    { class: 'import-job', role: 'alert', 'aria-label': 'Import' },
    el(
      'p',
      {},
      `${lookalike?.count} of these files were imported before, as “`,
      visible(lookalike?.source ?? ''),
      '”. Are they the same files, in another place now?',
    ),
    el(
      'div',
      { class: 'row' },
      el(
        'button',
        { class: 'button button-primary', type: 'button', onclick: () => job.choose(lookalike!.source) },
        'The same: update them',
      ),
      el(
        'button',
        { class: 'button', type: 'button', onclick: () => job.choose(plan!.source) },
        'Others: bring them in beside',
      ),
    ),
  )
}
