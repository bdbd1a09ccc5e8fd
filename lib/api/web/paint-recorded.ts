import type { LocalApi } from './local-api.ts'
import { loadPainter, type Painted, type Prefs } from './painter.ts'
import { inTimeZone } from './platform.ts'

type Recorded = {
  href: string
  answers: LocalApi['answers']
  prefs: Prefs
  now: string
  zone: string | null
  pane: boolean
}

/** Paints from answers that were given before. */
export async function paintRecorded({ href, answers, prefs, now, zone, pane }: Recorded): Promise<Painted> {
  const painter = await loadPainter()
  const get = async <Answer>(path: string) => {
    if (!(path in answers)) throw new Error(`the paint asks for what was not loaded: ${path}`)
    return answers[path] as Answer
  }
  const request = { url: new URL(href), api: { get }, prefs, now: new Date(now), zone, pane }
  return await inTimeZone(zone, async () => (await painter.open(request)).draw())
}
