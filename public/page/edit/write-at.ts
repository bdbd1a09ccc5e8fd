// Where the writing of a page begins, and what ends it.

import type { Page } from '../../../lib/contract/entities.ts'
import { untitled } from '../../../lib/core/text/paths.ts'
import { clickedText, type WriteAt } from '../data/clicked-text.ts'
import type { EditFields } from './edit-fields.ts'
import type { Editor } from './editor/code-mirror.ts'

/**
 * The place to begin at, found before the editor is there; null: there is no text yet. What stands in the text and is not
 * of it, as the changes of a draft, leaves on `writing`; the place stays where it is on the screen.
 */
export function placeIn(at: WriteAt, prose: HTMLElement): WriteAt | Element | null {
  const node = at === 'view' ? firstInView(prose) : at.node
  const top = node?.getBoundingClientRect().top ?? 0
  const moved = () => (node?.isConnected ? node.getBoundingClientRect().top - top : 0)
  prose.dispatchEvent(new CustomEvent('writing', { bubbles: true }))
  prose.closest('.content')?.scrollBy({ top: moved(), behavior: 'instant' })
  return at === 'view' ? node : { ...at, y: at.y + moved() }
}

export function placeCaret(
  at: WriteAt | Element | null,
  { page, fields, editor }: { page: Page; fields: EditFields; editor: Editor | null },
): void {
  if (page.title === untitled && page.body === '') {
    fields.title.focus()
    fields.title.select()
    return
  }
  if (!editor) return
  if (at instanceof Element) editor.pickStart(at)
  else if (at !== null && at !== 'view') editor.pick(at.node, at)
  else editor.focus()
}

function firstInView(prose: HTMLElement): Element | null {
  const top = Math.max(prose.closest('.content')?.getBoundingClientRect().top ?? 0, 0)
  return (
    [...prose.children].find((node) => {
      const { bottom, height } = node.getBoundingClientRect()
      return height > 0 && bottom > top + 8 && !node.matches('.footnotes, .draft-group')
    }) ?? null
  )
}

/** Clicks in what the editor shows drawn write there; those outside end the writing. */
export function watchClicks({
  editor,
  done,
  signal,
}: {
  editor: Editor | null
  done: () => Promise<void>
  signal: AbortSignal
}): void {
  editor?.element.addEventListener(
    'click',
    (event) => {
      const node = clickedText(event, editor.element)
      if (node && !node.matches('.prose-inline')) editor.pick(node, { x: event.clientX, y: event.clientY })
    },
    { signal },
  )
  editor?.element.addEventListener(
    'change',
    (event) => {
      const { target } = event
      if (!(target instanceof HTMLInputElement) || target.closest('.embed')) return
      event.stopImmediatePropagation()
      let node: Element = target
      while (node.parentElement && node.parentElement !== editor.element) node = node.parentElement
      const boxes = [...node.querySelectorAll('input[type="checkbox"]')].filter(
        (box) => !box.closest('.embed'),
      )
      editor.tick(node, boxes.indexOf(target))
    },
    { signal, capture: true },
  )
  document.addEventListener(
    'click',
    (event) => {
      const path = event.composedPath()
      // What has gone with the click was within something, too.
      const isInside = path.some((each) => each instanceof Element && each.matches(inside))
      const target = path[0]
      if (!isInside && target instanceof Node && target.isConnected) void done()
    },
    { signal },
  )
}

const inside =
  '.page-main > .prose, .drawing-fold, .page-head, .page-notices, .edit-plain, dialog, [popover], .toast, .toasts, .menu'
