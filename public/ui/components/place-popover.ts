const gap = 6

/** Puts an open popover below what it belongs to, or above where there is no room; never over it where it fits either way. */
export function placePopover(popover: HTMLElement, at: DOMRect): void {
  const { width, height } = popover.getBoundingClientRect()
  const left = Math.max(gap, Math.min(at.left, innerWidth - width - gap))
  const below = at.bottom + gap
  const above = at.top - height - gap
  const top = below + height + gap <= innerHeight || above < gap ? below : above
  popover.style.setProperty('inset-inline-start', `${left}px`)
  popover.style.setProperty('inset-block-start', `${top}px`)
}
