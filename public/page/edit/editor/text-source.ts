/** Where the text is edited: the editor, or the plain field until it has loaded. */
export type TextSource = {
  element: HTMLElement
  /** The element that scrolls. */
  scroller: HTMLElement
  read(): string
  /** Changes only what differs, as one step that can be undone. */
  write(text: string): void
  selection(): { from: number; to: number }
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
    scroller: area,
    read: () => area.value,
    write(text) {
      const { from, to, insert } = smallestChange(area.value, text)
      area.setRangeText(insert, from, to, 'preserve')
      onChange()
    },
    selection: () => ({ from: area.selectionStart, to: area.selectionEnd }),
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
