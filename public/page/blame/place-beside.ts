type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>
type Size = { width: number; height: number }

const gap = 12
const edge = 8

/**
 * Where a dialog stands next to a passage: right of its text or left of it, where the window has room, else below or
 * above the passage. It covers the passage only where there is room nowhere.
 */
export function placeBeside(
  { passage, text }: { passage: Box; text: Box },
  { width, height }: Size,
  screen: Size,
): { left: number; top: number } {
  const fits = (at: number, size: number, max: number) => at >= edge && at + size + edge <= max
  const within = (at: number, size: number, max: number) => Math.max(edge, Math.min(at, max - size - edge))
  const aside = [text.right + gap, text.left - gap - width].find((at) => fits(at, width, screen.width))
  if (aside !== undefined) return { left: aside, top: within(passage.top, height, screen.height) }
  const over = [passage.bottom + gap, passage.top - gap - height].find((at) =>
    fits(at, height, screen.height),
  )
  if (over !== undefined) return { left: within(passage.left, width, screen.width), top: over }
  return { left: screen.width - width - edge, top: screen.height - height - edge }
}
