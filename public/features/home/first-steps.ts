// What a new owner does first: three steps that tick themselves, until they are done or hidden.

import { composeMessage } from '../../app/actions/conversation.ts'
import type { ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'

type Done = { notes: boolean; model: boolean; draft: boolean }

const example = 'Create a task to try out Void'

export function renderFirstSteps({ model, ...done }: Done, { app }: Pick<ViewContext, 'app'>): Child {
  const { stepsHidden, withoutModel } = app.prefs.get()
  const isModelDone = model || withoutModel
  if (stepsHidden || (done.notes && isModelDone && done.draft)) return null
  return el(
    'section',
    { class: 'steps', id: 'first-steps', 'aria-labelledby': 'first-steps-title' },
    el(
      'div',
      { class: 'home-head' },
      el('h2', { id: 'first-steps-title' }, 'First steps'),
      el('button', { class: 'home-all', type: 'button', onclick: hide }, 'Hide'),
    ),
    step(
      done.notes,
      'Bring your notes',
      done.notes ? null : 'Drop a folder here: Markdown, an Obsidian vault, a Notion export.',
      el('a', { class: 'button button-primary', href: '/settings/import' }, 'Choose files'),
    ),
    step(
      isModelDone,
      model || !isModelDone ? 'Connect a model' : 'Go on without a model',
      'Without one, Void searches, quotes and drafts simple changes.',
      el(
        'div',
        { class: 'row' },
        el('button', { class: 'home-all', type: 'button', onclick: goOn }, 'Go on without'),
        el('a', { class: 'button', href: '/settings/model' }, 'Connect'),
      ),
    ),
    step(
      done.draft,
      'Let it draft something',
      'A prepared example to approve, edit and undo.',
      el(
        'button',
        { class: 'button', type: 'button', onclick: () => composeMessage(app, example, { send: true }) },
        'Try it',
      ),
    ),
  )

  function goOn(): void {
    app.prefs.set({ withoutModel: true })
    document
      .querySelector('#first-steps')
      ?.replaceWith(...[renderFirstSteps({ ...done, model }, { app })].filter((one) => one instanceof Node))
  }

  function hide(): void {
    app.prefs.set({ stepsHidden: true })
    document.querySelector('#first-steps')?.remove()
  }
}

const step = (isDone: boolean, title: string, about: string | null, action: HTMLElement): HTMLElement =>
  el(
    'div',
    { class: 'step', 'data-done': isDone },
    el('span', { class: 'ring' }, isDone && icon('check')),
    el(
      'div',
      {},
      el('h3', {}, title, el('span', { class: 'visually-hidden' }, isDone ? ', done' : ', to do')),
      about && el('p', { class: 'dim' }, about),
    ),
    !isDone && action,
  )
