// What the plus of the composer offers. Loaded with its first press.

import { openMenu } from '../../ui/components/menu.ts'
import { el } from '../../ui/dom.ts'
import { canCapture, captureScreen, screenshotTypes } from './message-screenshot.ts'

type Additions = {
  field: HTMLTextAreaElement
  /** Sets the text of the field, and opens the list of a sign before the caret. */
  fill: (text: string) => void
  /** Chooses files; `accept`: the media types that the browser offers. */
  choose: (accept?: string) => void
  /** Makes a file the picture of this message. */
  addPasted: (files: readonly File[]) => void
}

export function openAddMenu(button: HTMLElement, { field, fill, choose, addPasted }: Additions): void {
  openMenu(button, {
    label: 'Add to the message',
    atStart: true,
    items: [
      { label: 'Files…', icon: 'document', run: () => choose() },
      { label: 'Images…', icon: 'upload', run: () => choose('image/*') },
      { label: 'Picture for this message…', icon: 'upload', run: choosePicture },
      ...(canCapture() ? [{ label: 'Screenshot…', icon: 'grid' as const, run: capture }] : []),
      { label: 'Mention a page or companion', icon: 'page', key: '@', run: () => begin('@') },
      { label: 'Command', icon: 'list', key: '/', run: () => begin('/') },
    ],
  })

  function choosePicture(): void {
    const input = el('input', { type: 'file', accept: screenshotTypes })
    input.addEventListener('change', () => addPasted([...(input.files ?? [])]))
    input.click()
  }

  async function capture(): Promise<void> {
    const file = await captureScreen()
    if (file) addPasted([file])
    field.focus()
  }

  /** Types a sign that opens a list: `/` in an empty field, `@` behind what is written. */
  function begin(sign: '@' | '/'): void {
    const before = field.value.trimEnd()
    const text = sign === '/' ? sign : `${before}${before && ' '}@`
    field.focus()
    field.value = text
    field.setSelectionRange(text.length, text.length)
    fill(text)
  }
}
