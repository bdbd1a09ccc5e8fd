// "Test this model": what it takes is shown first, then each task as it is done, then what the model can and cannot do.

import type { TrialEvent, TrialPlan, TrialResult } from '../../../lib/contract/companion/trial.ts'
import { messageOf } from '../../app/api/api.ts'
import { readEvents } from '../../app/api/live.ts'
import type { ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'

export function renderTrial({ app, signal }: ViewContext): HTMLElement {
  const { api } = app
  const panel = el('div', { class: 'stack', role: 'status' })
  const button = el(
    'button',
    { class: 'button', type: 'button', id: 'test-model', onclick: ask },
    icon('list'),
    'Test this model…',
  )
  return el('div', { class: 'stack model-trial' }, el('div', {}, button), panel)

  /** Nothing is sent to the model before the owner agrees to what it costs. */
  async function ask(): Promise<void> {
    button.disabled = true
    try {
      const plan = await api.get<TrialPlan>('/api/model/trial', { signal })
      const start = el(
        'button',
        { class: 'button button-primary', type: 'button', onclick: () => run(plan.model) },
        'Start test',
      )
      panel.replaceChildren(
        el('p', {}, describePlan(plan)),
        el(
          'div',
          { class: 'row' },
          start,
          el('button', { class: 'button', type: 'button', onclick: close }, 'Cancel'),
        ),
      )
      start.focus()
    } catch (error) {
      close()
      show(problem(messageOf(error)))
    }
  }

  async function run(model: string): Promise<void> {
    const stopped = new AbortController()
    const progress = el('p', {}, 'Preparing the test…')
    panel.replaceChildren(
      progress,
      el(
        'div',
        {},
        el('button', { class: 'button', type: 'button', onclick: () => stopped.abort() }, 'Stop'),
      ),
    )
    try {
      const response = await api.fetch('/api/model/trial', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model }),
        signal: AbortSignal.any([signal, stopped.signal]),
      })
      const last = await readTrial(response, progress)
      show(last ?? problem('The connection was lost. Start the test again.'))
    } catch (error) {
      if (!signal.aborted) show(stopped.signal.aborted ? null : problem(messageOf(error)))
    }
    button.disabled = false
  }

  function show(result: Child): void {
    panel.replaceChildren(...(result instanceof HTMLElement ? [result] : []))
    if (!signal.aborted) button.focus()
  }

  function close(): void {
    button.disabled = false
    show(null)
  }
}

const amount = new Intl.NumberFormat('en-US')

function describePlan({ model, tasks, input_tokens, output_tokens, cost }: TrialPlan): string {
  const tokens = `${amount.format(input_tokens)} tokens in and ${amount.format(output_tokens)} out`
  const price = cost === null ? 'The price of this model is not known.' : `At most about $${cost.toFixed(2)}.`
  return `${model} gets ${tasks} tasks in an invented Space that is removed afterwards; nothing of yours is sent. This takes about ${tokens}. ${price}`
}

/** What the last event says; null where the stream was cut off before. */
async function readTrial(response: Response, progress: HTMLElement): Promise<HTMLElement | null> {
  if (!response.body) return null
  for await (const { type, data } of readEvents(response.body)) {
    const event = { type, data: JSON.parse(data) } as TrialEvent
    if (event.type === 'result') return renderResult(event.data)
    if (event.type === 'error') return problem(event.data.message)
    const { done, of, next } = event.data
    if (next !== null) progress.textContent = `Task ${done + 1} of ${of}: ${next}`
  }
  return null
}

function renderResult({ model, sentences, tasks, cost, duration_ms }: TrialResult): HTMLElement {
  const done = tasks.filter((task) => task.done).length
  const price = cost === null ? '' : `, $${cost.toFixed(2)}`
  return el(
    'div',
    { class: ['test-result', done === tasks.length ? 'test-good' : 'test-calm'] },
    icon(done === tasks.length ? 'check' : 'warning'),
    el(
      'div',
      {},
      el('p', {}, el('strong', {}, `${model} did ${done} of ${tasks.length} tasks.`)),
      el(
        'ul',
        {},
        sentences.map((sentence) => el('li', {}, sentence)),
      ),
      el(
        'details',
        {},
        el('summary', {}, 'Tasks'),
        el(
          'ul',
          {},
          tasks.map(({ say, done: isDone, reasons }) =>
            el('li', {}, `${say} ${isDone ? 'Done.' : `Not done: ${reasons.join(', ')}.`}`),
          ),
        ),
      ),
      el('p', { class: 'mono dim' }, `${(duration_ms / 1000).toFixed(1)} s${price}`),
    ),
  )
}

const problem = (message: string) => el('p', { class: 'problem', role: 'alert' }, message)
