import { formatPrefs, type Prefs, parsePrefs, prefsCookie } from '../prefs.ts'
import { createStore, type Store } from '../state.ts'

const yearSeconds = 365 * 24 * 60 * 60

/** The preferences as a store: a change shows at once and is stored in the cookie that the server reads. */
export function createPrefsStore(signal: AbortSignal): Store<Prefs> {
  const prefs = createStore(parsePrefs(readCookie()))
  prefs.watch(
    () => formatPrefs(prefs.get()),
    () => {
      apply(prefs.get())
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing over plain http
      document.cookie = `${prefsCookie}=${formatPrefs(prefs.get())}; path=/; max-age=${yearSeconds}; samesite=lax`
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
