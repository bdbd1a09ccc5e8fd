import { maxNoteLength } from '../../../lib/contract/limits.ts'
import { el } from '../../ui/dom.ts'

/** The page for writing a note, the same for everybody: what is anybody's own its script, capture.ts, brings in. */
export const renderCapturePage = (): HTMLElement =>
  el(
    'main',
    { class: 'capture' },
    el(
      'header',
      { class: 'capture-head' },
      el('h1', { id: 'heading' }, 'New note'),
      el('a', { href: '/today' }, 'Open Void'),
    ),
    el(
      'p',
      { class: 'notice', id: 'offline', role: 'status', hidden: true },
      'Void cannot be reached. Notes are stored on this device and sent later. ',
      el(
        'button',
        { class: 'button button-small', type: 'button', id: 'reload', hidden: true },
        'Reload page',
      ),
    ),
    renderForm(),
    el(
      'section',
      { class: 'capture-waiting', id: 'waiting', hidden: true, 'aria-labelledby': 'waiting-title' },
      el('h2', { id: 'waiting-title' }, 'Waiting'),
      el('ul', { class: 'rows', id: 'waiting-list' }),
    ),
  )

const renderForm = (): HTMLElement =>
  el(
    'form',
    { class: 'stack', id: 'note' },
    el('p', { class: 'capture-source dim', id: 'source', hidden: true }),
    el(
      'div',
      { class: 'stack', id: 'titled', hidden: true },
      el('label', { class: 'field-label', for: 'title' }, 'Title'),
      el('input', { class: 'field', id: 'title', maxlength: 500, autocomplete: 'off' }),
    ),
    el('label', { class: 'field-label', for: 'text', id: 'text-label' }, 'Note'),
    el('textarea', {
      class: 'field capture-text',
      id: 'text',
      rows: 8,
      maxlength: maxNoteLength,
      autofocus: true,
      'aria-describedby': 'hint',
    }),
    el('p', { class: 'dim small', id: 'hint' }, 'The first line becomes the title.'),
    el(
      'div',
      { class: 'capture-choices' },
      el(
        'label',
        { class: 'capture-choice' },
        el('span', { class: 'field-label' }, 'Space'),
        el('select', { class: 'field', id: 'space', required: true }),
      ),
      el(
        'label',
        { class: 'capture-choice', id: 'kinds' },
        el('span', { class: 'field-label' }, 'Save as'),
        el(
          'select',
          { class: 'field', id: 'kind' },
          el('option', { value: 'page' }, 'Page'),
          el('option', { value: 'task' }, 'Task'),
        ),
      ),
      el('button', { class: 'button button-primary', type: 'submit', id: 'save' }, 'Save note'),
    ),
    el('p', { class: 'problem', id: 'problem', role: 'alert' }),
    el('p', { class: 'capture-result', id: 'result', role: 'status' }),
  )
