// Where the writing of a page begins.

/** A place under the pointer; `view`: the first block in view. */
export type WriteAt = { node: Element; x: number; y: number } | 'view'

/** What is pressed for itself, and is no text to put a caret into. */
const pressed =
  'a, button, input, select, textarea, label, summary, audio, video, img, iframe, svg, [contenteditable], .embed, .embed-list, .diagram, .page-list, .draft-group'

/** The child of the text that was clicked in; null where the click is for something else. */
export function clickedText(event: MouseEvent, prose: Element | null): Element | null {
  const { target, button } = event
  const isPlain = button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
  if (!prose || !isPlain || event.defaultPrevented || !(target instanceof Element)) return null
  if (!prose.contains(target) || target === prose || target.closest(pressed)) return null
  if (!(document.getSelection()?.isCollapsed ?? true)) return null
  let node = target
  while (node.parentElement && node.parentElement !== prose) node = node.parentElement
  return node
}
