import type { App } from '../app.ts'
import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import { keepDraft } from '../drafts.ts'
import { dayText } from '../time.ts'
import { parseQuickTask, type QuickTask } from './parse-quick-task.ts'
import { priorityNames } from './task-words.ts'

/** A line that becomes a task with Enter. */
export function renderQuickAdd(): HTMLElement {
  return el(
    'form',
    { class: 'quick-add', id: 'quick-add-form' },
    icon('plus'),
    el('input', {
      class: 'quick-add-field',
      id: 'quick-add',
      type: 'text',
      maxlength: 500,
      autocomplete: 'off',
      placeholder: 'Add a task … “Order oil friday !high”',
      'aria-label': 'New task',
      'aria-describedby': 'quick-add-hint',
      enterkeyhint: 'done',
    }),
    el('span', { class: 'quick-add-hint', id: 'quick-add-hint', 'aria-live': 'polite' }),
  )
}

export type QuickAdd = {
  app: App
  /** What is typed is kept under this name until it is sent. */
  draftName: string
  /** Resolves to whether the task was made. */
  add(task: QuickTask): Promise<boolean>
  signal: AbortSignal
}

export function mountQuickAdd(root: HTMLElement, { app, draftName, add, signal }: QuickAdd): void {
  const form = root.querySelector<HTMLFormElement>('#quick-add-form')
  const field = root.querySelector<HTMLInputElement>('#quick-add')
  const hint = root.querySelector('#quick-add-hint')
  if (!form || !field || !hint) return
  const draft = keepDraft(draftName)
  field.value ||= draft.read()
  explain()

  field.addEventListener('input', explain, { signal })
  field.addEventListener('keydown', leave, { signal })
  form.addEventListener('submit', submit, { signal })

  // To the column, where the keys of the tasks and those that scroll work.
  function leave({ key }: KeyboardEvent): void {
    if (key === 'Escape') field!.closest<HTMLElement>('#content')?.focus({ preventScroll: true })
  }

  function explain(): void {
    draft.write(field!.value)
    hint!.textContent = field!.value.trim() === '' ? '' : describe(parseQuickTask(field!.value, app.now()))
  }

  function describe({ due_on, priority }: QuickTask): string {
    const due = due_on ? `Due ${dayText(due_on, app.now())}` : ''
    return [due, priority && `${priorityNames[priority]} priority`].filter(Boolean).join(' · ')
  }

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const line = field!.value
    if (line.trim() === '') return
    field!.value = ''
    explain()
    const made = await add(parseQuickTask(line, app.now()))
    if (made) return
    // Whatever was typed meanwhile stays in front of the line that comes back.
    const again = document.querySelector<HTMLInputElement>('#quick-add')
    const kept = [again?.value, line].filter(Boolean).join(' ')
    draft.write(kept)
    if (again) again.value = kept
  }
}
