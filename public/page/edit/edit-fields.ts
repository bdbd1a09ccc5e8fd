import type { PageText } from '../data/page-data.ts'
import { type TextSource, textareaSource } from './editor/text-source.ts'

export type EditFields = {
  title: HTMLTextAreaElement
  read(): PageText
  /** Replaces what differs. */
  write(fields: Partial<PageText>): void
  text(): TextSource
  /** Replaces the source of the text. */
  setText(source: TextSource): void
}

/** The title and the text of the editor: the text in the plain field, until the editor proper replaces it. */
export function createEditFields(root: HTMLElement, onChange: () => void, signal: AbortSignal): EditFields {
  const title = root.querySelector<HTMLTextAreaElement>('#edit-title')!
  const plain = root.querySelector<HTMLTextAreaElement>('#edit-plain')!
  let text: TextSource = textareaSource(plain, onChange, signal)
  title.addEventListener('input', onChange, { signal })
  title.addEventListener('keydown', onKey, { signal })

  return {
    title,
    text: () => text,
    setText(source) {
      text = source
    },
    read: () => ({ title: title.value.replace(/\s+/g, ' '), body: text.read() }),
    write(fields) {
      if (fields.title !== undefined) title.value = fields.title
      if (fields.body !== undefined) text.write(fields.body)
    },
  }

  // A title is one line: Enter goes on to the text.
  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    text.focus()
  }
}
