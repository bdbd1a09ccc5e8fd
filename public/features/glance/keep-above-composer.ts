/** Puts an element at the top of the composer, again whenever the rail is drawn anew, and removes it at the end. */
export function keepAboveComposer(element: HTMLElement, ended: AbortSignal): void {
  const place = () => {
    if (!element.isConnected) document.querySelector('.composer')?.prepend(element)
  }
  const observer = new MutationObserver(place)
  observer.observe(document.body, { childList: true, subtree: true })
  place()
  ended.addEventListener('abort', () => {
    observer.disconnect()
    element.remove()
  })
}
