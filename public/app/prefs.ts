// Preferences of this browser, in a cookie because the server needs them for the first paint.

import { outward } from '../ui/address.ts'
import { createStore, type Store } from './state.ts'

export type Theme = 'system' | 'dark' | 'light'

export type Prefs = {
  theme: Theme
  railWidth: number
  railOpen: boolean
  /** Whether the companion may open pages and highlight passages; else it shows links. */
  moveView: boolean
  /** Whether single letters are shortcuts. */
  letterKeys: boolean
  /** Whether the first steps on Home were hidden. */
  stepsHidden: boolean
  /** Whether the owner goes on without a model, which is a first step done. */
  withoutModel: boolean
  /** The slug of the Space that was open last. */
  space: string | null
}

export const prefsCookie = 'void_prefs'

export const railWidths = { min: 320, initial: 384, max: 560, step: 8 } as const

/** The nearest width that the stylesheet has. */
export function fitRailWidth(width: number): number {
  const { min, initial, max, step } = railWidths
  if (!Number.isFinite(width)) return initial
  return Math.min(max, Math.max(min, Math.round(width / step) * step))
}

/** Parses the cookie's value; what is missing or invalid gets its default. */
export function parsePrefs(value: string | undefined): Prefs {
  const values = new URLSearchParams(value ?? '')
  const theme = values.get('theme')
  return {
    theme: theme === 'dark' || theme === 'light' ? theme : 'system',
    railWidth: fitRailWidth(Number(values.get('rail') ?? railWidths.initial)),
    railOpen: values.get('open') !== '0',
    moveView: values.get('move') !== '0',
    letterKeys: values.get('letters') !== '0',
    stepsHidden: values.get('steps') === '0',
    withoutModel: values.get('model') === '0',
    space: values.get('space'),
  }
}

function formatPrefs({
  theme,
  railWidth,
  railOpen,
  moveView,
  letterKeys,
  stepsHidden,
  withoutModel,
  space,
}: Prefs): string {
  const pairs = {
    theme,
    rail: String(railWidth),
    open: railOpen ? '1' : '0',
    ...(moveView ? {} : { move: '0' }),
    ...(letterKeys ? {} : { letters: '0' }),
    ...(stepsHidden ? { steps: '0' } : {}),
    ...(withoutModel ? { model: '0' } : {}),
    ...(space ? { space } : {}),
  }
  return new URLSearchParams(pairs).toString()
}

const yearSeconds = 365 * 24 * 60 * 60

/** The preferences as a store: a change shows at once and is stored in the cookie that the server reads. */
export function createPrefsStore(signal: AbortSignal): Store<Prefs> {
  const prefs = createStore(parsePrefs(readCookie()))
  // The page may be one that was stored before they were changed.
  apply(prefs.get())
  prefs.watch(
    () => formatPrefs(prefs.get()),
    () => {
      apply(prefs.get())
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing over plain http
      document.cookie = `${prefsCookie}=${formatPrefs(prefs.get())}; path=${outward('/')}; max-age=${yearSeconds}; samesite=lax`
    },
    signal,
  )
  return prefs
}

function apply({ theme, railWidth, railOpen }: Prefs): void {
  const { dataset } = document.documentElement
  dataset.theme = theme
  dataset.rail = railOpen ? String(railWidth) : 'closed'
}

function readCookie(): string | undefined {
  const pair = document.cookie.split('; ').find((each) => each.startsWith(`${prefsCookie}=`))
  return pair?.slice(prefsCookie.length + 1)
}
