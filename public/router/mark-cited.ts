// Marks the words that `?cite=` names, wherever a view shows them, and brings them into sight. Uses the browser's
// highlights, so the nodes stay as they are.

const highlightName = 'cited'

export function markCited(root: HTMLElement, words: string, signal: AbortSignal): void {
  if (!('highlights' in CSS)) return
  const range = findWords(root, words)
  if (!range) return
  const highlight = new Highlight(range)
  CSS.highlights.set(highlightName, highlight)
  signal.addEventListener('abort', () => {
    if (CSS.highlights.get(highlightName) === highlight) CSS.highlights.delete(highlightName)
  })
  range.startContainer.parentElement?.scrollIntoView({ block: 'center', behavior: 'instant' })
}

type Letter = { node: Text; offset: number }

/** The range in which the letters of `words` follow one another, whatever white space and marks lie between. */
function findWords(root: Node, words: string): Range | null {
  const letters: Letter[] = []
  let text = ''
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue
    for (let offset = 0; offset < node.data.length; offset += 1) {
      const letter = lettersOf(node.data[offset]!)
      if (letter === '') continue
      text += letter
      letters.push({ node, offset })
    }
  }
  const wanted = lettersOf(words)
  const at = wanted === '' ? -1 : text.indexOf(wanted)
  const first = letters[at]
  const last = letters[at + wanted.length - 1]
  if (at === -1 || !first || !last) return null

  const range = document.createRange()
  range.setStart(first.node, first.offset)
  range.setEnd(last.node, last.offset + 1)
  return range
}

/** Text without white space and without the characters that may be markup, to compare source with rendered text. */
const lettersOf = (text: string) => text.replace(/[\s*_`#>|[\]()~-]/g, '')
