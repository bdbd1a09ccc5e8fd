import type { PageText } from '../data/page-data.ts'
import type { TextSource } from './editor/text-source.ts'

export type EditFields = {
  title: HTMLTextAreaElement
  read(): PageText
  /** Replaces what differs. */
  write(fields: Partial<PageText>): void
  text(): TextSource
}

/** The title and the text of a page that is written. */
export function createEditFields(
  title: HTMLTextAreaElement,
  text: TextSource,
  { onChange, signal }: { onChange: () => void; signal: AbortSignal },
): EditFields {
  title.addEventListener('input', onChange, { signal })
  title.addEventListener('keydown', onKey, { signal })

  return {
    title,
    text: () => text,
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
