import type { App } from '../app/app.ts'
import type { QuickTask } from '../app/parse-quick-task.ts'
import { savedText } from '../app/storage/saved-text.ts'
import { icon } from '../ui/components/icon.ts'
import { el } from '../ui/dom.ts'

/** A field that creates a task with Enter. */
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
      placeholder: 'Add a task, such as “Order oil friday !high”',
      'aria-label': 'New task',
      'aria-describedby': 'quick-add-hint',
      enterkeyhint: 'done',
    }),
    el('span', { class: 'quick-add-hint', id: 'quick-add-hint', 'aria-live': 'polite' }),
  )
}

export type QuickAdd = {
  app: App
  /** The name under which unsent text is stored. */
  draftName: string
  /** Resolves to whether the task was created. */
  add(task: QuickTask): Promise<boolean>
  signal: AbortSignal
}

export function mountQuickAdd(root: HTMLElement, { app, draftName, add, signal }: QuickAdd): void {
  const form = root.querySelector<HTMLFormElement>('#quick-add-form')
  const field = root.querySelector<HTMLInputElement>('#quick-add')
  const hint = root.querySelector('#quick-add-hint')
  if (!form || !field || !hint) return
  // Of this tab alone: another one that is drawn anew meanwhile would take it over, and bring it back once it is sent.
  const draft = savedText(draftName, sessionStorage)
  field.value ||= draft.read()
  void explain()

  field.addEventListener('input', explain, { signal })
  field.addEventListener('keydown', leave, { signal })
  form.addEventListener('submit', submit, { signal })

  // To the column, where the keys of the tasks and those that scroll work.
  function leave({ key }: KeyboardEvent): void {
    if (key === 'Escape') field!.closest<HTMLElement>('#content')?.focus({ preventScroll: true })
  }

  async function explain(): Promise<void> {
    const line = field!.value
    draft.write(line)
    const task = line.trim() === '' ? null : await readLine(line, app.now())
    const chips = task ? (await import('./quick-add-chips.ts')).renderChips(task, app.now()) : []
    // Shorter words may be read sooner than those before them.
    if (field!.value === line) hint!.replaceChildren(...chips)
  }

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const line = field!.value
    if (line.trim() === '') return
    field!.value = ''
    void explain()
    const made = await add(await readLine(line, app.now()))
    if (made) return
    // What was typed in the meantime stays in front of the restored line.
    const again = document.querySelector<HTMLInputElement>('#quick-add')
    const text = [again?.value, line].filter(Boolean).join(' ')
    draft.write(text)
    if (again) again.value = text
  }
}

/** What reads days is loaded with the first letter; where it can't be, the line is the title. */
async function readLine(line: string, now: Date): Promise<QuickTask> {
  const reader = await import('../app/parse-quick-task.ts').catch(() => null)
  return reader ? reader.parseQuickTask(line, now) : { title: line.trim() }
}
