// What is typed between asking for something to write into and its being there, as its code has to be loaded first.

export type TypedKeys = { text: string; isLeft: boolean }

/** Of a view that has just ended, for the one that takes its place in the same task. */
let passed: (TypedKeys & { id: string }) | null = null

/**
 * Gathers what is typed until the function that it returns is called; none of it is a shortcut of what is in view.
 * `isLeft`: ended by Escape, behind which only Enter counts, as it begins anew. Where the signal ends it, the next one of
 * this `id` goes on with it if it begins at once, as a view does that is drawn anew.
 */
export function bufferKeys(id: string, signal: AbortSignal): () => TypedKeys {
  let { text, isLeft } = passed?.id === id ? passed : { text: '', isLeft: false }
  passed = null
  const controller = new AbortController()
  window.addEventListener('keydown', onKey, { signal: controller.signal, capture: true })
  signal.addEventListener('abort', pass, { signal: controller.signal })
  return () => {
    controller.abort()
    return { text, isLeft }
  }

  function onKey(event: KeyboardEvent): void {
    const { key } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (key.length !== 1 && !/^(?:Enter|Escape|Backspace)$/.test(key)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (isLeft) isLeft = key !== 'Enter'
    else if (key === 'Escape') isLeft = true
    else if (key === 'Backspace') text = [...text].slice(0, -1).join('')
    else text += key === 'Enter' ? '\n' : key
  }

  function pass(): void {
    controller.abort()
    passed = { id, text, isLeft }
    setTimeout(() => {
      passed = null
    })
  }
}
