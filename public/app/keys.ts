// The keyboard shortcuts of the page. A view adds its own while it is shown; `?` lists them.

export type KeyBinding = {
  /** As `keyName` writes it: `j`, `?`, `Escape`, `Mod+k`. */
  key: string
  label: string
  run: (event: KeyboardEvent) => void
  /** Heading in the overlay. */
  group?: string
  /** Also while a text field has the focus. */
  inFields?: boolean
  /** Active only while this returns true. */
  when?: () => boolean
  /** Only while this element, or one inside it, has the focus. */
  within?: Element
}

export type Keys = {
  add(bindings: readonly KeyBinding[], signal: AbortSignal): void
  /** What could be pressed, the newest first. */
  list(): readonly KeyBinding[]
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** `Mod` is Ctrl or ⌘. Shift is named only for keys that have no other sign of it. */
function keyName({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string {
  // With Alt a Mac types other signs.
  const letter = altKey ? /^Key([A-Z])$/.exec(code)?.[1] : undefined
  const typed = letter ? (shiftKey ? letter : letter.toLowerCase()) : key
  const name = typed.length === 1 && (ctrlKey || metaKey) ? typed.toLowerCase() : typed
  const parts = [(ctrlKey || metaKey) && 'Mod', altKey && 'Alt', shiftKey && key.length > 1 && 'Shift', name]
  return parts.filter(Boolean).join('+')
}

/** `letters`: whether single letters act, which the owner may switch off (WCAG 2.1.4). */
export function createKeys(target: EventTarget, letters: () => boolean = () => true): Keys {
  const bindings: KeyBinding[] = []
  let wroteAt = -Infinity

  target.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || event.isComposing) return
    const name = keyName(event)
    // Within a shadow root, such as the editor's, the event's own target is only the host.
    const field = event.composedPath()[0] ?? null
    const typing = isTextField(field)
    const isLetter = name.length === 1
    const now = event.timeStamp
    if (isLetter && (isWritten(field) || now < wroteAt + 1000)) wroteAt = now
    else if (/Escape|Enter/.test(name)) wroteAt = -Infinity
    if (event.defaultPrevented || (isLetter && !letters())) return
    // A text that lost the focus while somebody writes on: none of its letters is meant for the page. With Escape or
    // Enter it was left on purpose.
    if (isLetter && !typing && (now === wroteAt || document.querySelector(openText))) return
    const match = bindings.findLast(
      (binding) =>
        binding.key === name &&
        (!typing || binding.inFields) &&
        isInReach(binding, event.target) &&
        (binding.when?.() ?? true),
    )
    if (!match) return
    event.preventDefault()
    match.run(event)
  })

  return {
    add(added, signal) {
      if (signal.aborted) return
      bindings.push(...added)
      signal.addEventListener('abort', () => {
        for (const binding of added) bindings.splice(bindings.indexOf(binding), 1)
      })
    },
    list: () => bindings.toReversed(),
  }
}

// What lies under a modal dialog is out of reach for keys too.
function isInReach({ within }: KeyBinding, target: EventTarget | null): boolean {
  const modal = document.querySelector('dialog:modal')
  if (modal && !(within && modal.contains(within))) return false
  return !within || (target instanceof Node && within.contains(target))
}

/** Texts that are being written, whatever has the focus. */
const openText = '.page[data-writing], #title-field, .body-editor'

/** A text of several lines, as against a field to search or filter by. */
const isWritten = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('textarea'))

function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=radio])'))
  )
}
