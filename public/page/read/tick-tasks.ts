// Checkboxes in the read view. Checking one changes its line in the text, as any other edit does: with a version, a history
// and an undo. Where the boxes in view and the lines of the text are not surely the same, they stay as they are.

import type { Page } from '../../../lib/contract/entities.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { changePage, type LivePage } from '../data/page-data.ts'
import { type TaskLine, taskLines, toggleTask } from '../data/task-lines.ts'

/** Half of the 44 pixels that a finger needs. */
const reach = 22

const maxNameLength = 100

export function makeTasksTickable(root: HTMLElement, data: LivePage, context: ViewContext): void {
  const { app, signal, refresh } = context
  const prose = root.querySelector<HTMLElement>('.page-main > .prose')
  const boxes = ownBoxes(root)
  const isTickable = areSame(boxes, taskLines(data.page.body))
  if (prose) prose.dataset.tickable = String(isTickable)
  if (!prose || !isTickable) return

  let current: Page = data.page
  let waiting = 0
  let last: Promise<void> = Promise.resolve()
  for (const [index, box] of boxes.entries()) {
    box.disabled = false
    box.setAttribute('aria-label', nameOf(box))
    box.addEventListener('change', () => queue(index), { signal })
  }
  prose.addEventListener('click', (event) => nearest(boxes, event)?.click(), { signal })

  /** One after the other: each is for the text that the one before made. */
  function queue(index: number): void {
    waiting += 1
    last = last.then(() => tick(index)).finally(settle)
  }

  async function tick(index: number): Promise<void> {
    const line = taskLines(current.body)[index]
    if (!line) return
    try {
      current = await changePage(app, current, { body: toggleTask(current.body, line) })
      const words = `${line.done ? 'Unchecked' : 'Checked'} ${quoteShown(shortened(line.text))}.`
      app.toast(words, { action: { label: 'Undo', run: () => queue(index) } })
    } catch (error) {
      boxes[index]!.checked = line.done
      app.toast(`Could not change the task. ${messageOf(error)}`, { tone: 'problem' })
    }
  }

  async function settle(): Promise<void> {
    waiting -= 1
    if (waiting === 0 && !signal.aborted) await refresh().catch(() => {})
  }
}

/** Without those of embedded pages. */
const ownBoxes = (root: HTMLElement): HTMLInputElement[] =>
  [...root.querySelectorAll<HTMLInputElement>('.page-main > .prose input[type="checkbox"]')].filter(
    (box) => !box.closest('.embed'),
  )

function areSame(boxes: readonly HTMLInputElement[], lines: readonly TaskLine[]): boolean {
  return (
    boxes.length > 0 &&
    boxes.length === lines.length &&
    lines.every(({ done, text }, index) => boxes[index]!.checked === done && beginsAlike(boxes[index]!, text))
  )
}

/** The first letters and numbers, whatever marks stand around them. */
function beginsAlike(box: HTMLInputElement, text: string): boolean {
  const [label, source] = [nameOf(box), text].map((each) =>
    each.slice(0, 200).replace(/[^\p{L}\p{N}]+/gu, ''),
  )
  return label!.slice(0, 3) === source!.slice(0, 3)
}

function nameOf(box: HTMLInputElement): string {
  const item = box.closest('li')?.cloneNode(true)
  if (!(item instanceof HTMLElement)) return 'Task'
  for (const list of item.querySelectorAll('ul, ol')) list.remove()
  return shortened(item.textContent ?? '') || 'Task'
}

const shortened = (text: string): string =>
  text.slice(0, 1000).replace(/\s+/g, ' ').trim().slice(0, maxNameLength).toWellFormed()

/** The box that a finger meant. */
function nearest(boxes: readonly HTMLInputElement[], event: Event): HTMLInputElement | null {
  if (!(event instanceof PointerEvent) || event.pointerType !== 'touch') return null
  if (event.target instanceof Element && event.target.closest('a, button, summary, input')) return null
  return (
    boxes.find((box) => {
      const { left, right, top, bottom } = box.getBoundingClientRect()
      return (
        Math.abs(event.clientX - (left + right) / 2) <= reach &&
        Math.abs(event.clientY - (top + bottom) / 2) <= reach
      )
    }) ?? null
  )
}
