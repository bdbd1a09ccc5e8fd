/**
 * Replaces the nodes of a container by those of a newer state. Preserved for elements with the same id: the focus and
 * its selection, unsent input, and which `<details>` are open.
 */
export function rerender(container: HTMLElement, nodes: readonly (Node | string)[]): void {
  const focused = document.activeElement
  const focusId = focused instanceof HTMLElement && container.contains(focused) ? focused.id : ''
  const selection = isTextInput(focused) ? ([focused.selectionStart, focused.selectionEnd] as const) : null
  const typed = dirtyFields(container)
  const open = [...container.querySelectorAll<HTMLDetailsElement>('details[id]')].map(
    ({ id, open }) => [id, open] as const,
  )

  container.replaceChildren(...nodes)

  for (const [id, value] of typed) {
    const field = byId(container, id)
    if (isField(field)) field.value = value
  }
  for (const [id, wasOpen] of open) {
    const details = byId(container, id)
    if (details instanceof HTMLDetailsElement) details.open = wasOpen
  }
  const again = focusId ? byId(container, focusId) : null
  again?.focus({ preventScroll: true })
  if (selection && isTextInput(again)) again.setSelectionRange(...selection)
}

type Field = HTMLInputElement | HTMLTextAreaElement

function dirtyFields(container: HTMLElement): [string, string][] {
  return [...container.querySelectorAll<Field>('input[id], textarea[id]')]
    .filter((field) => isField(field) && field.value !== field.defaultValue)
    .map(({ id, value }) => [id, value])
}

const byId = (container: HTMLElement, id: string) =>
  container.querySelector<HTMLElement>(`#${CSS.escape(id)}`)

function isField(node: Element | null): node is Field {
  return (
    node instanceof HTMLTextAreaElement ||
    (node instanceof HTMLInputElement && !['checkbox', 'radio', 'file'].includes(node.type))
  )
}

/** Inputs of other types, such as dates, have no selection. */
function isTextInput(node: Element | null): node is Field {
  return (
    node instanceof HTMLTextAreaElement ||
    (node instanceof HTMLInputElement && /^(text|search|url|tel|password)$/.test(node.type))
  )
}
