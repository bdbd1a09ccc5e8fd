// What can be done with a run that waits, was stopped or failed: the plan to be edited, and the buttons.

import type { ResearchRun } from '../../../lib/contract/research.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { el } from '../../ui/dom.ts'
import { resumeRun, sayToRun, stopRun } from './run-actions.ts'

export type ControlOptions = {
  app: App
  run: ResearchRun
  /** Called once the server has done what a button says. */
  onDone: () => void
}

/** `null` for a run in which nothing is to be decided. */
export function renderRunControls(options: ControlOptions): HTMLElement | null {
  const { run } = options
  if (run.status === 'paused' && run.break_out !== null) return renderBreakOut(options)
  if (run.status === 'paused') return run.pause === 'budget' ? renderBudget(options) : renderPlan(options)
  return run.status === 'stopped' || run.status === 'failed' ? renderResume(options) : null
}

function renderPlan({ app, run, onDone }: ControlOptions): HTMLElement {
  const before = run.plan?.sub_questions ?? []
  const field = el('textarea', {
    class: 'field research-plan',
    id: `plan-${run.id}`,
    rows: Math.min(15, before.length + 1),
    'aria-label': 'Sub-questions, one per line',
    hidden: true,
  })
  field.value = before.join('\n')
  const goOn = () => {
    const lines = field.value.split('\n').map((line) => line.trim())
    const sub_questions = lines.filter(Boolean)
    const isEdited = sub_questions.join('\n') !== before.join('\n') && sub_questions.length > 0
    return resumeRun(app, run.id, isEdited ? { plan: { sub_questions } } : {})
  }
  const act = actions({ app, onDone })
  return el(
    'div',
    { class: 'research-controls' },
    field,
    el(
      'div',
      { class: 'row' },
      act('Continue', goOn, 'button-primary'),
      el('button', { class: 'button button-small', type: 'button', onclick: edit }, 'Edit'),
      act('Cancel', () => stopRun(app, run.id)),
    ),
  )

  /** The plan is shown already; a change in words is a message to the run. */
  function edit({ currentTarget }: Event): void {
    const button = currentTarget as HTMLButtonElement
    button.hidden = true
    field.hidden = false
    field.focus()
  }
}

/** The words are those that the run goes by. */
function renderBreakOut({ app, run, onDone }: ControlOptions): HTMLElement {
  const act = actions({ app, onDone })
  return el(
    'div',
    { class: 'research-controls row' },
    act('Leave research', () => sayToRun(app, run, 'Leave research'), 'button-primary'),
    act('Stay in research', () => sayToRun(app, run, 'Stay in research')),
  )
}

function renderBudget({ app, run, onDone }: ControlOptions): HTMLElement {
  const act = actions({ app, onDone })
  return el(
    'div',
    { class: 'research-controls row' },
    // To what the next step needs, as the answer above says.
    act('Raise budget and continue', () => resumeRun(app, run.id), 'button-primary'),
    act('Cancel', () => stopRun(app, run.id)),
  )
}

function renderResume({ app, run, onDone }: ControlOptions): HTMLElement {
  const act = actions({ app, onDone })
  return el(
    'div',
    { class: 'research-controls row' },
    act('Resume research', () => resumeRun(app, run.id), 'button-primary'),
  )
}

const actions =
  ({ app, onDone }: Pick<ControlOptions, 'app' | 'onDone'>) =>
  (label: string, run: () => Promise<unknown>, tone = ''): HTMLElement =>
    el(
      'button',
      {
        class: ['button', 'button-small', tone],
        type: 'button',
        async onclick({ currentTarget }: MouseEvent) {
          const button = currentTarget as HTMLButtonElement
          button.disabled = true
          try {
            await run()
            onDone()
          } catch (error) {
            button.disabled = false
            app.toast(messageOf(error), { tone: 'problem' })
          }
        },
      },
      label,
    )
