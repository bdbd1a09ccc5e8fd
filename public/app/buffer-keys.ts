// What is typed between asking for something to write into and its being there, as its code has to be loaded first.

type TypedKeys = { text: string; isLeft: boolean }

/**
 * Gathers what is typed until the signal ends it or the function that it returns is called; none of it is a shortcut of
 * what is in view. `isLeft`: ended by Escape, behind which only Enter counts, as it begins anew.
 */
export function bufferKeys(signal: AbortSignal): () => TypedKeys {
  let text = ''
  let isLeft = false
  const controller = new AbortController()
  window.addEventListener('keydown', onKey, { signal: controller.signal, capture: true })
  signal.addEventListener('abort', () => controller.abort(), { signal: controller.signal })
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
}
