// Choices about the page itself. They live in a cookie, because the server needs them for the first paint.

export type Theme = 'system' | 'dark' | 'light'

export type Prefs = {
  theme: Theme
  railWidth: number
  railOpen: boolean
  /** Whether the companion may open, arrange and mark; else it offers links. */
  moveView: boolean
  /** The slug of the Space that was last looked at. */
  space: string | null
}

export const prefsCookie = 'void_prefs'

export const railWidths = { least: 320, usual: 384, most: 560, step: 8 } as const

/** The nearest width that the stylesheet has. */
export function fitRailWidth(width: number): number {
  const { least, usual, most, step } = railWidths
  if (!Number.isFinite(width)) return usual
  return Math.min(most, Math.max(least, Math.round(width / step) * step))
}

/** Reads the cookie's value; whatever is missing or odd gets its usual value. */
export function parsePrefs(value: string | undefined): Prefs {
  const given = new URLSearchParams(value ?? '')
  const theme = given.get('theme')
  return {
    theme: theme === 'dark' || theme === 'light' ? theme : 'system',
    railWidth: fitRailWidth(Number(given.get('rail') ?? railWidths.usual)),
    railOpen: given.get('open') !== '0',
    moveView: given.get('move') !== '0',
    space: given.get('space'),
  }
}

export function formatPrefs({ theme, railWidth, railOpen, moveView, space }: Prefs): string {
  const pairs = {
    theme,
    rail: String(railWidth),
    open: railOpen ? '1' : '0',
    ...(moveView ? {} : { move: '0' }),
    ...(space ? { space } : {}),
  }
  return new URLSearchParams(pairs).toString()
}
