/** Where the text is edited: the editor, or a plain field where that could not be loaded. */
export type TextSource = {
  element: HTMLElement
  read(): string
  /** Changes only what differs, as one step that can be undone. */
  write(text: string): void
  hasFocus(): boolean
  focus(): void
}

export function textareaSource(
  area: HTMLTextAreaElement,
  onChange: () => void,
  signal: AbortSignal,
): TextSource {
  area.addEventListener('input', onChange, { signal })
  return {
    element: area,
    read: () => area.value,
    write(text) {
      const { from, to, insert } = smallestChange(area.value, text)
      area.setRangeText(insert, from, to, 'preserve')
      onChange()
    },
    hasFocus: () => document.activeElement === area,
    focus: () => area.focus(),
  }
}

/** The smallest replacement that turns `before` into `after`. */
export function smallestChange(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) }
}
