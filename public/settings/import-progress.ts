import type { FileOutcome } from '../../lib/import/outcome.ts'
import { entityHref, spaceHref } from '../addresses.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'
import { busyPhases, type ImportJob, type ImportState } from './import-job.ts'
import { isContainer } from './import-plan.ts'

/** Notes that are listed; a whole disk of skipped files is told by its number. */
const mostNotes = 200

/** How far an import is, what came of it, and what did not come in and why. */
export function renderProgress(job: ImportJob): HTMLElement[] {
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
      renderNotes(state),
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
  const changed = made && (made.counts.created ?? 0) + (made.counts.updated ?? 0) + (made.counts.moved ?? 0)
  return phase === 'done' && plan && changed ? button('Take it back', () => job.undo()) : null
}

const button = (label: string, onclick: () => void) =>
  el('div', {}, el('button', { class: 'button button-small', type: 'button', onclick }, label))

const words: readonly (readonly [string, string])[] = [
  ['created', 'new'],
  ['updated', 'updated'],
  ['moved', 'moved'],
  ['unchanged', 'unchanged'],
  ['conflict', 'left as you changed them'],
  ['deleted', 'left deleted'],
  ['joined', 'part of a conversation'],
  ['skipped', 'skipped'],
]

function counts({ job, plan, notes }: ImportState): string {
  const unsent = notes.filter(({ entity_id, outcome }) => outcome === 'skipped' && entity_id === null).length
  const numbers: Record<string, number> = { ...job?.counts }
  numbers.skipped = Math.max(numbers.skipped ?? 0, Math.min(unsent, mostNotes))
  const told = words
    .filter(([name]) => (numbers[name] ?? 0) > 0)
    .map(([name, word]) => `${numbers[name]} ${word}`)
  const hidden = plan && plan.hidden > 0 ? [`${plan.hidden} hidden left out`] : []
  return [...told, ...hidden].join(' · ')
}

function renderNotes({ notes, space }: ImportState): Child {
  if (notes.length === 0) return null
  return [
    el('h3', {}, 'To look at'),
    el(
      'ul',
      { class: 'import-notes' },
      notes.slice(0, mostNotes).map((note) => renderNote(note, space!.slug)),
    ),
    notes.length > mostNotes && el('p', { class: 'dim small' }, `And ${notes.length - mostNotes} more.`),
  ]
}

const outcomeWords: Record<string, string> = {
  conflict: 'Kept',
  deleted: 'Left deleted',
  gone: 'Gone',
  moved: 'Moved',
  skipped: 'Skipped',
}

function renderNote(note: FileOutcome, slug: string): HTMLElement {
  const href = note.entity_type && note.entity_id && entityHref(slug, note.entity_type, note.entity_id)
  const said = [note.reason, ...note.warnings].filter((text) => text !== null).join('; ')
  return el(
    'li',
    {},
    el(
      'span',
      { class: ['badge', note.outcome === 'skipped' && 'badge-amber'] },
      outcomeWords[note.outcome] ?? 'In',
    ),
    el(
      'div',
      {},
      el('code', {}, href ? el('a', { href }, visible(note.path)) : visible(note.path)),
      ' ',
      visible(said),
    ),
  )
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
