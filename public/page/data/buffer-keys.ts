// What is typed between the click that begins the writing and the editor, which has to be loaded first.

export type TypedKeys = { text: string; isLeft: boolean }

/** Of a drawing of the page that has just ended, for the one that takes its place in the same task. */
let passed: (TypedKeys & { id: string }) | null = null

/**
 * Gathers what is typed before there is an editor to type into; the function returns it, and ends that. `isLeft`: ended
 * by Escape, behind which only Enter counts, as it begins anew. A page (`id`) that is drawn anew meanwhile goes on with it.
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
    if (key.length !== 1 && key !== 'Enter' && key !== 'Escape') return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (isLeft) isLeft = key !== 'Enter'
    else if (key === 'Escape') isLeft = true
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
