/**
 * Replaces the nodes of a container by those of a newer state. Preserved for elements with the same id: the focus and
 * its selection, unsent input, and which `<details>` are open; what plays goes on. What is chosen or ticked counts as
 * unsent within a form or `[data-unsent]`; elsewhere a choice acts at once, and the newer state says what came of it.
 * A restored choice emits `restored`, which bubbles. A restored field in which somebody was typing still emits `change`
 * when it is left: a browser takes a value that script has set for one that was there before.
 */
export function rerender(container: HTMLElement, nodes: readonly (Node | string)[]): void {
  const focused = document.activeElement
  const focusId = focused instanceof HTMLElement && container.contains(focused) ? focused.id : ''
  const selection = isTextInput(focused) ? ([focused.selectionStart, focused.selectionEnd] as const) : null
  const typed = dirtyFields(container)
  const chosen = dirtyChoices(container)
  const open = [...container.querySelectorAll<HTMLDetailsElement>('details[id]')].map(
    ({ id, open }) => [id, open] as const,
  )

  const players = () => [...container.querySelectorAll<HTMLMediaElement>('audio, video')]
  const playing = players().filter(({ paused }) => !paused)

  container.replaceChildren(...nodes)

  for (const player of playing)
    players()
      .find(({ src }) => src === player.src)
      ?.replaceWith(player)
  for (const [id, value] of typed) {
    const field = byId(container, id)
    if (isField(field)) field.value = value
  }
  for (const { id, value, checked } of chosen) {
    const field = byId(container, id)
    if (field instanceof HTMLSelectElement) choose(field, value)
    else if (isTick(field)) field.checked = checked
    field?.dispatchEvent(new CustomEvent('restored', { bubbles: true }))
  }
  for (const [id, wasOpen] of open) {
    const details = byId(container, id)
    if (details instanceof HTMLDetailsElement) details.open = wasOpen
  }
  const again = focusId ? byId(container, focusId) : null
  again?.focus({ preventScroll: true })
  if (selection && isTextInput(again)) again.setSelectionRange(...selection)
  if (isField(again) && typed.some(([id]) => id === focusId)) emitChangeWhenLeft(again)
}

function emitChangeWhenLeft(field: Field): void {
  const done = new AbortController()
  const { signal } = done
  field.addEventListener('change', () => done.abort(), { signal })
  field.addEventListener(
    'blur',
    () => field.isConnected && field.dispatchEvent(new Event('change', { bubbles: true })),
    { signal },
  )
}

type Field = HTMLInputElement | HTMLTextAreaElement

function dirtyFields(container: HTMLElement): [string, string][] {
  return [...container.querySelectorAll<Field>('input[id], textarea[id]')]
    .filter((field) => isField(field) && field.value !== field.defaultValue)
    .map(({ id, value }) => [id, value])
}

type Choice = { id: string; value: string; checked: boolean }

function dirtyChoices(container: HTMLElement): Choice[] {
  return [
    ...container.querySelectorAll<HTMLElement>(':is(form, [data-unsent]) :is(select, input)[id]'),
  ].flatMap((field) => {
    const isDirty =
      field instanceof HTMLSelectElement
        ? field.value !== defaultOf(field)
        : isTick(field) && field.checked !== field.defaultChecked
    const value = field instanceof HTMLSelectElement ? field.value : ''
    return isDirty ? [{ id: field.id, value, checked: isTick(field) && field.checked }] : []
  })
}

/** With none marked, the first is chosen. */
const defaultOf = ({ options }: HTMLSelectElement) =>
  ([...options].find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value

/** A choice that is no longer offered is given up. */
function choose(field: HTMLSelectElement, value: string): void {
  if ([...field.options].some((option) => option.value === value)) field.value = value
}

const isTick = (node: Element | null): node is HTMLInputElement =>
  node instanceof HTMLInputElement && ['checkbox', 'radio'].includes(node.type)

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
